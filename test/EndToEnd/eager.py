"""Runs a Python program under eager PyTorch and writes down all that a caller can see of each call.

An Observation holds the result, the printed text, the exception, the inputs after the call, and which
leaves of inputs and result share a storage. This is the oracle: the .py itself, never a graph of it.
"""
import contextlib
import functools
import inspect
import io
import sys
import traceback
import types
from dataclasses import dataclass, field
from pathlib import Path

import torch

torch.set_num_threads(1)                     # the cases share the processors, and workers are forked
from compare import EXACT, difference
from notation import Object, decode_call, load_safetensors, restrided  # noqa: E402

DEFAULT_SEED = 67280421310721                 # of torch's CPU generator in a fresh process


@dataclass
class Observation:
    result: object = None
    stdout: str = ""
    raised: dict = None
    inputs: dict = field(default_factory=dict)     # path -> value after the call, where it changed
    after: dict = field(default_factory=dict)      # path -> every tensor input after the call
    aliases: set = field(default_factory=set)      # frozensets of paths that share a storage
    unseen: set = field(default_factory=set)       # paths of results whose aliases are not compared: state, no memory


def is_object(value):
    """An instance of a class of the program, whose attributes are part of what a caller sees."""
    return hasattr(value, "__dict__") and not callable(value) and not isinstance(value, types.ModuleType)


def parts(value, path):
    """(path, part) for a nested value and everything in it, in the order of the structure."""
    yield path, value
    inner = ()
    if isinstance(value, torch.Tensor):
        return
    if isinstance(value, (list, tuple)):
        inner = ((f"{path}[{i}]", v) for i, v in enumerate(value))
    elif isinstance(value, dict):
        inner = ((f'{path}["{k}"]' if isinstance(k, str) else f"{path}[{k!r}]", v) for k, v in value.items())
    elif is_object(value):
        inner = ((f"{path}.{k}", v) for k, v in vars(value).items())
    for at, v in inner:
        yield from parts(v, at)


def leaves(value, path):
    """(path, tensor) for the tensors of a nested value, in the order of the structure."""
    return ((at, v) for at, v in parts(value, path) if isinstance(v, torch.Tensor))


def copied(t):
    """Own memory, the same strides."""
    return t.detach().clone() if t.is_contiguous() else restrided(t, t.stride())


def snapshot(value):
    """The value as it is now: tensors detached and copied, containers rebuilt."""
    if isinstance(value, torch.Tensor):
        return copied(value)
    if isinstance(value, (list, tuple)):       # named tuples and sizes become plain ones
        return (list if isinstance(value, list) else tuple)(snapshot(v) for v in value)
    if isinstance(value, dict):
        return {k: snapshot(v) for k, v in value.items()}
    if is_object(value):
        return Object(type(value).__name__, snapshot(vars(value)))
    return value


def storage(t):
    """The address of the tensor's memory, None if it has none."""
    return t.untyped_storage().data_ptr() if t.untyped_storage().nbytes() else None


def sharing(tensors):
    """Groups of two and more paths with one storage."""
    groups = {}
    for path, t in tensors:
        if storage(t):
            groups.setdefault(storage(t), []).append(path)
    return {frozenset(g) for g in groups.values() if len(g) > 1}


