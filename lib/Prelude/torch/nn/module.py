"""torch.nn.Module."""
import torch
from collections import OrderedDict, namedtuple
from collections.abc import Mapping
from _ptc import _check_missing, _is_unknown, _refuse_class, _unknown_attribute
from _ptc_torch import Tensor, _default_devices, is_parameter, bind_weight, _refuse
from torch.nn._conversion import Conversion as _Conversion
from torch.nn._hooks import (NO_HOOKS as _NO_HOOKS, _call_hooked, check_load_hooks as _check_load_hooks, _global_forward_hooks, _global_forward_pre_hooks,
                             _WithModule)
from torch.utils.hooks import RemovableHandle as _RemovableHandle
from torch.nn.parameter import _NewBuffer, _Uninitialized


_NEVER_CALLED = ("Reached a code path in Module.{}_extra_state() that should never be called. Please file an issue at "
                 "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug.")


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


class Module:
    # What eager's class annotates; the annotations themselves have no model.
    _ptc_hinted = ("dump_patches", "_version", "training", "_parameters", "_buffers", "_non_persistent_buffers_set", "_backward_pre_hooks",
                   "_backward_hooks", "_is_full_backward_hook", "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
                   "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks", "_load_state_dict_pre_hooks", "_state_dict_pre_hooks",
                   "_load_state_dict_post_hooks", "_modules", "call_super_init", "_compiled_call_impl", "forward", "__call__")
    training: bool
    _version = 1
    call_super_init = False

    def __init__(self, *args, **kwargs):
        put = super().__setattr__
        put("training", True)
        put("_parameters", {})
        put("_buffers", {})
        put("_non_persistent_buffers_set", set())
        put("_backward_pre_hooks", _NO_HOOKS)
        put("_backward_hooks", _NO_HOOKS)
        put("_is_full_backward_hook", None)
        put("_forward_hooks", {})
        put("_forward_hooks_with_kwargs", {})
        put("_forward_hooks_always_called", {})
        put("_forward_pre_hooks", {})
        put("_forward_pre_hooks_with_kwargs", {})
        put("_state_dict_hooks", OrderedDict())
        put("_state_dict_pre_hooks", OrderedDict())
        put("_load_state_dict_pre_hooks", OrderedDict())
        put("_load_state_dict_post_hooks", OrderedDict())
        put("_modules", {})

    def __call__(self, *args, **kwargs):
        if self._forward_pre_hooks or self._forward_hooks or _global_forward_pre_hooks or _global_forward_hooks:
            return _call_hooked(self, args, kwargs)
        return self.forward(*args, **kwargs)

    def __setstate__(self, state):
        self.__dict__.update(state)

    def forward(self, *input):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function')

    # Attributes ----------------------------------------------------------------------------------

    def __getattr__(self, name):
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if table in own and name in own[table]:
                return own[table][name]
        if name not in own.get("_ptc_deleted", ()):
            _check_missing(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        if _is_unknown(value):
            for table in ("_parameters", "_buffers", "_modules"):
                if table in own and name in own[table]:
                    _refuse_class(value, True)
            super().__setattr__(name, value)
        elif type(value) is _NewBuffer:
            self._ptc_forget(name, own, "_buffers")
            self.register_buffer(name, value._ptc_data, value._ptc_persistent)
        elif is_parameter(value):
            if "_parameters" not in own:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._ptc_forget(name, own, "_parameters")
            own["_parameters"][name] = value
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._ptc_forget(name, own, "_modules")
            own["_modules"][name] = value
        elif type(value) is _Uninitialized and "_parameters" in own:
            self._ptc_forget(name, own, "_parameters")
            value._ptc_put_into(self, name)
        elif "_parameters" in own and name in own["_parameters"]:
            if value is not None:
                raise TypeError(f"cannot assign '{torch.typename(value)}' as parameter '{name}' "
                                "(torch.nn.Parameter or None expected)")
            own["_parameters"][name] = None
        elif "_modules" in own and name in own["_modules"]:
            if value is not None:
                raise TypeError(f"cannot assign '{torch.typename(value)}' as child module '{name}' "
                                "(torch.nn.Module or None expected)")
            own["_modules"][name] = None
        elif "_buffers" in own and name in own["_buffers"]:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(f"cannot assign '{torch.typename(value)}' as buffer '{name}' "
                                "(torch.Tensor or None expected)")
            own["_buffers"][name] = value
        else:
            super().__setattr__(name, value)

    def _ptc_forget(self, name, own, keep):
        if name in own:
            del own[name]
        for table in ("_parameters", "_buffers", "_modules"):
            if table != keep and name in own[table]:
                del own[table][name]

    def __delattr__(self, name):
        own = self.__dict__
        for table in ("_parameters", "_buffers", "_modules"):
            if name in own[table]:
                del own[table][name]
                own["_ptc_deleted"] = (*own.get("_ptc_deleted", ()), name)
                return
        super().__delattr__(name)

    def _ptc_check_name(self, kind, name, table):
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {torch.typename(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")

    def register_buffer(self, name, tensor, persistent=True):
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._ptc_check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(f"cannot assign '{torch.typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name, param):
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._ptc_check_name("parameter", name, self._parameters)
        if param is not None and not is_parameter(param):
            raise TypeError(f"cannot assign '{torch.typename(param)}' object to parameter '{name}' "
                            "(torch.nn.Parameter or None required)")
        self._parameters[name] = param

    def add_module(self, name, module):
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{torch.typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {torch.typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = module

    register_module = add_module

    def register_forward_hook(self, hook, *, prepend=False, with_kwargs=False, always_call=False):
        marks = [self._forward_hooks_with_kwargs] * with_kwargs + [self._forward_hooks_always_called] * always_call
        return _RemovableHandle(self._forward_hooks)._ptc_hold(hook, prepend, marks)

    def register_forward_pre_hook(self, hook, *, prepend=False, with_kwargs=False):
        marks = [self._forward_pre_hooks_with_kwargs] * with_kwargs
        return _RemovableHandle(self._forward_pre_hooks)._ptc_hold(hook, prepend, marks)

    def register_state_dict_pre_hook(self, hook):
        return _RemovableHandle(self._state_dict_pre_hooks)._ptc_hold(hook)

    def register_state_dict_post_hook(self, hook):
        hook._from_public_api = True
        return _RemovableHandle(self._state_dict_hooks)._ptc_hold(hook)

    def _register_state_dict_hook(self, hook):
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError("Cannot register the same function as the state dict post hook that was previously registered via "
                               "register_state_dict_post_hook")
        return _RemovableHandle(self._state_dict_hooks)._ptc_hold(hook)

    def _register_load_state_dict_pre_hook(self, hook, with_module=False):
        return _RemovableHandle(self._load_state_dict_pre_hooks)._ptc_hold(_WithModule(hook, self if with_module else None))

    def register_load_state_dict_pre_hook(self, hook):
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def register_load_state_dict_post_hook(self, hook):
        return _RemovableHandle(self._load_state_dict_post_hooks)._ptc_hold(hook)

    def get_submodule(self, target):
        module = self
        for name in target.split(".") if target else []:
            module = getattr(module, name)
        return module

    def get_parameter(self, target):
        path, _, name = target.rpartition(".")
        return getattr(self.get_submodule(path), name)

    get_buffer = get_parameter

    # Walking -------------------------------------------------------------------------------------

    def _ptc_check_parts(self):
        """An attribute that is not known may be a part, a parameter or a buffer."""
        value = _unknown_attribute(self)
        if value is not None:
            _refuse_class(value, True)

    def named_modules(self, memo=None, prefix="", remove_duplicate=True):
        if memo is None:
            memo = []
        for seen in memo:
            if seen is self:
                return
        if remove_duplicate:
            memo.append(self)
        self._ptc_check_parts()
        yield prefix, self
        for name, module in self._modules.items():
            if module is not None:
                yield from module.named_modules(memo, prefix + ("." if prefix else "") + name,
                                                remove_duplicate)

    def modules(self):
        for _, module in self.named_modules():
            yield module

    def named_children(self):
        self._ptc_check_parts()
        for name, module in self._ptc_named_parts():
            yield name, module

    def _ptc_own_children(self):
        """children(), where what is not known makes no difference to what is."""
        if type(self).children is not Module.children or type(self).named_children is not Module.named_children:
            return self.children()
        return [module for _, module in self._ptc_named_parts()]

    def _ptc_named_parts(self):
        memo = []
        for name, module in self._modules.items():
            if module is not None and not any(module is m for m in memo):
                memo.append(module)
                yield name, module

    def children(self):
        for _, module in self.named_children():
            yield module

    def _named_members(self, table, prefix, recurse, remove_duplicate):
        memo = []
        modules = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        if not recurse:
            self._ptc_check_parts()
        for path, module in modules:
            for name, value in getattr(module, table).items():
                if value is None or (remove_duplicate and any(value is m for m in memo)):
                    continue
                memo.append(value)
                yield path + ("." if path else "") + name, value

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse=True):
        for _, value in self.named_parameters(recurse=recurse):
            yield value

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True):
        yield from self._named_members("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse=True):
        for _, value in self.named_buffers(recurse=recurse):
            yield value

    def state_dict(self, destination=None, prefix="", keep_vars=False):
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        self._ptc_check_parts()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, metadata)
            if changed is not None and getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
            destination = destination if changed is None else changed
        return destination

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        self._ptc_check_parts()
        for name, value in self._ptc_saved().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        if getattr(type(self), "get_extra_state", Module.get_extra_state) is not Module.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def get_extra_state(self):
        raise RuntimeError(_NEVER_CALLED.format("get"))

    def set_extra_state(self, state):
        raise RuntimeError(_NEVER_CALLED.format("set"))

    def _ptc_saved(self):
        return {name: value for table in (self._parameters, self._buffers) for name, value in table.items()
                if value is not None and not (table is self._buffers and name in self._non_persistent_buffers_set)}

    def load_state_dict(self, state_dict, strict=True, assign=False):
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        metadata = getattr(state_dict, "_metadata", None)
        given = OrderedDict(state_dict)
        if metadata is not None:
            given._metadata = metadata
        missing, unexpected, errors = [], [], []

        def load(module, state, prefix):
            local = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                local["assign_to_params_buffers"] = assign
            module._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    inner = prefix + name + "."
                    load(child, {key: value for key, value in state.items() if key.startswith(inner)}, inner)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, _IncompatibleKeys(missing, unexpected)) is not None:
                    raise AssertionError("Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                                         "values, if incompatible_keys need to be modified, it should be done inplace.")
        load(self, given, "")
        if strict:
            for kind, keys in (("Unexpected", unexpected), ("Missing", missing)):
                if keys:
                    names = ", ".join([f'"{key}"' for key in keys])
                    errors.insert(0, f"{kind} key(s) in state_dict: {names}. ")
        if errors:
            lines = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{lines}")
        return _IncompatibleKeys(missing, unexpected)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        self._ptc_check_parts()
        own = self._ptc_saved()
        assign = local_metadata.get("assign_to_params_buffers", False)
        for name, value in own.items():
            key = prefix + name
            if key in state_dict:
                self._ptc_load_member(name, key, value, state_dict[key], assign, error_msgs)
            elif strict:
                missing_keys.append(key)
        extra = prefix + "_extra_state"
        if getattr(type(self), "set_extra_state", Module.set_extra_state) is not Module.set_extra_state:
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        for key in state_dict if strict else ():
            first, *inner = key[len(prefix):].split(".", 1)
            if key.startswith(prefix) and key != extra and first not in (self._modules if inner else own):
                unexpected_keys.append(key)

    def _ptc_load_member(self, name, key, own, given, assign, errors):
        if not isinstance(given, Tensor):
            errors.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                          f"checkpoint but received {type(given)}")
            return
        if own.dim() == 0 and given.shape == (1,):
            given = given[0]
        if given.shape != own.shape:
            errors.append(f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in "
                          f"current model is {own.shape}.")
        elif not assign:
            with torch.no_grad():
                own.copy_(given)
        elif is_parameter(own):
            setattr(self, name, given.requires_grad_(own.requires_grad) if is_parameter(given) else
                    torch.nn.Parameter(given, own.requires_grad))
        else:
            setattr(self, name, given)

    # Modes and conversions -----------------------------------------------------------------------

    def train(self, mode=True):
        self.training = mode
        for module in self._ptc_own_children():
            module.train(mode)
        return self

    def eval(self):
        return self.train(False)

    def _ptc_mode_matters(self):
        """Does this module itself, without its parts, work otherwise in evaluation?"""
        return False

    def requires_grad_(self, requires_grad=True):
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def apply(self, fn):
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _apply(self, fn, recurse=True):
        outermost = not isinstance(fn, _Conversion)
        if outermost:
            fn = _Conversion(fn)
        for module in self._ptc_own_children() if recurse else ():
            module._apply(fn)
        for name in list(self._parameters):                   # no list of tensors stays behind that would hold them, too
            if self._parameters[name] is not None:
                self._parameters[name] = fn.parameter(self._parameters[name])
        for name in list(self._buffers):
            if self._buffers[name] is not None:
                self._buffers[name] = fn(self._buffers[name])
        if outermost:                                         # a parameter stays the object that it is, whoever holds it
            fn.finish()
        return self

    def to(self, *args, memory_format=None, **kwargs):
        def convert(t):
            if t.is_floating_point() and (args or kwargs):
                t = t.to(*args, **kwargs)
            if memory_format is not None and t.dim() in (4, 5):
                t = t.to(memory_format=memory_format)
            return t
        return self._apply(convert)

    def float(self):
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self):
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self):
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def bfloat16(self):
        return self._apply(lambda t: t.bfloat16() if t.is_floating_point() else t)

    def type(self, dst_type):
        return self._apply(lambda t: t.type(dst_type))

    def cpu(self):
        return self

    def to_empty(self, *, device, recurse=True):
        if not recurse:
            _refuse("torch.nn.Module.to_empty without recursion")
        return self._apply(lambda t: torch.empty_like(t, device=device))

    def cuda(self, device=None):
        return self._apply(lambda t: t.cuda(device))

    def zero_grad(self, set_to_none=True):
        pass

    def share_memory(self):
        return self

    def compile(self, *args, **kwargs):
        pass

    # Text ----------------------------------------------------------------------------------------

    def _get_name(self):
        return type(self).__name__

    def extra_repr(self):
        return ""

    def __repr__(self):
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + repr(module).replace("\n", "\n  ")
                    for name, module in self._modules.items()]
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        if not lines and not children:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"

    def __dir__(self):
        _refuse("dir() of a torch.nn.Module")


