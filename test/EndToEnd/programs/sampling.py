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


def gumbel_argmax(x):
    g = torch.Generator().manual_seed(7)
    noise = torch.empty_like(x).exponential_(generator=g)
    return (torch.log_softmax(x, 0) - noise.log()).argmax(), noise


def normal_of_tensors(x):
    torch.manual_seed(9)
    wide = torch.linspace(-1, 1, 20)
    return torch.normal(x, x.abs()), torch.normal(x, 2.0), torch.normal(0.5, x.abs()), torch.normal(0.0, 1.0, (2, 3)), \
        torch.normal(wide, wide.abs()), torch.normal(wide[:, None], x.abs()), torch.normal(mean=x.double(), std=x * x)


def normal_fills(x):
    torch.manual_seed(2)
    tensors = torch.zeros(40), torch.zeros(8, 8)[:, ::2], torch.zeros(6, 8).t(), torch.zeros(6, 8).t()[1:5, ::3], \
        torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last), torch.zeros(3, 5), torch.zeros(1, 20)[:, 2:19]
    out = [t.normal_(0.5, 2.0) for t in tensors]
    torch.nn.init.trunc_normal_(tensors[0], std=0.5)
    return out, torch.randn_like(tensors[1]), torch.rand(1) + x


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
