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

    @property
    def parent(self):
        return self.name.rpartition(".")[0] if self.submodule_search_locations is None else self.name

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


def spec_from_file_location(name, location=None, *, loader=_absent, submodule_search_locations=_absent):
    import os
    from importlib.machinery import SourceFileLoader
    if location is None or loader is not _absent:
        _refuse("importlib.util.spec_from_file_location() with a loader")
    location = os.path.abspath(os.fspath(location))
    if not location.endswith(".py"):
        _refuse("importlib.util.spec_from_file_location() of what is no source")
    spec = ModuleSpec(name, SourceFileLoader(name, location), origin=location)
    if submodule_search_locations is _absent:
        submodule_search_locations = [] if location.endswith("/__init__.py") else None
    spec.submodule_search_locations = [os.path.dirname(location)] if submodule_search_locations == [] else submodule_search_locations
    return spec


def module_from_spec(spec):
    from types import ModuleType
    module = spec.loader.create_module(spec)
    if module is None:
        module = ModuleType(spec.name)
    module.__loader__, module.__package__, module.__spec__ = spec.loader, spec.parent, spec
    if spec.submodule_search_locations is not None:
        module.__path__ = spec.submodule_search_locations
    if spec.origin is not None:
        module.__file__ = spec.origin
    return module
