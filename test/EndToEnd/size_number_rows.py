"""The expressions of size_numbers.py: in an int n, a positive int m, floats v and w and a bool t of the run."""
import math
import operator

IMPORTS = "import math, operator, itertools, functools, torch"

# name of math -> expressions. UNARY: of an int and a float.
UNARY = ("acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor frexp gamma isfinite isinf isnan lgamma "
         "log10 log1p log2 modf radians sin sinh sqrt tan tanh trunc ulp").split()
BINARY = "atan2 copysign fmod nextafter pow remainder".split()
MATH = {name: [f"math.{name}(n)", f"math.{name}(v)", f"math.{name}(t)"] for name in UNARY}
MATH |= {name: [f"math.{name}(n, m)", f"math.{name}(v, w)", f"math.{name}(v, 2)", f"math.{name}(3.5, v)", f"math.{name}(n, v)"] for name in BINARY}
MATH |= {
    "comb": ["math.comb(n, m)", "math.comb(n, 2)", "math.comb(6, n)", "math.comb(v, 2)"],
    "dist": ["math.dist((v, n), (w, m))", "math.dist([v], [w])", "math.dist((v, w, n), (1.0, 2, m))", "math.dist((v,), (w, 1))"],
    "factorial": ["math.factorial(n % 20)", "math.factorial(m)", "math.factorial(n - 100)", "math.factorial(v)"],
    "fsum": ["math.fsum([v, w, n])", "math.fsum((n, m, t))", "math.fsum([1e16, v, -1e16])"],
    "fma": ["math.fma(v, w, n)"],
    "gcd": ["math.gcd(n, m)", "math.gcd(n, 12)", "math.gcd(0, n)", "math.gcd(n)", "math.gcd(n, m, 18)", "math.gcd(v, 2)"],
    "hypot": ["math.hypot(v, w)", "math.hypot(n, m)", "math.hypot(v)", "math.hypot(v, w, n)", "math.hypot()"],
    "isclose": ["math.isclose(v, w)", "math.isclose(v, v + 1e-12)", "math.isclose(n, m, rel_tol=0.5)", "math.isclose(v, w, abs_tol=v)"],
    "isqrt": ["math.isqrt(n)", "math.isqrt(m)", "math.isqrt(abs(n))", "math.isqrt(v)"],
    "lcm": ["math.lcm(n, m)", "math.lcm(n, 12)", "math.lcm(n)", "math.lcm(n, 0)"],
    "ldexp": ["math.ldexp(v, n)", "math.ldexp(n, 3)", "math.ldexp(v, -m)", "math.ldexp(1.0, n)", "math.ldexp(v, w)"],
    "log": ["math.log(n)", "math.log(v)", "math.log(n, m + 1)", "math.log(v, 10)", "math.log(t)", "math.log(v, w)"],
    "perm": ["math.perm(n, m)", "math.perm(n, 2)", "math.perm(6, n)", "math.perm(n % 20)"],
    "prod": ["math.prod([n, m])", "math.prod([v, w, 2])", "math.prod([t, n], start=m)"],
    "sumprod": ["math.sumprod([v], [w])"],
    "pi": ["math.pi * n"], "e": ["math.e * v"], "tau": ["math.tau / m"], "inf": ["math.inf * v", "n < math.inf"], "nan": ["math.nan + n"],
}

INT_BINARY = "add and_ eq floordiv ge gt is_ is_not le lt mod mul ne or_ sub truediv xor iadd iand ifloordiv imod imul ior isub itruediv ixor".split()
OPERATOR = {}
for _name in INT_BINARY:
    OPERATOR[_name] = [f"operator.{_name}(n, m)", f"operator.{_name}(n, 3)", f"operator.{_name}(-7, n)", f"operator.{_name}(v, w)",
                       f"operator.{_name}(n, v)", f"operator.{_name}(t, n)", f"operator.{_name}(t, True)"]
