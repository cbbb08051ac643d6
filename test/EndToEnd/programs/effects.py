"""Printing, random numbers and their order across branches, loops and calls."""
import torch


def print_order(x):
    print("start")
    if x.sum() > 0:
        print("positive", x.sum().item())
    else:
        print("other")
    n = 0
    while x.sum() < 5:
        x = x + 1
        n += 1
        print("n", n)
        if n > 5:
            break
    return x


def formats(x):
    v = x.max().item()
    print(f"{v:.2f} {v:>8.3f}|{v!r} {int(v):04d} {v > 1} {x.shape} {x.dtype}")
    print(v, int(v), str(v) + "!", sep=" / ", end=" end\n")
    print([v, 1], (v,), {"k": v})
    return x


def tensors(x):
    print(x)
    print(x.long(), x > 0, x.sum(), x.view(1, 3), x[:0])
    return x


def random_sides(x):
    if x.sum() > 0:
        r = torch.rand(3)
    else:
        r = torch.rand(2).sum() + torch.zeros(3)
    return r + torch.rand(3)


def random_loop(x):
    n = 0
    while n < 5:
        r = torch.rand(3)
        n += 1
        if (x + r).sum() > 3:
            break
        x = x + 1
    return x + torch.rand(1), n


def integers(x):
    i = torch.randint(0, 10, (3,))
    p = torch.randperm(4)
    return x + i, p


def seeded_inside(x):
    torch.manual_seed(5)
    a = torch.rand(3)
    if x.sum() > 0:
        torch.manual_seed(5)
    return a, torch.rand(3)


def generator_object(x):
    g = torch.Generator().manual_seed(11)
    a = torch.rand(3, generator=g)
    if x.max() > 2:
        a = a + torch.rand(3, generator=g)
    return a, torch.rand(3, generator=g)


def like_and_inplace(x):
    y = torch.rand_like(x)
    if x.sum() > 0:
        y.uniform_(-1, 1)
    return y


def raise_after_print(x):
    for i in range(3):
        print("step", i, x[i].item())
        if x[i] > 1.5:
            raise RuntimeError(f"element {i} is {x[i].item():.1f}")
    return x


def drawn_by_either(x):
    """The shape is a list of which no side is decided: the numbers are drawn once."""
    shape = []
    if x.sum() > 0:
        shape.append(2)
    else:
        shape += [3, 1]
    return torch.rand(shape).sum() + torch.rand(3), torch.randint(0, 9, shape).sum()


def drawn_or_raised(x):
    shape = {"n": [3]}
    if x.sum() > 0:
        shape["n"] = [-1]
    try:
        print("drawn", torch.rand(shape["n"]).sum())
    except RuntimeError as e:
        print("not drawn:", e)
    return x + torch.rand(3)


def asks_gradients(x):
    y = x.clone()
    print(y.requires_grad_(), f"{y}", y.is_leaf, y.detach())
    z = torch.ones(2, requires_grad=True)
    print(z, [z], z.is_leaf)
    print(z.requires_grad_(False), z)
    return y.detach()
