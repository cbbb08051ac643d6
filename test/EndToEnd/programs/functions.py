"""Functions that take functions: control flow, batches, calls with other parameters, attention; lists of tensors and trees of them."""
from collections import OrderedDict, defaultdict, namedtuple
from typing import Optional

import torch
import torch.nn.functional as F
import torch.utils._pytree as pytree
from torch._higher_order_ops.associative_scan import associative_scan
from torch._higher_order_ops.map import map as map_entries
from torch._higher_order_ops.scan import scan
from torch._higher_order_ops.while_loop import while_loop
from torch.func import functional_call, stack_module_state, vmap
from torch.nn.attention.flex_attention import AuxRequest, and_masks, create_block_mask, create_mask, flex_attention, or_masks

Pair = namedtuple("Pair", ("first", "second"))


# Control flow ---------------------------------------------------------------------------------------

def sides(x):
    return (torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,)), torch.cond(x.max() > 2, torch.sin, torch.cos, [x]),
            torch.cond(x.shape[0] > 2, lambda: x * 2, lambda: x))


def sides_in_sides(x):
    def inner(x):
        return torch.cond(x.min() < -0.5, lambda x: (x.abs(), x + 3), lambda x: (x + 0.5, x * 4), (x,))
    return torch.cond(x.sum() > 1, inner, lambda x: (x - 1, x * 3), (x,))


def doubled_until(x):
    return while_loop(lambda n, y: (y.abs().sum() < 50) & (n < 9), lambda n, y: (n + 1, y * 2 + 1), (torch.tensor(0), x))


def scanned(x):
    carry, rows = scan(lambda c, y: (c + y, {"c": c * y, "y": y + 1}), torch.zeros(()), x)
    back, others = scan(lambda c, y: (c * 0.5 + y, c - y), torch.ones(()), x, reverse=True)
    wide = scan(lambda c, y: (c + y, c * 2), torch.zeros(2), torch.stack([x, x + 1]), dim=1)
    return carry, rows, back, others, wide


def scanned_together(x):
    sums = associative_scan(lambda a, b: a + b, x, 0, combine_mode="generic")
    pairs = associative_scan(lambda a, b: (a[0] * b[0], b[0] * a[1] + b[1]), (x * 0.5, x + 1), 0, combine_mode="generic")
    return sums, associative_scan(torch.maximum, x, 0, reverse=True, combine_mode="generic"), pairs


def mapped(x):
    return map_entries(lambda row, by: row * by + row.sum(), torch.stack([x, x + 1]), 3)


# Batches --------------------------------------------------------------------------------------------

def batched(x):
    rows = torch.stack([x, x * 2])
    dot = vmap(torch.dot)
    return (vmap(lambda a: a * 2 + a.sum())(rows), dot(rows, rows + 1), vmap(torch.dot, in_dims=(0, None))(rows, x), vmap(lambda a: a + 1, in_dims=1, out_dims=1)(rows),
            vmap(lambda a, b: {"sum": a["v"] + b, "same": a["v"]}, in_dims=({"v": 0}, None))({"v": rows}, x), vmap(vmap(lambda a: a * a))(rows),
            torch.vmap(lambda a, by=None: a * by)(rows, by=x + 1), vmap(lambda a: a + 1, in_dims=1)(rows), vmap(lambda a, b: a * b, in_dims=(1, None))(rows, rows[:, 0]),
            vmap(lambda a: a.t() * 2)(torch.stack([rows, rows + 1])))


def batched_writes(x):
    """To entries, to views of them, and to what each call makes."""
    rows, others = torch.stack([x, x * 2]), torch.stack([x, x + 3])

    def change(a, b):
        a.add_(1)
        a[:1].mul_(b[:1])
        c = a * 2
        c[0] = b[0]
        c.sub_(b)
        d = torch.zeros(2)
        d.fill_(3)
        return c, c + a, d
    return vmap(change, in_dims=(0, None))(rows, x), vmap(change)(rows[:, 1:], others[:, 1:]), rows


class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
        self.second.weight = self.first.weight
        self.register_buffer("offset", torch.ones(3))

    def forward(self, x, scale=1.0):
        return self.second(torch.relu(self.first(x))) * scale + self.offset


def other_parameters(x):
    torch.manual_seed(4)
    net, v = Tied(), x[:1].expand(3)
    given = {"first.weight": torch.eye(3) * 2, "first.bias": v, "offset": v * 3}
    return (functional_call(net, given, (v,)), functional_call(net, [given, {"second.bias": v}], v, {"scale": 2.0}), net(v),
            functional_call(net, {"second.weight": torch.ones(3, 3)}, (v,)))


def several_models(x):
    torch.manual_seed(2)
    nets = [torch.nn.Linear(2, 2) for _ in range(3)]
    params, buffers = stack_module_state(nets)
    def run(p, b, v):
        return functional_call(nets[0], (p, b), (v,))
    return vmap(run, in_dims=(0, 0, None))(params, buffers, x[:1].expand(2)), sorted(params)


