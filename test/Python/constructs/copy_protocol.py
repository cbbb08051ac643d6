"""copy and deepcopy by __reduce_ex__ and what stands for it: for instances, subclasses of builtin classes, exceptions."""
import collections
import copy
import functools


def show(title, f):
    try:
        found = f()
    except Exception as e:
        print(title, type(e).__name__)
        return
    print(title, found)


class Plain:
    def __init__(self):
        self.a = [1]

    def __repr__(self):
        return f"{type(self).__name__}{vars(self)}"


class Twice(Plain):
    def __init__(self, v=1):
        self.v = v

    def __reduce__(self):
        return Twice, (2 * self.v,)


class WithState(Plain):
    def __reduce__(self):
        return WithState, (), {"a": "state"}


class Extended(Plain):
    def __reduce_ex__(self, protocol):
        return Extended, (), {"protocol": protocol}


class Named(Plain):
    def __reduce__(self):
        return "Named"


class Items(list):
    def __reduce__(self):
        return Items, (), {"z": 1}, iter([7, [8]])

    def append(self, x):
        print("  append", x)
        list.append(self, x)


class Pairs(dict):
    def __reduce__(self):
        return Pairs, (), None, None, iter([("k", [1])])

    def __setitem__(self, k, v):
        print("  set", k)
        dict.__setitem__(self, k, v)


class NoState(Plain):
    def __getstate__(self):
        return None


class SomeState(Plain):
    def __getstate__(self):
        return {"only": 1}


class OddState(Plain):
    def __getstate__(self):
        return 5

    def __setstate__(self, state):
        self.got = state


class FalseState(Plain):
    def __getstate__(self):
        return False

    def __setstate__(self, state):
        print("  setstate", state)


class PairState(Plain):
    def __getstate__(self):
        return None, {"b": [9]}


class Guarded(Plain):
    v = property(lambda self: "property")

    def __init__(self):
        self.__dict__["v"] = 1

    def __setattr__(self, name, value):
        print("  setattr", name)


class Slots:
    __slots__ = ("x", "__y", "unset")

    def __init__(self):
        self.x, self.__y = [1], [2]

    def __repr__(self):
        return f"{type(self).__name__}({self.x}, {self.__y}, {hasattr(self, 'unset')})"


class MoreSlots(Slots):
    def __init__(self):
        super().__init__()
        self.more = [3]

    def __repr__(self):
        return super().__repr__() + str(vars(self))


class Made:
    def __new__(cls, a, b=0):
        self = object.__new__(cls)
        self.ab = a, b
        return self

    def __getnewargs__(self):
        return self.ab[0], 7

    def __repr__(self):
        return f"{type(self).__name__}{vars(self)}"


class MadeByName(Made):
    def __getnewargs_ex__(self):
        return (1,), {"b": [5]}


class Short(collections.namedtuple("Two", "a b")):
    def __new__(cls, a):
        return super().__new__(cls, a, 5)


class Proxy:
    def __init__(self):
        self.data = {"__deepcopy__": None}

    def __repr__(self):
        return "Proxy"

    def __getattr__(self, name):
        print("  getattr", name)
        if name == "data":
            raise AttributeError(name)
        return self.data[name]


class Required(Exception):
    def __init__(self, a, b):
        super().__init__(a)


class Keyword(ValueError):
    def __init__(self, *a, k=1):
        super().__init__(*a)
        self.k = k


class Own:
    def __copy__(self):
        return "copied"

    def __deepcopy__(self, memo):
        return "deep", type(memo).__name__


class Of(int):
    pass


class OfList(list):
    pass


class OfDict(dict):
    pass


class OfTuple(tuple):
    pass


class OfSet(set):
    pass


def with_attribute(v):
    v.q = [1]
    return v


def attributes(v):
    return sorted(v.__dict__.items()) if hasattr(v, "__dict__") else None


VALUES = [Plain, Twice, WithState, Extended, Named, Items, Pairs, NoState, SomeState, OddState, FalseState, PairState, Guarded, Slots, MoreSlots,
          lambda: Made(1), lambda: MadeByName(2), lambda: Short(1), Proxy, Own, lambda: with_attribute(Of(5)), lambda: with_attribute(OfList([[1]])),
          lambda: with_attribute(OfDict(a=[1])), lambda: with_attribute(OfTuple([[1]])), lambda: with_attribute(OfSet([1])),
          lambda: collections.deque([[1]], 3), lambda: collections.defaultdict(list, a=[1]), lambda: collections.Counter("ab"),
          lambda: collections.ChainMap({"a": [1]}), lambda: collections.UserDict(a=[1]), lambda: collections.UserList([[1]]),
          lambda: collections.UserString("a"), lambda: collections.OrderedDict(a=[1]), lambda: functools.partial(max, [1]),
          lambda: bytearray(b"a"), lambda: slice(1, [2]), lambda: {}.keys(), lambda: copy]
for make in VALUES:
    for function in (copy.copy, copy.deepcopy):
        def copied():
            value = make()
            made = function(value)
            if made is value or isinstance(made, (str, type(print), functools.partial)) or callable(made):
                return made is value, type(made).__name__
            if type(made) is Plain:
                return made, made.a is value.a
            return type(made).__name__, list(made.items()) if isinstance(made, dict) else list(made) if isinstance(made, (list, tuple, set)) else made, \
                attributes(made) if isinstance(made, (Of, OfList, OfTuple, OfSet, OfDict)) else None
        show(function.__name__, copied)


def raised():
    try:
        raise KeyError("k")
    except KeyError as e:
        e.note = [1]
        return e


for make in (lambda: ValueError("a", 2), raised, lambda: Required(1, 2), lambda: Keyword(1, k=5), lambda: ValueError([1]), lambda: StopIteration(5)):
    for function in (copy.copy, copy.deepcopy):
        def copied():
            error = make()
            made = function(error)
            return type(made).__name__, made.args, vars(made), made is error, made.__traceback__, made.args[0] is error.args[0]
        show(function.__name__, copied)

cycle = [1]
cycle.append(cycle)
made = copy.deepcopy(cycle)
print(made[1] is made, made is not cycle)
loop = ([],)
loop[0].append(loop)
made = copy.deepcopy(loop)
print(made[0][0] is made)
shared = [1]
memo = {}
made = copy.deepcopy([shared, shared], memo)
print(made[0] is made[1], memo[id(shared)] is made[0], len(memo))


# lru_cache: one int or str is the key itself; operator.length_hint
@functools.lru_cache(None)
def cached(*args, **kwargs):
    print("  called", args, kwargs)
    return args


class Num(int):
    pass


for args in ((1.0,), (1,), (True,), (1.0,), ("a",), ((1,),), (1, 2), (1.0, 2), (Num(1),), ()):
    cached(*args)
cached(a=1)
cached(a=1.0)
print(cached.cache_info())