OPERATOR |= {
    "abs": ["operator.abs(n)", "operator.abs(v)", "operator.abs(t)"], "neg": ["operator.neg(n)", "-v", "-t"], "pos": ["operator.pos(n)", "+v", "+t"],
    "inv": ["operator.inv(n)", "~n"], "invert": ["operator.invert(n)", "~m"], "not_": ["operator.not_(n)", "not v"],
    "truth": ["operator.truth(n)", "operator.truth(v)"], "index": ["operator.index(n)", "operator.index(t)", "operator.index(v)"],
    "lshift": ["operator.lshift(n, m)", "1 << m", "n << 2", "operator.lshift(3, n % 8)", "2 << n"], "ilshift": ["operator.ilshift(n, 2)"],
    "rshift": ["operator.rshift(n, m)", "1000 >> m", "n >> 1", "n >> 100", "1000 >> n"], "irshift": ["operator.irshift(n, 2)"],
    "pow": ["operator.pow(n, 2)", "operator.pow(v, w)", "2 ** n", "n ** m", "v ** 2", "n ** -1", "n ** 0.5", "v ** 0.5", "2.0 ** n", "n ** v",
    "(-1) ** n", "m ** -m"],
    "ipow": ["operator.ipow(n, 2)", "operator.ipow(v, 3)"],
    "concat": ["operator.concat([n], [v])"], "iconcat": ["operator.iconcat([n], [v])"],
    "contains": ["operator.contains([1, 2, 3], n)", "operator.contains((v, w), 1.5)", "operator.contains({1, 2, 3}, n)",
    "operator.contains(range(9), n)"],
    "countOf": ["operator.countOf([1, 2, n], n)", "operator.countOf([1, 2, m], 2)"], "indexOf": ["operator.indexOf([n, m, 3], 3)",
    "operator.indexOf([1, 2, 3], n)"],
    "getitem": ["operator.getitem([4, 5, 6], n)", "operator.getitem((4, 5), -m)", "operator.getitem('abc', n % 3)"],
    "setitem": ["(lambda l: (operator.setitem(l, n % 3, 9), l))([1, 2, 3])"], "delitem": ["(lambda l: (operator.delitem(l, n % 3), l))([1, 2, 3])"],
    "itemgetter": ["operator.itemgetter(n % 3)([4, 5, 6])"], "attrgetter": ["operator.attrgetter('real')(n)"],
    "methodcaller": ["operator.methodcaller('__add__', 2)(n)", "operator.methodcaller('is_integer')(v)"],
    "call": ["operator.call(max, n, m)"], "length_hint": ["operator.length_hint(range(m))"], "matmul": ["operator.matmul(n, m)"],
    "imatmul": ["operator.imatmul(v, n)"],
}

UNARY_SLOTS = "__abs__ __bool__ __ceil__ __float__ __floor__ __int__ __index__ __invert__ __neg__ __pos__ __trunc__ __hash__ __repr__ " \
              "__str__ __round__ " \
              "__getnewargs__ __sizeof__ conjugate as_integer_ratio bit_count bit_length is_integer hex".split()
SLOTS = "__add__ __and__ __divmod__ __eq__ __floordiv__ __ge__ __gt__ __le__ __lt__ __lshift__ __mod__ __mul__ __ne__ __or__ __pow__ " \
        "__radd__ __rand__ " \
        "__rdivmod__ __rfloordiv__ __rlshift__ __rmod__ __rmul__ __ror__ __rpow__ __rrshift__ __rshift__ __rsub__ __rtruediv__ __rxor__ __sub__ " \
        "__truediv__ __xor__".split()
# What says nothing of the number.
OF_OBJECTS = set("__class__ __delattr__ __dir__ __doc__ __getattribute__ __getstate__ __init__ __init_subclass__ __new__ __reduce__ __reduce_ex__ "
                 "__setattr__ __subclasshook__ __getformat__".split())
GETTERS = "real imag numerator denominator".split()


