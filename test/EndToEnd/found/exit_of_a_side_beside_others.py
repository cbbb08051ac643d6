def entry(x, y):
    a, b, c = (x, y, y - x)
    n = b.nonzero().numel()
    k = int(c[0].item() / int(c.sum()))
    try:
        b = b + x[int(a.sum())]
    except IndexError as e:
        pass
    finally:
        n += 1
