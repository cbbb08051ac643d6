"""A `raise` on one side; the handler and the normal way meet behind the `try`."""


def flip(x):
    try:
        if x.sum() > 0:
            raise ValueError
        r = x
    except ValueError:
        r = -x
    return r * 2
