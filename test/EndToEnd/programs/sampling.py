"""Draws that samplers make: tokens by multinomial, normal numbers around tensors, what they refuse."""
import torch


def _raised(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e)
    return None


def tokens_until_end(x, end=2):
    torch.manual_seed(11)
    p, out = torch.softmax(x, 0), []
    while len(out) < 6:
        token = torch.multinomial(p, 1).item()
        out.append(token)
        if token == end:
            break
    return out, torch.rand(2)


def with_and_without_replacement(x):
    torch.manual_seed(5)
    p = torch.stack([x.abs() + 0.1, x * x + 0.5, torch.full_like(x, 0.25)])
    once, many = torch.multinomial(p, 2), torch.multinomial(p, 7, replacement=True)
    transposed = torch.multinomial(p.t(), 3)
    return once, many, transposed, torch.multinomial(p[0].double(), 9, True), torch.multinomial(p.half(), 4, True), \
        torch.rand(1)


def normal_of_tensors(x):
    torch.manual_seed(9)
    wide = torch.linspace(-1, 1, 20)
    return torch.normal(x, x.abs()), torch.normal(x, 2.0), torch.normal(0.5, x.abs()), torch.normal(0.0, 1.0, (2, 3)), \
        torch.normal(wide, wide.abs()), torch.normal(wide[:, None], x.abs()), torch.normal(mean=x.double(), std=x * x)


def refused_parameters(x):
    p = x - x.max()
    return [_raised(f) for f in (
        lambda: torch.normal(x, -1.0), lambda: torch.normal(x, p - 1),
        lambda: torch.multinomial(x.abs() + 1, 4), lambda: torch.multinomial(x.abs(), 0),
        lambda: torch.multinomial(x.long(), 1))]


def no_probabilities(x):
    torch.manual_seed(1)
    return torch.multinomial(x, 2), torch.rand(1)


def no_probabilities_to_replace(x):
    torch.manual_seed(1)
    return torch.multinomial(x, 2, replacement=True), torch.rand(1)
