"""Factors of matrices with infinities and NaN: values and failures."""
import torch

FACTORS = [
    torch.linalg.cholesky,
    lambda x: torch.linalg.cholesky(x, upper=True),
    lambda x: torch.linalg.cholesky(x.double()),
    lambda x: torch.linalg.qr(x)[0],
    lambda x: torch.linalg.qr(x)[1],
    torch.linalg.inv,
    lambda x: torch.linalg.solve(x, x),
    lambda x: torch.linalg.det(x)]


def entry(x, which):
    number = int(which.item())
    for n, factor in enumerate(FACTORS):
        if number == n:
            return factor(x) + 0.0  # which zeros are negative is up to the library
    return x
