def entry(x, y):
    return x.requires_grad, y.requires_grad, (x * 2).requires_grad, x.detach().requires_grad, x * y
