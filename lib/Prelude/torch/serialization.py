"""torch.load: what a checkpoint holds, its tensors as weights of the program."""
from collections import OrderedDict

import torch
from _ptc import _checkpoint, _is_opaque
from _ptc_torch import _refuse
from os import fspath


class _Storage:
    """What a `map_location` that is a function gets and gives back."""
    _ptc_known_as = "torch.storage.UntypedStorage"


# Classes of which objects may be loaded, beside those that always may: there are no objects of any other here.
_safe_globals = []


def add_safe_globals(safe_globals):
    _safe_globals.extend([added for added in safe_globals if added not in _safe_globals])


def clear_safe_globals():
    _safe_globals.clear()


def get_safe_globals():
    return list(_safe_globals)


class safe_globals:
    """A context in which these are safe, too."""

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        add_safe_globals(self.safe_globals)

    def __exit__(self, *exc):
        _safe_globals[:] = [kept for kept in _safe_globals if kept not in self.safe_globals]


def _place(map_location, saved):
    """The device of a tensor that was saved on this one."""
    if map_location is None:
        if saved != "cpu" and not torch.cuda.is_available():
            raise RuntimeError("Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are running on a "
                               "CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map your storages to the CPU.")
        return saved
    if isinstance(map_location, (str, torch.device)):
        return map_location
    if isinstance(map_location, dict):
        return map_location.get(saved, saved)
    storage = _Storage()
    moved = map_location(storage, saved)
    if moved is storage:
        return "cpu"
    if moved is None:
        return _place(None, saved)
    return _refuse("torch.load with a map_location that gives another storage")


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    if pickle_module is not None or pickle_load_args:
        _refuse("torch.load with a pickle module or its options")
    if _is_opaque(f) or not (isinstance(f, str) or hasattr(type(f), "__fspath__")):
        _refuse("torch.load of something other than a path")
    made, devices = [], {}

    def moved(tensor, saved):
        if saved not in devices:
            devices[saved] = torch.device(_place(map_location, saved))
        return tensor if devices[saved].type == "cpu" else tensor.to(devices[saved])

    def parts(places):
        return [made[place] for place in places]

    def pairs(places):
        return zip(parts(places[::2]), parts(places[1::2]))

    for kind, given in _checkpoint(fspath(f)):
        if kind == "value":
            value = given
        elif kind == "device":
            value = torch.device(given)
        elif kind == "tensor":
            value = moved(*given[:2])
            if given[2]:
                value.requires_grad_()
        elif kind == "parameter":
            value = torch.nn.Parameter(moved(*given[:2]), given[2])
        elif kind == "list":
            value = parts(given)
        elif kind == "tuple":
            value = tuple(parts(given))
        elif kind == "size":
            value = torch.Size(parts(given))
        elif kind == "set":
            value = set(parts(given))
        elif kind == "dict":
            value = dict(pairs(given))
        else:
            value = OrderedDict(pairs(given[0]))
            for name, attribute in () if given[1] is None else made[given[1]].items():
                setattr(value, name, attribute)
        made.append(value)
    return made[-1]
