"""Keys and names in which one number is known at run time only: parts of a model that data choose by name."""
import torch


class Experts(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = torch.nn.ModuleDict({f"expert_{i}": torch.nn.Linear(3, 3) for i in range(4)})
        self.parts["shared"] = torch.nn.Linear(3, 3)
        for i, part in enumerate(self.parts.values()):
            torch.nn.init.constant_(part.weight, 0.5 - i)
            torch.nn.init.constant_(part.bias, i * 0.25)

    def forward(self, x, which):
        out = torch.zeros_like(x)
        for i in which.unique():
            rows = (which == i).nonzero()[:, 0]
            out.index_add_(0, rows, self.parts[f"expert_{i}"](x[rows]))
        return out + self.parts[f"expert_{int(which[0])}"](x)


experts = Experts().eval()
TABLE = {"a1": 1.0, "a2": 2.0, "b1": 3.0, "a-3": 4.0, "a02": 5.0, "a": 6.0, 7: 8.0}


def entry(x, which):
    n = int(which[1])
    key = f"a{n}"
    there = key in TABLE
    value = TABLE[key] if there else -1.0
    more = 10 if key == "a3" else 20 if key != "a0" else 30
    try:
        more += {"k0": 5, "k1": 6}["k" + str(n)]
    except KeyError as e:
        more += len(e.args)
    if n == 5:
        raise KeyError(f"no {n}th")
    if n == 6:
        return experts.parts[f"expert_{n}"]
    print([key], {"k": f"<{n}>"})
    own = {"a3": 1, "other": 3}
    own[key] = 2
    own[key] += 1
    return experts(x, which), value, there, more, own[key], len(own), key == f"a{int(which[2])}", TABLE.get(f"b{n}", 9.0), f"a{n}" in ("a1", "a3"), ["a0", "a2"].count(key)
