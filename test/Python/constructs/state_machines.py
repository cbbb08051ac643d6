"""Longer programs: tokenizer, calculator, interpreter, bank, event queue, matrix, text statistics."""
from collections import namedtuple

Token = namedtuple("Token", "kind text")


def tokenize(src):
    i = 0
    while i < len(src):
        c = src[i]
        if c.isspace():
            i += 1
            continue
        if c.isdigit():
            j = i
            while j < len(src) and (src[j].isdigit() or src[j] == "."):
                j += 1
            yield Token("num", src[i:j])
            i = j
        elif c in "+-*/()^":
            yield Token("op", c)
            i += 1
        else:
            raise SyntaxError(f"unexpected {c!r} at {i}")


class Parser:
    PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}

    def __init__(self, src):
        self.tokens = [*tokenize(src), Token("end", "")]
        self.at = 0

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def primary(self):
        t = self.take()
        if t.kind == "num":
            return float(t.text) if "." in t.text else int(t.text)
        if t.text == "(":
            v = self.expr(0)
            if self.take().text != ")":
                raise SyntaxError("expected )")
            return v
        if t.text == "-":
            return -self.expr(3)
        raise SyntaxError(f"unexpected token {t.text!r}")

    def expr(self, least):
        left = self.primary()
        while (p := self.PRECEDENCE.get(self.tokens[self.at].text, 0)) > least:
            op = self.take().text
            right = self.expr(p - (op == "^"))
            left = {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right,
                    "/": lambda: left / right, "^": lambda: left ** right}[op]()
        return left


for src in ["1 + 2 * 3", "(1 + 2) * 3", "2 ^ 3 ^ 2", "10 / 4 - 1", "-2 ^ 2", "1.5 * (2 + 3", "4 $ 4", "", "1 / 0", "2 * (3 + 4) ^ 2 / 7"]:
    try:
        print(src, "=", Parser(src).expr(0))
    except (SyntaxError, ZeroDivisionError) as e:
        print(src, "->", type(e).__name__, e)


class Machine:
    def __init__(self, program):
        self.program, self.pc, self.stack, self.vars, self.out = program, 0, [], {}, []

    def run(self, limit=500):
        for _ in range(limit):
            if self.pc >= len(self.program):
                return self.out
            op, *args = self.program[self.pc].split()
            self.pc += 1
            getattr(self, "op_" + op)(*args)
        raise RuntimeError("step limit")

    def op_push(self, v):
        self.stack.append(int(v))

    def op_add(self):
        self.stack.append(self.stack.pop() + self.stack.pop())

    def op_mul(self):
        self.stack.append(self.stack.pop() * self.stack.pop())

    def op_store(self, name):
        self.vars[name] = self.stack.pop()

    def op_load(self, name):
        self.stack.append(self.vars[name])

    def op_jnz(self, to):
        if self.stack.pop():
            self.pc = int(to)

    def op_out(self):
        self.out.append(self.stack.pop())


factorial = ["push 6", "store n", "push 1", "store r", "load r", "load n", "mul", "store r", "load n", "push -1", "add", "store n", "load n", "jnz 4", "load r", "out"]
print(Machine(factorial).run())
try:
    Machine(["push 1", "jnz 0"]).run(10)
except RuntimeError as e:
    print(e)
try:
    Machine(["nope"]).run()
except AttributeError as e:
    print(e)


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    def __matmul__(self, o):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])

    def __pow__(self, n):
        out, base = Matrix.identity(len(self.rows)), self
        while n:
            if n & 1:
                out = out @ base
            base = base @ base
            n >>= 1
        return out

    def __repr__(self):
        return "\n".join(" ".join(f"{v:>4}" for v in r) for r in self.rows)

    def det(self):
        if len(self.rows) == 1:
            return self.rows[0][0]
        return sum((-1) ** j * self.rows[0][j] * Matrix([r[:j] + r[j + 1:] for r in self.rows[1:]]).det() for j in range(len(self.rows)))


print(Matrix([[1, 1], [1, 0]]) ** 30)
print(Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 1]]).det(), Matrix.identity(3))


def life(cells, steps):
    for _ in range(steps):
        near = {}
        for x, y in cells:
            for dx in (-1, 0, 1):
                for dy in (-1, 0, 1):
                    if dx or dy:
                        near[x + dx, y + dy] = near.get((x + dx, y + dy), 0) + 1
        cells = {c for c, n in near.items() if n == 3 or n == 2 and c in cells}
    return sorted(cells)


print(life({(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}, 4))


def queens(n, row=0, cols=(), out=None):
    out = [] if out is None else out
    if row == n:
        out.append(cols)
    for c in range(n):
        if all(c != q and abs(c - q) != row - r for r, q in enumerate(cols)):
            queens(n, row + 1, cols + (c,), out)
    return out


print(len(queens(6)), queens(6)[0])


def edit(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cur.append(min(prev[j] + 1, cur[-1] + 1, prev[j - 1] + (x != y)))
        prev = cur
    return prev[-1]


print(edit("kitten", "sitting"), edit("", "abc"), edit("same", "same"))


class Lcg:
    def __init__(self, seed):
        self.s = seed

    def next(self):
        self.s = (self.s * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        return self.s >> 33


g = Lcg(42)
print([g.next() % 100 for _ in range(10)], sum(g.next() for _ in range(100)) % 1000)
text = "it was the best of times it was the worst of times"
freq = {}
for w in text.split():
    freq[w] = freq.get(w, 0) + 1
for w, n in sorted(freq.items(), key=lambda p: (-p[1], p[0])):
    print(f"{w:<6}{'*' * n}")
