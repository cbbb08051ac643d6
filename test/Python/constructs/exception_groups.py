"""ExceptionGroup and except*."""


def show(e, depth=0):
    print("  " * depth + type(e).__name__, e)
    if isinstance(e, BaseExceptionGroup):
        for inner in e.exceptions:
            show(inner, depth + 1)


group = ExceptionGroup("all", [ValueError("v"), KeyError("k"), ExceptionGroup("nested", [TypeError("t"), ValueError("v2")])])
show(group)
print(group.message, len(group.exceptions))


def handle(g):
    try:
        raise g
    except* ValueError as e:
        print("values", [str(x) for x in e.exceptions])
    except* (KeyError, TypeError) as e:
        print("others", len(e.exceptions))
    else:
        print("else")
    finally:
        print("finally")


handle(group)
try:
    handle(ExceptionGroup("left", [OSError("o"), ValueError("x")]))
except ExceptionGroup as rest:
    show(rest)
try:
    raise ValueError("plain")
except* ValueError as e:
    print(type(e).__name__, e.exceptions)
match_, other = group.split(ValueError)
show(match_)
show(other)
show(group.subgroup(lambda e: "2" in str(e)) or ValueError("none"))
print(group.subgroup(OSError))
try:
    try:
        pass
    except* ValueError:
        pass
    else:
        print("no error")
finally:
    print("end")


def nested(error, inner):
    """A group that is handled while another is; what the first clause leaves the others get."""
    try:
        raise error
    except* ValueError as e:
        try:
            if inner:
                raise
            print("nothing", len(e.exceptions))
        except* ValueError as again:
            print("again", len(again.exceptions))
        except* KeyError:
            print("never")
    except* TypeError as e:
        print("type", len(e.exceptions))
    except* (KeyError, OSError) as e:
        print("key", len(e.exceptions))
    return "done"


for inner in (False, True):
    print(nested(ValueError("a"), inner))
    print(nested(ExceptionGroup("g", [ValueError(1), TypeError(2), KeyError(3)]), inner))
    print(nested(TypeError("t"), inner))
try:
    try:
        raise ValueError
    except* ValueError:
        print("taken")
    except* 3:
        print("never")
except BaseException as e:
    print(type(e).__name__, e)
