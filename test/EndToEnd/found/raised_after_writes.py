"""What the caller sees of writes that precede an operation which raises for what its data are."""
import math
import torch
import torch.nn.functional as F


def below_zero(x, i):
    return x[x < 0].max()


def to_int(x, i):
    return torch.tensor(int(x.sum().item() * math.inf))


def not_a_number(x, i):
    return torch.tensor(round(x.sum().item() * math.inf * 0))


FAILING = [
    lambda x, i: x[i],
    lambda x, i: x.index_select(0, i),
    lambda x, i: x.gather(0, i),
    lambda x, i: x.take(i),
    lambda x, i: F.embedding(i, x.view(4, 1)),
    lambda x, i: torch.zeros(4).scatter(0, i, x[:2]),
    lambda x, i: torch.zeros(4).index_add(0, i, x[:2]),
    lambda x, i: i // (i - i),
    lambda x, i: i % (i - i),
    lambda x, i: torch.tensor(math.sqrt(-x.sum().item())),
    lambda x, i: torch.tensor(math.log(-x.sum().item())),
    lambda x, i: torch.tensor(2.0 ** (x.sum().item() * 1000)),
    lambda x, i: torch.tensor(1 << -int(x.sum())),
    lambda x, i: F.one_hot(i, 3),
    lambda x, i: F.nll_loss(x.view(2, 2), i),
    lambda x, i: torch.linalg.inv(x.view(2, 2)),
    lambda x, i: torch.linalg.cholesky(-x.view(2, 2)),
    lambda x, i: torch.tensor(5 // (int(x.sum()) - 8)),
    lambda x, i: torch.tensor([3, 4][int(x.sum())]),
    lambda x, i: torch.zeros(int(x.sum())).view(3, -1),
    below_zero, to_int, not_a_number]


def entry(x, i, which, log):
    number = int(which.item())
    if number >= 100:
        number -= 100
        log.append(number)
    else:
        x.mul_(2)
    for n, failing in enumerate(FAILING):
        if number == n:
            return failing(x, i).sum()
    return x.sum()
