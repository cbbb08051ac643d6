"""fractions: rational numbers."""
import math
import numbers
import operator
import re
from _ptc import _python_minor
from _ptc_torch import _refuse

__all__ = ["Fraction"]

_MODULUS = 2 ** 61 - 1                          # of the hash of numbers
_SLASH = r"\s*/\s*" if _python_minor() >= 12 else "/"
_FORM = re.compile(r"\s*(?P<sign>[-+]?)(?=\d|\.\d)(?P<num>\d*(?:_\d+)*)(?:(?:" + _SLASH + r"(?P<denom>\d+(?:_\d+)*))?|"
                   r"(?:\.(?P<decimal>\d*(?:_\d+)*))?(?:[eE](?P<exp>[-+]?\d+(?:_\d+)*))?)\s*")


def _digits(text):
    return text.replace("_", "")


def _parsed(text):
    found = _FORM.fullmatch(text)
    if found is None or (found.group("num") or "").startswith("_") or (found.group("decimal") or "").startswith("_"):
        raise ValueError(f"Invalid literal for Fraction: {text!r}")
    numerator, denominator = int(_digits(found.group("num") or "0") or "0"), found.group("denom")
    if denominator:
        denominator = int(_digits(denominator))
    else:
        denominator = 1
        decimal = _digits(found.group("decimal") or "")
        if decimal:
            scale = 10 ** len(decimal)
            numerator, denominator = numerator * scale + int(decimal), scale
        if exponent := found.group("exp"):
            exponent = int(_digits(exponent))
            if exponent >= 0:
                numerator *= 10 ** exponent
            else:
                denominator *= 10 ** -exponent
    return (-numerator if found.group("sign") == "-" else numerator), denominator


