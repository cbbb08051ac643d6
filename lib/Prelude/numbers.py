"""numbers: the tower of number classes."""
from abc import ABCMeta


class Number(metaclass=ABCMeta):
    __hash__ = None


class Complex(Number):
    pass


class Real(Complex):
    pass


class Rational(Real):
    pass


class Integral(Rational):
    pass


Complex._abc_registry.append(complex)
Real._abc_registry.append(float)
Integral._abc_registry.append(int)
