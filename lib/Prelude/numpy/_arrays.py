"""numpy.ndarray: an array over a torch tensor, whose views, strides and writes are the tensor's.

A tensor cannot run backwards. What numpy gives as a view with negative strides is made whenever it is read, from what it
is a view of (`_ptc_make`); writing to it is refused.
"""
import torch
from _ptc_torch import _constant_elements, _is_constant, _refuse
from numpy import _ufuncs as _u
from numpy._types import (_bool, _check_stored, _dtype_of, _int64, _of_torch, _promote, _result_type, _scalar,
                          _scalar_of, generic, integer)
import builtins
import operator as _operator

_Tensor = torch.Tensor


class AxisError(ValueError, IndexError):
    __module__ = "numpy.exceptions"

    def __init__(self, axis, ndim=None, msg_prefix=None):
        self.axis, self.ndim = axis, ndim
        self._msg = axis if ndim is None else f"axis {axis} is out of bounds for array of dimension {ndim}"
        if msg_prefix is not None:
            self._msg = f"{msg_prefix}: {self._msg}"
        super().__init__(self._msg)

    def __str__(self):
        return self._msg


def _axis(axis, ndim):
    axis = _operator.index(axis)
    if not -ndim <= axis < ndim:
        raise AxisError(axis, ndim)
    return axis + ndim if axis < 0 else axis


def _axes(axis, ndim):
    """Of a reduction; None: all."""
    if axis is None:
        return tuple(range(ndim))
    found = tuple([_axis(a, ndim) for a in axis]) if isinstance(axis, (tuple, list)) else (_axis(axis, ndim),)
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis'")
    return found


def _sizes(shape):
    """A shape as it is given: a number or numbers."""
    if isinstance(shape, ndarray):
        shape = shape.tolist()
    if isinstance(shape, (tuple, list)):
        found = tuple([_operator.index(n) for n in shape])
    else:
        found = (_operator.index(shape),)
    for n in found:
        if n < 0:
            raise ValueError("negative dimensions are not allowed")
    return found


def _t(a):
    """The tensor of an array as it is now."""
    return a._ptc_t if a._ptc_make is None else a._ptc_make()


def _array(t, dt, make=None, writeable=True):
    made = object.__new__(ndarray)
    made._ptc_t, made._ptc_type, made._ptc_make, made._ptc_writeable = t, dt, make, writeable
    return made


def _view(a, see):
    """What `see` makes of the tensor, without a copy of its own."""
    if a._ptc_make is None:
        return _array(see(a._ptc_t), a._ptc_type, None, a._ptc_writeable)
    make = a._ptc_make
    later = lambda: see(make())
    return _array(later(), a._ptc_type, later, a._ptc_writeable)


def _result(t, dt):
    return _scalar_of(t, dt) if t.dim() == 0 else _array(t, dt)


def _of_tensor(t):
    if t.dtype not in _of_torch:
        if t.dtype is torch.bfloat16:
            raise TypeError("Got unsupported ScalarType BFloat16")
        _refuse(f"an array of {t.dtype}")
    return _array(t, _of_torch[t.dtype])


def _numpy_of(t, force=False):
    """torch.Tensor.numpy()"""
    if force:
        t = t.detach().cpu()
    elif t.requires_grad:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
    elif t.device.type != "cpu":
        raise TypeError(f"can't convert {t.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.")
    return _of_tensor(t.detach())


def _shared(a):
    """torch.from_numpy()"""
    if not isinstance(a, ndarray):
        raise TypeError(f"expected np.ndarray (got {type(a).__name__})")
    if a._ptc_make is not None:
        raise ValueError("At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. "
                         "(You can probably work around this by making a copy of your array  with array.copy().) ")
    return a._ptc_t.detach()


def _tensors_in(data):
    """What torch.tensor() is given, with tensors and numbers in place of arrays and scalars."""
    if isinstance(data, ndarray):
        return _shared(data)
    if isinstance(data, generic):
        return torch.tensor(data._ptc_value, dtype=data._ptc_dtype._ptc_torch)
    if isinstance(data, (list, tuple)):
        if data and builtins.all([isinstance(v, ndarray) and v.ndim for v in data]):
            return torch.stack([_shared(v) for v in data])
        return [_tensors_in(v) for v in data]
    return data


