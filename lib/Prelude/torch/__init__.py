"""The parts of module torch that are Python: everything that is one ATen operation comes from the
operation table by its spelling, through the module's fallback for names that are not here."""
from _ptc_torch import (Tensor, dtype, device, layout, memory_format, Generator,
                        float16, float32, float64, bfloat16, uint8, int8, int16, int32, int64, bool,
                        complex64, complex128, strided, contiguous_format, preserve_format,
                        channels_last, channels_last_3d, tensor, is_grad_enabled, _grad_mode, _set_grad_enabled,
                        get_default_dtype, set_default_dtype, is_tensor, Size, default_generator,
                        promote_types, can_cast, _refuse, _freeze, _adopt, _default_devices, _set_default_devices, _function_modes)
from _ptc import _about_world, _is_opaque, _unknown_path
import builtins as _builtins
import math as _math

half, float, double = float16, float32, float64
short, int, long, cfloat, cdouble = int16, int32, int64, complex64, complex128
inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e
newaxis = None


class _GradMode:
    """no_grad(), enable_grad() and set_grad_enabled(): context managers and decorators."""

    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        self.prev = _grad_mode()
        _set_grad_enabled(self.mode)

    def __exit__(self, kind, value, trace):
        _set_grad_enabled(self.prev)
        return False

    def _ptc_again(self):
        return _GradMode(self.mode)

    def __call__(self, function):
        again = self._ptc_again

        def wrapper(*args, **kwargs):
            with again():
                return function(*args, **kwargs)
        wrapper.__name__ = function.__name__
        wrapper.__wrapped__ = function
        return wrapper


class no_grad(_GradMode):
    def __init__(self, orig_func=None):
        super().__init__(False)

    def __new__(cls, orig_func=None):
        made = super().__new__(cls)
        if orig_func is None:
            return made
        _GradMode.__init__(made, False)
        return made(orig_func)


class enable_grad(_GradMode):
    def __init__(self):
        super().__init__(True)


_inference = False
_was_inference = False                          # some part of the program ran in inference mode


class inference_mode(_GradMode):
    def __new__(cls, mode=True):
        return super().__new__(cls) if mode is True or mode is False else cls()(mode)

    def __init__(self, mode=True):
        super().__init__(not mode)

    def _ptc_again(self):
        return inference_mode(not self.mode)

    def __enter__(self):
        global _inference, _was_inference
        super().__enter__()
        self._ptc_prev_inference, _inference = _inference, not self.mode
        _was_inference = _was_inference or _inference

    def __exit__(self, kind, value, trace):
        global _inference
        _inference = self._ptc_prev_inference
        return super().__exit__(kind, value, trace)


class set_grad_enabled(_GradMode):
    def __init__(self, mode):
        super().__init__(mode)
        self.prev = _grad_mode()
        _set_grad_enabled(mode)

    def __enter__(self):
        pass


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    return input.dtype.is_complex


def is_signed(input):
    return input.dtype.is_signed


def numel(input):
    return input.numel()


def manual_seed(seed):
    return default_generator.manual_seed(seed)


def initial_seed():
    return default_generator.initial_seed()


def _check_modelled(what, type):
    """A dtype without a model: the refusal says which."""
    if _is_opaque(type):
        _refuse(f"{what}({_unknown_path(type)})")


class finfo:
    __hash__ = None
    _ptc_rows = {float16: (16, 65504.0, 2.0 ** -10, 2.0 ** -14, 2.0 ** -24, 1e-3),
             bfloat16: (16, 3.3895313892515355e38, 2.0 ** -7, 2.0 ** -126, 2.0 ** -133, 1e-2),
             float32: (32, 3.4028234663852886e38, 2.0 ** -23, 2.0 ** -126, 2.0 ** -149, 1e-6),
             float64: (64, 1.7976931348623157e308, 2.0 ** -52, 2.0 ** -1022, 5e-324, 1e-15)}

    # Of types whose tensors have no model: bits, max, min, eps, tiny.
    _ptc_float8 = {"torch.float8_e4m3fn": (8, 448.0, -448.0, 0.125, 2.0 ** -6), "torch.float8_e4m3fnuz": (8, 240.0, -240.0, 0.125, 2.0 ** -7),
                   "torch.float8_e5m2": (8, 57344.0, -57344.0, 0.25, 2.0 ** -14), "torch.float8_e5m2fnuz": (8, 57344.0, -57344.0, 0.125, 2.0 ** -15),
                   "torch.float8_e8m0fnu": (8, 2.0 ** 127, 2.0 ** -127, 1.0, 2.0 ** -127)}

    def __init__(self, type=None):
        if _is_opaque(type) and (path := _unknown_path(type)) in finfo._ptc_float8:
            self.dtype, self.resolution = path.split(".")[1], 1.0
            self.bits, self.max, self.min, self.eps, self.tiny = finfo._ptc_float8[path]
            self.smallest_normal = self.tiny
            return
        _check_modelled("torch.finfo", type)
        kind = get_default_dtype() if type is None else type.to_real()
        if kind not in finfo._ptc_rows:
            raise TypeError("torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'")
        self.dtype = str(kind).split(".")[1]
        self.bits, self.max, self.eps, self.tiny, smallest, self.resolution = finfo._ptc_rows[kind]
        self.smallest_normal, self.min = self.tiny, -self.max


