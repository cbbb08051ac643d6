"""Each pass of the loop makes a new list."""


def double_until(z):
    h = [z, z]
    while h[0].norm() < 9:
        h = [h[0] * 2, h[1] + 1]
    return h