def _tensor_of(data, named):
    return torch.tensor(_tensors_in(data), **named)


# Making arrays ------------------------------------------------------------------------------------------------------


def _flatten(data, depth, shape, leaves):
    """Numbers, scalars and arrays of nested sequences, row by row."""
    if isinstance(data, ndarray):
        data = data if data.ndim == 0 else list(data)
    elif isinstance(data, _Tensor):
        data = _numpy_of(data)
        data = data if data.ndim == 0 else list(data)
    if not isinstance(data, (list, tuple, range)):
        if depth != len(shape):
            _ragged(shape, depth)
        leaves.append(data)
        return
    if len(shape) == depth:
        if leaves:
            _ragged(shape, depth)
        shape.append(len(data))
    elif shape[depth] != len(data):
        _ragged(shape, depth)
    for item in data:
        _flatten(item, depth + 1, shape, leaves)


def _ragged(shape, depth):
    found = tuple(shape[:depth])
    raise ValueError("setting an array element with a sequence. The requested array has an inhomogeneous shape after "
                     f"{depth} dimensions. The detected shape was {found} + inhomogeneous part.")


def _leaf_type(leaf):
    if isinstance(leaf, (generic, ndarray)):
        return leaf.dtype
    kind = type(leaf)
    if kind in (builtins.bool, builtins.int, builtins.float):
        if kind is builtins.int:
            if _is_constant(leaf) and not -2 ** 63 <= leaf < 2 ** 63:
                _refuse("an array of ints that int64 does not hold")
        return _dtype_of(kind)
    _refuse(f"an array of objects of type {kind.__name__}")


def _leaf_value(leaf, dt):
    if isinstance(leaf, ndarray):
        return leaf.item()
    _check_stored(leaf, dt)
    return leaf._ptc_value if isinstance(leaf, generic) else leaf


def _of_numbers(data, dt):
    shape, leaves = [], []
    _flatten(data, 0, shape, leaves)
    found = None
    for kind in {_leaf_type(leaf): 0 for leaf in leaves}:
        found = kind if found is None else _promote(found, kind)
    if found is None:
        found = _dtype_of(None) if dt is None else dt
    dt = found if dt is None else dt
    values = [_leaf_value(leaf, dt) for leaf in leaves]
    if found.kind == "f":
        values = [float(v) for v in values]
    # The numbers first in a type that holds them all.
    first = torch.float64 if found.kind == "f" else torch.int64 if found.kind in "iu" else torch.bool
    t = torch.tensor(values, dtype=first)
    if len(shape) != 1:
        t = t.reshape(shape)
    return _array(t.to(dt._ptc_torch), dt)


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    if like is not None or order not in ("K", "C", "A", None):
        _refuse(f"numpy.array(order={order!r})")
    dt = None if dtype is None else _dtype_of(dtype)
    if isinstance(object, _Tensor):
        object = _numpy_of(object)
    if isinstance(object, generic):
        object = _array(torch.tensor(object._ptc_value, dtype=object._ptc_dtype._ptc_torch), object._ptc_dtype)
        copy = None if copy else copy
    if isinstance(object, ndarray):
        made = object
        if dt is not None and dt is not made._ptc_type:
            if copy is False:
                raise ValueError("Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, copy=False)` replace it with "
                                 "`np.asarray(obj)` to allow a copy when needed (no behavior change in NumPy 1.x).\nFor more details, see "
                                 "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword.")
            made = _array(_t(made).to(dt._ptc_torch), dt)
        elif copy:
            made = _array(_t(made).clone(), made._ptc_type)
    elif hasattr(object, "__array__") and not isinstance(object, (list, tuple)):
        _refuse(f"numpy.array of {type(object).__name__}")
    else:
        if copy is False:
            _refuse("numpy.array(copy=False) of what is no array")
        if isinstance(object, (list, tuple)) and object and builtins.all([isinstance(v, (ndarray, _Tensor)) and v.ndim for v in object]):
            parts = [asarray(v) for v in object]
            if builtins.any([p.shape != parts[0].shape for p in parts]):
                _flatten(object, 0, [], [])
            common = _result_type(parts)
            made = _array(torch.stack([_u._cast(_t(p), common) for p in parts]), common)
            made = made if dt is None or dt is common else _array(made._ptc_t.to(dt._ptc_torch), dt)
        else:
            made = _of_numbers(object, dt)
    if made.ndim < ndmin:
        missing = (1,) * (ndmin - made.ndim)
        made = _view(made, lambda t: t.reshape(missing + tuple(t.shape)))
    return made


