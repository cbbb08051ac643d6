"""Modules of torch.nn that hold others."""
import torch
from collections import OrderedDict
from operator import index as _index
from _ptc_torch import Tensor, is_parameter
from torch.nn.module import Module


def _key_at(container, idx):
    idx = _index(idx)
    if not -len(container) <= idx < len(container):
        raise IndexError(f"index {idx} is out of range")
    return list(container._modules)[idx]


def _delete_at(container, idx):
    """Takes modules out; those that stay are numbered anew."""
    keys = list(container._modules)[idx] if isinstance(idx, slice) else [_key_at(container, idx)]
    for key in keys:
        del container._modules[key]
    left = list(container._modules.values())
    container._modules.clear()
    for i, module in enumerate(left):
        container._modules[str(i)] = module


def _pop(self, key):
    value = self[key]
    del self[key]
    return value


class Sequential(Module):
    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for i, module in enumerate(args):
                self.add_module(str(i), module)

    def forward(self, input):
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return list(self._modules.values())[idx]

    def __setitem__(self, idx, module):
        setattr(self, _key_at(self, idx), module)

    def __delitem__(self, idx):
        _delete_at(self, idx)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    pop = _pop

    def __add__(self, other):
        _check_added(other)
        return Sequential(*self, *other)

    def __iadd__(self, other):
        _check_added(other)
        return self.extend(list(other))

    def __mul__(self, other):
        _check_factor(self, other)
        return Sequential(*list(self) * other)

    __rmul__ = __mul__

    def __imul__(self, other):
        _check_factor(self, other)
        return self.extend(list(self) * (other - 1))


def _check_added(other):
    if not isinstance(other, Sequential):
        raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")


def _check_factor(module, factor):
    if not isinstance(factor, int):
        raise TypeError(f"unsupported operand type(s) for *: {type(module)} and {type(factor)}")
    if factor <= 0:
        raise ValueError(f"Non-positive multiplication factor {factor} for {type(module)}")


class ModuleList(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        if not -len(self) <= idx < len(self):
            raise IndexError(f"index {idx} is out of range")
        return self._modules[str(idx % len(self))]

    def __setitem__(self, idx, module):
        self._modules[str(idx % len(self))] = module

    def __delitem__(self, idx):
        _delete_at(self, idx)

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules.values())

    def __contains__(self, module):
        return any(module is m for m in self._modules.values())

    def append(self, module):
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules):
        for module in modules:
            self.append(module)
        return self

    pop = _pop

    def __add__(self, other):
        return ModuleList([*self, *other])

    def __iadd__(self, modules):
        return self.extend(modules)

    def insert(self, index, module):
        items = list(self._modules.values())
        items.insert(index, module)
        self._modules.clear()
        self.extend(items)


    def __repr__(self):
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        runs = []
        for i, text in enumerate(texts):
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        lines = [f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
                 for first, last, text in runs]
        return self._get_name() + "(\n  " + "\n  ".join([line.replace("\n", "\n  ") for line in lines]) + "\n)"


class ModuleDict(Module):
    def __init__(self, modules=None):
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key):
        return self._modules[key]

    def __setitem__(self, key, module):
        self.add_module(key, module)

    def __delitem__(self, key):
        del self._modules[key]

    def __len__(self):
        return len(self._modules)

    def __iter__(self):
        return iter(self._modules)

    def __contains__(self, key):
        return key in self._modules

    def keys(self):
        return self._modules.keys()

    def items(self):
        return self._modules.items()

    def values(self):
        return self._modules.values()

    def update(self, modules):
        for key, module in (modules.items() if isinstance(modules, (dict, ModuleDict)) else modules):
            self[key] = module

    def pop(self, key):
        module = self[key]
        del self[key]
        return module


def _contents(items, type_name):
    """The lines of a repr that say what parameters there are."""
    return "\n".join([f"  ({key}): Parameter containing: [{type_name(p)} of size {'x'.join([str(n) for n in p.size()])}]"
                      for key, p in items])


class ParameterList(Module):
    def __init__(self, values=None):
        super().__init__()
        for value in values or ():
            self.append(value)

    def append(self, value):
        name = str(len(self._parameters))
        if isinstance(value, Tensor) and not is_parameter(value):
            value = torch.nn.Parameter(value)
        self.register_parameter(name, value)
        return self

    def __getitem__(self, idx):
        return list(self._parameters.values())[idx]

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters.values())

    def extra_repr(self):
        return _contents(enumerate(self), lambda p: p.dtype)


class ParameterDict(Module):
    def __init__(self, parameters=None):
        super().__init__()
        for key, value in (parameters or {}).items():
            self[key] = value

    def __getitem__(self, key):
        return self._parameters[key]

    def __setitem__(self, key, value):
        self.register_parameter(key, value if is_parameter(value) else torch.nn.Parameter(value))

    def __len__(self):
        return len(self._parameters)

    def __iter__(self):
        return iter(self._parameters)

    def __contains__(self, key):
        return key in self._parameters

    def keys(self):
        return self._parameters.keys()

    def items(self):
        return self._parameters.items()

    def values(self):
        return self._parameters.values()

    def extra_repr(self):
        return _contents(self.items(), lambda p: p.type())
