"""Prints a number and a tensor; raises an exception whose text depends on data."""


def checked_scale(x, limit=10.0):
    peak = x.abs().max().item()
    print(f"peak {peak:.3f} of", x)
    if peak > limit:
        raise ValueError(f"peak {peak:.2f} is over {limit}")
    print("mean:", x.mean())
    return x / limit
