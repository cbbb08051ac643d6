"""An exception that nobody catches: what was printed stays, type and text are reported."""


class Problem(ValueError):
    pass


def fail(n):
    try:
        if n == 0:
            raise Problem(f"at {n}", n)
        fail(n - 1)
    finally:
        print("leaving", n)


print("before")
fail(2)
print("never")
