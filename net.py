import torch
s = 0
for a in range(300):
    for b in range(1000):
        s += a * b
def f(x):
    if x.shape[0] > 5:
        import late
        return x * late.K
    return x + 1
