"""typing_extensions, which is installed with PyTorch: what typing has in later versions, for annotations. Names without a model
here are refused, since which there are depends on its version."""
import typing as _typing

from _ptc import _python_minor
from _ptc_torch import _refuse
from types import get_original_bases  # noqa: F401
from typing import (  # noqa: F401
    AbstractSet, Annotated, Any, AnyStr, AsyncIterator, Awaitable, BinaryIO, Callable, ClassVar, Collection, Concatenate, Container,
    ContextManager, Coroutine, Counter, DefaultDict, Deque, Dict, Final, ForwardRef, FrozenSet, Generator, Generic, Hashable, IO,
    ItemsView, Iterable, Iterator, KeysView, List, Literal, LiteralString, Mapping, MutableMapping, MutableSequence, MutableSet,
    NamedTuple, Never, NewType, NoReturn, NotRequired, Optional, OrderedDict, ParamSpec, Protocol, Required, Reversible, Self, Sequence,
    Set, Sized, Text, TextIO, Tuple, Type, TypeAlias, TypedDict, TypeGuard,
    TypeVarTuple, Union, Unpack, ValuesView, assert_never, assert_type, cast, dataclass_transform, final, get_args, get_origin,
    get_type_hints, no_type_check, overload, runtime_checkable)


if _python_minor() >= 12:
    from typing import SupportsAbs, SupportsFloat, SupportsIndex, SupportsInt  # noqa: F401
else:
    @runtime_checkable
    class SupportsInt(Protocol):
        def __int__(self): ...

    @runtime_checkable
    class SupportsFloat(Protocol):
        def __float__(self): ...

    @runtime_checkable
    class SupportsIndex(Protocol):
        def __index__(self): ...

    @runtime_checkable
    class SupportsAbs(Protocol[_typing.TypeVar("T_co", covariant=True)]):
        def __abs__(self): ...

    def _note_members():
        for cls, name in ((SupportsInt, "__int__"), (SupportsFloat, "__float__"), (SupportsIndex, "__index__"), (SupportsAbs, "__abs__")):
            cls.__protocol_attrs__, cls.__non_callable_proto_members__ = {name}, set()

    _note_members()
    del _note_members


if _python_minor() >= 13:
    from typing import TypeVar  # noqa: F401
else:
    class NoDefaultType:
        _ptc_known_as = "typing_extensions.NoDefaultType"
        __slots__ = ()

        def __new__(cls):
            return globals().get("NoDefault") or object.__new__(cls)

        def __repr__(self):
            return "typing_extensions.NoDefault"

        def __reduce__(self):
            return "NoDefault"

    NoDefault = NoDefaultType()
    del NoDefaultType

    class _TypeVarMeta(type):
        def __instancecheck__(cls, instance):
            return isinstance(instance, _typing.TypeVar)

    class TypeVar(metaclass=_TypeVarMeta):
        """Makes those of typing."""
        _ptc_known_as = "typing_extensions.TypeVar"

        def __new__(cls, name, *constraints, bound=None, covariant=False, contravariant=False, default=NoDefault, **more):
            if more:
                _refuse(f"typing_extensions.TypeVar({', '.join(more)}=…)")
            made = _typing.TypeVar(name, *constraints, bound=bound, covariant=covariant, contravariant=contravariant)
            made.has_default = lambda: default is not NoDefault
            made.__default__ = default
            if default is not NoDefault:
                made._ptc_default = default
            return made

TYPE_CHECKING = False
runtime = runtime_checkable


def override(arg, /):
    """A mark, which is kept where the object has attributes."""
    try:
        arg.__override__ = True
    except (AttributeError, TypeError):
        pass
    return arg