def identical(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and \
        torch.equal(a.nan_to_num() if a.is_floating_point() else a,
                    b.nan_to_num() if b.is_floating_point() else b) and \
        (not a.is_floating_point() or torch.equal(a.isnan(), b.isnan()))


@functools.lru_cache(maxsize=64)
def code_of(text, name):
    """Many programs stand in one file, and each runs in a module of its own."""
    return compile(text, name, "exec")


def load_module(source, name=None):
    """The module of `source`, executed afresh; its code carries the bare file name."""
    module = types.ModuleType(name or source.stem)
    module.__file__ = source.name
    sys.modules[module.__name__] = module      # dataclasses look their module up
    exec(code_of(source.read_text(encoding="utf-8"), source.name), module.__dict__)
    return module


def public_entry(module):
    """The default entry: the only object of an nn.Module class of the module, else the only such class, else the only public function."""
    mine = {k: v for k, v in vars(module).items()
            if getattr(v, "__module__", None) == module.__name__ and not k.startswith("_")}
    classes = [k for k, v in mine.items() if isinstance(v, type) and issubclass(v, torch.nn.Module)]
    functions = [k for k, v in mine.items() if isinstance(v, types.FunctionType)]
    objects = [k for k, v in vars(module).items() if not k.startswith("_") and type(v).__name__ in classes and type(v) is mine.get(type(v).__name__)]
    names = next((names for names in (objects, classes) if len(names) == 1), functions)
    assert len(names) == 1, f"{module.__name__} has no single entry: {classes}, {functions}"
    return names[0]


class EagerProgram:
    """A fresh module with its entry: a function, an instance's forward, or an instance's method."""

    def __init__(self, source, entry=None, init=None, weights=None):
        torch.manual_seed(DEFAULT_SEED)
        torch.set_grad_enabled(True)          # programs leave other modes behind
        torch.set_default_dtype(torch.float32)
        self.file = source.name
        module = load_module(source)
        name, _, method = (entry or public_entry(module)).partition(".")
        target = getattr(module, name)
        if isinstance(target, type):
            init = init or {}
            target = target(*init.get("args", []), **init.get("kwargs", {}))
            if weights:
                # A tied tensor may be stored under one of its names only.
                missing, unexpected = target.load_state_dict(load_safetensors(weights), strict=False)
                assert not unexpected, unexpected
            self.call = getattr(target, method) if method else target
            self.signature = inspect.signature(getattr(target, method or "forward"))
        else:
            self.call = target
            self.signature = inspect.signature(target.forward if isinstance(target, torch.nn.Module) else target)
        owner = getattr(self.call, "__self__", self.call)
        self.roots = [vars(module)] + [vars(m) for m in getattr(owner, "modules", list)()]

    def state(self):
        """Storages that outlive a call. A result that is state is copied out, so its aliases are not compared."""
        found = [t for root in self.roots for k, v in root.items() if not k.startswith("__") for _, t in leaves(v, "")]
        return {storage(t) for t in found}

    def bind(self, args, kwargs):
        """Argument paths as the user wrote them."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return {}
        return dict(bound.arguments)

    def observe(self, notation, folder="."):
        args, kwargs = decode_call(notation, folder)
        if "seed" in notation:
            torch.manual_seed(notation["seed"])
        named = self.bind(args, kwargs)
        inputs = [leaf for k, v in named.items() for leaf in leaves(v, k)]
        before = [copied(t) for _, t in inputs]
        containers = [(at, v) for k, a in named.items() for at, v in parts(a, k) if isinstance(v, (list, dict))]
        contents = [snapshot(v) for _, v in containers]
        seen, out = Observation(), io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                result = self.call(*args, **kwargs)
            seen.result = snapshot(result)
            state = self.state()
            seen.unseen = {p for p, t in leaves(result, "result") if storage(t) in state or not storage(t)}
            mine = [(p, t) for p, t in leaves(result, "result") if p not in seen.unseen]
            seen.aliases = {g for g in sharing([*inputs, *mine]) if any(p.startswith("result") for p in g)}
        except RecursionError:
            raise
        except Exception as e:
            seen.raised = self.describe(e)
        seen.stdout = out.getvalue()
        seen.after = {p: copied(t) for p, t in inputs}
        seen.inputs = {p: copied(t) for (p, t), old in zip(inputs, before) if not identical(t, old)}
        for (at, v), old in zip(containers, contents):
            seen.after[at] = snapshot(v)
            if difference(old, seen.after[at], EXACT, at):
                seen.inputs[at] = seen.after[at]
        return seen

    def describe(self, e):
        lines = [f.lineno for f in traceback.extract_tb(e.__traceback__) if f.filename == self.file]
        return {"type": type(e).__name__, "text": str(e), "file": self.file, "line": lines[-1] if lines else None}
