"""Classes derived from property, and property's own __init__."""


class Flagged(property):
    def __init__(self, fn=None, *, flag=3):
        super().__init__(fn)
        self.flag = flag

    def __call__(self, fn):
        return Flagged(fn, flag=self.flag)


class Lazy:
    def __init__(self, wrapped):
        self.wrapped = wrapped


class LazyProperty(Lazy, property):
    def __init__(self, wrapped):
        property.__init__(self, wrapped)


class A:
    @Flagged(flag=5)
    def x(self):
        return 7

    @Flagged
    def y(self):
        return 8

    @LazyProperty
    def lazy(self):
        return 9

    @property
    def plain(self):
        "a text"
        return 10

    @plain.setter
    def plain(self, value):
        self.kept = value

    other = property(lambda self: 11, doc="another")


class B(A):
    pass


for cls in (A, B):
    a = cls()
    a.plain = 4
    print(a.x, cls.x.flag, a.y, cls.y.flag, a.lazy, a.plain, a.kept, a.other, cls.plain.__doc__, cls.other.__doc__, isinstance(cls.x, property))
late = property.__new__(property)
print(late.fget, late.__doc__)
late.__init__(lambda self: 5)
B.late = late
print(B().late)
for wrong in (lambda: property(1, flag=2), lambda: property(1, 2, 3, 4, 5), lambda: property.__new__(), lambda: property.__new__(3), lambda: A().x.flag):
    try:
        wrong()
    except (TypeError, AttributeError) as problem:
        print(type(problem).__name__)
