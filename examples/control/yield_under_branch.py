"""A generator that yields once or twice, depending on data."""


def total(x, y):
    def parts():
        if x.sum() > 0:
            yield x
        yield y

    s, n = x * 0, 0
    for part in parts():
        s = s + part
        n += 1
    return s, n
