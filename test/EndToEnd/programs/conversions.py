"""Numbers of the run that become elements: types that have no such value."""
import torch
import torch.nn.functional as F


def text_of(f):
    try:
        return f()
    except RuntimeError as e:
        return str(e)


def ints(x):
    n = int(x.sum())
    a, u, s = torch.full((2,), 3, dtype=torch.int8), torch.ones(2, dtype=torch.uint8), torch.ones(2, dtype=torch.int16)
    made = text_of(lambda: torch.full((1,), n, dtype=torch.int8)), text_of(lambda: u.clone().fill_(n)), text_of(lambda: torch.full_like(s, n))
    chosen = text_of(lambda: a.clamp(max=n)), text_of(lambda: torch.where(a > 0, a, n)), text_of(lambda: F.pad(a, (1, 1), value=n))
    return made, chosen, text_of(lambda: torch.add(a, a, alpha=n)), text_of(lambda: a.scatter(0, torch.tensor([0]), n)), text_of(lambda: a.index_fill(0, torch.tensor([1]), n))


def powers_and_divisors(x):
    n = int(x.sum())
    a = torch.full((2,), 3, dtype=torch.int8)
    return text_of(lambda: a**n), text_of(lambda: a % n), text_of(lambda: a // n), text_of(lambda: torch.fmod(a.int(), n)), a + n, a == n, torch.div(a, n)


def floats(x):
    f = x.double().sum().item() * 1e37
    h = torch.ones(2, dtype=torch.half)
    made = text_of(lambda: torch.full((2,), f)), text_of(lambda: torch.full((1,), f, dtype=torch.half)), text_of(lambda: h.clone().fill_(f)), text_of(lambda: torch.full((2,), f, dtype=torch.int32))
    chosen = text_of(lambda: torch.where(x > 0, f, 0.0)), text_of(lambda: x.clamp(max=f)), text_of(lambda: h.clamp(max=f)), text_of(lambda: x.masked_fill(x > 0, f))
    return made, chosen, text_of(lambda: torch.lerp(x, x, f)), text_of(lambda: torch.add(x, x, alpha=f)), torch.full((2,), f, dtype=torch.float64), x * f


def uncaught(x):
    f = x.double().sum().item() * 1e37
    return x.masked_fill(x > 0, f)


def texts_of_floats(x):
    f = x.sum().item()
    y = x * 2
    return "%d and %i" % (f, f), f"{y}", str(y[:1] + 1)


def windows(x):
    n = int(x.sum())
    return text_of(lambda: torch.arange(6).unfold(0, n, 1))


def drawn_up_to(x):
    return torch.zeros(3).uniform_(0.0, x.sum().item()).shape
