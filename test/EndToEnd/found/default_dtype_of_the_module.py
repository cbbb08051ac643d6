import torch

torch.set_default_dtype(torch.float64)


def entry(x):
    return (torch.ones(2), torch.zeros(2, dtype=torch.float32), torch.full((2,), 0.5), torch.rand(3).dtype, torch.eye(2),
            torch.linspace(0, 1, 3), torch.tensor(0.1), x + torch.ones(3))
