"""importlib.machinery: suffixes of files, and the finder of extension modules in a folder."""
from _ptc import _extension_file, _python_minor, _run_module_code
from _ptc_torch import _refuse
from importlib.util import ModuleSpec

SOURCE_SUFFIXES = [".py"]
BYTECODE_SUFFIXES = [".pyc"]
EXTENSION_SUFFIXES = [f".cpython-3{_python_minor()}-x86_64-linux-gnu.so", ".abi3.so", ".so"]


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES


class BuiltinImporter:
    _ptc_known_as = "_frozen_importlib.BuiltinImporter"


class FrozenImporter:
    _ptc_known_as = "_frozen_importlib.FrozenImporter"


class PathFinder:
    _ptc_known_as = "_frozen_importlib_external.PathFinder"


class SourceFileLoader:
    """Runs the code that pip or an import left of a source, where importing the name finds it."""
    _ptc_known_as = "_frozen_importlib_external.SourceFileLoader"

    def __init__(self, fullname, path):
        self.name, self.path = fullname, path

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        _run_module_code(module, self.name, self.path)

    def is_package(self, fullname):
        return self.path.endswith("/__init__.py")

    def get_filename(self, name=None):
        return self.path


class ExtensionFileLoader:
    def __init__(self, name, path):
        self.name, self.path = name, path


class FileFinder:
    """Finds extension modules only."""

    def __init__(self, path, *loader_details):
        self.path = path or "."
        self._ptc_loaders = loader_details

    def find_spec(self, fullname, target=None):
        if [loader for loader, _ in self._ptc_loaders if loader is not ExtensionFileLoader]:
            _refuse("importlib.machinery.FileFinder of files that are no extension modules")
        path = _extension_file(self.path, fullname.rpartition(".")[2])
        if path is None:
            return None
        spec = ModuleSpec(fullname)
        spec.origin, spec.loader = path, ExtensionFileLoader(fullname, path)
        return spec