def methods(cls, at):
    rows = {}
    for name in dir(cls):
        if name in OF_OBJECTS:
            continue
        if name in UNARY_SLOTS:
            rows[name] = [f"{at}.{name}() if {at} == {at} else 0" if name == "__hash__" else f"{at}.{name}()"]
        elif name in SLOTS:
            other = {"n": "m", "v": "w", "t": "True"}[at]
            small = "shift" in name or "pow" in name
            rows[name] = [f"{at}.{name}({other})", f"{at}.{name}(3)", f"{at}.{name}(v)", *([f"{at}.{name}(2.5)"] if not small else [])]
        elif name in GETTERS:
            rows[name] = [f"{at}.{name}"]
    rows |= {name: more for name, more in {
        "__format__": [f"format({at})", f"{at}.__format__('')"],
        "to_bytes": [f"{at}.to_bytes(8, 'little', signed=True)", f"{at}.to_bytes(2, 'big')", f"(5).to_bytes(m, 'big')"],
        "from_bytes": [f"int.from_bytes(b'ab', 'big') + {at}"], "fromhex": [f"float.fromhex('0x1.8p3') * {at}"],
        "from_number": [f"float.from_number({at})"],
    }.items() if name in dir(cls)}
    return rows


FORMATS = ["d", "5d", "05d", "<6", ">6", "^7", "+d", " d", ",", "_", "x", "#x", "X", "o", "#o", "b", "#b", "c", "e", ".2e", "f", ".3f", "+.1f",
    "010.2f", "g", ".3g",
           "%", ".1%", "n", ",.2f", "*^12.3f", "G", "E", "F", "s", "z.1f"]
TEXTS = [f"f'{{n:{s}}}'" for s in FORMATS] + [f"f'{{v:{s}}}'" for s in FORMATS] + [f"f'{{t:{s}}}'" for s in FORMATS[:8]] + [
    f"'%{s}' % (n,)" for s in ("d", "5d", "05d", "-6d|", "+d", "x", "#x", "X", "o", "e", ".2f", "g", "s", "r", "c", "i", "%%")] + [
    f"'%{s}' % (v,)" for s in ("d", "e", ".2f", "8.3f", "-8.3f|", "+g", "s", "r", "i")] + [
    "str(n)", "repr(n)", "str(v)", "repr(v)", "str(t)", "ascii(n)", "f'{n}'", "f'{v}'", "f'{t}'", "f'{n!r:>5}'", "f'{n:{m}}'", "f'{v:.{m}f}'",
    "'{:>{}}'.format(n, m)",
    "'{0} {1:.2f} {0}'.format(n, v)", "hex(n)", "oct(n)", "bin(n)", "chr(n % 26 + 97)", "str((n, v))", "str([n, t])", "str({'a': n})", "f'{[n, v]}'",
    "len(str(n))", "str(n) == '3'", "str(n).zfill(4)", "int(str(n))", "float(str(v))", "str(n)[0]"]

