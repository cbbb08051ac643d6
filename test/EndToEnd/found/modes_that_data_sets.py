import torch

weight = torch.ones(3, requires_grad=True)


def entry(x):
    before = torch.is_grad_enabled(), torch.get_default_dtype()
    if x.sum() > 0:
        torch.set_grad_enabled(False)
    else:
        torch.set_default_dtype(torch.float64)
    made = torch.ones(2), torch.arange(0, 1, 0.5), torch.tensor([1.5])
    result = (weight * 2).requires_grad, torch.is_grad_enabled(), torch.get_default_dtype()
    try:
        torch.set_grad_enabled(bool(x[0] > 1))
    finally:
        torch.set_default_dtype(torch.float32)
    return before, made, result, (weight * x).requires_grad
