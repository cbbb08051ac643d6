#!/usr/bin/env python3
"""The standard library of lib/Prelude under CPython: every program of constructs/ imports it instead of
CPython's own and must print the same.

    prelude.py [FILTER] [-j N] [-v]
"""
import builtins
import contextlib
import io
import marshal
import math
import operator
import os
import sys
import time
import traceback
import types
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
PRELUDE = HERE.parents[1] / "lib/Prelude"
sys.path[:0] = [str(HERE), str(HERE.parent)]
import runner  # noqa: E402
from regenerate import expected, first_difference  # noqa: E402

NOT_HERE = {"torch", "_builtins", "embed", "re"}     # need the engine
VERSION = "%d.%d" % sys.version_info[:2]


def ssize(count):
    """As the engine's, like the next one."""
    if isinstance(count, int) and count > sys.maxsize:
        raise OverflowError("Python int too large to convert to C ssize_t")
    return count


def item_count(count):
    """What no memory holds is not made."""
    if isinstance(ssize(count), int) and count > 2 ** 37:
        raise MemoryError
    return count


# About iterators over an OrderedDict, which the engine makes, what print() does with another sys.stdout, and operators and copies of
# classes that are C's in CPython, subscripts of the library's classes, and who holds an object.
OF_ENGINE = {"bounds_and_exports", "builtin_subclasses", "copy_protocol", "dataclass_texts", "generic_classes", "library_attributes", "mutated_walks",
             "pickle_round_trips", "print_files", "re_module", "reflected_operators", "weak_references"}


