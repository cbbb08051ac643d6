# What a group of exceptions cannot be made of.
def attempt(call):
    try:
        print(repr(call()))
    except (TypeError, ValueError) as e:
        print(type(e).__name__ + ":", e)


class Mine(ExceptionGroup):
    pass


for group in (ExceptionGroup, Mine):
    attempt(lambda: group())
    attempt(lambda: group(1))
    attempt(lambda: group("a", []))
    attempt(lambda: group("a", 3))
    attempt(lambda: group("a", {1: 2}.keys()))
    attempt(lambda: group(1, [ValueError()]))
    attempt(lambda: group("a", [ValueError(), 3]))
    attempt(lambda: group("a", [ValueError]))
    attempt(lambda: group("a", [ValueError()], 1))
    attempt(lambda: group("a", [ValueError(2)]))
try:
    raise ExceptionGroup("g", [ExceptionGroup(1), TypeError("t")])
except* TypeError as found:
    print(found.exceptions[0])
