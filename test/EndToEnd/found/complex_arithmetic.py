"""Complex numbers that come in and go out: arguments, results, weights, state; quotients, products of matrices, numbers."""
import torch


class Layer(torch.nn.Module):
    """A Fourier neural operator's."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.complex(torch.linspace(-1, 1, 12), torch.linspace(2, -1, 12)).reshape(3, 4))
        self.register_buffer("turn", torch.tensor([1, 1j, -1.0, 0.5 - 2j]))
        self.seen = None

    def forward(self, z):
        self.turn = self.turn * 1j
        self.seen = z + 0 if self.seen is None else self.seen + z
        return self.scale * z, self.turn, self.seen @ self.scale.mT


LAYER = Layer()


def modes(x, w):
    spectrum = torch.fft.rfft2(x)
    kept = torch.zeros(x.shape[0], w.shape[1], x.size(-2), x.size(-1) // 2 + 1, dtype=torch.cfloat)
    kept[:, :, :3, :3] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, :3, :3], w)
    return kept, torch.fft.irfft2(kept, s=(x.size(-2), x.size(-1)))


def products(a, b):
    m = a @ b.mT
    return m, a.mT.conj() @ b, torch.einsum("ij,kj->ki", a, b), torch.bmm(a.expand(2, -1, -1), b.mT.expand(2, -1, -1)), torch.mv(a, b[0]), torch.dot(a[0], b[1]), m.T


def numbers(a, b, x):
    return (a / b, 1 / b, 2j / b, a / (3 - 4j), x + 1j, 1j - x, x - 2j, a + (1 + 2j), 3 - a, (1 - 2j) - a, x * torch.full((4,), 1j), x + a, x - a, torch.tensor([[1j, 2.0], [0.5, -1]]),
            torch.view_as_real(a.to(torch.complex128)), x.to(torch.complex64), torch.view_as_real(x.double().to(torch.complex128) * 2j), torch.ones(3, dtype=torch.complex64), torch.zeros_like(a), torch.ones_like(a) + a,
            a.new_zeros(2, 3), torch.full_like(a, 2 - 1j), a.sum(), a.mean(), a.cumsum(1), a.roll(1, 1), a.tril(), a.triu(1), torch.eye(3) * a[:, :3])


def written(z, w):
    z.mul_(w)
    z[1] = w[0]
    return z.real.sum(), z


def entry(x, w, a, b, z):
    return modes(x, w), products(a, b), numbers(a, b, a.real + 0.5), LAYER(a), written(z, b), a.mT, b[1:], torch.view_as_real(b)