# Attention ------------------------------------------------------------------------------------------

def _heads(x, heads, length):
    torch.manual_seed(1)
    return torch.randn(2, heads, length, 4) + x.sum()


def _causal(b, h, q, k):
    return q >= k


def scored(x):
    q, k, v = _heads(x, 2, 5), _heads(x, 2, 5) * 0.5, _heads(x, 2, 5) + 1
    slopes, table = torch.tensor([0.5, 0.25]), torch.randn(2, 9)
    return (flex_attention(q, k, v), flex_attention(q, k, v, lambda s, b, h, i, j: s + slopes[h] * (i - j)), flex_attention(q, k, v, lambda s, b, h, i, j: s * torch.sin(x[0]) + table[h, i - j + 4]),
            flex_attention(q, k, v, lambda s, b, h, i, j: torch.where(i >= j, s.tanh() * 3, -float("inf")), scale=0.3), flex_attention(q, k, v, lambda s, b, h, i, j: s + b))


def masked(x):
    q, k, v = _heads(x, 4, 6), _heads(x, 2, 6) * 0.5, _heads(x, 2, 6) + 1
    window = and_masks(_causal, lambda b, h, i, j: i - j < 3)
    ends = torch.tensor([4, 6])
    either = or_masks(window, lambda b, h, i, j: j < 1)
    block = create_block_mask(window, None, None, 6, 6, device="cpu")
    padded = create_block_mask(lambda b, h, i, j: (i >= j) & (j < ends[b]), 2, 1, 6, 6, device="cpu")
    none = create_block_mask(lambda b, h, i, j: i > j, 1, 1, 6, 6, device="cpu")
    out, aux = flex_attention(q, k, v, block_mask=padded, enable_gqa=True, return_aux=AuxRequest(lse=True))
    return (flex_attention(q, k, v, block_mask=block, enable_gqa=True), out, aux.lse, flex_attention(q, k, v, block_mask=none, enable_gqa=True),
            create_mask(either, 1, 1, 5, 7, device="cpu"), create_mask(_causal, 2, 3, 2, 3, device="cpu"), create_mask(lambda b, h, i, j: i + j < b + h, 2, 3, 2, 3, device="cpu"), block.shape, block.BLOCK_SIZE)


def in_half_precision(x):
    q = _heads(x * 0.01, 2, 5).bfloat16()
    return flex_attention(q, q * 0.5, q + 1), flex_attention(q.half(), q.half(), q.half(), lambda s, b, h, i, j: s + (i - j) * 0.1)


def strides_of_attention(x):
    q = (torch.arange(48.0).view(2, 3, 2, 4) * 0.01 + x.sum()).transpose(1, 2)
    out = flex_attention(q, q, q)
    return out, out.stride()


def pooled_boxes(x):
    box = torch.arange(2 * 3 * 4 * 6 * 5.0).view(2, 3, 4, 6, 5) * 0.01 + x.sum()
    return (F.adaptive_avg_pool3d(box, 1), F.adaptive_avg_pool3d(box, (2, 4, 3)), torch.nn.AdaptiveAvgPool3d((None, 3, 5))(box), F.adaptive_avg_pool3d(box[0], (4, 6, 5)))


# Lists and trees ------------------------------------------------------------------------------------

def lists(x):
    parts = [x, x * 2 + 1, x.sum()]
    others = [x + 1, x - 3, x.mean()]
    changed = [p.clone() for p in parts]
    torch._foreach_mul_(changed, 3.0)
    torch._foreach_add_(changed, others, alpha=0.5)
    torch._foreach_addcmul_(changed, others, parts, value=0.1)
    torch._foreach_clamp_min_(changed, -1.0)
    return (torch._foreach_add(parts, 1.0), torch._foreach_sub(parts, others), torch._foreach_mul(parts, [1.0, 2.0, 3.0]), torch._foreach_norm(parts), changed,
            torch._foreach_abs(parts), torch._foreach_maximum(parts, others), torch._foreach_maximum(parts, 0.5), torch._foreach_lerp(parts, others, 0.25),
            torch._foreach_exp(parts), torch._foreach_pow(2.0, parts), torch._foreach_max(parts))


def trees(x):
    tree = {"b": x, "a": [x + 1, (x * 2, None, 3)], "c": OrderedDict(z=x, y=Pair(x, 1)), "d": defaultdict(list, k=[x])}
    leaves, spec = pytree.tree_flatten(tree)
    again = pytree.tree_unflatten([leaf + 1 if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves], spec)
    doubled = pytree.tree_map(lambda a, b: (a, b), {"u": x, "v": [x]}, {"u": 1, "v": [2]})
    only = pytree.tree_map_only(torch.Tensor, lambda t: t * 10, tree)
    return (again["a"], again["c"]["y"], type(again["c"]["y"]).__name__, type(again["d"]).__name__, doubled["u"], only["a"][1], len(leaves), spec.num_leaves, spec.num_nodes,
            pytree.tree_all(lambda v: v is not None, [1, None]), pytree.tree_any_only(int, lambda v: v > 2, tree), pytree.tree_leaves([1, [2, (3,)]], is_leaf=lambda v: isinstance(v, tuple)),
            spec == pytree.tree_structure(again), pytree.tree_is_leaf(x), pytree.tree_leaves(x.shape), isinstance(pytree.tree_structure(1), pytree.LeafSpec), while_loop(lambda n: n < 3, lambda n: [n + 1], (torch.tensor(0),)))


