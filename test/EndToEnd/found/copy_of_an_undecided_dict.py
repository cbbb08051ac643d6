"""Natives that read a container whose contents differ on the sides decide them first."""


def entry(x, y):
    d, items = {"n": 0}, [y]
    if x[0] < y[1]:
        d["e"] = x + 1
        items.append(x)
    copy = dict(d, last=1)
    copy.pop("e", None)
    other = {**d, "k": 2}
    d.pop("e", None)
    both = items + [x]
    tail = both[1:]
    return x, copy, d, len(other), len(both), tail[0], set(other) >= {"n", "k"}
