"""random: the Mersenne Twister of Python, with its numbers. Draws of a generator that no seed was given are refused, and so are those
in a call of an entry from one that was seeded before the call: its state would be 625 numbers of the program."""
from _ptc import _is_in_call, _is_opaque, _python_minor
from _ptc_torch import _refuse
from bisect import bisect as _bisect
from collections.abc import Sequence as _Sequence
from itertools import accumulate as _accumulate
from math import acos as _acos, ceil as _ceil, cos as _cos, e as _e, exp as _exp, floor as _floor, isfinite as _isfinite, log as _log
from math import log2 as _log2, pi as _pi, sin as _sin, sqrt as _sqrt
from operator import index as _index

__all__ = ["Random", "SystemRandom", "betavariate", "choice", "choices", "expovariate", "gammavariate", "gauss", "getrandbits", "getstate",
           "lognormvariate", "normalvariate", "paretovariate", "randbytes", "randint", "random", "randrange", "sample", "seed", "setstate",
           "shuffle", "triangular", "uniform", "vonmisesvariate", "weibullvariate"]
NV_MAGICCONST = 4 * _exp(-0.5) / _sqrt(2.0)
LOG4 = _log(4.0)
SG_MAGICCONST = 1.0 + _log(4.5)
BPF = 53
RECIP_BPF = 2**-BPF
TWOPI = 2.0 * _pi
_WORDS, _AHEAD, _MASK = 624, 397, 0xFFFFFFFF
_UNGIVEN = object()


def _words_of_seed(seed):
    """Matsumoto and Nishimura's init_genrand."""
    words = [seed & _MASK]
    for n in range(1, _WORDS):
        last = words[-1]
        words.append((1812433253 * (last ^ (last >> 30)) + n) & _MASK)
    return words


def _words_of_key(key):
    """Their init_by_array."""
    words = _words_of_seed(19650218)
    at, part = 1, 0
    for _ in range(max(_WORDS, len(key))):
        last = words[at - 1]
        words[at] = ((words[at] ^ ((last ^ (last >> 30)) * 1664525)) + key[part] + part) & _MASK
        at, part = at + 1, (part + 1) % len(key)
        if at == _WORDS:
            words[0], at = words[_WORDS - 1], 1
    for _ in range(_WORDS - 1):
        last = words[at - 1]
        words[at] = ((words[at] ^ ((last ^ (last >> 30)) * 1566083941)) - at) & _MASK
        at += 1
        if at == _WORDS:
            words[0], at = words[_WORDS - 1], 1
    words[0] = 0x80000000
    return words


def _twist(words):
    for at in range(_WORDS):
        joined = (words[at] & 0x80000000) | (words[(at + 1) % _WORDS] & 0x7FFFFFFF)
        words[at] = words[(at + _AHEAD) % _WORDS] ^ (joined >> 1) ^ (0x9908B0DF if joined & 1 else 0)


def _checked_state(state):
    """(words, position) of what setstate() is given."""
    if _is_opaque(state) or (isinstance(state, tuple) and [word for word in state if _is_opaque(word)]):
        _refuse("a state of Python's random numbers that is not known")
    if not isinstance(state, tuple):
        raise TypeError("state vector must be a tuple")
    if len(state) != _WORDS + 1:
        raise ValueError("state vector is the wrong size")
    for word in state[:-1]:
        if not isinstance(word, int):
            raise TypeError("an integer is required")
        if word < 0:
            raise OverflowError("can't convert negative value to unsigned int")
        if word > _MASK:
            _refuse("a state of Python's random numbers with words of more than 32 bits")
    at = _index(state[-1])
    if not -2**63 <= at < 2**63:
        raise OverflowError("Python int too large to convert to C long")
    if not 0 <= at <= _WORDS:
        raise ValueError("invalid state")
    return [int(word) for word in state[:-1]], at


def _check_count(name, args, kwargs, count):
    """As the methods of Random that are written in C."""
    if kwargs:
        raise TypeError(f"Random.{name}() takes no keyword arguments")
    if len(args) != count:
        raise TypeError(f"Random.{name}() takes {'exactly one argument' if count else 'no arguments'} ({len(args)} given)")


