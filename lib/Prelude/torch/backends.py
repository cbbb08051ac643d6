"""torch.backends: switches that choose kernels in eager choose nothing here. Their initial values and what
is available are answers about the world."""
from torch.backends import cuda, cudnn, mkl, mkldnn, mps, openmp  # noqa: F401
from torch.backends.cuda import matmul as _matmul

cuda.matmul = _matmul
