"""What one interpreter has: modules, names and classes, for known_names.py. Runs with every CPython from 3.11 on.

known_snapshot.py python OUT.json     the standard library
known_snapshot.py torch OUT.json      every module under torch
known_snapshot.py numpy OUT.json      every module under numpy

Out: {"modules": {name: {"names": {name: row}, "open": bool} or null where it exists and cannot be imported},
"classes": {path: {"names", "bases", "meta", "plain", "open", "static", "fixed", "dict"}}, "loaded": modules that an import of torch
loads, "known": names that belong to the library}. A row is [kind, type, target, since]: kind m(odule), c(lass), f(unction),
V(alue that is callable), v(alue), n(one), s(et in instances by methods of the class, so that some of them have it); target: where
a module or class is defined if not here.
"""
import sys
import importlib
# What the interpreter lives on cannot be imported afresh: the modules that these have before anything else is imported.
EARLY = {n: {a for a, v in vars(sys.modules[n]).items() if isinstance(v, type(sys))}
         for n in ("encodings", "importlib", "collections", "os") if n in sys.modules}

import contextlib
import dis
import importlib.util
import io
import json
import os
import pkgutil
import types
import warnings

# Of every module, or of every one that has a source: known_names.py and the tables' reader know them.
UNIVERSAL = {"__name__", "__doc__", "__loader__", "__spec__", "__package__", "__builtins__", "__cached__",
             "__warningregistry__", "__annotations__", "__conditional_annotations__", "__annotate__", "__file__",
             "__path__", "__getattr__", "__dir__"}
OF_CLASSES = {"__module__", "__doc__", "__dict__", "__weakref__", "__qualname__", "__firstlineno__",
              "__static_attributes__", "__annotations__", "__annotate__", "__annotate_func__",
              "__annotations_cache__"}
# Importing these does something: opens a window or a browser, prints, starts tests.
NOT_IMPORTED = {"antigravity", "this", "test", "idlelib.idle", "turtledemo", "__main__", "__phello__",
                "numpy.f2py", "numpy.distutils", "numpy.testing", "numpy._pyinstaller", "numpy.typing.mypy_plugin",
                "numpy.conftest",
                "torch.utils.bottleneck"}
STORE_GLOBAL, STORE_ATTR = dis.opmap["STORE_GLOBAL"], dis.opmap["STORE_ATTR"]
# What a function names that sets attributes by their names; these are among its constants then.
SETTERS = {"setattr", "__setattr__", "__dict__"}
HEAP_TYPE, IMMUTABLE_TYPE = 1 << 9, 1 << 8     # of __flags__: Include/object.h
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.WrapperDescriptorType,
             types.MethodWrapperType, types.MethodDescriptorType, types.ClassMethodDescriptorType)


def type_name(cls):
    try:
        module, name = cls.__module__, cls.__qualname__
    except Exception:
        return "?"
    if not isinstance(module, str) or not isinstance(name, str):
        return "?"
    return name if module == "builtins" else f"{module}.{name}"


def hooked_names(module, hook):
    """Names that a module's __getattr__ may answer: those that its code, or a table that it reads, mentions."""
    found = set(getattr(module, "__all__", ())) | set(dir(module))
    code = getattr(hook, "__code__", None)
    constants = list(code.co_consts) if code else []
    for name in code.co_names if code else ():
        value = vars(module).get(name)
        if isinstance(value, types.ModuleType):
            value = getattr(value, "__all__", ())
        if isinstance(value, (dict, list, set, frozenset, tuple)):
            constants.extend(value)
    while constants:
        value = constants.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, (tuple, frozenset)):
            constants.extend(value)
        elif isinstance(value, types.CodeType):
            constants.extend(value.co_consts)
    return found


def rebound_names(module):
    """Variables of a module that its functions bind anew: what they are depends on what was called."""
    values = list(vars(module).values())
    for cls in [v for v in values if isinstance(v, type)]:
        values += [getattr(v, "__func__", v) for v in vars(cls).values()]
    codes = [v.__code__ for v in values
             if isinstance(v, types.FunctionType) and v.__globals__ is vars(module)]
    found = set()
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        if STORE_GLOBAL in code.co_code[::2]:
            found |= {i.argval for i in dis.get_instructions(code) if i.opcode == STORE_GLOBAL}
    return found


def functions_of(cls):
    """The functions that are members of a class, or parts of members."""
    for value in list(vars(cls).values()):
        parts = [value, getattr(value, "__func__", None)]
        if isinstance(value, property):
            parts += [value.fget, value.fset, value.fdel]
        for part in parts:
            part = getattr(part, "__wrapped__", part) if isinstance(part, types.FunctionType) else part
            if isinstance(part, types.FunctionType) and part.__code__.co_argcount:
                yield part