class iinfo:
    __hash__ = None
    _ptc_rows = {uint8: (8, 0, 255), int8: (8, -128, 127), int16: (16, -32768, 32767),
             int32: (32, -2147483648, 2147483647),
             int64: (64, -9223372036854775808, 9223372036854775807)}

    def __init__(self, type):
        _check_modelled("torch.iinfo", type)
        if type not in iinfo._ptc_rows:
            raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
        self.dtype = str(type).split(".")[1]
        self.bits, self.min, self.max = iinfo._ptc_rows[type]


class _LegacyMeta(type):
    def __instancecheck__(cls, value):
        return is_tensor(value) and value.dtype == cls.dtype


def _legacy(name, kind):
    def make(cls, *data):
        made = Tensor(*data)
        return made.to(kind)
    return _LegacyMeta(name, (), {"dtype": kind, "__new__": make, "__module__": "torch"})


FloatTensor, DoubleTensor = _legacy("FloatTensor", float32), _legacy("DoubleTensor", float64)
HalfTensor, BFloat16Tensor = _legacy("HalfTensor", float16), _legacy("BFloat16Tensor", bfloat16)
ByteTensor, CharTensor = _legacy("ByteTensor", uint8), _legacy("CharTensor", int8)
ShortTensor, IntTensor = _legacy("ShortTensor", int16), _legacy("IntTensor", int32)
LongTensor, BoolTensor = _legacy("LongTensor", int64), _legacy("BoolTensor", bool)


