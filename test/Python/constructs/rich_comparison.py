"""Comparison methods: reflection, NotImplemented, default equality and inequality, non-bool results."""


class Money:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        if not isinstance(o, Money):
            return NotImplemented
        return self.n == o.n

    def __lt__(self, o):
        print("lt", self.n, o.n)
        return self.n < o.n

    def __le__(self, o):
        print("le", self.n, o.n)
        return self.n <= o.n

    def __hash__(self):
        return hash(self.n)

    def __repr__(self):
        return f"M{self.n}"


a, b = Money(1), Money(2)
print(a < b, a > b, a <= b, a >= b, a == Money(1), a != Money(1), a != b, a == 1, a != 1)
print(sorted([Money(2), Money(1)]))
print(max(Money(3), Money(5)), min([Money(3), Money(5)]))
print({Money(1): "x"}[Money(1)], len({Money(1), Money(1), Money(2)}), Money(2) in [a, b], [a, b].index(Money(2)), [a, b, a].count(a))


class Odd:
    def __eq__(self, o):
        return "equal?"

    def __lt__(self, o):
        return []

    def __ne__(self, o):
        return "different?"


o = Odd()
print(o == 1, 1 == o, o != 2, o < 3, 3 > o, bool(o == 1), not o == 1, o in [5], [5].count(o))


class Wild:
    def __eq__(self, o):
        return True

    __hash__ = None


print(Wild() == 5, 5 == Wild(), Wild() in [1], [Wild()] == [3], (1, Wild()) == (1, 2))
try:
    hash(Wild())
except TypeError as e:
    print(e)


class NoHash:
    def __eq__(self, o):
        return self is o


try:
    {NoHash(): 1}
except TypeError:
    print("unhashable")


class Plain:
    pass


p = Plain()
print(p == p, p == Plain(), p != Plain(), hash(p) == hash(p), p in [p], {p: 1}[p])
try:
    p < Plain()
except TypeError as e:
    print(e)


class Base:
    def __eq__(self, o):
        print("base eq")
        return NotImplemented

    def __gt__(self, o):
        print("base gt")
        return True


class Sub(Base):
    def __eq__(self, o):
        print("sub eq")
        return True

    def __lt__(self, o):
        print("sub lt")
        return False


print(Base() == Sub())
print(Base() > Sub())
print(Base() == Base())


class Low:
    def __lt__(self, o):
        return True

    def __gt__(self, o):
        return False


print(Low() < 5, 5 > Low(), Low() > 5, 5 < Low(), 1 < Low() < 2)


class Key:
    def __init__(self, k):
        self.k = k

    def __hash__(self):
        return 1

    def __eq__(self, o):
        return isinstance(o, Key) and self.k == o.k


d = {Key("a"): 1, Key("b"): 2}
d[Key("a")] = 3
print(len(d), d[Key("a")], d[Key("b")], Key("c") in d, [k.k for k in d])
d.pop(Key("a"))
print([k.k for k in d], Key("b") in {Key("b")}, len({Key(1), Key(1), Key(2)}))
