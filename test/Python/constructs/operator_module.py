"""operator: functions for operators, itemgetter, attrgetter, methodcaller."""
import operator as op

pairs = [(7, 3), (2.5, -1), (True, 0.5)]
for name in ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lt", "le", "eq", "ne", "ge", "gt"]:
    print(name, [getattr(op, name)(a, b) for a, b in pairs])
print(op.and_(6, 3), op.or_(6, 3), op.xor(6, 3), op.lshift(1, 4), op.rshift(16, 2), op.neg(5), op.pos(-5), op.invert(5), op.inv(0), op.abs(-3), op.not_(0), op.truth([]), op.is_(None, None), op.is_not(1, None), op.index(5), op.concat([1], [2]), op.contains([1, 2], 2), op.countOf([1, 1, 2], 1), op.indexOf([5, 6], 6), op.length_hint([1, 2]))
d = {"a": 1}
op.setitem(d, "b", 2)
op.delitem(d, "a")
print(d, op.getitem([5, 6], 1), op.getitem("abc", slice(1, None)))
print(op.itemgetter(1)([5, 6]), op.itemgetter(0, 2)("abc"), op.itemgetter("k")({"k": "v"}), op.itemgetter(slice(2))("abc"))


class P:
    def __init__(self, x, child=None):
        self.x, self.child = x, child

    def scale(self, k, plus=0):
        return self.x * k + plus


p = P(3, P(4))
print(op.attrgetter("x")(p), op.attrgetter("child.x")(p), op.attrgetter("x", "child.x")(p), op.methodcaller("scale", 2)(p), op.methodcaller("scale", 2, plus=1)(p), op.methodcaller("upper")("abc"))
x = [1]
y = op.iadd(x, [2])
print(x, y is x, op.imul(3, 4), op.isub(5, 1), op.ior({1}, {2}))
print(sorted([("b", 1), ("a", 2)], key=op.itemgetter(1), reverse=True), list(map(op.add, [1, 2], [10, 20])), max([P(1), P(5)], key=op.attrgetter("x")).x)
print(op.matmul(type("M", (), {"__matmul__": lambda s, o: ("mm", o)})(), 3), op.eq("a", "a"), op.call(len, "abc") if hasattr(op, "call") else 3)
for f in (lambda: op.add(1, "a"), lambda: op.itemgetter(5)([1]), lambda: op.attrgetter("zz")(p), lambda: op.index(1.5), lambda: op.indexOf([1], 2), lambda: op.truediv(1, 0)):
    try:
        f()
    except Exception as e:
        print(type(e).__name__, e)