def is_load(instruction):
    return "LOAD_FAST" in instruction.opname or "LOAD_DEREF" in instruction.opname or instruction.opname == "LOAD_CLASSDEREF"


def last_name(instruction):
    """The variable that is on top of the stack behind an instruction that loads or stores several."""
    value = instruction.argval
    return value[-1] if isinstance(value, tuple) and value else value


def made_instances(code, receiver):
    """Variables of a function that are its first argument, or instances that it makes: of the class that is its first argument, of the
    argument's class, or by __new__."""
    found, loaded, mentioned = {receiver}, None, set()
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name.startswith(("STORE_FAST", "STORE_DEREF")):
            stored = instruction.argval[0] if isinstance(instruction.argval, tuple) else instruction.argval
            makes = ("()" in mentioned and mentioned & {"__new__", "__class__"} or {"()", receiver} <= mentioned
                     and (receiver == "cls" or mentioned & {"type", "copy"}))
            if loaded in found or makes:
                found.add(stored)
        if name.startswith(("STORE_", "POP_TOP", "RETURN")):
            mentioned = set()
        elif isinstance(instruction.argval, str):
            mentioned.add(instruction.argval)
        elif isinstance(instruction.argval, tuple):
            mentioned |= {part for part in instruction.argval if isinstance(part, str)}
        if name.startswith("CALL"):
            mentioned.add("()")
        loaded = last_name(instruction) if is_load(instruction) else None
    return found


def attributes_set(code, instances):
    """Attributes that code gives to variables that are instances, functions in it included; `x.a += 1` is one, too."""
    found, loaded, updated = set(), None, {}
    if SETTERS & set(code.co_names):
        for constant in code.co_consts:
            found |= {c for c in (constant if isinstance(constant, (tuple, frozenset)) else (constant,)) if isinstance(c, str)}
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType) and instances & set(inner.co_freevars):
            found |= attributes_set(inner, instances & set(inner.co_freevars))
    if STORE_ATTR not in code.co_code[::2]:
        return found
    before = None
    for instruction in dis.get_instructions(code):
        if instruction.opname == "LOAD_ATTR" and before == "COPY" and loaded in instances:
            updated[instruction.argval] = True
        if instruction.opcode == STORE_ATTR and (loaded in instances or before == "SWAP" and instruction.argval in updated):
            found.add(instruction.argval)
        if instruction.opname != "COPY":
            loaded = last_name(instruction) if is_load(instruction) else None
        before = instruction.opname
    return found


def names_set_in_instances(cls):
    """Attributes that methods of a class give to instances: to their first argument, or to what they make of the class."""
    found = set()
    for function in functions_of(cls):
        code = function.__code__
        found |= attributes_set(code, made_instances(code, code.co_varnames[0]))
    found -= {"__context__", "__cause__", "__traceback__"}       # of exceptions, which have them from their class
    return {n for n in found if n.isidentifier() and not any(n in vars(c) for c in cls.__mro__)}


def is_read_as_held(cls, name, value):
    """Is the attribute of the class not None where it holds a descriptor in C? Its metaclass may have one of the name."""
    return not isinstance(value, types.MemberDescriptorType) or getattr(cls, name, value) is not None


