#!/usr/bin/env python3
"""Parts of PyTorch that are run from where it is installed: torch.distributions and others, against eager.

    parts_of_torch.py --ptc PTC [FILTER] [-j N] [-v]
"""
import contextlib
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.utils._pytree import tree_map

from checkpoints import CALLS, outcomes, run
from command import World
from compare import Tolerance, difference
from eager import load_module
from notation import save_safetensors

SITE = Path(torch.__file__).resolve().parents[1]


@dataclass
class Row:
    name: str
    source: str
    code: int = 0
    says: str = ""


def distribution(name, made, *asked):
    """What `asked` says of `d`, where `p` is between 0 and 1 and `x` anywhere."""
    source = f"from torch import distributions as D\n\n\ndef entry(x):\n    p = torch.sigmoid(x)\n    d = {made}\n    return " + ", ".join(asked) + "\n"
    return Row(name, source)


def parametrized(name, made, *asked):
    source = ("import torch.nn.utils.parametrizations as P\nfrom torch.nn.utils.parametrize import is_parametrized, register_parametrization, "
              f"remove_parametrizations\n\ntorch.manual_seed(3)\n{made}\n\n\n@torch.no_grad()\ndef entry(x):\n    return " + ", ".join(asked) + "\n")
    return Row(name, source)


ROWS = [
    distribution("Normal", "D.Normal(x, p)", "d.log_prob(p)", "d.entropy()", "d.mean", "d.variance", "d.stddev", "d.mode", "d.cdf(x + 1)", "d.icdf(p)", "d.batch_shape", "d.event_shape"),
    distribution("Bernoulli", "D.Bernoulli(p)", "d.log_prob(torch.ones(3))", "d.entropy()", "d.mean", "d.variance", "d.logits"),
    distribution("Categorical", "D.Categorical(logits=x)", "d.log_prob(torch.tensor([0, 2]))", "d.entropy()", "d.probs", "d.mode", "d.param_shape"),
    distribution("OneHotCategorical", "D.OneHotCategorical(logits=x)", "d.log_prob(torch.eye(3)[1])", "d.entropy()", "d.mean"),
    distribution("Beta, Gamma, Poisson", "D.Beta(p + 1, p + 2)", "d.log_prob(p)", "d.mean", "D.Gamma(p + 1, p).log_prob(p)", "D.Poisson(p).log_prob(torch.ones(3))"),
    distribution("Uniform, Exponential, Laplace", "D.Uniform(x, x + 2)", "d.log_prob(x + p)", "d.entropy()", "d.cdf(x + 1)", "D.Exponential(p).log_prob(p)", "D.Laplace(x, p).log_prob(p)",
                 "D.Cauchy(x, p).log_prob(p)", "D.Gumbel(x, p).log_prob(p)", "D.HalfNormal(p).log_prob(p)", "D.LogNormal(x, p).log_prob(p + 1)", "D.StudentT(p + 2).log_prob(x)"),
    distribution("Independent", "D.Independent(D.Normal(x, p), 1)", "d.log_prob(p)", "d.entropy()", "d.batch_shape", "d.event_shape"),
    distribution("transformed", "D.TransformedDistribution(D.Normal(x, p), [D.AffineTransform(1.0, p), D.TanhTransform()])", "d.log_prob(p * 0.9)"),
    distribution("kl_divergence", "D.Normal(x, p)", "D.kl_divergence(d, D.Normal(p, p + 1))", "D.kl_divergence(D.Bernoulli(p), D.Bernoulli(p * 0.5))",
                 "D.kl_divergence(D.Independent(d, 1), D.Independent(D.Normal(x * 0, x * 0 + 1), 1))"),
    Row("samples", "from torch.distributions import Categorical, Normal\n\n\ndef entry(x):\n    torch.manual_seed(0)\n    d = Normal(x, x.exp())\n"
        "    return d.rsample(), d.sample((2,)), Normal(0.0, 1.0).sample((3,))\n"),
    Row("a policy", """
from torch.distributions import Normal, Independent


class Policy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.mean, self.scale = torch.nn.Linear(3, 2), torch.nn.Parameter(torch.zeros(2))

    @torch.no_grad()
    def forward(self, x):
        d = Independent(Normal(self.mean(x), self.scale.exp()), 1)
        action = torch.tanh(d.mean)
        return action, d.log_prob(action), d.entropy()


model = Policy().eval()
entry = model.forward
"""),
    Row("a value that does not fit", "from torch.distributions import Bernoulli\n\n\ndef entry(x):\n    try:\n        return Bernoulli(x * 0 + 2).mean\n    except ValueError as problem:\n"
        "        return type(problem).__name__\n"),
    Row("prune", "import torch.nn.utils.prune as prune\n\ntorch.manual_seed(3)\nnet = torch.nn.Linear(3, 3)\nprune.l1_unstructured(net, 'weight', 0.5)\n\n\ndef entry(x):\n"
        "    return net(x), net.weight_mask\n"),
    parametrized("weight_norm", "net = P.weight_norm(torch.nn.Conv1d(3, 4, 2, groups=1), dim=2)", "net(x.expand(3, 3))",
                 "net.parametrizations.weight.original0", "type(net).__name__", "len(net.state_dict())", "isinstance(net, torch.nn.Conv1d)"),
    Row("parts as attributes", "torch.manual_seed(3)\nnet = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))\nseen = hasattr(torch.nn.utils.parametrizations, 'weight_norm')\n"
        "Normal = torch.distributions.Normal\n\n\n@torch.no_grad()\ndef entry(x):\n    return net(x), seen, Normal(x, 1.0).mean\n"),
    parametrized("spectral_norm", "net = P.spectral_norm(torch.nn.Linear(3, 4)).eval()", "net(x)", "net.weight", "list(net.state_dict())"),
    parametrized("a parametrization of the program", """
class Symmetric(torch.nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


class Doubled(torch.nn.Module):
    def forward(self, w):
        return 2 * w

    def right_inverse(self, w):
        return w / 2


net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
held = net[0].weight
register_parametrization(net[0], "weight", Symmetric())
register_parametrization(net[1], "weight", Doubled())
net[1].weight = torch.eye(3)
register_parametrization(net[1], "weight", Symmetric(), unsafe=True)
left = remove_parametrizations(register_parametrization(torch.nn.Linear(3, 2), "weight", Doubled()), "weight")
""", "net(x)", "net[0].weight", "held is net[0].parametrizations.weight.original", "[n for n, _ in net.named_parameters()]", "is_parametrized(net[1], 'weight')",
                 "left(x)", "type(left) is torch.nn.Linear", "is_parametrized(left)", "net[1].parametrizations.weight.original"),
    Row("without PyTorch in a folder of -I", "from torch.distributions import Normal\n\n\ndef entry(x):\n    return Normal(x, 1.0).mean\n", code=1, says="torch.distributions.Normal"),
]