def as_tensor(data, dtype=None, device=None):
    if getattr(type(data), "_ptc_make", None) is not None:
        data = from_numpy(data)                 # an array, whose memory it has
    if device is None:
        device = _default_devices()[-1]
    if is_tensor(data):
        data = data if dtype is None else data.to(dtype)
        return data if device is None else data.to(device)
    return tensor(data, dtype=dtype, device=device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    made = as_tensor(obj, dtype, device)
    if copy and made is obj:
        made = made.clone()
    elif copy is not None and not copy and made is not obj:
        _refuse("torch.asarray(copy=False) of what is no such tensor")
    if not requires_grad:
        return made
    if made is obj:
        _refuse("torch.asarray(requires_grad=True) of a tensor")
    return tensor(made, requires_grad=True)


def from_numpy(ndarray):
    from numpy._arrays import _shared
    return _shared(ndarray)


def compile(model=None, **options):
    """torch.compile: ptc compiles everything, so this is the identity."""
    if model is None:
        return lambda function: function
    return model


# Switches and questions of the library: what the program has set, else an answer about the world ---

_matmul_precision = _deterministic = None


def set_float32_matmul_precision(precision):
    global _matmul_precision
    if precision not in ("highest", "high", "medium"):
        _refuse(f"torch.set_float32_matmul_precision({precision!r})")
    if precision == "highest":
        _about_world("torch.get_float32_matmul_precision")  # products are not to be less exact
    _matmul_precision = precision


def set_num_threads(int):
    pass


def set_num_interop_threads(int):
    pass


def use_deterministic_algorithms(mode, *, warn_only=False):
    global _deterministic
    _deterministic = not not mode


def set_flush_denormal(mode):
    _refuse("torch.set_flush_denormal")


def are_deterministic_algorithms_enabled():
    if _deterministic is None:
        return _about_world("torch.are_deterministic_algorithms_enabled")
    return _deterministic


def is_inference_mode_enabled():
    return _inference


class _DeviceMethods:
    """A device as the context in which functions that make tensors put them there (torch.utils._device)."""

    def __enter__(self):
        if _function_modes():
            _refuse("torch.device as a context inside of a TorchFunctionMode")
        _set_default_devices((*_default_devices(), self))
        return self

    def __exit__(self, kind, value, trace):
        _set_default_devices(_default_devices()[:-1])


_adopt(device, _DeviceMethods)


def get_default_device():
    current = _default_devices()[-1]
    if current is None:
        return device("cpu")
    return current if current.index is not None else tensor([]).device


_device = device


def set_default_device(device):
    if _function_modes() or len(_default_devices()) > 1:
        _refuse("torch.set_default_device inside of a TorchFunctionMode or a device's context")
    chosen = None if device is None else device if isinstance(device, _device) else _device(device)
    _set_default_devices((chosen, *_default_devices()[1:]))


def is_storage(obj):
    return False


def is_distributed(input):
    return False


def is_conj(input):
    return input.is_conj()


def is_neg(input):
    return False


def is_inference(input):
    if _was_inference:
        _refuse("torch.is_inference() in a program that uses inference_mode")
    return False


def resolve_conj(input):
    return input


def resolve_neg(input):
    return input


def get_float32_matmul_precision():
    if _matmul_precision is None:
        return _about_world("torch.get_float32_matmul_precision")
    return _matmul_precision


def typename(obj):
    if is_tensor(obj):
        return obj.type()
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    return named.__qualname__ if named.__module__ in (None, "", "builtins") else f"{named.__module__}.{named.__qualname__}"


def _assert(condition, message):
    assert condition, message


def _is_all_true(input):
    if input.dtype != bool:
        raise RuntimeError("Expected self.scalar_type() == at::kBool to be true, but got false.")
    return input.all()


def _is_any_true(input):
    if input.dtype != bool:
        raise RuntimeError("Expected self.scalar_type() == at::kBool to be true, but got false.")
    return input.any()


from torch._casts import (is_autocast_enabled, set_autocast_enabled, get_autocast_dtype, set_autocast_dtype,  # noqa: E402,F401
                          is_autocast_cache_enabled, set_autocast_cache_enabled, clear_autocast_cache,
                          is_autocast_cpu_enabled, set_autocast_cpu_enabled, get_autocast_cpu_dtype, set_autocast_cpu_dtype,
                          get_autocast_gpu_dtype, set_autocast_gpu_dtype)
from torch._sizes import (sym_float, sym_int, sym_ite, sym_max, sym_min, sym_not, sym_sqrt, sym_sum, sym_fresh_size,  # noqa: E402,F401
                          _sym_acos, _sym_asin, _sym_atan, _sym_cos, _sym_cosh, _sym_log2, _sym_sin, _sym_sinh, _sym_sqrt, _sym_tan,
                          _sym_tanh, _check, _check_index, _check_is_size, _check_not_implemented, _check_tensor_all,
                          _check_tensor_all_with, _check_type, _check_value, _check_with)
from torch.functional import *  # noqa: E402,F401,F403
from torch.functional import _weight_norm  # noqa: E402,F401
from torch.torch_version import _current as ___version__  # noqa: E402,F401
from torch import functional, random, version, torch_version  # noqa: E402,F401
from torch import amp  # noqa: E402
from torch.amp.autocast_mode import autocast  # noqa: E402,F401
from torch import nn, cuda, cpu, xpu, compiler, jit, backends, autograd, utils, _dynamo, linalg, special, fft, fx, library, onnx, ops  # noqa: E402
from torch import serialization, hub, _higher_order_ops, func, _foreach, _jit_internal  # noqa: E402,F401
from torch._higher_order_ops import cond, while_loop  # noqa: E402,F401
from torch.func import vmap  # noqa: E402,F401
from torch.serialization import load  # noqa: E402,F401
from torch.nn.parameter import Parameter as _Parameter  # noqa: E402
from torch._tensor import Methods as _Methods  # noqa: E402
_adopt(Tensor, _Methods)
from torch import _out  # noqa: E402,F401  methods take none
# Behind torch.nn.Parameter, whose class derives from Tensor itself.
from torch import _overridden, _forms, _C, overrides  # noqa: E402,F401

manual_seed.__module__ = initial_seed.__module__ = "torch.random"
