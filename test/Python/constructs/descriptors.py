"""Data and non-data descriptors, __set_name__, order of look-up, functions as descriptors."""


class Typed:
    def __init__(self, kind, default=None):
        self.kind, self.default = kind, default

    def __set_name__(self, owner, name):
        print("named", owner.__name__, name)
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return obj.__dict__.get(self.name, self.default)

    def __set__(self, obj, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}, not {type(value).__name__}")
        obj.__dict__[self.name] = value

    def __delete__(self, obj):
        del obj.__dict__[self.name]


class Person:
    name = Typed(str, "nobody")
    age = Typed(int)

    def __init__(self, name=None, age=0):
        if name is not None:
            self.name = name
        self.age = age


p = Person("Ann", 30)
print(p.name, p.age, vars(p), Person().name, type(Person.age).__name__)
for bad in (lambda: Person(5), lambda: setattr(p, "age", "old")):
    try:
        bad()
    except TypeError as e:
        print(e)
del p.name
print(p.name)


class NonData:
    def __get__(self, obj, owner):
        return ("non-data", obj is not None, owner.__name__)


class Data(NonData):
    def __set__(self, obj, value):
        obj.__dict__["d"] = ("stored", value)


class Look:
    n = NonData()
    d = Data()
    plain = "class"


x = Look()
print(x.n, x.d, Look.n)
x.__dict__.update(n="instance n", d="instance d", plain="instance plain")
print(x.n, x.d, x.plain)
x.d = 5
print(x.__dict__["d"], x.d)
Look.d = "replaced on the class"
print(x.d)


class Cached:
    def __init__(self, f):
        self.f = f

    def __get__(self, obj, owner):
        if obj is None:
            return self
        print("computing", self.f.__name__)
        value = obj.__dict__[self.f.__name__] = self.f(obj)
        return value


class Uses:
    @Cached
    def heavy(self):
        return 99


u = Uses()
print(u.heavy, u.heavy)


class StaticMethod:
    def __init__(self, f):
        self.f = f

    def __get__(self, obj, owner=None):
        return self.f


class ClassMethod:
    def __init__(self, f):
        self.f = f

    def __get__(self, obj, owner=None):
        return lambda *a: self.f(owner or type(obj), *a)


class Mine:
    @StaticMethod
    def s(x):
        return x

    @ClassMethod
    def c(cls, x):
        return cls.__name__, x


print(Mine.s(1), Mine().s(2), Mine.c(3), Mine().c(4))


def free(self, k):
    return self.v + k


class Holder:
    v = 10


bound = free.__get__(Holder(), Holder)
print(bound(5), type(bound).__name__)
Holder.free = free
print(Holder().free(1), Holder.__dict__["free"] is free)
h = Holder()
h.free2 = free
print(h.free2(h, 2))
print(str.upper("abc"), "abc".upper.__name__, list(map(str.strip, [" a ", "b "])), int.__add__(2, 3))
bm = "a-b".split
print(bm("-"), [].append.__self__)
