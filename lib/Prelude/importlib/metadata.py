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
        return _made_metadata(self)

    @classmethod
    def from_name(cls, name):
        return distribution(name)


class PathDistribution(Distribution):
    def __init__(self, path):
        _refuse("importlib.metadata.PathDistribution of a path")

    def read_text(self, filename):
        return _distribution_file(_place(self), filename)


class _Message:
    """The headers of a METADATA file: names in any case, in the order of the file."""
    _ptc_known_as = "importlib.metadata._adapters.Message"

    def get_all(self, name, failobj=None):
        found = [value for key, value in self._ptc_headers() if key == name.lower()]
        if name.lower() == "description":
            _refuse("the description in the metadata of a distribution")
        if [value for value in found if value is None]:
            _refuse(f"{name!r} in the metadata of a distribution, which has several lines or is not ASCII,")
        return found or failobj

    def get(self, name, failobj=None):
        found = self.get_all(name)
        return found[0] if found else failobj

    def __getitem__(self, name):
        found = self.get_all(name)
        if not found and _python_minor() > 11:
            _refuse(f"{name!r} in the metadata of a distribution, which has none,")
        return found[0] if found else None

    def __contains__(self, name):
        return self.get_all(name, ()) != () if name.lower() == "description" else name.lower() in [key for key, _ in self._ptc_headers()]

    def _ptc_headers(self):
        """Pairs; a value of several lines, or that is not ASCII, is None."""
        if self._ptc_text is None:
            _place(self._ptc_of)               # refused: there is no file
            _refuse("a distribution without METADATA")
        found = []
        for line in self._ptc_text.splitlines():
            if not line:
                break
            if line[0] in " \t":
                found[-1] = found[-1][0], None
                continue
            key, colon, value = line.partition(":")
            if not colon:
                _refuse("a line without a name in METADATA")
            found.append((key.lower(), value.lstrip(" \t") if value.isascii() else None))
        return found


def _made_metadata(found):
    made = object.__new__(_Message)
    made._ptc_of = found
    has_files = found._ptc_said[0] is not None
    made._ptc_text = found.read_text("METADATA") or found.read_text("PKG-INFO") if has_files else None
    return made


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


def metadata(distribution_name):
    return distribution(distribution_name).metadata


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