def wrong_trees(x):
    told = []
    for act in (lambda: pytree.tree_map(lambda a, b: a, [x, x], [x]), lambda: pytree.tree_unflatten([x], pytree.tree_structure([x, x])), lambda: pytree.tree_map(lambda a, b: a, {"a": x}, {"b": x}),
                lambda: torch._foreach_add([], 1.0), lambda: torch._foreach_add([x], [x, x]), lambda: torch.vmap(lambda a, b: a)(x, torch.ones(x.shape[0] + 1))):
        try:
            act()
        except Exception as problem:
            told.append(type(problem).__name__)
    return told, repr(pytree.tree_structure({"a": [1, (2, 3)], "b": 4, "c": []})), repr(pytree.tree_structure(1))


# Operators of the program ---------------------------------------------------------------------------

@torch.library.custom_op("functions_of_tests::scaled", mutates_args=())
def scaled_by(x: torch.Tensor, by: float) -> torch.Tensor:
    return x * by + 1


@scaled_by.register_fake
def _(x, by):
    return torch.empty_like(x)


@torch.library.custom_op("functions_of_tests::kinds", mutates_args=())
def kinds(x: torch.Tensor, k: float, n: int) -> torch.Tensor:
    return x * k if isinstance(k, float) and type(n) is int else x * 0


library = torch.library.Library("functions_of_tests", "FRAGMENT")


def _register():
    library.define("shifted(Tensor x, float by=2, *, int[] times=[1], str? how=None) -> Tensor")
    library.define("both(Tensor[] all) -> (Tensor, Tensor)")
    library.define("both.one(Tensor x) -> Tensor")
    library.impl("both", lambda all: (all[0] + all[-1], all[0] - all[-1]), "CompositeExplicitAutograd")
    library.impl("both.one", lambda x: -x, "CPU")
    library.impl("shifted", lambda x, by=7.0, *, times=(5,), how="none": x + by * sum(times) + len(how), "CPU")
    torch.library.define("functions_of_tests::later", "(Tensor x, int n=1) -> Tensor")

    @torch.library.impl("functions_of_tests::later", "default")
    def later(x, n=3):
        return x * n

    @torch.library.register_fake("functions_of_tests::later")
    def _(x, n=1):
        return torch.empty_like(x)


try:
    _register()
except RuntimeError:                            # eager has them from an earlier import
    pass


@scaled_by.register_kernel("cpu")
def _(x, by):
    return x * by + 1


@torch.library.custom_op("functions_of_tests::adds", mutates_args={"x"})
def adds(x: torch.Tensor, n: Optional[float] = None) -> None:
    x.add_(1.5 if n is None else n if type(n) is float else 100)


def library_operators(x):
    ops, y = torch.ops.functions_of_tests, x.clone()
    adds(y), adds(y, 2), ops.adds(y, n=0.25)
    return (ops.shifted(x), ops.shifted(x, 3), ops.shifted(x, True, times=(2, 3)), ops.shifted.default(x, 2.0, how="x"), ops.both.default([x, x + 1]),
            ops.both.one(x), ops.later(x), ops.later(x, 4), ops.later(x, n=False), ops.scaled(x, 2), ops.scaled.default(x, by=3.0), y,
            repr(ops.later), repr(ops.both.one), str(ops.both.one), ops.later.default.name(), ops.both.one.name(), ops.later.__name__, ops.both.one.__name__)


def aten_operators(x):
    aten = torch.ops.aten
    y = x.clone()
    aten.add_(y, 1), aten.mul_.Scalar(y, 2), aten.relu_.default(y)
    return (aten.add.Tensor(x, x, alpha=2), aten.add(x, 2), aten.relu(x), aten.relu.default(x), aten.mm.default(x[None], x[:, None]), aten.sum.dim_IntList(x, [0], True),
            aten.sum.default(x), aten.var_mean.correction(x, [0], correction=1), aten.view.default(x, [1, -1]), aten.clamp.default(x, 0.0, max=1.0), y,
            repr(aten.add.Tensor), str(aten.add), aten.add.Tensor.name(), aten.relu.default.overloadpacket is aten.relu, torch.ops.aten is aten)


def own_operator(x):
    return scaled_by(x, 2.0), scaled_by(scaled_by(x, 0.5), 3.0), kinds(x, 3, True), kinds(x, k=True, n=2)