class Library:
    """Imports from lib/Prelude, and from CPython what is not there."""

    def __init__(self):
        natives = types.ModuleType("_ptc_math")
        natives.__dict__.update({k: v for k, v in vars(math).items() if not k.startswith("_")})
        natives.norm = lambda coordinates: math.hypot(*coordinates)
        natives.whole = lambda x, up: None  # of floats that are no quotients of sizes
        engine = types.ModuleType("_ptc")
        engine._ssize, engine._item_count, engine._no_end = ssize, item_count, sys.exit
        engine._is_in_modules, engine._replace_module = sys.modules.__contains__, sys.modules.__setitem__
        engine._is_item, engine._is_program_code = operator.is_, lambda v: True
        engine._hide_contents = engine._keep = engine._kept = engine._forget = lambda *args: None
        engine._environment_names, engine._environment_value = list, lambda name: None
        engine._dict_key = lambda d, n: list(d)[n]
        engine._python_versions = lambda: (VERSION,)
        engine._print = lambda parts, sep, end, fd: print(*parts, sep=sep, end=end, file=sys.stdout if fd == 1 else io.StringIO())
        engine._is_stream = lambda v: type(v).__name__ == "_Stream"
        engine._is_file_there = lambda question, path: False
        engine._installed_entries = engine._installed_text = engine._installed_bytes = engine._archived = engine._real_path = engine._is_zip = lambda path: None
        engine._is_opaque = engine._is_unknown = lambda v: False
        engine._is_in_call = lambda: False
        engine._is_grown = engine._is_table = lambda items: False
        engine._clock = lambda which: (time.time_ns, time.monotonic_ns, time.process_time_ns, time.thread_time_ns)[which]()
        engine._cache_key, engine._caches_are_state = lambda cached, key, room: None, lambda: None  # no call of an entry
        engine._needs_code = lambda key: True
        engine._init_fields = engine._add_fields = lambda *args: False  # the natives do no more than the code
        for name in ("_assume", "_cache_find", "_checkpoint", "_safetensors", "_cache_finish", "_cache_start", "_lookup", "_refuse_class", "_uncomputed", "_unknown_path",
                     "_unmodelled_module"):
            setattr(engine, name, sys.exit)  # of what has no model
        engine._module = sys.modules.get
        engine._mapping_proxy = lambda: types.MappingProxyType
        engine._python_minor = lambda: int(VERSION.split(".")[1])
        engine._caller_place = self.caller_place
        torch, operators = types.ModuleType("_ptc_torch"), types.ModuleType("_ptc_builtins")
        torch.Tensor, torch._refuse = type("Tensor", (), {}), sys.exit
        operators._compared_by_the_run = lambda *items: False
        operators._length_hint, operators._check_no_exports = operator.length_hint, lambda data: None  # exports are the engine's
        self.modules = {"_ptc_math": natives, "_ptc": engine, "_ptc_torch": torch, "_ptc_builtins": operators}
        self.builtins = {**vars(builtins), "__import__": self.find}

    @staticmethod
    def caller_place(level):
        """Of the program's code: that of the prelude is named `<module>`."""
        frame = sys._getframe(1)
        while frame.f_code.co_filename.startswith("<"):
            frame = frame.f_back
        for _ in range(level - 1):
            frame = frame.f_back
        return frame.f_globals["__name__"], frame.f_code.co_filename, frame.f_lineno, id(frame.f_globals), frame.f_code.co_name

    def path(self, name):
        plain = PRELUDE.joinpath(*name.split(".")).with_suffix(".py")
        package = PRELUDE.joinpath(*name.split(".")) / "__init__.py"
        return plain if plain.exists() else package if package.exists() else None

    def load(self, name):
        if name in self.modules:
            return self.modules[name]
        path = self.path(name)
        module = self.modules[name] = types.ModuleType(name)
        module.__package__ = name if path.stem == "__init__" else name.rpartition(".")[0]
        module.__builtins__ = self.builtins
        # What World.def answers: kept by the module under another name, or the same as CPython's.
        if name in ("sys", "os"):
            def answer(attribute):
                if "_" + attribute not in module.__dict__:
                    return getattr(sys.modules[name], attribute)
                kept = module.__dict__["_" + attribute]
                return kept[VERSION] if isinstance(kept, dict) and VERSION in kept else kept

            module.__getattr__ = answer
        exec(compile(path.read_text(), f"<{name}>", "exec"), module.__dict__)
        parent, _, leaf = name.rpartition(".")
        if parent:
            setattr(self.load(parent), leaf, module)
        return module

    def find(self, name, globals=None, locals=None, fromlist=(), level=0):
        top = name.split(".")[0]
        mine = top in self.modules or top not in NOT_HERE and self.path(top)
        if level or not mine or name not in self.modules and not self.path(name):
            return builtins.__import__(name, globals, locals, fromlist, level)
        self.load(top)
        module = self.load(name)
        for part in fromlist or ():
            if not hasattr(module, part) and self.path(f"{name}.{part}"):
                self.load(f"{name}.{part}")
        return module if fromlist else self.modules[top]


def execute(path):
    main = types.ModuleType("__main__")
    main.__file__ = path.name
    main.__builtins__ = Library().builtins
    outer, out, error = sys.modules["__main__"], io.StringIO(), ""
    sys.modules["__main__"] = main
    try:
        with contextlib.redirect_stdout(out):
            code = compile(path.read_text(encoding="utf-8"), path.name, "exec")
            exec(marshal.loads(marshal.dumps(code)), main.__dict__)
    except SystemExit:
        pass
    except Exception:
        error = traceback.format_exc(limit=-3)
    finally:
        sys.modules["__main__"] = outer
    return out.getvalue(), error


def check(path):
    """None, or what differs."""
    out, error = execute(path)
    difference = first_difference(expected(path.stem)[0], out)
    return f"{difference}\n{error}" if difference else None


def main():
    warnings.simplefilter("ignore")
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    args = runner.options(__doc__, ptc=False).parse_args()
    programs = [path for path in sorted((HERE / "constructs").glob("*.py")) if path.stem not in OF_ENGINE]
    return runner.run([(path.stem, (path,)) for path in programs], check, args)


if __name__ == "__main__":
    sys.exit(main())
