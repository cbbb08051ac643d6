"""A classifier for flat feature vectors: normalise, a few hidden layers, class scores."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "tanh": nn.Tanh, "silu": nn.SiLU}


@dataclass
class MLPConfig:
    features: int = 784
    hidden: list = field(default_factory=lambda: [512, 256])
    classes: int = 10
    activation: str = "gelu"
    dropout: float = 0.0

    def __post_init__(self):
        if self.activation not in ACTIVATIONS:
            known = ", ".join(sorted(ACTIVATIONS))
            raise ValueError(f"unknown activation {self.activation!r}, expected one of {known}")

    @property
    def widths(self):
        return [self.features, *self.hidden]


def standardize(x, mean=0.1307, std=0.3081, eps=1e-6):
    """Shifts and scales the raw features."""
    return (x - mean) / (std + eps)


class Layer(nn.Module):
    """Linear, activation and dropout; adds its input where the widths agree."""

    def __init__(self, wide_in, wide_out, *, activation="gelu", dropout=0.0):
        super().__init__()
        self.linear = nn.Linear(wide_in, wide_out)
        self.norm = nn.LayerNorm(wide_out)
        self.act = ACTIVATIONS[activation]()
        self.drop = nn.Dropout(dropout) if dropout > 0 else nn.Identity()
        self.residual = wide_in == wide_out

    def forward(self, x):
        y = self.drop(self.act(self.norm(self.linear(x))))
        return x + y if self.residual else y

    def extra_repr(self):
        return f"residual={self.residual}"


class MLP(nn.Module):
    """`forward(x, temperature)` gives class scores; `predict(x)` gives label and probability."""

    def __init__(self, **options):
        super().__init__()
        self.config = config = MLPConfig(**options)
        widths = config.widths
        self.body = nn.Sequential(*(
            Layer(a, b, activation=config.activation, dropout=config.dropout)
            for a, b in zip(widths, widths[1:])))
        self.head = nn.Linear(widths[-1], config.classes)

    def forward(self, x, temperature=1.0):
        assert x.shape[-1] == self.config.features, (
            f"expected {self.config.features} features, got {x.shape[-1]}")
        scores = self.head(self.body(standardize(x.flatten(1))))
        return scores / temperature if temperature != 1.0 else scores

    def predict(self, x):
        probabilities = F.softmax(self(x), dim=-1)
        best = probabilities.max(dim=-1)
        return {"label": best.indices, "probability": best.values}


if __name__ == "__main__":
    model = MLP(features=16, hidden=[32, 32], classes=4)
    print(model)
    print(model.predict(torch.rand(2, 16)))
