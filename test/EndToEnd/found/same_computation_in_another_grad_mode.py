"""A computation that was made in one grad mode is made again in another one: what asks for requires_grad is told of the last."""
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        with torch.no_grad():
            kept = self.a * 2
        grown = self.a * 2
        if grown.requires_grad:
            grown = grown + 10
        with torch.no_grad():
            late = self.a * 2
        return (kept + grown * x + late).detach(), kept.requires_grad, grown.requires_grad, late.requires_grad


net = Net()


def entry(x):
    return net(x)