def _own(a, what):
    """Of functions that ask a tensor for a method of its own."""
    if isinstance(a, _Tensor):
        _refuse(f"numpy.{what} of a tensor, which is a method of the tensor")
    return a if isinstance(a, ndarray) else array(a, copy=None)


def asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return array(a, dtype, copy=copy, order=order or "K")


# Indexing ----------------------------------------------------------------------------------------------------------


def _index(a, key):
    """(index for the tensor, axes of its result that run backwards, whether it takes places from arrays)."""
    keys = list(key) if isinstance(key, tuple) else [key]
    used = builtins.sum([_uses(k) for k in keys])
    if used > a.ndim:
        raise IndexError(f"too many indices for array: array is {a.ndim}-dimensional, but {used} were indexed")
    if ... not in [k for k in keys if k is ...]:
        keys.append(...)
    elif len([k for k in keys if k is ...]) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    out, back, at, made, advanced = [], [], 0, 0, False
    for k in keys:
        if k is None:
            out.append(None)
            made += 1
        elif k is ...:
            skip = a.ndim - used
            out += [slice(None)] * skip
            at, made = at + skip, made + skip
        elif isinstance(k, slice):
            where, backwards = _slice(k, a.shape[at])
            out.append(where)
            if backwards:
                back.append(made)
            at, made = at + 1, made + 1
        elif _is_place(k):
            out.append(_place(k, at, a.shape[at]))
            at += 1
        else:
            places = _places(k)
            advanced = True
            _check_places(places, a.shape, at)
            out.append(places)
            at += places.dim() if places.dtype is torch.bool else 1
    if advanced:
        deepest = builtins.max([p.dim() for p in out if isinstance(p, _Tensor)])
        if deepest and builtins.any([_is_place(p) for p in out]):
            # Beside arrays numpy takes a number for one, which says where the axes of the result lie.
            out = [torch.tensor(p).reshape((1,) * builtins.max(1, deepest)) if _is_place(p) else p for p in out]
        if back:
            _refuse("a slice with a negative step beside an array of places")
    return tuple(out), back, advanced


def _uses(k):
    if k is None or k is ...:
        return 0
    return k.ndim if isinstance(k, ndarray) and k._ptc_type is _bool else 1


def _is_place(k):
    return isinstance(k, (builtins.int, integer)) and not isinstance(k, builtins.bool)


def _place(k, axis, size):
    place = _operator.index(k)
    if _is_constant(place) and _is_constant(size) and not -size <= place < size:
        raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")
    return place


def _slice(k, size):
    part = slice(*[None if v is None else _operator.index(v) for v in (k.start, k.stop, k.step)])
    if part.step is None or not _is_constant(part.step) or part.step > 0:
        return part, False
    if part.step == 0:
        raise ValueError("slice step cannot be zero")
    # The same places from the first to the last.
    places = range(*part.indices(size))
    if len(places) == 0:
        return slice(0, 0), False
    return slice(places[-1], places[0] + 1, -part.step), True


def _places(k):
    if isinstance(k, _Tensor):
        k = _numpy_of(k)
    if isinstance(k, (builtins.float, str)):
        raise IndexError("only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices")
    if isinstance(k, (builtins.bool, generic)) and not isinstance(k, integer):
        _refuse("an index that is a bool")
    if isinstance(k, (list, tuple, range)):
        k = array(list(k)) if len(k) else _array(torch.zeros((0,), dtype=torch.int64), _int64)
    if not isinstance(k, ndarray):
        _refuse(f"an index of type {type(k).__name__}")
    if k._ptc_type.kind == "f":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    t = _t(k)
    return t if k._ptc_type is _bool else t.to(torch.int64)