BUILTINS = [
    "abs(n)", "abs(v)", "abs(t)", "all([n, v])", "any([n, v])", "bool(n)", "bool(v)", "int(n)", "int(v)", "int(t)", "float(n)", "float(v)",
    "float(t)",
    "complex(n, v)", "complex(n).real", "divmod(n, m)", "divmod(n, 3)", "divmod(n, -3)", "divmod(100, m)", "divmod(v, w)", "divmod(v, 2)",
    "divmod(n, v)", "divmod(t, 2)",
    "divmod(n, 0)", "pow(n, 2)", "pow(n, 2, 7)", "pow(2, m, 5)", "pow(n, m, 11)", "pow(3, 4, m)", "pow(v, 2)", "round(n)", "round(v)", "round(t)",
    "round(v, 1)", "round(v, 2)",
    "round(v, 0)", "round(v, -1)", "round(n, -1)", "round(n, -2)", "round(n, 2)", "round(n, m)", "round(v, m)", "round(v, -m)", "min(n, m)",
    "max(n, m)", "min(n, v)", "max(v, w)", "min(v, w, 1.0)",
    "max(n, 5)", "min(n, 5)", "min([n, m, 3])", "max((n, v, t))", "min(n, m, key=lambda i: -i)", "max([n, m], default=0)", "sum([n, m, 3])",
    "sum([v, w])",
    "sum([n, v, t])", "sum((n, m), 0.5)", "sum(range(m))", "sum(i * i for i in range(m))", "sorted([n, m, 3])", "sorted([v, 1.0, w])",
    "sorted([n, m], reverse=True)",
    "sorted([n, m, 2], key=lambda i: -i)", "list(range(m))", "list(range(n))", "list(range(1, m, 2))", "list(reversed(range(m)))",
    "list(reversed([n, m]))", "len(range(n))", "len(range(0, n, 3))",
    "len(range(n, 0, -1))", "range(m)[-1]", "range(m)[0]", "n in range(m)", "3 in range(m)", "list(enumerate([n, v]))", "list(zip([n, m], [v, w]))",
    "list(map(abs, [n, v]))",
    "[i for i in range(m) if i % 2]", "list(range(m))[::-1]", "hash(n)", "hash(v) if v == v else 0", "hash(t)", "hash((n, 1))", "{n: 1}",
    "{n: 1, m: 2}", "{n: 1}[n]", "{1: 'a', 2: 'b'}.get(n)", "{1: 'a', 2: 'b'}.get(n, 'c')",
    "{n}", "n in {1, 2, 3}", "n in [1, 2]", "n in (m, 3)", "(n, v) == (m, w)", "(n, m) < (m, n)", "[n] == [3]", "n == v", "n < v", "v == n",
    "v != v", "n <= v", "v >= n",
    "n == m", "n != 3", "0 < n < m", "n is None", "t is True", "isinstance(n, int)", "isinstance(t, int)", "isinstance(v, float)", "type(n) is int",
    "type(v).__name__", "type(t) is bool", "callable(n)",
    "[1, 2, 3][n]", "'abcdef'[n]", "(1, 2, 3)[-m:]", "[1, 2, 3, 4][n:]", "[1, 2, 3, 4][:n]", "[1, 2, 3, 4][n:m]", "[0] * m", "'ab' * m", "(n,) * 3",
    "[n] * m", "n if t else m", "n and m", "n or m", "v or w", "t and v",
    "not n", "not t", "t == True", "t + 1", "t * v", "t & True", "t | False", "t ^ True", "~t", "t - n", "n + 0.5", "n * 0.1", "n / 3", "n // 3",
    "n % 3", "n % -3", "n // -3", "-n // 3",
    "7 // n", "7 % n", "7 / n", "7.5 // v", "7.5 % v", "v // 0.3", "v % 0.3", "v / w", "v // w", "v % w", "n / v", "n * v", "n & 6", "n | 9",
    "n ^ 5", "n & -2", "n + m", "n - m", "n * m", "n // m", "n % m", "n / m",
    "v + w", "v - w", "v * w", "n * n", "n * n * n", "bytes([m])", "bytes(m)", "bytearray(m)", "slice(n, m).indices(10)", "next(iter(range(m)))",
    "list(itertools.accumulate([n, m, 3]))",
    "list(itertools.islice([1, 2, 3, 4], m))", "list(itertools.repeat(n, 2))", "list(itertools.repeat(1, m))",
    "functools.reduce(lambda a, b: a * b, [n, m, 2])", "list(itertools.combinations(range(m % 4), 2))",
    "sum(1 for _ in itertools.takewhile(lambda i: i < n, range(9)))", "[*range(m)]", "max(range(m))", "min(i - 3 for i in range(m))",
    "list(filter(None, [n, 1]))", "int(n / 2)", "int(v * 100)", "float(n) / m",
    "float(n).is_integer()", "(n / 4).is_integer()", "(n + 7) // 8 * 8", "-(-n // m)", "(n - 1).bit_length()", "1 << (m - 1).bit_length()",
    "math.ceil(n / m)", "math.floor(n / m)", "math.ceil(math.log2(m))", "int(math.sqrt(m))",
    "math.ceil(v)", "math.floor(v)", "math.trunc(v)", "int(n ** 0.5)", "2 ** math.ceil(math.log2(m))", "math.log(n + 1) / math.log(2)"]