def check(job):
    """What is wrong, or None."""
    ptc, row = job
    with tempfile.TemporaryDirectory() as given:
        folder = Path(given)
        world = World(ptc, folder)
        pyc = world.program(row.source.lstrip("\n"))
        torch.manual_seed(5)
        inputs = [torch.randn(3) for _ in range(CALLS)]
        save_safetensors(folder / "x.safetensors", {f"x{n}": x for n, x in enumerate(inputs)})
        for n in range(CALLS):
            world.call(f"call{n}.json", {"args": [{"$tensor": "x.safetensors", "name": f"x{n}"}]})
        words = ("--entry", "entry", "--example", "call0.json")
        if row.code:
            _, err = world.run("compile", pyc, *words, "-o", "libm.so", code=row.code)
            return None if row.says in err else f"{row.says!r} not in\n{err}"
        with contextlib.chdir(folder):
            entry = load_module(folder / "m.py").entry
            want = [tree_map(lambda v: v.detach().clone() if isinstance(v, torch.Tensor) else v, entry(x)) for x in inputs]
        got = {"null": outcomes(world, pyc, *words, "-I", SITE)}
        world.run("compile", pyc, *words, "-I", SITE, "-o", "libm.so")
        got["library"] = outcomes(world, "libm.so")
        for kind, results in got.items():
            wrong = difference(want, results, Tolerance(1e-5, 1e-6))
            if wrong:
                return f"{kind}: {wrong}"
    return None


if __name__ == "__main__":
    sys.exit(run(check, ROWS, __doc__))
