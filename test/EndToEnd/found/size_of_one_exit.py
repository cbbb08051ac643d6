import torch

def entry(x, y):
    a, b, c = (x.clone(), y, x)
    n, k = (1, 2)
    d = {'t': x + 1, 'n': 0}
    for i in range(len(a.nonzero())):
        if d['t'].sum() > 1:
            i1, z1, two = (0, (), {'n': 0})
            if len(c[c > 0]) > len(b[b > 0]):
                pass
            n = len(z1) + len(two)
            z2 = c * 1
            two = z2
            c = z2 + two
        if n > k:
            pass
        else:
            c = torch.cat([a[:n % 3], a])[-3:]
