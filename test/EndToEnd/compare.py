"""Compares what `ptc run --save` wrote with what eager PyTorch did, call by call."""
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
from notation import Object  # noqa: E402


@dataclass(frozen=True)
class Tolerance:
    """Floats may differ by `rtol * |eager| + atol`; everything else is exact."""
    rtol: float = 0.0
    atol: float = 0.0


EXACT = Tolerance()

# Exceptions that PyTorch's own code raises: the type must be right, the text is LibTorch's business.
FOREIGN = {"RuntimeError", "IndexError", "TypeError", "NotImplementedError", "AttributeError"}


def same_zeros(want, got):
    """Where two equal tensors have zeros of the same sign; NaN has none."""
    parts = [(torch.view_as_real(t.resolve_conj()) if t.is_complex() else t) for t in (want, got)]
    same = (parts[0] != 0) | (torch.signbit(parts[0]) == torch.signbit(parts[1]))
    return same.all(-1) if want.is_complex() else same


def laid_out(t):
    """Strides as far as a program depends on them: a dimension of size 1 has any."""
    return [stride for size, stride in zip(t.shape, t.stride()) if size != 1]


def tensor_difference(want, got, tolerance):
    if want.dtype != got.dtype or want.shape != got.shape:
        return f"expected {want.dtype} {list(want.shape)}, got {got.dtype} {list(got.shape)}"
    if laid_out(want) != laid_out(got):
        return f"expected strides {laid_out(want)}, got {laid_out(got)}"
    if not want.numel():
        return None
    if want.is_floating_point() or want.is_complex():
        close = torch.isclose(got.double(), want.double(), rtol=tolerance.rtol, atol=tolerance.atol, equal_nan=True)
    else:
        close = want == got
    if tolerance == EXACT and close.all() and (want.is_floating_point() or want.is_complex()):
        close = same_zeros(want, got)
    if close.all():
        return None
    at = (~close).nonzero()[0].tolist() if want.dim() else []
    w, g = want[tuple(at)].item(), got[tuple(at)].item()
    return f"element {at} of {list(want.shape)}: expected {w!r}, got {g!r} ({int((~close).sum())} differ)"


def difference(want, got, tolerance, path="result"):
    """None, or the first place where two nested values differ."""
    if isinstance(want, torch.Tensor) and isinstance(got, torch.Tensor):
        text = tensor_difference(want, got, tolerance)
        return f"{path}: {text}" if text else None
    if isinstance(want, torch.Size):
        want = tuple(want)
    if isinstance(want, torch.dtype):
        return None if want == got else f"{path}: expected {want}, got {got!r}"
    if type(want) is not type(got):
        return f"{path}: expected {type(want).__name__} {want!r}, got {type(got).__name__} {got!r}"
    if isinstance(want, Object):
        if want.type != got.type:
            return f"{path}: expected a {want.type}, got a {got.type}"
        return difference(want.fields, got.fields, tolerance, path)
    if isinstance(want, (list, tuple)):
        if len(want) != len(got):
            return f"{path}: expected {len(want)} elements, got {len(got)}"
        pairs = ((f"{path}[{i}]", a, b) for i, (a, b) in enumerate(zip(want, got)))
    elif isinstance(want, dict):
        if [(type(k), k) for k in want] != [(type(k), k) for k in got]:
            return f"{path}: expected keys {list(want)}, got {list(got)}"
        pairs = ((f"{path}[{k!r}]", want[k], got[k]) for k in want)
    elif isinstance(want, float):
        near = want == got or (math.isnan(want) and math.isnan(got)) or \
            math.isclose(want, got, rel_tol=tolerance.rtol, abs_tol=tolerance.atol)
        zeros_differ = want == got == 0 and math.copysign(1, want) != math.copysign(1, got)
        same = near and not (tolerance == EXACT and zeros_differ)
        return None if same else f"{path}: expected {want!r}, got {got!r}"
    else:
        return None if want == got else f"{path}: expected {want!r}, got {got!r}"
    return next((text for p, a, b in pairs if (text := difference(a, b, tolerance, p))), None)


def grouped(pairs):
    """Pairs of paths -> groups."""
    groups = []
    for a, b in pairs:
        touching = [g for g in groups if a in g or b in g]
        groups = [g for g in groups if g not in touching] + [set().union({a, b}, *touching)]
    return {frozenset(g) for g in groups}


def raised_difference(want, got):
    if (want is None) != (got is None):
        return f"raised: expected {want}, got {got}"
    if want is None:
        return None
    if want["type"] != got["type"]:
        return f"raised: expected {want['type']}: {want['text']}, got {got['type']}: {got['text']}"
    if want["text"] != got["text"] and want["type"] not in FOREIGN:
        return f"raised: expected text {want['text']!r}, got {got['text']!r}"
    if (want["file"], want["line"]) != (got.get("file"), got.get("line")):
        return f"raised at {got.get('file')}:{got.get('line')}, expected {want['file']}:{want['line']}"
    return None


def observation_difference(want, got, tolerance=EXACT):
    """`want` is an Observation, `got` the decoded object that `--save` wrote for the call."""
    text = raised_difference(want.raised, got.get("raised"))
    if text is None and want.raised is None:
        text = difference(want.result, got.get("result"), tolerance)
    if text is None and want.stdout != got.get("stdout", ""):
        text = f"printed: expected {want.stdout!r}, got {got.get('stdout')!r}"
    written = got.get("inputs", {})
    for path in text is None and {**want.inputs, **written} or {}:
        if path not in written:
            return f"input {path}: eager wrote it, the program did not"
        if path not in want.after:
            continue                           # an object, compared by its leaves
        text = text or difference(want.after[path], written[path], tolerance, f"input {path} after the call")
    if text is None and want.raised is None:
        pairs = [p for p in got.get("aliases", []) if not want.unseen & set(p)]
        groups = {g for g in grouped(pairs) if any(p.startswith("result") for p in g)}
        if groups != want.aliases:
            show = lambda gs: sorted(sorted(g) for g in gs)
            text = f"aliases: expected {show(want.aliases)}, got {show(groups)}"
    return text
