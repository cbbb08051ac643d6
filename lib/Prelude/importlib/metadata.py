"""importlib.metadata: names and versions of what is installed in the folders of -I, and PyTorch."""
from _ptc import _distribution, _distribution_file, _distributions, _python_minor
from _ptc_torch import _refuse
from _torch_version import TEXT as _TORCH

# Installed with PyTorch: ptc has models, and no versions.
_WITH_TORCH = "typing_extensions", "sympy", "mpmath", "jinja2", "markupsafe", "filelock", "networkx", "fsspec", "setuptools"


class PackageNotFoundError(ModuleNotFoundError):
    def __str__(self):
        return f"No package metadata was found for {self.name}"

    @property
    def name(self):
        return self.args[0]


class Distribution:
    def __init__(self):
        raise TypeError(f"Can't instantiate abstract class {type(self).__name__}")

    @property
    def name(self):
        return self._ptc_said[1]

    @property
    def version(self):
        return self._ptc_said[2]

    @property
    def metadata(self):
        _refuse("importlib.metadata.Distribution.metadata")

    @classmethod
    def from_name(cls, name):
        return distribution(name)


class PathDistribution(Distribution):
    def __init__(self, path):
        _refuse("importlib.metadata.PathDistribution of a path")

    def read_text(self, filename):
        return _distribution_file(_place(self), filename)


def _place(found):
    if found._ptc_said[0] is None:
        _refuse("files of the distribution of PyTorch")
    return found._ptc_said[0]


def _made(said):
    found = object.__new__(PathDistribution)
    found._ptc_said = said
    return found


def distribution(distribution_name):
    if not distribution_name:
        raise ValueError("A distribution name is required.")
    said = (None, "torch", _TORCH) if distribution_name.lower() == "torch" else _distribution(distribution_name)
    if said is None:
        if distribution_name.lower().replace("-", "_").replace(".", "_") in _WITH_TORCH:
            _refuse(f"the version of {distribution_name!r}, which is installed with PyTorch")
        raise PackageNotFoundError(distribution_name)
    return _made(said)


def version(distribution_name):
    return distribution(distribution_name).version


def distributions(**kwargs):
    if kwargs:
        _refuse("importlib.metadata.distributions() of a context")
    return iter([_made(said) for said in [*_distributions(), (None, "torch", _TORCH)]])


def _files(found):
    """Paths of its files, as RECORD has them."""
    text = found.read_text("RECORD")
    if text is None:
        _refuse("files of a distribution without RECORD")
    if '"' in text:
        _refuse("names of files in quotes in RECORD")
    return [line.partition(",")[0] for line in text.splitlines() if line]


def _inferred(found):
    """Names at the top of what a distribution installs, where it does not say so itself."""
    names = set()
    for file in _files(found):
        first, slash, rest = file.partition("/")
        if _python_minor() < 12:
            if file.endswith(".py"):
                names.add(first if slash else first[:-3])
            continue
        if not slash:
            first = first.partition(".")[0] if first.endswith((".py", ".pyc", ".so")) else first
        if "." not in first:
            names.add(first)
    return names


def packages_distributions():
    found = {"torch": ["torch"], "torchgen": ["torch"], "functorch": ["torch"]}
    for there in _distributions():
        there = _made(there)
        for name in (there.read_text("top_level.txt") or "").split() or _inferred(there):
            found.setdefault(name, []).append(there.name)
    return found
