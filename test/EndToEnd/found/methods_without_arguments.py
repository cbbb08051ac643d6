"""Questions that tensors answer by methods, detach_() of views, out= of composed functions, powers, chains of one matrix."""
import torch


def noted(call):
    try:
        return call()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def questions(x):
    print(x.is_signed(), (x > 0).is_signed(), x.is_conj(), x.is_neg(), x.is_inference(), x.is_distributed())
    print(x.resolve_conj() is x, x.resolve_neg() is x, x.conj() is x, torch.is_signed(x), torch.is_conj(x))


def detached(x):
    own = x * 1
    print(own.detach_() is own, own.detach().detach_().shape, own[0].detach().detach_().shape)
    for call in (lambda: own[0].detach_(), lambda: own.t().detach_(), lambda: own.detach()[0].detach_(), lambda: own.unbind(0)[1].detach_()):
        print(noted(call))
    w = torch.ones(3, requires_grad=True)
    y = w * 2
    before = y.requires_grad
    y.detach_()
    print(before, y.requires_grad, y.is_leaf, y[1:].requires_grad, (y * 2).requires_grad)


def written(x):
    like = torch.empty(2, 3)
    print(torch.take(x, torch.tensor([0]), out=torch.empty(1)), torch.angle(x, out=like) is like, torch.sinc(x, out=like), torch.msort(x, out=like))
    print(torch.conj_physical(x, out=like), torch.nanmean(x, out=torch.empty(())), torch.nansum(x, 1, out=torch.empty(2)))
    print(torch.float_power(x, 2, out=torch.empty(2, 3, dtype=torch.float64)), torch.ldexp(x, torch.tensor(2), out=like))
    print(torch.logaddexp2(x, x, out=like), torch.heaviside(x, x, out=like), torch.vdot(x[0], x[1], out=torch.empty(())))
    print(torch.isin(x, x, out=torch.empty(2, 3, dtype=torch.bool)), torch.aminmax(x, out=(torch.empty(()), torch.empty(()))))
    print(torch.addbmm(x, x[None, :, :2], x[None], out=torch.empty(2, 3)) if False else "", noted(lambda: x.sinc(out=like))[:9])


def chains(x):
    for call in (lambda: torch.chain_matmul(), lambda: torch.chain_matmul(x), lambda: torch.chain_matmul(x[0]), lambda: torch.chain_matmul([x]),
                 lambda: torch.chain_matmul(x) is x, lambda: torch.tensor_split(x[0, 0], 2), lambda: torch.hsplit(x[0, 0], 2),
                 lambda: torch.hsplit(x, 0)):
        print(noted(call))
    print(torch.zeros(0, dtype=torch.bool).cumsum_(0), torch.zeros(2, 0, dtype=torch.bool).cumprod_(0),
          noted(lambda: torch.zeros(2, dtype=torch.bool).cumsum_(0)))


def powers(x):
    out = []
    for kind in (torch.float32, torch.float64, torch.bfloat16, torch.float16):
        y = (x.abs() * 1.37).to(kind)
        for n in (2, 3, -1, -2, 1, 0):
            out += [y ** n, y.pow(n), y.clone().pow_(n)]
    return out


def entry(x):
    questions(x)
    detached(x)
    written(x)
    chains(x)
    return powers(x)