def _check_places(places, shape, axis):
    if places.dtype is torch.bool:
        for d in range(places.dim()):
            if places.shape[d] != shape[axis + d]:
                raise IndexError(f"boolean index did not match indexed array along axis {axis + d}; size of axis is {shape[axis + d]} but size of "
                                 f"corresponding boolean axis is {places.shape[d]}")
        return
    held, size = _constant_elements(places), shape[axis]
    if held is not None and _is_constant(size):
        for place in held:
            if not -size <= place < size:
                raise IndexError(f"index {place} is out of bounds for axis {axis} with size {size}")


def _operand_of(value, dt):
    """What is stored in an array of a type. Of what may lie in the same memory it is a copy, as numpy makes one."""
    if isinstance(value, (list, tuple, range)):
        return _t(array(value, dtype=dt))
    _check_stored(value, dt)
    t = _t(array(value, copy=None))
    if t.dtype is not dt._ptc_torch:
        return t.to(dt._ptc_torch)
    return t.clone() if isinstance(value, (ndarray, _Tensor)) else t


def _fitting(t, index, new):
    """`new` in a shape that an assignment to places from arrays takes."""
    masks = [k for k in index if isinstance(k, _Tensor) and k.dtype is torch.bool]
    if not new.dim():
        return new
    if not masks:
        place = tuple(t[index].shape)
        while new.dim() > len(place) and new.shape[0] == 1:
            new = new[0]
        shape = tuple(new.shape)
        if len(shape) > len(place) or builtins.any([not _u._fits(n, m) for n, m in zip(reversed(shape), reversed(place))]):
            raise ValueError(f"shape mismatch: value array of shape {_shape_text(shape)} could not be broadcast to indexing result of shape "
                             f"{_shape_text(place)}")
    elif masks[0].dim() == t.dim():
        if new.dim() > 1:
            raise TypeError(f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {new.dim()} dimensions")
        held = _constant_elements(masks[0])
        if held is not None and not _u._fits(new.shape[0], held.count(True)):
            raise ValueError(f"NumPy boolean array indexing assignment cannot assign {new.shape[0]} input values to the {held.count(True)} output "
                             "values where the mask is true")
    return new


def _is_one_element(a, key):
    """Is it an index of numbers for all axes? Then numpy converts what is stored as Python does."""
    keys = key if isinstance(key, tuple) else (key,)
    return len(keys) == a.ndim and builtins.all([_is_place(k) or isinstance(k, ndarray) and k.ndim == 0 and k._ptc_type.kind in "iu" for k in keys])


def _check_one(value, dt):
    """(the value to store in one element)"""
    if isinstance(value, _Tensor):
        value = _numpy_of(value)
    if isinstance(value, ndarray) and value.ndim:
        if dt is _bool and value.size == 1:
            return value.reshape(())
        raise ValueError("setting an array element with a sequence.")
    if isinstance(value, (list, tuple, range)):
        if dt is _bool:
            return len(value) != 0
        if dt.kind == "f":
            raise ValueError("setting an array element with a sequence.")
        raise TypeError(f"int() argument must be a string, a bytes-like object or a real number, not '{type(value).__name__}'")
    return value


def _shape_text(shape):
    return "(" + ",".join([str(n) for n in shape]) + ("," if len(shape) == 1 else "") + ")"


def _wanted_text(sizes):
    """As numpy's reshape() says what it was asked for: unknown sizes in front are left out."""
    shown = list(sizes)
    while shown and shown[0] < 0:
        shown.pop(0)
    return "(" + ",".join(["newaxis" if n < 0 else str(n) for n in shown]) + ("," if len(sizes) == 1 else "") + ")"


class ndarray:
    __slots__ = ("_ptc_t", "_ptc_type", "_ptc_make", "_ptc_writeable")
    __hash__ = None
    __array_priority__ = 0.0
    _ptc_is_of_numpy = True
    _ptc_as_result = "return `torch.from_numpy(a)` of an array `a`"

    def __new__(cls, *args, **named):
        _refuse("numpy.ndarray(...)")

    @property
    def dtype(self):
        return self._ptc_type

    @property
    def shape(self):
        return tuple(self._ptc_t.shape)

    @shape.setter
    def shape(self, sizes):
        self._ptc_t = self.reshape(sizes)._ptc_t if self._ptc_make is None else _refuse("a shape for a view with negative strides")

    @property
    def ndim(self):
        return self._ptc_t.dim()

    @property
    def size(self):
        return self._ptc_t.numel()

    @property
    def itemsize(self):
        return self._ptc_type.itemsize

    @property
    def nbytes(self):
        return self.size * self.itemsize

    @property
    def strides(self):
        if self._ptc_make is not None:
            _refuse("strides of a view with negative ones")
        return tuple([n * self.itemsize for n in self._ptc_t.stride()])

    @property
    def T(self):
        return self.transpose()

    @property
    def mT(self):
        return self.swapaxes(-1, -2)

    @property
    def real(self):
        return self

    def __array__(self, dtype=None, copy=None):
        return array(self, dtype, copy=copy)

    def __len__(self):
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        held = None if self.ndim != 1 else _constant_elements(_t(self))
        if held is not None:
            return iter([_scalar(self._ptc_type, v) for v in held])
        return iter([self[i] for i in range(self.shape[0])])

    def __contains__(self, value):
        return builtins.bool((self == value).any())

    def __getitem__(self, key):
        index, back, advanced = _index(self, key)
        if advanced:
            return _array(_t(self)[index], self._ptc_type)
        if back:
            make = lambda: _t(self)[index].flip(back)
            return _array(make(), self._ptc_type, make, self._ptc_writeable)
        keys = key if isinstance(key, tuple) else (key,)
        found = _view(self, lambda t: t[index])
        return found if found.ndim or builtins.any([k is ... for k in keys]) else _scalar_of(_t(found), self._ptc_type)

    def _ptc_check_write(self):
        if not self._ptc_writeable:
            raise ValueError("assignment destination is read-only")
        if self._ptc_make is not None:
            _refuse("a write to a view with negative strides")

    def __setitem__(self, key, value):
        self._ptc_check_write()
        where = _index(self, key)
        if _is_one_element(self, key):
            value = _check_one(value, self._ptc_type)
        elif where[2] and isinstance(value, generic):       # cast like an array
            value = asarray(value)
        self._ptc_put(where, _operand_of(value, self._ptc_type), isinstance(value, (list, tuple, range)))

    def _ptc_put(self, where, new, nested=False):
        """`new` lies in no memory of the array's."""
        index, back, advanced = where
        t = self._ptc_t
        if not advanced:
            place = t[index]
            extra = new.dim() - place.dim()
            if extra > 0 and nested:
                raise ValueError("setting an array element with a sequence. The requested array would exceed the maximum number of dimension of "
                                 f"{place.dim()}.")
            if extra > 0 and builtins.all([new.shape[d] == 1 for d in range(extra)]):
                new = new.reshape(tuple(new.shape)[extra:])
            _u._check_assigned(new.shape, place.shape)
            place.copy_(new.expand(place.shape).flip(back) if back else new)
        else:
            t[tuple([k.clone() if isinstance(k, _Tensor) else k for k in index])] = _fitting(t, index, new)

    def __bool__(self):
        if self.size == 1:
            return builtins.bool(self.item())
        if self.size == 0:
            raise ValueError("The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.")
        raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")

    def _ptc_single(self):
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.item()

    def __int__(self):
        return int(self._ptc_single())

    def __float__(self):
        return float(self._ptc_single())

    def __complex__(self):
        return complex(self._ptc_single())

    def __index__(self):
        if self.ndim or self._ptc_type.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.item()

    def __str__(self):
        from numpy._text import _array_str
        return _array_str(self)

    def __repr__(self):
        from numpy._text import _array_repr
        return _array_repr(self)

    def __format__(self, spec):
        if self.ndim == 0:
            return format(self.item(), spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def item(self, *args):
        if not args:
            if self.size != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return _u._first(_t(self).reshape(()))
        index = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
        if len(index) == 1 and self.ndim != 1:
            if not -self.size <= index[0] < self.size:
                raise IndexError(f"index {index[0]} is out of bounds for size {self.size}")
            return self.reshape(-1)[index].item()
        return self[tuple(index)].item()

    def tolist(self):
        held = _constant_elements(_t(self))
        if held is None:
            return _t(self).tolist()
        return _nest(list(held), self.shape)

    def copy(self, order="C"):
        return _array(_t(self).clone(memory_format=torch.contiguous_format), self._ptc_type)

    def astype(self, dtype, order="K", casting="unsafe", subok=True, copy=True):
        dt = _dtype_of(dtype)
        _u._check_cast(self._ptc_type, dt, casting)
        if dt is self._ptc_type:
            return self.copy() if copy else self
        return _array(_t(self).to(dt._ptc_torch), dt)

    def reshape(self, *shape, order="C", copy=None):
        sizes = shape[0] if len(shape) == 1 else shape
        sizes = [_operator.index(n) for n in (sizes if isinstance(sizes, (tuple, list)) else (sizes,))]
        if order != "C":
            _refuse(f"reshape(order={order!r})")
        known = 1
        for n in sizes:
            known = known if n == -1 else known * n
        free = sizes.count(-1)
        if free > 1:
            raise ValueError("can only specify one unknown dimension")
        if (known == 0 or self.size % known if free else known != self.size):
            if not free or self.size or known == 0:
                raise ValueError(f"cannot reshape array of size {self.size} into shape {_wanted_text(sizes)}")
        return _view(self, lambda t: t.reshape(sizes))

    def ravel(self, order="C"):
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        return self.reshape(-1, order=order).copy()

    def transpose(self, *axes):
        if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
            axes = axes[0] or ()
        if not axes:
            axes = range(self.ndim - 1, -1, -1)
        elif len(axes) != self.ndim:
            raise ValueError("axes don't match array")
        places = [_axis(d, self.ndim) for d in axes]
        if len(set(places)) != len(places):
            raise ValueError("repeated axis in transpose")
        return _view(self, lambda t: t.permute(places))

    def swapaxes(self, axis1, axis2):
        one, two = _axis(axis1, self.ndim), _axis(axis2, self.ndim)
        return _view(self, lambda t: t.transpose(one, two))

    def squeeze(self, axis=None):
        dims = [d for d in range(self.ndim) if self.shape[d] == 1] if axis is None else list(_axes(axis, self.ndim))
        if builtins.any([self.shape[d] != 1 for d in dims]):
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        sizes = [n for d, n in enumerate(self.shape) if d not in dims]
        return _view(self, lambda t: t.reshape(sizes) if t.numel() == 0 else t.squeeze(dims) if dims else t)

    def diagonal(self, offset=0, axis1=0, axis2=1):
        one, two = _axis(axis1, self.ndim), _axis(axis2, self.ndim)
        made = _view(self, lambda t: t.diagonal(offset, one, two))
        made._ptc_writeable = False
        return made

    def fill(self, value):
        self[...] = value

    def view(self, dtype=None, type=None):
        if type is not None or dtype is not None and _dtype_of(dtype) is not self._ptc_type:
            _refuse("numpy.ndarray.view of another type")
        return _view(self, lambda t: t)

    def sort(self, axis=-1, kind=None, order=None, *, stable=None):
        from numpy._reductions import sort
        self[...] = sort(self, axis)

    def dot(self, b):
        from numpy._reductions import dot
        return dot(self, b)


def _nest(items, shape):
    if not shape:
        return items[0]
    if len(shape) == 1:
        return items
    step = 1
    for n in shape[1:]:
        step *= n
    return [_nest(items[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]


ndarray.__module__ = "numpy"
