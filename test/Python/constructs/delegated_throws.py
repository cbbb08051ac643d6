# What is thrown into a generator that waits in `yield from`.
import sys


def outer(make):
    try:
        r = yield from make()
        print("result", r)
        yield "after"
    except Exception as e:
        print("caught", type(e).__name__, e)
        yield "handled"


def returns():
    try:
        yield 1
        yield 2
    except KeyError:
        return "key"


def goes_on():
    try:
        yield 1
    except KeyError:
        yield "k"
    return 7


def plain():
    yield 1


class Counts:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        return self.n


class Stops(Counts):
    def throw(self, *error):
        raise StopIteration(9)

    def close(self):
        print("closed")


def go(make, *thrown):
    x = outer(make)
    print(next(x))
    for t in thrown:
        try:
            print("->", x.throw(t))
        except BaseException as e:
            print("raised", type(e).__name__, e)
    try:
        print("next", next(x))
    except BaseException as e:
        print("raised", type(e).__name__, e)


go(lambda: [1, 2, 3], KeyError(4))
go(lambda: [1, 2, 3], GeneratorExit())
go(returns, KeyError("a"))
go(returns, ValueError("a"))
go(goes_on, KeyError("a"), KeyError("b"))
go(plain, GeneratorExit())
go(Stops, KeyError(1))
go(Stops, GeneratorExit())
go(Counts, KeyError(1))


# Since 3.12 a StopIteration that the iterator does not handle ends the `yield from`.
def quiet(make):
    try:
        r = yield from make()
        yield ("result", r)
    except Exception as e:
        yield ("caught", type(e).__name__, e.args)


x = quiet(lambda: [1, 2, 3])
next(x)
print(x.throw(StopIteration(4)) == (("result", 4) if sys.version_info >= (3, 12) else ("caught", "StopIteration", (4,))))
x = quiet(plain)
next(x)
print(x.throw(StopIteration(5)))
