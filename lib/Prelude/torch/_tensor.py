"""Methods of torch.Tensor that are Python in terms of operations."""
import _ptc_aten as aten
import torch
from _ptc import _has_length_of_run, _number_list
from _ptc_torch import _has_attributes, is_parameter, make_parameter
from torch import _refuse
from torch._math import _kthvalue, _scalar_name


class Methods:
    def float(self):
        return self.to(torch.float32)

    def double(self):
        return self.to(torch.float64)

    def half(self):
        return self.to(torch.float16)

    def bfloat16(self):
        return self.to(torch.bfloat16)

    def int(self):
        return self.to(torch.int32)

    def long(self):
        return self.to(torch.int64)

    def short(self):
        return self.to(torch.int16)

    def char(self):
        return self.to(torch.int8)

    def byte(self):
        return self.to(torch.uint8)

    def bool(self):
        return self.to(torch.bool)

    def type(self, dtype=None):
        if dtype is None:
            names = {torch.float32: "Float", torch.float64: "Double", torch.float16: "Half", torch.bfloat16: "BFloat16",
                     torch.uint8: "Byte", torch.int8: "Char", torch.int16: "Short", torch.int32: "Int",
                     torch.int64: "Long", torch.bool: "Bool"}
            return "torch." + names[self.dtype] + "Tensor"
        return self.to(getattr(dtype, "dtype", dtype))

    def type_as(self, other):
        return self.to(other.dtype)

    def cpu(self, memory_format=torch.preserve_format):
        return self if memory_format == torch.preserve_format else self.to(memory_format=memory_format)

    def cuda(self, device=None, non_blocking=False, memory_format=torch.preserve_format):
        device = torch.device("cuda", device or 0) if device is None or isinstance(device, int) else torch.device(device)
        if device.type != "cuda":
            raise RuntimeError("Invalid device, must be cuda device")
        device = torch.device("cuda", device.index or 0)
        return self.to(device) if memory_format == torch.preserve_format else self.to(device, memory_format=memory_format)

    def split(self, split_size, dim=0):
        return aten.split(self, split_size, dim)

    def as_subclass(self, cls):
        return torch._overridden._as_subclass(self, cls)

    @staticmethod
    def _make_subclass(cls, data, require_grad=False, **others):
        if others or require_grad:
            _refuse("torch.Tensor._make_subclass with more than a tensor")
        return torch._overridden._as_subclass(data.detach(), cls)

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
        _refuse("torch.Tensor.backward")

    def tolist(self):
        if self.dim() == 0:
            return self.item()
        if self.dim() > 1 and not self.is_complex() and _has_length_of_run(self):
            dtype = torch.bool if self.dtype == torch.bool else torch.float64 if self.is_floating_point() else torch.int64
            return _number_list(self.detach().to(device="cpu", dtype=dtype, copy=True))
        return [row.tolist() for row in self]

    def numpy(self, *, force=False):
        from numpy._arrays import _numpy_of
        return _numpy_of(self, force)

    def __array__(self, dtype=None):
        made = self.numpy()
        return made if dtype is None else made.astype(dtype, copy=False)

    @property
    def __cuda_array_interface__(self):
        if self.is_cuda:
            _refuse("torch.Tensor.__cuda_array_interface__")
        raise AttributeError(f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()} If CUDA data is required "
                             "use tensor.cuda() to copy tensor to device memory.")

    def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
        return torch.tensor(data, dtype=self.dtype if dtype is None else dtype, device=device,
                            requires_grad=requires_grad)

    def view_as(self, other):
        return self.view(other.shape)

    def reshape_as(self, other):
        return self.reshape(other.shape)

    def expand_as(self, other):
        return self.expand(other.shape)

    def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
        return torch.norm(self, p, dim, keepdim, dtype=dtype)

    def __deepcopy__(self, memo):
        if not is_parameter(self) and _has_attributes(self):
            _refuse("copy.deepcopy of a tensor with attributes of the program's")
        copied = self.detach().clone()
        return make_parameter(copied, self.requires_grad) if is_parameter(self) else copied

    def nonzero(self, *, as_tuple=False):
        return torch.nonzero(self, as_tuple=as_tuple)

    def multinomial(self, num_samples, replacement=False, *, generator=None):
        if isinstance(num_samples, (bool, float)):
            raise TypeError(f"multinomial(): argument 'num_samples' (position 1) must be int, not {type(num_samples).__name__}")
        return torch.multinomial(self, num_samples, replacement, generator=generator)

    def where(self, condition, other):
        return torch.where(condition, self, other)

    def fill_diagonal_(self, fill_value, wrap=False):
        if self.dim() != 2 or wrap:
            _refuse("fill_diagonal_ of other than a matrix, or with wrap")
        self.diagonal().fill_(fill_value)
        return self

    def float_power_(self, exponent):
        powers = torch.float_power(self, exponent)
        if self.dtype != powers.dtype:
            raise RuntimeError(f"the base given to float_power_ has dtype {_scalar_name(self.dtype)} but the operation's result "
                               f"requires dtype {_scalar_name(powers.dtype)}")
        return self.copy_(powers)

    # Functions of the module torch itself would be bound to no tensor, as functions of C are.
    def is_signed(self):
        return torch.is_signed(self)

    def is_conj(self):
        if self.is_complex():
            _refuse("is_conj() of complex numbers")
        return False

    def is_neg(self):
        return False

    def is_inference(self):
        return torch.is_inference(self)

    def is_distributed(self):
        return False

    def resolve_conj(self):
        return self

    def resolve_neg(self):
        return self

    def get_device(self):
        return -1

    def is_pinned(self):
        return False

    def is_shared(self):
        return False

    def to_dense(self):
        return self

    def new(self, *data):
        return torch.Tensor(*data).to(self.dtype)

    def put_(self, index, source, accumulate=False):
        if source.numel() != index.numel():
            raise IndexError("put_(): Expected source and index to have the same number of elements, but got "
                             f"source.numel() = {source.numel()}, index.numel() = {index.numel()}")
        # The look-up takes negative places and raises for those that are not there.
        found = torch.arange(self.numel())[index.reshape(-1)]
        return self.index_put_(torch.unravel_index(found, self.shape), source.reshape(-1), accumulate)

    def set_(self, source=None, *more):
        if more or not isinstance(source, torch.Tensor) or source.dtype != self.dtype:
            _refuse("torch.Tensor.set_ with other than a tensor of its type")
        if source is not self:
            self.data = source.detach()
        return self

    def sum_to_size(self, *size):
        size = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
        extra = self.dim() - len(size)
        if extra < 0 or any([size[d] not in (1, self.size(d + extra)) for d in range(len(size))]):
            raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(self.shape)}}}.")
        dims = list(range(extra)) + [d + extra for d in range(len(size)) if size[d] == 1 and self.size(d + extra) != 1]
        summed = self.sum(dims, True) if dims else self
        return summed.reshape(size)

    def split(self, split_size, dim=0):
        return torch.split(self, split_size, dim)

    def pin_memory(self):
        return self

    def share_memory_(self):
        return self

    def retain_grad(self):
        pass

    def __contains__(self, element):
        if not isinstance(element, (torch.Tensor, int, float, complex)):
            raise RuntimeError("Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                               f"{type(element)}.")
        return (self == element).any().item()

    def __reversed__(self):
        return self.flip(0)

    def __format__(self, spec):
        if self.dim() == 0:
            return format(self.item(), spec)
        return object.__format__(self, spec)

    def kthvalue(self, *args, **named):
        return _kthvalue(" (position 1)" if args else "", self, *args, **named)

    def __float__(self):
        return float(self.item())

    def __int__(self):
        return int(self.item())

    def __index__(self):
        if self.is_floating_point() or self.is_complex():
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __complex__(self):
        return complex(self.item())

    unique, isclose, allclose, bincount, argsort = torch.unique, torch.isclose, torch.allclose, torch.bincount, torch.argsort
    xlogy, gcd, lcm, histc, cummax, cummin, unique_consecutive = (torch.xlogy, torch.gcd, torch.lcm, torch.histc, torch.cummax,
                                                                  torch.cummin, torch.unique_consecutive)
    isreal, is_same_size, float_power, heaviside = torch.isreal, torch.is_same_size, torch.float_power, torch.heaviside
    positive, ldexp, logaddexp2, sinc, angle = torch.positive, torch.ldexp, torch.logaddexp2, torch.sinc, torch.angle
    conj, conj_physical, nansum, nanmean = torch.conj, torch.conj_physical, torch.nansum, torch.nanmean
    nanquantile = torch.nanquantile
    stft, istft = torch.stft, torch.istft
    aminmax, msort, quantile, cov, corrcoef, diff = torch.aminmax, torch.msort, torch.quantile, torch.cov, torch.corrcoef, torch.diff
    repeat_interleave, tensor_split = torch.repeat_interleave, torch.tensor_split
    hsplit, vsplit, dsplit, dist, inner, kron = (torch.hsplit, torch.vsplit, torch.dsplit, torch.dist, torch.inner,
                                                 torch.kron)
    cross, vdot, addr, ger, addbmm, trace = (torch.cross, torch.vdot, torch.addr, torch.ger, torch.addbmm, torch.trace)
    det, slogdet, logdet = torch.det, torch.slogdet, torch.logdet
    matrix_power, inverse, fliplr, flipud, rot90 = torch.matrix_power, torch.inverse, torch.fliplr, torch.flipud, torch.rot90
    diagflat, adjoint, take, narrow_copy = torch.diagflat, torch.adjoint, torch.take, torch.narrow_copy
    unsafe_chunk, unsafe_split = torch.unsafe_chunk, torch.unsafe_split
