"""torch.torch_version: a version that compares by its numbers."""
from _torch_version import TEXT as _TEXT
from torch import _refuse


def _key(version):
    """Numbers without zeros at the end, then the local part; None where this is no version."""
    text = ".".join(str(part) for part in version) if isinstance(version, tuple) else str(version)
    release, plus, local = text.partition("+")
    numbers = release.split(".")
    if not all(n.isdigit() for n in numbers):
        _refuse(f"a comparison of versions with {text!r}")
    numbers = [int(n) for n in numbers]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers, plus, local


class TorchVersion(str):
    def __eq__(self, other):
        return _key(self) == _key(other)

    def __ne__(self, other):
        return _key(self) != _key(other)

    def __lt__(self, other):
        return _key(self) < _key(other)

    def __le__(self, other):
        return _key(self) <= _key(other)

    def __gt__(self, other):
        return _key(self) > _key(other)

    def __ge__(self, other):
        return _key(self) >= _key(other)

    __hash__ = str.__hash__


_current = TorchVersion(_TEXT)
