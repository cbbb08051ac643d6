"""What torch.autocast does to functions that are composed here, and are one operation to eager's dispatcher: the table of
lib/Capture/Autocast.cpp for them."""
from _ptc import _about_world
from _ptc_torch import _autocast_mode, _refuse, _set_autocast_mode, Tensor, bfloat16, float16, float32, float64

# The switches ---

_TYPES = ("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy", "vulkan", "mps",
          "meta", "hpu", "mtia", "privateuseone")


def _is_device(device_type):
    """Whether torch.autocast knows the device; of those without a model here, asking is refused."""
    if not isinstance(device_type, str) or device_type in _TYPES[2:]:
        _refuse(f"torch.autocast of the device {device_type!r}")
    if device_type not in _TYPES:
        raise RuntimeError(f"Expected one of {', '.join(_TYPES)} device type at start of device string: {device_type}")
    return True


def _checked(device_type):
    _is_device(device_type)
    return device_type


def is_autocast_enabled(device_type="cuda"):
    is_on = _autocast_mode(_checked(device_type))
    return _about_world("torch.is_autocast_enabled") if is_on is None else is_on


def set_autocast_enabled(device_type, enabled=None):
    if enabled is None:                         # of GPUs
        device_type, enabled = "cuda", device_type
    _set_autocast_mode(_checked(device_type), enabled)


def get_autocast_dtype(device_type):
    return _type_of(_checked(device_type))


def set_autocast_dtype(device_type, dtype):
    _set_autocast_mode(_checked(device_type) + " type", dtype)


def is_autocast_cache_enabled():
    return _autocast_mode("cache") is not False


def set_autocast_cache_enabled(enabled):
    _set_autocast_mode("cache", enabled)


def clear_autocast_cache():
    """Casts are made where they are needed; what would tell them from kept ones is refused."""


def is_autocast_cpu_enabled():
    return is_autocast_enabled("cpu")


def set_autocast_cpu_enabled(enabled):
    set_autocast_enabled("cpu", enabled)


def get_autocast_cpu_dtype():
    return get_autocast_dtype("cpu")


def set_autocast_cpu_dtype(dtype):
    set_autocast_dtype("cpu", dtype)


def get_autocast_gpu_dtype():
    return get_autocast_dtype("cuda")


def set_autocast_gpu_dtype(dtype):
    set_autocast_dtype("cuda", dtype)


# What is cast ---


def _type_of(device):
    """The type that a region of the device has."""
    return _autocast_mode(device + " type") or (bfloat16 if device == "cpu" else float16)


def _is_eligible(t, device):
    return isinstance(t, Tensor) and t.is_floating_point() and t.dtype != float64 and t.device.type == device


def _each(values):
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from value
        else:
            yield value


def _widest(values, device):
    found = lower = _type_of(device)
    for t in _each(values):
        if _is_eligible(t, device):
            if t.dtype != found and float32 not in (t.dtype, found):
                raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
            found = float32 if float32 in (t.dtype, found) else lower
    return found


def _without_casts(device, function, args, kwargs):
    was = _autocast_mode(device)
    _set_autocast_mode(device, False)
    try:
        return function(*args, **kwargs)
    finally:
        _set_autocast_mode(device, was)


def _cast_call(function, name, rule, device, args, kwargs):
    if rule is None:
        return function(*args, **kwargs)
    if rule == "as given":
        return _without_casts(device, function, args, kwargs)
    if rule == "refused":
        _refuse(f"torch.{name} inside torch.autocast({device!r})")
    if kwargs.get("out") is not None:
        return function(*args, **kwargs)
    values = [*args, *kwargs.values()]
    to = float32 if rule == "float32" else _type_of(device) if rule == "lower" else _widest(values, device)

    def cast(value):
        if isinstance(value, (list, tuple)):
            return type(value)([cast(v) for v in value])
        return value.to(to) if _is_eligible(value, device) else value

    return _without_casts(device, function, [cast(v) for v in args], {k: cast(v) for k, v in kwargs.items()})


def _autocast_rule(cpu=None, cuda=None):
    """A decorator. The rules: None (what is called is cast), "as given" (nothing is), "lower", "float32", "promote", "refused"."""
    def decorate(function):
        def wrapper(*args, **kwargs):
            is_cpu, is_cuda = _autocast_mode("cpu"), _autocast_mode("cuda")
            if not is_cpu and not is_cuda:
                return function(*args, **kwargs)
            is_cuda = is_cuda and any([isinstance(t, Tensor) and t.device.type == "cuda" for t in _each([*args, *kwargs.values()])])
            if is_cuda:
                return _cast_call(function, function.__name__, cuda, "cuda", args, kwargs)
            return _cast_call(function, function.__name__, cpu if is_cpu else None, "cpu", args, kwargs)
        wrapper.__name__, wrapper.__qualname__ = function.__name__, function.__qualname__
        wrapper.__wrapped__ = function
        return wrapper
    return decorate


def _in_float32(*tensors):
    """What an operation on these takes that a region of CPUs casts to float32."""
    return [t.float() if _autocast_mode("cpu") and _is_eligible(t, "cpu") else t for t in tensors]


def _check_no_autocast(what):
    if _autocast_mode("cpu") or _autocast_mode("cuda"):
        _refuse(what + " inside torch.autocast")
