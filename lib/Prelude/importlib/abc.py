"""importlib.abc: what finders and loaders derive from."""
from abc import ABCMeta as _ABCMeta
from importlib.machinery import BuiltinImporter as _BuiltinImporter, FrozenImporter as _FrozenImporter, PathFinder as _PathFinder


class Loader(metaclass=_ABCMeta):
    def create_module(self, spec):
        return None


class MetaPathFinder(metaclass=_ABCMeta):
    def invalidate_caches(self):
        pass


MetaPathFinder.register(_BuiltinImporter)
MetaPathFinder.register(_FrozenImporter)
MetaPathFinder.register(_PathFinder)
