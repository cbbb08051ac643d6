"""torch.tensor and other makers of tensors: element types, ranges, options, what eager says about other data."""
import torch
from torch import nn
import torch.nn.functional as F


def _said(make):
    try:
        made = make()
    except (TypeError, ValueError, RuntimeError, OverflowError) as e:
        return type(e).__name__, str(e)
    return str(made.dtype), made.to(torch.float64)


def _each(values, *kinds):
    return [_said(lambda: torch.tensor(v, dtype=kind)) for kind in kinds for v in values]


def too_large_ints(x):
    kinds = (None, torch.uint8, torch.int64, torch.bool, torch.float32, torch.float64)
    return _each([1 << 70, [1, -(1 << 70)], [1.5, 1 << 70], [True, 1 << 63], [1 << 1100, 1.0]], *kinds)


def out_of_range(x):
    values = [300, [-1], -300, [-200], 70000.5, [2.75], -2.5, float("nan"), [float("inf"), 1], 9.3e18, 2.0 ** 63]
    return _each(values, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool, torch.float16)


def run_time_range(x):
    return _said(lambda: torch.tensor([int(x[0]) * 100, 1], dtype=torch.uint8)), _said(
        lambda: torch.tensor([x[0].item() * 100], dtype=torch.int8)), _said(
        lambda: torch.tensor(x[0].item() * 1e300 * 1e300, dtype=torch.int64))


def uncaught_range(x):
    return torch.tensor([int(x[0]) * 20, 3], dtype=torch.uint8)


def uncaught_literal(x):
    return torch.tensor(1 << 70)


def no_numbers(x):
    values = [None, [None], "a", ["a"], [1, "a"], {}, [{}], object(), {1}, b"ab", [[1], ["a"]], [1, None]]
    return _each(values, None, torch.float32), _each([["a"], [None], 3j], torch.int64)


def uneven(x):
    values = [[[1, 2], [3]], [[[1], [2]], [[3], [4, 5]]], [[1], 2], [1, [2]], [1.5, (2,)], [[], [1]]]
    return _each(values, None)


def options(x):
    return (torch.tensor([1.5], device="cpu", pin_memory=False), torch.tensor(data=[1, 2]),
            torch.tensor(1, dtype=float), torch.zeros(2, dtype=int), torch.tensor([0.1], dtype=torch.complex128).real, torch.tensor([]),
            torch.tensor([torch.tensor(1)]), torch.tensor([torch.tensor(1), 2.5]), torch.tensor([[], []]),
            x.new_tensor([1, 2]), _said(lambda: torch.tensor(1, 2)), _said(lambda: torch.tensor()),
            _said(lambda: torch.tensor(1, other=2)), _said(lambda: torch.tensor(1, dtype=3)))


def gradients(x):
    made = [torch.ones(3, requires_grad=True), torch.zeros(2, requires_grad=False),
            torch.full((2,), 1.0, requires_grad=True),
            torch.arange(3.0, requires_grad=True), torch.randn(2, requires_grad=True), torch.eye(2, requires_grad=True),
            torch.linspace(0, 1, 3, requires_grad=True), torch.zeros_like(x, requires_grad=True),
            x.new_zeros(3, requires_grad=True), x.new_tensor([1.0], requires_grad=True),
            torch.tensor([1.0], requires_grad=True), torch.tensor(x, requires_grad=True),
            torch.asarray([1.0], requires_grad=True), torch.logspace(0, 1, 3, requires_grad=True)]
    with torch.no_grad():
        made.append(made[0] * 2)
    made.append(made[0] * x)
    return [t.requires_grad for t in made], made[-1]


def gradients_of_ints(x):
    return [_said(lambda: torch.arange(3, requires_grad=True)), _said(lambda: torch.tensor(1, requires_grad=True)),
            _said(lambda: torch.randperm(3, requires_grad=True))]


def membership(x):
    found = 1.0 in x, 2 in x, torch.tensor(3.0) in x, True in x
    try:
        return found, "a" in x
    except RuntimeError as e:
        return found, str(e)


def several_to_number(x):
    try:
        return float(x)
    except ValueError as e:
        return str(e)


def several_to_int(x):
    return int(x)


def logarithm_times(x):
    return torch.xlogy(x, 2.0), torch.xlogy(2, x.abs()), torch.xlogy(x.long(), 2.5), x.xlogy(3), torch.xlogy(x, x.abs())


def no_statistics(x):
    batch = x.reshape(1, 3)
    return [_said(lambda: F.batch_norm(batch, None, None)), _said(lambda: F.batch_norm(batch, batch[0], None)),
            _said(lambda: F.instance_norm(x.reshape(1, 1, 3), None, None, use_input_stats=False))]


def no_statistics_uncaught(x):
    return torch.batch_norm(x.reshape(1, 3), None, None, None, None, False, 0.1, 1e-5, False)


def no_modules(x):
    makers = [lambda: nn.Sequential(1), lambda: nn.ModuleList([nn.ReLU(), 1]), lambda: nn.ModuleDict({"a": 1}),
              lambda: nn.EmbeddingBag(3, 2, padding_idx=7), lambda: nn.GRU(3, 0), lambda: nn.GRU(3, 4.5),
              lambda: nn.Conv1d(4, 4, 3, groups=0), lambda: nn.Conv1d(4, 4, 3, padding="same", stride=2),
              lambda: nn.GroupNorm(3, 4), lambda: nn.MultiheadAttention(0, 4), lambda: nn.Hardtanh(1, 0),
              lambda: nn.CrossEntropyLoss(reduction="all")(x.reshape(1, 3), torch.tensor([1]))]
    said = []
    for make in makers:
        try:
            said.append(make() is None)
        except (TypeError, ValueError, RuntimeError, AssertionError) as e:
            said.append((type(e).__name__, str(e)))
    return said