class Random:
    VERSION = 3

    def __init__(self, x=None):
        self.seed(x)
        self.gauss_next = None

    def __init_subclass__(cls, /, **kwargs):
        super().__init_subclass__(**kwargs)
        if {"random", "getrandbits", "_randbelow"} & set(vars(cls)):
            _refuse("a subclass of random.Random with a source of its own")

    def seed(self, a=None, version=2):
        if a is None:
            self._ptc_words = self.gauss_next = None
            return
        if _is_opaque(a):
            _refuse("random.seed() of what is not known")
        if version == 1 and isinstance(a, (str, bytes)):
            text = a.decode("latin-1") if isinstance(a, bytes) else a
            mixed = ord(text[0]) << 7 if text else 0
            for character in text:
                mixed = ((1000003 * mixed) ^ ord(character)) & 0xFFFFFFFFFFFFFFFF
            a = mixed ^ len(text)
        elif version == 2 and isinstance(a, (str, bytes, bytearray)):
            from hashlib import sha512
            data = a.encode() if isinstance(a, str) else a
            a = int.from_bytes(data + sha512(data).digest(), "big")
        elif not isinstance(a, (int, float, str, bytes, bytearray)):
            raise TypeError("The only supported seed types are: None,\nint, float, str, bytes, and bytearray." if _python_minor() < 13 else
                            "The only supported seed types are:\nNone, int, float, str, bytes, and bytearray.")
        a = abs(int(a)) if isinstance(a, int) else hash(a) & 0xFFFFFFFFFFFFFFFF
        key = []
        while a or not key:
            key.append(a & _MASK)
            a >>= 32
        self._ptc_words, self._ptc_at, self._ptc_in_call = _words_of_key(key), _WORDS, _is_in_call()
        self.gauss_next = None

    def _ptc_word(self):
        if self._ptc_words is None:
            _refuse("a draw of Python's random numbers without a seed")
        if _is_in_call() and not self._ptc_in_call:
            _refuse("a draw in a call of Python's random numbers that were seeded before it")
        if self._ptc_at == _WORDS:
            _twist(self._ptc_words)
            self._ptc_at = 0
        y = self._ptc_words[self._ptc_at]
        self._ptc_at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def random(self, *args, **kwargs):
        _check_count("random", args, kwargs, 0)
        high, low = self._ptc_word() >> 5, self._ptc_word() >> 6
        return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)

    def getrandbits(self, *args, **kwargs):
        _check_count("getrandbits", args, kwargs, 1)
        k = _index(args[0])
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        value = shift = 0
        while shift < k:
            word = self._ptc_word()
            value |= (word >> max(0, 32 - (k - shift))) << shift
            shift += 32
        return value

    def getstate(self):
        if self._ptc_words is None:
            _refuse("the state of Python's random numbers without a seed")
        return self.VERSION, (*self._ptc_words, self._ptc_at), self.gauss_next

    def setstate(self, state):
        if state[0] not in (2, 3):
            raise ValueError(f"state with version {state[0]} passed to Random.setstate() of version {self.VERSION}")
        version, words, self.gauss_next = state
        if version == 2:                               # words of a version that had signed ones
            words = tuple([word % 2**32 for word in words])
        self._ptc_words, self._ptc_at, self._ptc_in_call = *_checked_state(words), _is_in_call()

    def __getstate__(self):
        return self.getstate()

    def __setstate__(self, state):
        self.setstate(state)

    def __reduce__(self):
        return self.__class__, (), self.getstate()

    def _randbelow(self, n):
        """Uniform in range(n), n > 0."""
        bits = n.bit_length()
        drawn = self.getrandbits(bits)
        while drawn >= n:
            drawn = self.getrandbits(bits)
        return drawn

    # Integers and sequences ----------------------------------------------------------------------

    def randbytes(self, n):
        return self.getrandbits(n * 8).to_bytes(n, "little")

    def randrange(self, start, stop=None, step=_UNGIVEN):
        if _python_minor() < 12 and [x for x in (start, stop, step) if isinstance(x, float)]:
            _refuse("random.randrange() of floats")
        first = _index(start)
        if stop is None:
            if step is not _UNGIVEN:
                raise TypeError("Missing a non-None stop argument")
            if first > 0:
                return self._randbelow(first)
            raise ValueError("empty range for randrange()")
        last, by = _index(stop), 1 if step is _UNGIVEN else _index(step)
        width = last - first
        if by == 0:
            raise ValueError("zero step for randrange()")
        count = width if by == 1 else (width + by + (-1 if by > 0 else 1)) // by
        if count > 0:
            return first + by * self._randbelow(count)
        if _python_minor() < 12:
            raise ValueError(f"empty range for randrange() ({first}, {last}, {width})" if by == 1 else "empty range for randrange()")
        raise ValueError(f"empty range in randrange({start}, {stop})" if by == 1 else f"empty range in randrange({start}, {stop}, {step})")

    def randint(self, a, b):
        if _python_minor() < 14:
            return self.randrange(a, b + 1)
        a, b = _index(a), _index(b)
        if b < a:
            raise ValueError(f"empty range in randint({a}, {b})")
        return a + self._randbelow(b - a + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._randbelow(len(seq))]

    def shuffle(self, x):
        for last in range(len(x) - 1, 0, -1):
            other = self._randbelow(last + 1)
            x[last], x[other] = x[other], x[last]

    def sample(self, population, k, *, counts=None):
        if not isinstance(population, _Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        n = len(population)
        if counts is not None:
            return self._ptc_sample_counted(population, k, list(_accumulate(counts)))
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        few = 21 + (4 ** _ceil(_log(k * 3, 4)) if k > 5 else 0)      # of which a list takes less room than a set
        result, taken = [], set()
        pool = list(population) if n <= few else None
        for left in range(n, n - k, -1):
            if pool is None:
                at = self._randbelow(n)
                while at in taken:
                    at = self._randbelow(n)
                taken.add(at)
                result.append(population[at])
            else:
                at = self._randbelow(left)
                result.append(pool[at])
                pool[at] = pool[left - 1]
        return result

    def _ptc_sample_counted(self, population, k, sums):
        if len(sums) != len(population):
            raise ValueError("The number of counts does not match the population")
        minor = _python_minor()
        total = sums.pop() if sums or minor < 14 else 0
        if not isinstance(total, int):
            raise TypeError("Counts must be integers")
        if total < 0 or (minor < 14 and total == 0):
            raise ValueError("Total of counts must be greater than zero" if minor < 14 else "Counts must be non-negative")
        return [population[_bisect(sums, at)] for at in self.sample(range(total), k=k)]

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                return [population[_floor(self.random() * float(n))] for _ in range(k)]
            try:
                cum_weights = list(_accumulate(weights))
            except TypeError:
                if not isinstance(weights, int):
                    raise
                raise TypeError(f"The number of choices must be a keyword argument: k={weights!r}") from None
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if not _isfinite(total):
            raise ValueError("Total of weights must be finite")
        return [population[_bisect(cum_weights, self.random() * total, 0, n - 1)] for _ in range(k)]

    # Distributions of floats ---------------------------------------------------------------------

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        try:
            c = 0.5 if mode is None else (mode - low) / (high - low)
        except ZeroDivisionError:
            return low
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * _sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        """Kinderman and Monahan's ratio of uniform numbers."""
        while True:
            u = self.random()
            v = 1.0 - self.random()
            z = NV_MAGICCONST * (u - 0.5) / v
            if z * z / 4.0 <= -_log(v):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z, self.gauss_next = self.gauss_next, None
        if z is None:
            angle = self.random() * TWOPI
            radius = _sqrt(-2.0 * _log(1.0 - self.random()))
            z, self.gauss_next = _cos(angle) * radius, _sin(angle) * radius
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return _exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd=1.0):
        return -_log(1.0 - self.random()) / lambd

    def vonmisesvariate(self, mu, kappa):
        """Best and Fisher, 1979."""
        if kappa <= 1e-6:
            return TWOPI * self.random()
        s = 0.5 / kappa
        r = s + _sqrt(1.0 + s * s)
        while True:
            z = _cos(_pi * self.random())
            d = z / (r + z)
            u = self.random()
            if u < 1.0 - d * d or u <= (1.0 - d) * _exp(d):
                break
        q = 1.0 / r
        turned = _acos((q + z) / (1.0 + q * z))
        return (mu + turned if self.random() > 0.5 else mu - turned) % TWOPI

    def gammavariate(self, alpha, beta):
        """Cheng, 1977, above 1; algorithm GS of Ahrens and Dieter, 1974, below."""
        if alpha <= 0.0 or beta <= 0.0:
            raise ValueError("gammavariate: alpha and beta must be > 0.0")
        if alpha == 1.0:
            return -_log(1.0 - self.random()) * beta
        if alpha < 1.0:
            return self._ptc_small_gamma(alpha) * beta
        scale = _sqrt(2.0 * alpha - 1.0)
        b, c = alpha - LOG4, alpha + scale
        while True:
            u = self.random()
            if not 1e-7 < u < 0.9999999:
                continue
            other = 1.0 - self.random()
            v = _log(u / (1.0 - u)) / scale
            x = alpha * _exp(v)
            z = u * u * other
            r = b + c * v - x
            if r + SG_MAGICCONST - 4.5 * z >= 0.0 or r >= _log(z):
                return x * beta

    def _ptc_small_gamma(self, alpha):
        while True:
            b = (_e + alpha) / _e
            p = b * self.random()
            x = p ** (1.0 / alpha) if p <= 1.0 else -_log((b - p) / alpha)
            u = self.random()
            if u <= (x ** (alpha - 1.0) if p > 1.0 else _exp(-x)):
                return x

    def betavariate(self, alpha, beta):
        y = self.gammavariate(alpha, 1.0)
        return y / (y + self.gammavariate(beta, 1.0)) if y else 0.0

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)