class Snapshot:
    def __init__(self, roots):
        self.roots = roots              # top-level modules whose contents are wanted
        self.modules, self.classes = {}, {}
        self.paths = {}                 # id of a class -> its path
        self.kept = []                  # so that no id is used twice
        self.seen = {}                  # id of a module -> its name
        self.current = None

    def is_ours(self, module):
        return isinstance(module, str) and module.partition(".")[0] in self.roots

    def class_path(self, cls, place):
        """Where a class is defined: what it says, unless another one says the same."""
        found = self.paths.get(id(cls))
        if found:
            return found
        said = f"{getattr(cls, '__module__', None)}.{getattr(cls, '__qualname__', '?')}"
        for path in (said, place, *(f"{said}#{n}" for n in range(2, 999))):
            if path not in self.classes and "<locals>" not in path:
                break
        self.paths[id(cls)] = path
        self.kept.append(cls)
        row = self.classes[path] = {"names": {}, "bases": [], "meta": "type", "plain": True, "open": False,
                                    "static": not cls.__flags__ & HEAP_TYPE, "fixed": bool(cls.__flags__ & IMMUTABLE_TYPE),
                                    "dict": any("__dict__" in vars(c) for c in cls.__mro__)}
        if not self.is_ours(getattr(cls, "__module__", None)):
            row["open"] = True
            return path
        meta = type(cls)
        if meta is not type:
            row["meta"] = self.class_path(meta, f"{place}.__class__")
            row["plain"] = (meta.__instancecheck__ is type.__instancecheck__
                            and meta.__subclasscheck__ is type.__subclasscheck__)
        row["bases"] = [self.class_path(base, f"{place}.__base__") for base in cls.__bases__]
        skip = {"__doc__"} if row["static"] else OF_CLASSES
        for name, value in list(vars(cls).items()):
            if isinstance(name, str) and name not in skip and name.isidentifier():
                row["names"][name] = self.row(value, f"{path}.{name}") if is_read_as_held(cls, name, value) else ["v", "", "", ""]
        for name in names_set_in_instances(cls):
            row["names"][name] = ["s", "", "", ""]
        return path

    def row(self, value, place, is_member=True):
        if value is None:
            return ["n", "", "", ""]
        if isinstance(value, types.ModuleType):
            return ["m", "", self.module_name(value, place), ""]
        if is_member and isinstance(value, (classmethod, staticmethod)):
            inner = value.__func__
            return ["f", "method" if isinstance(value, classmethod) else "function", "", ""] if callable(inner) \
                else ["v", type_name(type(inner)), "", ""]
        if isinstance(value, type):
            path = self.class_path(value, place)
            return ["c", type_name(type(value)), "" if path == place else path, ""]
        kind = "v"
        if isinstance(value, FUNCTIONS):
            kind = "f"
        else:
            try:
                kind = "V" if callable(value) else "v"
            except Exception:
                pass
        return [kind, type_name(type(value)), "", ""]

    def module_name(self, module, place):
        """Under which name a module is found in the table; empty: under the place where it was met."""
        name = getattr(module, "__name__", None)
        for known in (self.seen.get(id(module)), name):
            if isinstance(known, str) and (known == place or sys.modules.get(known) is module):
                return "" if known == place else known
        return "" if sys.modules.get(place) is module else next(
            (n for n, m in list(sys.modules.items()) if m is module), "?")

    def scan(self, name, module):
        """Reads a module as it is now."""
        if not isinstance(module, types.ModuleType):
            self.modules[name] = None
            return
        if id(module) in self.seen:
            self.modules[name] = {"names": {}, "open": False, "alias": self.seen[id(module)]}
            return
        self.seen[id(module)] = name
        self.kept.append(module)
        names = {}
        found = set(vars(module))
        kind = type(module)
        is_open = False
        if kind is not types.ModuleType:
            inner = vars(module).get("m")
            if isinstance(inner, types.ModuleType):
                found |= set(vars(inner))          # torch.backends: a module behind a module
            elif hasattr(kind, "__getattr__"):
                is_open = True
            found |= {n for c in kind.__mro__[:-1] if c is not types.ModuleType for n in vars(c)}
        if "__getattr__" in vars(module):
            hook = vars(module)["__getattr__"]
            is_open = is_open or not isinstance(hook, types.FunctionType)
            found |= hooked_names(module, hook)
        for attr in sorted(n for n in found if isinstance(n, str)):
            if attr in UNIVERSAL or not attr.isidentifier():
                continue
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = getattr(module, attr)
            except BaseException:
                continue
            names[attr] = self.row(value, f"{name}.{attr}", is_member=False)
        for attr in rebound_names(module) & set(names):
            if names[attr][0] in "nvV":
                names[attr] = ["v", "", "", ""]
        source = str(getattr(module, "__file__", None) or "").endswith(".py")
        self.modules[name] = {"names": names, "open": is_open, "source": source,
                              "package": hasattr(module, "__path__")}

    def scan_loaded(self):
        for name, module in list(sys.modules.items()):
            if name not in self.modules and self.is_ours(name) and not is_left_out(name):
                self.scan(name, module)


def is_left_out(name):
    parts = name.split(".")
    return (any(name == n or name.startswith(n + ".") for n in NOT_IMPORTED) or parts[-1] == "__main__"
            or any(p in ("test", "tests", "idle_test") for p in parts if p != parts[0] or p == "test"))


def import_quietly(name):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), \
            warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def children(module, name):
    path = getattr(module, "__path__", None)
    if path is None or not isinstance(name, str):
        return []
    try:
        return sorted(m.name for m in pkgutil.iter_modules(list(path), name + "."))
    except Exception:
        return []


