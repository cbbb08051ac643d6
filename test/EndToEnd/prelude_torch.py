#!/usr/bin/env python3
"""The Python part of torch (lib/Prelude/torch) under CPython: its natives are played by real PyTorch.

    prelude_torch.py [FILTER] [--prelude DIR] [--all] [-j N] [-v]

Every layer, model and program of the end-to-end table that torch.nn's Python code takes part in must give
what real torch.nn gives: same state dict names, same results. Functions that are composed of operations are called with
every element type, memory order and size of composites.py; one of so many of these calls is made without --all.
"""
import builtins
import functools
import gc
import sys
import tempfile
import types
import warnings
from pathlib import Path

import torch

import composites
from compare import difference
from eager import DEFAULT_SEED, EagerProgram, code_of, load_module, snapshot
from notation import decode, load_safetensors
from table import HERE, Tolerance, all_cases

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

PRELUDE = HERE.parents[1] / "lib/Prelude"
SAME = Tolerance(rtol=1e-5, atol=1e-6)
SOME = 23                                      # without --all one of so many calls of composites is made


class Aten(types.ModuleType):
    """`_ptc_aten`: an operation by its name."""

    def __getattr__(self, name):
        return getattr(torch.ops.aten, name)


class Fallback(types.ModuleType):
    """A module of the prelude: names that it lacks come from the table of operations, here from torch."""

    def __getattr__(self, name):
        if name.startswith("__") or self.__dict__.get("_real") is None:
            raise AttributeError(name)
        return getattr(self.__dict__["_real"], name)


class Refused(NotImplementedError):
    """The prelude has no model of it."""


def refuse(what):
    raise Refused(what)


def replace_tensors(pairs):
    """Whoever holds the second of a pair holds the first, with the data of the second."""
    for old, new in pairs:
        old.data = new.data
        for holder in gc.get_referrers(new):
            places = holder.items() if isinstance(holder, dict) else enumerate(holder) if isinstance(holder, list) else ()
            for place in [place for place, value in places if value is new]:
                holder[place] = old


class AutocastModes:
    """Modes of torch.autocast by the names that the engine's natives have for them."""

    @staticmethod
    def get(name):
        device, _, kind = name.partition(" ")
        if name in ("cache", "region"):
            return torch.is_autocast_cache_enabled() if name == "cache" else None
        return torch.get_autocast_dtype(device) if kind else torch.is_autocast_enabled(device)

    @staticmethod
    def set(name, value):
        device, _, kind = name.partition(" ")
        if name == "cache":
            torch.set_autocast_cache_enabled(value)
        elif name != "region":
            (torch.set_autocast_dtype if kind else torch.set_autocast_enabled)(device, value)


def make_natives():
    natives = types.ModuleType("_ptc_torch")
    names = """Tensor dtype device layout memory_format Generator float16 float32 float64 bfloat16 uint8 int8 int16 int32
    int64 bool complex64 complex128 strided contiguous_format preserve_format channels_last channels_last_3d tensor
    is_grad_enabled get_default_dtype set_default_dtype is_tensor Size default_generator promote_types
    can_cast""".split()
    for name in names:
        setattr(natives, name, getattr(torch, name))
    natives._set_grad_enabled = torch._C._set_grad_enabled
    natives._grad_mode = torch.is_grad_enabled
    natives._autocast_mode, natives._set_autocast_mode = AutocastModes.get, AutocastModes.set
    natives._replace_tensors = replace_tensors
    natives.make_parameter = lambda data, requires_grad=True: torch.nn.Parameter(data.detach(), requires_grad)
    natives.is_parameter = lambda value: isinstance(value, torch.nn.Parameter)
    natives._refuse, natives._freeze = refuse, lambda tensor: None
    natives._adopt = lambda target, source: None
    natives._recorded = natives._kinds_since = natives._is_for_each = natives._restored = natives._hold_same = None      # of functions that are looked at as they run
    natives.bind_weight = lambda name, value: None
    natives._shares_storage = lambda one, other: one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()
    natives._is_data = lambda number: False
    natives._is_open_size = lambda number, other: False
    natives._overrides = natives._functions_disabled = lambda *of: 0          # there are only plain tensors
    natives._is_derived = lambda value: False
    natives._tensor_of = natives._derived = natives._of_same_fields = natives._set_functions_disabled = natives._calling_part = None
    natives._function_modes, natives._set_function_modes, natives._unknown_types = tuple, None, None
    natives._write_out = lambda name, result, out, operands: out.copy_(result)
    natives._default_devices, natives._set_default_devices, natives._has_attributes = lambda: (None,), None, lambda t: False
    natives._mark_size = lambda t, dim, kind, lower, upper: None
    return natives


