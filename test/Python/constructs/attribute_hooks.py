"""__getattr__, __getattribute__, __setattr__, __delattr__, __dir__, getattr and friends."""


class Fallback:
    def __init__(self):
        self.real = 1

    def __getattr__(self, name):
        if name.startswith("auto_"):
            return name[5:] * 2
        raise AttributeError(f"no {name}")


f = Fallback()
print(f.real, f.auto_ab, getattr(f, "nope", "default"), hasattr(f, "auto_x"), hasattr(f, "nope"))
try:
    f.nope
except AttributeError as e:
    print(e)


class Logged:
    def __init__(self):
        self.a = 1

    def __setattr__(self, name, value):
        print("set", name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("del", name)
        object.__delattr__(self, name)


g = Logged()
g.b = [1]
g.b += [2]
del g.a
setattr(g, "c", 3)
delattr(g, "c")
print(vars(g))


class Every:
    x = 1

    def __init__(self):
        self.y = 2

    def __getattribute__(self, name):
        if name == "virtual":
            return "virtual"
        value = object.__getattribute__(self, name)
        return value if name.startswith("__") else ("seen", value)

    def __getattr__(self, name):
        return ("fallback", name)


e = Every()
print(e.x, e.y, e.virtual, e.zzz)


class Proxy:
    def __init__(self, target):
        object.__setattr__(self, "_target", target)

    def __getattr__(self, name):
        return getattr(self._target, name)

    def __setattr__(self, name, value):
        setattr(self._target, name, value)


class Target:
    def __init__(self):
        self.v = 5

    def method(self):
        return self.v * 2


t = Target()
p = Proxy(t)
p.v = 8
p.w = 9
print(p.v, t.v, t.w, p.method(), vars(p).keys())


class Lazy:
    def __getattr__(self, name):
        print("making", name)
        value = len(name)
        self.__dict__[name] = value
        return value


z = Lazy()
print(z.hello, z.hello, z.other)


class Options(dict):
    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    __setattr__ = dict.__setitem__


o = Options(a=1)
o.b = 2
print(o, o.a, o.b, hasattr(o, "c"))
print(getattr(o, "a"), getattr(3, "real"), getattr("abc", "upper")(), getattr([], "zz", None))


class Listed:
    attr = 1

    def __dir__(self):
        return ["b", "a"]


print(dir(Listed()), "attr" in dir(Listed))


def attempt(fn):
    try:
        print(fn())
    except Exception as err:
        print(type(err).__name__ + ":", err)


attempt(lambda: getattr(t, 5))
attempt(lambda: (5).missing)
attempt(lambda: "s".missing)
attempt(lambda: [].missing)
attempt(lambda: None.missing)
attempt(lambda: len.missing)
attempt(lambda: int.missing)
attempt(lambda: (lambda: 0).missing)
print(hasattr(t, "v"), hasattr(t, "nope"), [n for n in ("v", "x", "method") if hasattr(t, n)])
fn = lambda: 1
fn.note = "functions have attributes"
print(fn.note, fn.__dict__)
