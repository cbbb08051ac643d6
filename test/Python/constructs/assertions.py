"""assert with and without text; the text is evaluated only on failure."""


def text():
    print("evaluated")
    return "message"


assert True, text()
assert 1, text()
for make in (lambda: (), lambda: [1], lambda: 0):
    try:
        assert make(), f"value {make()!r}"
        print("passed", make())
    except AssertionError as e:
        print("failed", e, e.args)
try:
    assert 1 == 2
except AssertionError as e:
    print(repr(e), str(e) == "", e.args)
try:
    assert False, text()
except AssertionError as e:
    print(repr(e))
try:
    assert None, (1, 2)
except AssertionError as e:
    print(e.args)


def check(x):
    assert isinstance(x, int) and x >= 0, f"bad {x!r}"
    return x


print(check(3))
for bad in (-1, "s"):
    try:
        check(bad)
    except Exception as e:
        print(type(e).__name__, e)
