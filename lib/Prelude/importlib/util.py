"""importlib.util: whether there is a module."""
from _ptc import _is_module
from _ptc_builtins import _is_found
from _ptc_torch import _refuse
from importlib import _resolved

_absent = object()


class ModuleSpec:
    """What find_spec() gives: that there is one, and its name."""

    _ptc_known_as = "importlib.machinery.ModuleSpec"
    __hash__ = None

    def __init__(self, name, loader=_absent, *, origin=None, loader_state=None, is_package=None):
        self.name = name
        if loader is not _absent:
            self.loader, self.origin, self.loader_state = loader, origin, loader_state
            self.submodule_search_locations = [] if is_package else None

    def __eq__(self, other):
        if self is other:
            return True
        _refuse("a comparison of importlib.machinery.ModuleSpec")


def resolve_name(name, package):
    if name.startswith(".") and not package:
        raise ImportError(f"no package specified for {name!r} (required for relative module names)")
    return _resolved(name, package)


def find_spec(name, package=None):
    name = resolve_name(name, package)
    parent = name.rpartition(".")[0]
    if parent:
        package = __import__(parent, fromlist=["__path__"])
        if not hasattr(package, "__path__"):
            raise ModuleNotFoundError(f"__path__ attribute not found on {parent!r} while trying to find {name!r}", name=name)
    if _is_module(name):
        return ModuleSpec(name)
    import sys
    if _is_found(sys._finders, name, package.__path__ if parent else None):
        _refuse("a module that a finder of the program finds")
    return None