class Fraction(numbers.Rational):
    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None):
        self = super(Fraction, cls).__new__(cls)
        if denominator is None:
            if type(numerator) is int:
                self._numerator, self._denominator = numerator, 1
                return self
            if isinstance(numerator, numbers.Rational):
                self._numerator, self._denominator = numerator.numerator, numerator.denominator
                return self
            is_ratio = isinstance(numerator, float) or type(numerator).__name__ == "Decimal" or (
                _python_minor() >= 14 and not isinstance(numerator, type) and hasattr(numerator, "as_integer_ratio"))
            if is_ratio:
                self._numerator, self._denominator = numerator.as_integer_ratio()
                return self
            if not isinstance(numerator, str):
                if _python_minor() >= 14:
                    raise TypeError("argument should be a string or a Rational instance or have the as_integer_ratio() method")
                raise TypeError("argument should be a string or a Rational instance")
            numerator, denominator = _parsed(numerator)
        elif isinstance(numerator, numbers.Rational) and isinstance(denominator, numbers.Rational):
            numerator, denominator = (numerator.numerator * denominator.denominator, denominator.numerator * numerator.denominator)
        else:
            raise TypeError("both arguments should be Rational instances")
        if denominator == 0:
            raise ZeroDivisionError(f"Fraction({numerator}, 0)")
        common = math.gcd(numerator, denominator)
        if denominator < 0:
            common = -common
        self._numerator, self._denominator = numerator // common, denominator // common
        return self

    @classmethod
    def from_float(cls, f):
        if isinstance(f, numbers.Integral):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})")
        return cls(*f.as_integer_ratio())

    @classmethod
    def from_decimal(cls, dec):
        if isinstance(dec, numbers.Integral):
            return cls(int(dec))
        if type(dec).__name__ != "Decimal":
            raise TypeError(f"{cls.__name__}.from_decimal() only takes Decimals, not {dec!r} ({type(dec).__name__})")
        return cls(*dec.as_integer_ratio())

    if _python_minor() >= 12:
        def is_integer(self):
            return self._denominator == 1

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def limit_denominator(self, max_denominator=1000000):
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0             # convergents of the continued fraction
        n, d = self._numerator, self._denominator
        while True:
            a = n // d
            q2 = q0 + a * q1
            if q2 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + a * p1, q2
            n, d = d, n - a * d
        k = (max_denominator - q0) // q1
        if 2 * d * (q0 + k * q1) <= self._denominator:
            return Fraction(p1, q1)
        return Fraction(p0 + k * p1, q0 + k * q1)

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f"{self._numerator}/{self._denominator}"

    def _ptc_operation(name, exact, fallback):
        def forward(self, other):
            if isinstance(other, (int, Fraction)):
                return exact(self, Fraction(other))
            if isinstance(other, float):
                return fallback(float(self), other)
            if isinstance(other, complex):
                return fallback(complex(float(self)), other)
            return NotImplemented

        def backward(self, other):
            if isinstance(other, numbers.Rational):
                return exact(Fraction(other), self)
            if isinstance(other, numbers.Real):
                return fallback(float(other), float(self))
            if isinstance(other, numbers.Complex):
                return fallback(complex(other), complex(float(self)))
            return NotImplemented

        forward.__name__, backward.__name__ = f"__{name}__", f"__r{name}__"
        return forward, backward

    __add__, __radd__ = _ptc_operation("add", lambda a, b: Fraction(
        a._numerator * b._denominator + b._numerator * a._denominator, a._denominator * b._denominator), operator.add)
    __sub__, __rsub__ = _ptc_operation("sub", lambda a, b: Fraction(
        a._numerator * b._denominator - b._numerator * a._denominator, a._denominator * b._denominator), operator.sub)
    __mul__, __rmul__ = _ptc_operation("mul", lambda a, b: Fraction(
        a._numerator * b._numerator, a._denominator * b._denominator), operator.mul)

    def _ptc_quotient(a, b):
        if not b._numerator:
            sign = 1 if _python_minor() >= 12 else (a._numerator > 0) - (a._numerator < 0)
            raise ZeroDivisionError(f"Fraction({sign}, 0)")
        return Fraction(a._numerator * b._denominator, a._denominator * b._numerator)

    __truediv__, __rtruediv__ = _ptc_operation("truediv", _ptc_quotient, operator.truediv)
    __floordiv__, __rfloordiv__ = _ptc_operation("floordiv", lambda a, b: (a._numerator * b._denominator) // (a._denominator * b._numerator),
                                                 operator.floordiv)

    def _ptc_divmod(a, b):
        div, rest = divmod(a._numerator * b._denominator, a._denominator * b._numerator)
        return div, Fraction(rest, a._denominator * b._denominator)

    __divmod__, __rdivmod__ = _ptc_operation("divmod", _ptc_divmod, divmod)
    __mod__, __rmod__ = _ptc_operation("mod", lambda a, b: Fraction(
        (a._numerator * b._denominator) % (b._numerator * a._denominator), a._denominator * b._denominator), operator.mod)

    def __pow__(a, b, modulo=None):
        if modulo is not None:
            return NotImplemented
        if not isinstance(b, numbers.Rational):
            return float(a) ** b if isinstance(b, (float, complex)) else NotImplemented
        if b.denominator != 1:
            return float(a) ** float(b)
        power = b.numerator
        if power >= 0:
            return Fraction(a._numerator ** power, a._denominator ** power)
        if a._numerator == 0:
            raise ZeroDivisionError(f"Fraction({a._denominator ** -power}, 0)")
        return Fraction(a._denominator ** -power, a._numerator ** -power)

    def __rpow__(b, a, modulo=None):
        if modulo is not None:
            return NotImplemented
        if b._denominator == 1 and b._numerator >= 0:
            return a ** b._numerator
        if isinstance(a, numbers.Rational):
            return Fraction(a.numerator, a.denominator) ** b
        return a ** b._numerator if b._denominator == 1 else a ** float(b)

    def __pos__(a):
        return Fraction(a._numerator, a._denominator)

    def __neg__(a):
        return Fraction(-a._numerator, a._denominator)

    def __abs__(a):
        return Fraction(abs(a._numerator), a._denominator)

    def __int__(a):
        return -(-a._numerator // a._denominator) if a._numerator < 0 else a._numerator // a._denominator

    def __trunc__(a):
        return int(a)

    def __floor__(a):
        return a._numerator // a._denominator

    def __ceil__(a):
        return -(-a._numerator // a._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            floor, rest = divmod(self._numerator, self._denominator)
            if rest * 2 != self._denominator:
                return floor if rest * 2 < self._denominator else floor + 1
            return floor + floor % 2
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __float__(a):
        return a._numerator / a._denominator

    def __hash__(self):
        try:
            inverse = pow(self._denominator, -1, _MODULUS)
        except ValueError:
            value = 314159                      # sys.hash_info.inf
        else:
            value = hash(hash(abs(self._numerator)) * inverse)
        result = value if self._numerator >= 0 else -value
        return -2 if result == -1 else result

    def __eq__(a, b):
        if type(b) is int:
            return a._numerator == b and a._denominator == 1
        if isinstance(b, numbers.Rational):
            return a._numerator == b.numerator and a._denominator == b.denominator
        if isinstance(b, numbers.Complex) and b.imag == 0:
            b = b.real
        if isinstance(b, float):
            return 0.0 == b if math.isnan(b) or math.isinf(b) else a == a.from_float(b)
        return NotImplemented

    def _ptc_compared(self, other, op):
        if isinstance(other, numbers.Rational):
            return op(self._numerator * other.denominator, self._denominator * other.numerator)
        if isinstance(other, float):
            return op(0.0, other) if math.isnan(other) or math.isinf(other) else op(self, self.from_float(other))
        return NotImplemented

    def __lt__(a, b):
        return a._ptc_compared(b, operator.lt)

    def __gt__(a, b):
        return a._ptc_compared(b, operator.gt)

    def __le__(a, b):
        return a._ptc_compared(b, operator.le)

    def __ge__(a, b):
        return a._ptc_compared(b, operator.ge)

    def __bool__(a):
        return bool(a._numerator)

    def __copy__(self):
        return self if type(self) is Fraction else type(self)(self._numerator, self._denominator)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return type(self), (self._numerator, self._denominator)

    def __format__(self, spec):
        if spec and _python_minor() >= 12:
            _refuse("a Fraction in format() with a specification")
        return object.__format__(self, spec)
