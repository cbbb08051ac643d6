"""Texts of common errors."""


def t(f, *args):
    try:
        print("no error:", f(*args))
    except Exception as e:
        print(type(e).__name__ + ":", e)


t(lambda: 1 / 0)
t(lambda: [1, 2][5])
t(lambda: (1, 2)[5])
t(lambda: "abc"[5])
t(lambda: [].pop())
t(lambda: [1].pop(3))
t(lambda: {}["key"])
t(lambda: {}[1, 2])
t(lambda: {"a": 1}.pop("b"))
t(lambda: {}.popitem())
t(lambda: set().pop())
t(lambda: {1}.remove(2))
t(lambda: [1].remove(2))
t(lambda: (1,).index(2))
t(lambda: "abc".index("z"))
t(lambda: range(3)[7])
t(lambda: int("12x"))
t(lambda: int("z", 16))
t(lambda: int(None))
t(lambda: int([]))
t(lambda: float("abc"))
t(lambda: float(None))
t(lambda: float("1.2.3"))
t(lambda: complex("x"))
t(lambda: len(5))
t(lambda: len(None))
t(lambda: iter(5))
t(lambda: list(5))
t(lambda: tuple(None))
t(lambda: dict([(1, 2, 3)]))
t(lambda: dict(5))
t(lambda: set(5))
t(lambda: {{}: 1} if False else hash({}))
t(lambda: hash([]))
t(lambda: 5())
t(lambda: None())
t(lambda: "x"())
t(lambda: [1, 2]())
t(lambda: 5 .x)
t(lambda: [].foo)
t(lambda: 5[0])
t(lambda: None[0])
t(lambda: len[0])
t(lambda: {1}[0])
t(lambda: "a".join([1]))
t(lambda: "a".join(["b", 2]))
t(lambda: ",".join(5))
t(lambda: "abc".split(""))
t(lambda: chr(-1))
t(lambda: ord("ab"))
t(lambda: ord(""))
t(lambda: "{}".format())
t(lambda: "{a}".format(b=1))
t(lambda: "{0} {}".format(1, 2))
t(lambda: format(5, "z"))
t(lambda: format("a", "d"))
t(lambda: format([], "5"))
t(lambda: f"{'a':d}")
t(lambda: f"{3:q}")
t(lambda: max(5))
t(lambda: min())
t(lambda: sum(["a"]))
t(lambda: sum([[1]]))
t(lambda: sum("ab", ""))
t(lambda: sorted(5))
t(lambda: sorted([1, "a"]))
t(lambda: [3, "a"].sort())
t(lambda: next(iter([])))
t(lambda: next(5))
t(lambda: zip(1))
t(lambda: list(zip([1], [1, 2], strict=True)))
t(lambda: enumerate())
t(lambda: enumerate(5))
t(lambda: map(len))
t(lambda: list(map(len, [1])))
t(lambda: range(1.5))
t(lambda: range("a"))
t(lambda: range(1, 2, 0))
t(lambda: slice())
t(lambda: [1, 2, 3][::0])
t(lambda: "abc"[::0])
t(lambda: isinstance(1, 5))
t(lambda: issubclass(1, int))
t(lambda: abs("a"))
t(lambda: round("a"))
t(lambda: pow(2, -1, 4))
t(lambda: pow(2, 3, 0))
t(lambda: int(float("inf")))
t(lambda: int(float("nan")))
t(lambda: 1 << -1)
t(lambda: "a" + 1)
t(lambda: 1 + "a")
t(lambda: [1] + (2,))
t(lambda: (1,) + [2])
t(lambda: b"a" + "b")
t(lambda: "a" * 1.5)
t(lambda: {} | [])
t(lambda: {1} | [2])
t(lambda: {1} - [2])
t(lambda: 1 < "a")
t(lambda: None < None)
t(lambda: {} < {})
t(lambda: -[])
t(lambda: not_defined)
t(lambda: getattr(1, "nope"))
t(lambda: type("A", (), {})().nope)
t(lambda: type("A", (), {}).nope)
t(lambda: bytes([300]))
t(lambda: bytes("a"))
t(lambda: b"abc"[10])
t(lambda: "é".encode("ascii"))
t(lambda: b"\xff".decode("utf-8"))
t(lambda: b"\xff".decode("ascii"))
t(lambda: (lambda x: x)())
t(lambda: (lambda x: x)(1, 2))
t(lambda: (lambda: 0)(1))
t(lambda: (lambda x: x)(y=1))
t(lambda: (lambda x: x)(1, x=2))
t(lambda: (lambda *, k: k)())
t(lambda: (lambda a, b, c: 0)())
t(lambda: (lambda a, b, c: 0)(1))
t(lambda: print(sep=5))
t(lambda: int("1", base=99))
t(lambda: int(5, base=2))
t(lambda: __import__("no_such_module"))
t(lambda: bool(1, 2))
t(lambda: object(1))
t(lambda: [].append())
t(lambda: [].append(1, 2))
t(lambda: [].sort(1))
t(lambda: {}.get())
t(lambda: "".startswith(5))
t(lambda: super().x)
t(lambda: "abc".encode("no-such"))
t(lambda: callable())


def item():
    (1, 2)[0] = 5


def text():
    "abc"[0] = "x"


def delitem():
    del (1, 2)[0]


def listset():
    [1, 2][5] = 0


def listdel():
    del [1][3]


def extset():
    [1, 2, 3, 4][::2] = [1]


def changed():
    d = {1: 1}
    for k in d:
        d[k + 1] = 0


def set_changed():
    s = {1}
    for k in s:
        s.add(k + 1)


def unbound():
    print(v)
    v = 1


def stop():
    raise StopIteration


def generator_stop():
    def g():
        yield stop()
    next(g())


for f in (item, text, delitem, listset, listdel, extset, changed, set_changed, generator_stop):
    t(f)


def version_text(f, *args):
    """The text that 3.11 has, or that of the later versions: is it the one of this version?"""
    import sys
    try:
        f(*args)
    except ValueError as e:
        print(str(e).endswith("() arg is an empty sequence" if sys.version_info < (3, 12) else "() iterable argument is empty"), str(e)[:3])


version_text(max, [])
version_text(min, iter(()))
version_text(lambda: min((), key=len))
version_text(lambda: max({}))
