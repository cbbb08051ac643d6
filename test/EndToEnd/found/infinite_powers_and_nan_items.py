import math

n = float("nan")


def entry(t, s, z):
    x, y = t.item(), (s / z).item()
    try:
        power = x ** y
    except (ZeroDivisionError, OverflowError) as e:
        power = str(e)
    items = {n}
    items.add(n)
    left = len(items)
    items.discard(n)
    return power, 0.0 ** -math.inf, n in {n}, len({n, n, 1.0}), left, len(items), n in frozenset((n,))
