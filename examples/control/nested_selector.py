"""None or a tensor, set under two branches, asked for after both."""


def pick(x):
    r = None
    if x.sum() > 0:
        if x.max() > 2:
            r = x
    return x - 1 if r is None else r + 1
