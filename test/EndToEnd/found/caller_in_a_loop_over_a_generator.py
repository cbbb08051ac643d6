"""What a caller's local holds when its generator ends is live while the generator runs."""


def g(t):
    yield t
    if t.sum() < 0:
        yield -t


def entry(x, y):
    w, n = 1.0, 1
    for key in (1, 2):
        for t in g(y):
            w = float(n)
            n = n * 2
    return w, key, n