if _python_minor() >= 12:
    def _binomialvariate(self, n=1, p=0.5):
        """By the gaps between successes: Devroye, 1980."""
        if n < 0:
            raise ValueError("n must be non-negative")
        if p <= 0.0 or p >= 1.0:
            if p in (0.0, 1.0):
                return 0 if p == 0.0 else n
            raise ValueError("p must be in the range 0.0 <= p <= 1.0")
        if n == 1:
            return int(self.random() < p)
        if p > 0.5:
            return n - self.binomialvariate(n, 1.0 - p)
        if n * p >= 10.0:
            _refuse("random.binomialvariate() of a mean of 10 or more")
        successes = tried = 0
        failing = _log2(1.0 - p)
        if not failing:
            return 0
        while True:
            tried += _floor(_log2(self.random()) / failing) + 1
            if tried > n:
                return successes
            successes += 1

    _binomialvariate.__name__, _binomialvariate.__qualname__ = "binomialvariate", "Random.binomialvariate"
    Random.binomialvariate = _binomialvariate
else:
    Random.expovariate.__defaults__ = None


class SystemRandom(Random):
    """Numbers of the operating system, which are other ones each time."""

    def __init__(self, x=None):
        _refuse("random.SystemRandom")


_inst = Random()
seed, random, uniform, triangular, randint, choice, randrange = (
    _inst.seed, _inst.random, _inst.uniform, _inst.triangular, _inst.randint, _inst.choice, _inst.randrange)
sample, shuffle, choices, normalvariate, lognormvariate, expovariate = (
    _inst.sample, _inst.shuffle, _inst.choices, _inst.normalvariate, _inst.lognormvariate, _inst.expovariate)
vonmisesvariate, gammavariate, gauss, betavariate, paretovariate, weibullvariate = (
    _inst.vonmisesvariate, _inst.gammavariate, _inst.gauss, _inst.betavariate, _inst.paretovariate, _inst.weibullvariate)
getstate, setstate, getrandbits, randbytes = _inst.getstate, _inst.setstate, _inst.getrandbits, _inst.randbytes
if _python_minor() >= 12:
    binomialvariate = _inst.binomialvariate
    __all__.append("binomialvariate")
