"""Python's `sorted` with a key that reads tensor data."""


def ordered(a, b, c):
    return sorted([a, b, c], key=lambda t: t.sum().item())