def walk(snapshot, names, log=None):
    pending = sorted(names, reverse=True)
    while pending:
        name = pending.pop()
        if name in snapshot.modules and name not in sys.modules:
            continue
        if is_left_out(name):
            snapshot.modules.setdefault(name, None)
            continue
        if log:
            print(name, file=log, flush=True)
        try:
            module = import_quietly(name)
        except BaseException as error:
            snapshot.modules.setdefault(name, None)
            snapshot.failed[name] = f"{type(error).__name__}: {error}"[:200]
            module = None
        snapshot.scan_loaded()
        if module is not None:
            if name not in snapshot.modules:
                snapshot.scan(name, module)
            pending.extend(reversed(children(module, name)))


def mark_submodules(snapshot, is_early):
    """Of each package's modules that are its attributes, those that it does not import itself."""
    for name, module in snapshot.modules.items():
        for attr, row in (module["names"] if module else {}).items():
            if row[0] == "m" and not row[2] and f"{name}.{attr}" in snapshot.modules and not is_early(name, attr):
                row[3] = "o"


def fresh_attributes(package):
    """The modules that a package has as attributes after a fresh import of it."""
    saved = {n: m for n, m in sys.modules.items() if n == package or n.startswith(package + ".")}
    for name in saved:
        del sys.modules[name]
    try:
        module = import_quietly(package)
        return {n for n, v in vars(module).items() if isinstance(v, types.ModuleType)}
    except BaseException:
        return None
    finally:
        for name in [n for n in sys.modules if n == package or n.startswith(package + ".")]:
            del sys.modules[name]
        sys.modules.update(saved)


def python_snapshot():
    roots = set(sys.stdlib_module_names)
    snapshot = Snapshot(roots)
    snapshot.failed = {}
    names = [n for n in sorted(roots) if importlib.util.find_spec(n) or n in sys.builtin_module_names]
    walk(snapshot, names)
    packages = [n for n, m in snapshot.modules.items() if m and hasattr(sys.modules.get(n), "__path__")]
    found = {n: EARLY[n] if n in EARLY else fresh_attributes(n) for n in packages}
    mark_submodules(snapshot, lambda p, a: p not in found or a in (found[p] or ()))
    return snapshot, {"stdlib": sorted(roots)}


def torch_snapshot(log):
    import torch
    snapshot = Snapshot({"torch"})
    snapshot.failed = {}
    loaded = sorted(sys.modules)
    snapshot.scan_loaded()
    early = {n: {a for a, r in m["names"].items() if r[0] == "m"} for n, m in snapshot.modules.items() if m}
    # The classes that only attributes and results have.
    for cls in vars(torch.return_types).values():
        if isinstance(cls, type):
            snapshot.class_path(cls, f"torch.return_types.{cls.__name__}")
    walk(snapshot, ["torch"], log)
    # Of packages that torch does not load, nobody asks what they have before their modules are imported.
    for name in early:
        for attr, value in vars(sys.modules[name]).items() if name in sys.modules else ():
            if f"{name}.{attr}" in snapshot.modules and attr not in snapshot.modules[name]["names"]:
                snapshot.modules[name]["names"][attr] = ["m", "module", "", "o"]
    mark_submodules(snapshot, lambda p, a: p not in early or a in early[p])
    return snapshot, {"loaded": [n for n in loaded if n.partition(".")[0] in {"torch", *sys.stdlib_module_names}],
                      "version": torch.__version__.partition("+")[0]}


def numpy_snapshot(log):
    import numpy
    snapshot = Snapshot({"numpy"})
    snapshot.failed = {}
    snapshot.scan_loaded()
    early = {n: {a for a, r in m["names"].items() if r[0] == "m"} for n, m in snapshot.modules.items() if m}
    walk(snapshot, ["numpy"], log)
    for name in early:                  # those that nobody has imported by then
        for attr in vars(sys.modules[name]):
            if f"{name}.{attr}" in snapshot.modules and attr not in snapshot.modules[name]["names"]:
                snapshot.modules[name]["names"][attr] = ["m", "module", "", "o"]
    mark_submodules(snapshot, lambda p, a: p not in early or a in early[p])
    return snapshot, {"version": numpy.__version__}


def main():
    what, out = sys.argv[1:3]
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    snapshot, more = (python_snapshot() if what == "python" else torch_snapshot(sys.stderr) if what == "torch"
                      else numpy_snapshot(sys.stderr))
    with open(out, "w") as file:
        json.dump({"modules": snapshot.modules, "classes": snapshot.classes, "failed": snapshot.failed, **more}, file)
    os._exit(0) if what == "torch" else None


if __name__ == "__main__":
    main()
