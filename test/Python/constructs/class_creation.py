"""__init_subclass__, __set_name__, __class_getitem__, __new__, type() with three arguments."""


class Plugin:
    registry = {}

    def __init_subclass__(cls, /, key=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.key = key or cls.__name__.lower()
        Plugin.registry[cls.key] = cls
        print("subclass", cls.__name__, cls.key)


class A(Plugin):
    pass


class B(Plugin, key="bee"):
    pass


class C(A):
    pass


print(sorted(Plugin.registry), B.key, C.key)
try:
    class D(int, wrong=1):
        pass
except TypeError as e:
    print(e)


class Named:
    def __set_name__(self, owner, name):
        self.where = f"{owner.__name__}.{name}"


class Owner:
    first = Named()
    second = Named()


print(Owner.first.where, Owner.second.where)


class Vec:
    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{getattr(item, '__name__', item)}]"


print(Vec[int], Vec[3, 4], Vec["n"])


class Single:
    instance = None

    def __new__(cls, *args, **kwargs):
        print("new", args, kwargs)
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

    def __init__(self, v):
        print("init", v)
        self.v = v


a, b = Single(1), Single(v=2)
print(a is b, a.v)


class Other:
    def __new__(cls, x):
        return x

    def __init__(self, x):
        print("never")


print(Other(5), Other([1]))


class Even(int):
    def __new__(cls, v):
        return super().__new__(cls, v // 2 * 2)


print(Even(7), Even(7) + 1, isinstance(Even(1), int))
Dyn = type("Dyn", (Plugin,), {"x": 1, "get": lambda self: self.x + 1})
print(Dyn.__name__, Dyn().get(), Dyn.key, Dyn.__bases__ == (Plugin,))
print(type(5) is int, type(Dyn) is type, type(type) is type, type("X", (), {})().__class__.__name__)


def make(n):
    class Local:
        size = n

        def __repr__(self):
            return f"Local{self.size}"
    Local.__name__ = f"Local_{n}"
    return Local


print(make(1)(), make(2).__name__, make(1) is make(1), make(3).__qualname__)


class Outer:
    class Inner:
        def f(self):
            return Outer.Inner.__qualname__, __class__.__name__


print(Outer.Inner().f())


class Meta(type):
    def __new__(mcs, name, bases, ns, **kw):
        ns["added"] = name.lower()
        print("meta new", name, sorted(k for k in ns if not k.startswith("__")), kw)
        return super().__new__(mcs, name, bases, ns)

    def __init__(cls, name, bases, ns, **kw):
        print("meta init", name)
        super().__init__(name, bases, ns)

    def __call__(cls, *args):
        print("meta call", args)
        return super().__call__(*args)

    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        return {"prepared": True}

    def __len__(cls):
        return 7

    def __iter__(cls):
        return iter(["m", cls.__name__])

    def __contains__(cls, x):
        return x == "in"

    def __repr__(cls):
        return f"<meta {cls.__name__}>"

    def on_class(cls):
        return "class method of meta"


class M(metaclass=Meta, option=1):
    def __init__(self, v):
        self.v = v


m = M(4)
print(M.added, m.added, M.prepared, len(M), list(M), "in" in M, M, type(M) is Meta, m.v, M.on_class())
print(hasattr(m, "on_class"))


class N(M):
    pass


print(type(N).__name__, N.added)