class Library:
    """torch from the prelude, everything else from CPython."""

    def __init__(self, prelude):
        self.prelude = prelude
        engine = types.ModuleType("_ptc")
        engine._about_world = lambda name: getattr(torch, name.removeprefix("torch."))()
        engine._is_opaque = engine._is_unknown = lambda v: False
        engine._is_of_the_run = engine._has_length_of_run = lambda v: False
        engine._number_list = torch.Tensor.tolist
        engine._is_in_call, engine._is_module = lambda: False, lambda name: False
        engine._check_missing = lambda obj, name: None
        engine._unknown_attribute = lambda v: None
        # Of what has no model, and of what modules ask while they are made.
        engine._refuse_class = engine._unknown_path = engine._assume = engine._caller_place = engine._checkpoint = engine._unmodelled_module = sys.exit
        looks = types.ModuleType("warnings")         # where nobody looks at them, the prelude's are not given
        looks.__dict__.update(vars(warnings))
        looks._is_watched = lambda: False
        looks._of_library = looks._warn_at = looks._refuse_seen = lambda *args: None
        results = types.ModuleType("_ptc_return_types")
        results._all = tuple(torch.return_types.all_return_types)
        results.__dict__.update({kind.__name__: kind for kind in results._all})
        self.modules = {"_ptc_return_types": results, "_ptc_torch": make_natives(), "_ptc_aten": Aten("_ptc_aten"), "_ptc": engine, "warnings": looks}
        self.builtins = {**vars(builtins), "__import__": self.find}

    def path(self, name):
        plain = self.prelude.joinpath(*name.split(".")).with_suffix(".py")
        package = self.prelude.joinpath(*name.split(".")) / "__init__.py"
        return plain if plain.exists() else package if package.exists() else None

    def load(self, name):
        if name in self.modules:
            return self.modules[name]
        module = self.modules[name] = Fallback(name)
        real = torch
        for part in name.split(".")[1:]:
            real = getattr(real, part, None)
        # torch.nn is all Python: what it lacks is a mistake, not an operation.
        module._real = None if name == "torch.nn" else real
        module.__builtins__ = self.builtins
        parent, _, leaf = name.rpartition(".")
        exec(code_of(self.path(name).read_text(), f"<{name}>"), module.__dict__)
        if parent:
            setattr(self.load(parent), leaf, module)
        return module

    def find(self, name, globals=None, locals=None, fromlist=(), level=0):
        if level or name not in self.modules and not (name.split(".")[0] in ("torch", "_torch_version") and self.path(name)):
            return builtins.__import__(name, globals, locals, fromlist, level)
        self.load(name.split(".")[0])
        module = self.load(name)
        for part in fromlist or ():
            if part not in module.__dict__ and self.path(f"{name}.{part}"):
                self.load(f"{name}.{part}")
        return module if fromlist else self.modules[name.split(".")[0]]


class PreludeProgram(EagerProgram):
    """The same program, with torch.nn of the prelude."""

    def __init__(self, case, library):
        torch.manual_seed(DEFAULT_SEED)
        module = types.ModuleType(case.source.stem)
        module.__builtins__ = library.builtins
        sys.modules[module.__name__] = module
        exec(compile(case.source.read_text(), case.source.name, "exec"), module.__dict__)
        name, _, method = case.entry.partition(".")
        init = case.init or {}
        target = getattr(module, name)
        self.instance = target(*init.get("args", []), **init.get("kwargs", {})) if isinstance(target, type) else None
        self.call = target if self.instance is None else getattr(self.instance, method) if method else self.instance


def check(case, prelude):
    """None, or what differs."""
    library = Library(prelude)
    real = EagerProgram(case.source, case.entry, case.init, case.weights)
    mine = PreludeProgram(case, library)
    if mine.instance is not None:
        owner = getattr(real.call, "__self__", real.call)
        want, got = list(owner.state_dict()), list(mine.instance.state_dict())
        if want != got:
            return f"state dict: expected {want}, got {got}"
        stored = load_safetensors(case.weights) if case.weights else {}
        with torch.no_grad():
            for name, t in mine.instance.state_dict().items():
                if name in stored:
                    t.copy_(stored[name])
    for n, call in enumerate(case.calls):
        args = lambda: [decode(a, case.folder) for a in call.get("args", [])]
        kwargs = lambda: {k: decode(v, case.folder) for k, v in call.get("kwargs", {}).items()}
        torch.manual_seed(n)
        want = snapshot(real.call(*args(), **kwargs()))
        torch.manual_seed(n)
        text = difference(want, snapshot(mine.call(*args(), **kwargs())), SAME)
        if text:
            return f"call {n}: {text}"
    return None


@functools.cache
def shared_library(prelude):
    """For calls of functions, which leave nothing in it. Making one takes longer than they do."""
    library = Library(prelude)
    for name in ("torch", "torch.nn.functional"):
        library.load(name)
    return library


def check_composite(number, prelude, stride):
    library = shared_library(prelude)
    return composites.check(number, library.modules["torch"], lambda error: isinstance(error, Refused), stride)


def check_any(case, *rest):
    return (check_composite if isinstance(case, int) else check)(case, *rest)


def takes_part(case):
    """Programs with a module, and those that spell out the tensor interface."""
    if case.source.stem == "tensor_api":
        return True
    return case.entry and isinstance(getattr(load_module(case.source), case.entry.split(".")[0]), type)


def main():
    parser = runner.options(__doc__, ptc=False)
    parser.add_argument("--prelude", type=Path, default=PRELUDE)
    parser.add_argument("--all", action="store_true", help="every call of composites.py")
    args = parser.parse_args()
    torch.set_num_threads(1)
    rows = [(text, (n, args.prelude, 1 if args.all else SOME)) for n, (row, spec) in enumerate(composites.ROWS)
            if args.filter in (text := f"{row} of {spec}")]
    with tempfile.TemporaryDirectory() as scratch:
        cases = [(case.name, (case, args.prelude)) for case in all_cases(Path(scratch), args.filter) if takes_part(case)]
        return runner.run(cases + rows, check_any, args)


if __name__ == "__main__":
    sys.exit(main())
