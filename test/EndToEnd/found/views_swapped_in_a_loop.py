"""Names of equal views go round in a loop: which of them are one object decides."""
import torch


def entry(x, y):
    a, b, c = x, y, y - x
    n, k = 1, 2
    i0 = 0
    while n % 2 == 1:
        i0 += 1
        if i0 > 4:
            break
        if (a > 1).any():
            for i in range(2):
                v = b[0:2]
                v.add_(1)
                b = c.view(3, 1).squeeze(1)
                a, b = b, a
        else:
            if a is b:
                a = a + 1
            n += k
        b[c > 0] = 1
    return a, b, c, n, k