TORCH = [
    "torch.sym_max(n, m)", "torch.sym_min(n, m)", "torch.sym_max(n, v)", "torch.sym_min(v, w)", "torch.sym_not(t)", "torch.sym_not(n > m)",
    "torch.sym_ite(t, n, m)", "torch.sym_ite(n > m, v, w)", "torch.sym_float(n)",
    "torch.sym_float(v)", "torch.sym_int(n)", "torch.sym_int(v)", "torch.sym_sum([n, m, 2])", "torch.sym_sum([n])", "torch.sym_sqrt(m)",
    "torch._sym_sqrt(m)", "torch._sym_log2(m)", "torch._sym_sin(n)",
    "torch._check(n <= 5)", "torch._check(n < m, lambda: f'n is large')", "torch._check(n >= 0)", "torch._check_is_size(n)",
    "torch._check_is_size(m)", "torch._check_value(n < 5)", "torch._check_index(n < 5)",
    "torch._check_type(n < 5)", "torch._check_not_implemented(n < 5)", "torch._check_with(ValueError, n < 5, lambda: 'x')", "torch._check(n)",
    "torch._check_is_size(n, lambda: 'not a size')", "torch._check_tensor_all(torch.ones(2) > 0)",
]

# What is refused of some kinds of numbers, by a number and the line: bytes, characters and texts, results that may be complex, sides of
# `is` between equal numbers, ints that may leave 64 bits. Another refusal is a failure.
REFUSED = {
    'hash(v) if v == v else 0', 'v.__hash__() if v == v else 0', 'math.perm(n, m)',
    "'%c' % (n,)", "'%d' % (v,)", "'%i' % (v,)", "'ab' * m", "'{:>{}}'.format(n, m)", "(5).to_bytes(m, 'big')", "2 ** n", "2 << n", "[0] * m",
    "[1, 2, 3][n]", "[n] * m", "bytearray(m)", "bytes([m])", "bytes(m)", "chr(n % 26 + 97)", "complex(n).real", "complex(n, v)", "f'{n:c}'",
    "f'{n:{m}}'", "f'{v:.{m}f}'", "f'{v:c}'", "float(str(v))", "hash((n, 1))", "int(n ** 0.5)", "int(str(n))", "int(v * 100)", "int(v)",
    "len(str(n))", "list(itertools.combinations(range(m % 4), 2))", "list(itertools.islice([1, 2, 3, 4], m))", "list(itertools.repeat(1, m))",
    "math.ceil(v)", "math.floor(v)", "math.trunc(v)", "n ** 0.5", "n ** v", "n.__rlshift__(3)", "n.__rlshift__(m)", "n.__rpow__(3)", "n.__rpow__(m)",
    "n.__sizeof__()", "n.to_bytes(2, 'big')", "n.to_bytes(8, 'little', signed=True)", "operator.countOf([1, 2, n], n)",
    "operator.getitem([4, 5, 6], n)", "operator.is_(-7, n)", "operator.is_(n, m)", "operator.is_(v, w)", "operator.is_not(-7, n)",
    "operator.is_not(n, m)", "operator.is_not(v, w)", "operator.pow(v, w)", "pow(2, m, 5)", "pow(n, m, 11)", "round(v)", "str(n) == '3'",
    "str(n).zfill(4)", "str(n)[0]", "t.__sizeof__()", "t.to_bytes(2, 'big')", "t.to_bytes(8, 'little', signed=True)",
    "torch._check_tensor_all(torch.ones(2) > 0)", "torch.sym_int(v)", "v ** 0.5", "v.__ceil__()", "v.__floor__()", "v.__int__()", "v.__pow__(v)",
    "v.__pow__(w)", "v.__round__()", "v.__rpow__(v)", "v.__rpow__(w)", "v.__sizeof__()", "v.__trunc__()", "v.as_integer_ratio()", "v.hex()",
}


def all_rows():
    rows = []
    for table in (MATH, OPERATOR, methods(int, "n"), methods(float, "v"), methods(bool, "t")):
        rows += [e for name in table for e in table[name] if not (table is MATH and not hasattr(math,
        name)) and not (table is OPERATOR and not hasattr(operator, name))]
    return list(dict.fromkeys([*rows, *TEXTS, *BUILTINS, *TORCH]))


def missing_names():
    """Names that no row has."""
    public = lambda module: {n for n in dir(module) if not n.startswith("_")}
    lacking = [f"math.{n}" for n in public(math) - set(MATH)] + [f"operator.{n}" for n in public(operator) - set(OPERATOR)]
    for cls, at in ((int, "n"), (float, "v"), (bool, "t")):
        lacking += [f"{cls.__name__}.{n}" for n in set(dir(cls)) - OF_OBJECTS - set(methods(cls, at))]
    return lacking