def _of_meta(device):
    """The device of a layer's tensors where that is meta. They are made on the host before they move to any other."""
    if getattr(device, "type", device) == "meta":
        return device
    return None if device is None or _default_devices()[-1] is None else "cpu"


def _convert(module, dtype):
    """What --dtype does."""
    module.to(dtype)


def _bind_weights(module):
    """Gives parameters and buffers the contents of the weight file, by state-dict name."""
    for prefix, part in module.named_modules(remove_duplicate=False):
        if part._load_state_dict_pre_hooks or part._load_state_dict_post_hooks:
            _check_load_hooks(prefix + "." if prefix else "", part)
        for name, value in part._ptc_saved().items():
            bind_weight(f"{prefix}.{name}" if prefix else name, value)


def _set_mode(module, training):
    """What --train and --eval do."""
    module.train() if training else module.eval()


def _differs_in_training(module):
    """The first submodule that training mode makes a difference to, as text; None: there is none, or it is no module."""
    if not isinstance(module, Module):
        return None
    for name, part in module.named_modules():
        if part.training and part._ptc_mode_matters():
            kind = type(part).__name__
            return f"'{name}' ({kind})" if name else kind
    return None


Module.__call__.__name__, Module.__call__.__qualname__ = "_wrapped_call_impl", "Module._wrapped_call_impl"
Module.forward.__name__ = Module.forward.__qualname__ = "_forward_unimplemented"
