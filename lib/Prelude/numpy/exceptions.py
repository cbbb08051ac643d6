from numpy._arrays import AxisError
