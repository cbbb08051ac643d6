"""A loop body may leave the alternatives of a name in another order than it found them."""


def entry(x, y):
    s, d, n = (), {"n": 0}, 0
    while x.sum() < 6 or n < 2:
        n += 1
        if n > 4:
            break
        if x[0] < y[1]:
            d = dict(d)
        elif len(s) > 1:
            d["e"] = x + 1
        else:
            s = s + (n,) if len(s) < 3 else s
        x = x + 1
    d.pop("e", None)
    return x, s, d["n"]
