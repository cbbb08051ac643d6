"""inspect: questions about kinds of objects, and signatures of functions written in Python."""

import dataclasses as _dataclasses
import enum as _enum
import functools as _functools
import sys as _sys
import types as _types
from collections import OrderedDict as _OrderedDict
from collections.abc import Awaitable as _Awaitable
from keyword import iskeyword as _iskeyword

from _ptc import _installed_text, _is_opaque, _is_program_code, _python_minor, _unmodelled_module
from _ptc_torch import _refuse
from typing import _own_hints

_MINOR = _python_minor()

_code_varargs, _code_varkw, _code_generator, _code_coroutine, _code_asynchronous = 4, 8, 32, 128, 512


def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return isinstance(object, _types.FunctionType)


def ismethod(object):
    return isinstance(object, _types.MethodType)


def isbuiltin(object):
    return isinstance(object, _types.BuiltinFunctionType)


def ismodule(object):
    return isinstance(object, _types.ModuleType)


def isgenerator(object):
    return isinstance(object, _types.GeneratorType)


def ismethoddescriptor(object):
    if isclass(object) or ismethod(object) or isfunction(object):
        return False
    cls = type(object)
    return hasattr(cls, "__get__") and not hasattr(cls, "__set__") and (_MINOR < 13 or not hasattr(cls, "__delete__"))


def isdatadescriptor(object):
    if isclass(object) or ismethod(object) or isfunction(object):
        return False
    return hasattr(type(object), "__set__") or hasattr(type(object), "__delete__")


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object) or ismethoddescriptor(object)


def isgeneratorfunction(object):
    object = getattr(object, "__func__", object)
    return isfunction(object) and object.__code__.co_flags & _code_generator != 0


def iscoroutinefunction(object):
    object = getattr(object, "__func__", object)
    return isfunction(object) and object.__code__.co_flags & _code_coroutine != 0


def isasyncgenfunction(object):
    object = getattr(object, "__func__", object)
    return isfunction(object) and object.__code__.co_flags & _code_asynchronous != 0


def iscoroutine(object):
    return isinstance(object, _types.CoroutineType)


def isasyncgen(object):
    return isinstance(object, _types.AsyncGeneratorType)


def isawaitable(object):
    return isinstance(object, (_types.CoroutineType, _Awaitable))


def isabstract(object):
    return isinstance(object, type) and len(getattr(object, "__abstractmethods__", ())) > 0


def getmembers(object, predicate=None):
    found = []
    for name in dir(object):
        try:
            value = getattr(object, name)
        except AttributeError:
            continue
        if predicate is None or predicate(value):
            found.append((name, value))
    return found


def _class_of_function(function):
    """The class in whose body a function was written, by its qualified name; None: it is in none."""
    first, *rest = function.__qualname__.split(".")[:-1] or ("",)
    found = function.__globals__.get(first)
    for name in rest:
        found = getattr(found, name, None)
    return found if isclass(found) else None


def _inherited_doc(obj):
    """The text of the class, or the method, that this one takes the place of."""
    if isclass(obj):
        bases, name = obj.__mro__, None
    elif ismethod(obj):
        owner, name = obj.__self__, obj.__func__.__name__
        bases = (owner if isclass(owner) else type(owner)).__mro__
    elif isfunction(obj) or isinstance(obj, property) and isfunction(obj.fget):
        function = obj if isfunction(obj) else obj.fget
        owner, name = _class_of_function(function), function.__name__
        if owner is None or getattr(owner, name, None) is not obj:
            return None
        bases = owner.__mro__
    else:
        return None
    for base in bases:
        found = base if name is None else getattr(base, name, None)
        doc = None if base is object or found is None else getattr(found, "__doc__", None)
        if doc is not None:
            return doc
    return None


def getdoc(object):
    doc = getattr(object, "__doc__", None)
    if doc is None:
        doc = _inherited_doc(object)
    return cleandoc(doc) if isinstance(doc, str) else None


def cleandoc(doc):
    lines = doc.expandtabs().split("\n")
    margin = None
    for line in lines[1:]:
        if line.strip():
            n = len(line) - len(line.lstrip(" "))
            margin = n if margin is None or n < margin else margin
    lines = [lines[0].lstrip(" ")] + [line[margin or 0:] for line in lines[1:]]
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    if eval_str:
        _refuse("inspect.get_annotations(eval_str=True)")
    if isclass(obj) or isfunction(obj):
        if not _is_program_code(obj) and (not isclass(obj) or obj.__module__ != "builtins"):
            _refuse(f"the annotations of {obj!r}")
        return dict(_own_hints(obj) or {})
    if not ismodule(obj) and not callable(obj):
        raise TypeError(f"{obj!r} is not a module, class, or callable.")
    found = getattr(obj, "__annotations__", None)
    if found is not None and not isinstance(found, dict):
        raise ValueError(f"{obj!r}.__annotations__ is neither a dict nor None")
    return dict(found or {})


def getfile(object):
    if ismodule(object):
        if getattr(object, "__file__", None):
            return object.__file__
        raise TypeError(f"{object!r} is a built-in module")
    if isclass(object):
        if hasattr(object, "__module__") and object.__module__ != "builtins":
            module = _sys.modules.get(object.__module__)
            if getattr(module, "__file__", None):
                return module.__file__
            if object.__module__ == "__main__":
                raise OSError("source code not available")
        raise TypeError(f"{object!r} is a built-in class")
    if ismethod(object):
        object = object.__func__
    if isfunction(object):    # an import from a cache has the code say where its source is
        where = object.__globals__.get("__file__")
        return where if isinstance(where, str) and where.endswith(".py") else object.__code__.co_filename
    if isinstance(object, _types.CodeType):
        _refuse("inspect.getfile() of a code object")
    if type(object).__name__ in ("traceback", "frame"):
        _refuse("inspect.getfile() of a traceback or frame")
    raise TypeError("module, class, method, function, traceback, frame, or code object was expected, "
                    f"got {type(object).__name__}")


def getsourcefile(object):
    """Whether the file is there is not asked: what a loader has made has the name all the same."""
    name = getfile(object)
    if name.endswith(".pyc"):
        name = name[:-1]
    elif name.endswith(".so"):
        return None
    module = object if ismodule(object) else _sys.modules.get(getattr(object, "__module__", None))
    if not isinstance(module, _types.ModuleType) or getattr(module, "__loader__", None) is None and \
            getattr(getattr(module, "__spec__", None), "loader", None) is None:
        _refuse("inspect.getsourcefile() of what is in no imported module")
    return name


def getsource(object):
    """Of modules of installed packages."""
    if _is_opaque(object) or not ismodule(object):
        return _unmodelled_module("inspect.getsource")(object)
    text = _installed_text(getsourcefile(object))
    if not text:
        return _unmodelled_module("inspect.getsource")(object)
    return text if text.endswith("\n") else text + "\n"


def getmro(cls):
    return getattr(cls, "__mro__")    # as the program sees it


def unwrap(func, *, stop=None):
    seen = [func]
    while not (_MINOR >= 12 and isclass(func)) and hasattr(func, "__wrapped__") and (stop is None or not stop(func)):
        func = func.__wrapped__
        if [f for f in seen if f is func]:
            raise ValueError(f"wrapper loop when unwrapping {seen[0]!r}")
        seen.append(func)
    return func


# Signatures ----------------------------------------------------------------------------------------


_absent = object()


class _empty:
    pass


class _ParameterKind(_enum.IntEnum):
    POSITIONAL_ONLY = "positional-only"
    POSITIONAL_OR_KEYWORD = "positional or keyword"
    VAR_POSITIONAL = "variadic positional"
    KEYWORD_ONLY = "keyword-only"
    VAR_KEYWORD = "variadic keyword"

    def __new__(cls, description):
        made = int.__new__(cls, len(cls.__members__))
        made._value_ = len(cls.__members__)
        made.description = description
        return made

    def __str__(self):
        return self.name


class Parameter:
    __slots__ = ("_name", "_kind", "_default", "_annotation")
    empty = _empty
    POSITIONAL_ONLY, POSITIONAL_OR_KEYWORD, VAR_POSITIONAL, KEYWORD_ONLY, VAR_KEYWORD = _ParameterKind

    def __init__(self, name, kind, *, default=_empty, annotation=_empty):
        try:
            self._kind = _ParameterKind(kind)
        except ValueError:
            raise ValueError(f"value {kind!r} is not a valid Parameter.kind") from None
        if default is not _empty and self._kind in (_ParameterKind.VAR_POSITIONAL, _ParameterKind.VAR_KEYWORD):
            raise ValueError(f"{self._kind.description} parameters cannot have default values")
        if name is _empty:
            raise ValueError("name is a required attribute for Parameter")
        if not isinstance(name, str):
            raise TypeError(f"name must be a str, not a {type(name).__name__}")
        if name[0] == "." and name[1:].isdigit():    # the argument of a comprehension
            if self._kind is not _ParameterKind.POSITIONAL_OR_KEYWORD:
                raise ValueError("implicit arguments must be passed as positional or keyword arguments, "
                                 f"not {self._kind.description}")
            self._kind, name = _ParameterKind.POSITIONAL_ONLY, "implicit" + name[1:]
        if _iskeyword(name) and self._kind is not _ParameterKind.POSITIONAL_ONLY or not name.isidentifier():
            raise ValueError(f"{name!r} is not a valid parameter name")
        self._name, self._default, self._annotation = name, default, annotation

    name = property(lambda self: self._name)
    kind = property(lambda self: self._kind)
    default = property(lambda self: self._default)
    annotation = property(lambda self: self._annotation)

    def replace(self, *, name=_absent, kind=_absent, annotation=_absent, default=_absent):
        return type(self)(self._name if name is _absent else name, self._kind if kind is _absent else kind,
                          default=self._default if default is _absent else default,
                          annotation=self._annotation if annotation is _absent else annotation)

    def _ptc_parts(self):
        return self._name, self._kind, self._default, self._annotation

    def __eq__(self, other):
        return self is other or (self._ptc_parts() == other._ptc_parts() if isinstance(other, Parameter) else NotImplemented)

    def __hash__(self):
        return hash(self._ptc_parts())

    def __str__(self):
        text = self._name
        if self._annotation is not _empty:
            text += ": " + formatannotation(self._annotation)
        if self._default is not _empty:
            text += (" = " if self._annotation is not _empty else "=") + repr(self._default)
        if self._kind is _ParameterKind.VAR_POSITIONAL:
            return "*" + text
        return "**" + text if self._kind is _ParameterKind.VAR_KEYWORD else text

    def __repr__(self):
        return f'<{type(self).__name__} "{self}">'


def _without_typing(text):
    """Without `typing.` in front of names."""
    found, rest = "", text
    while "typing." in rest:
        before, _, rest = rest.partition("typing.")
        last = before[-1:] or found[-1:]
        found += before + ("typing." if last.isalnum() or last in ("_", ".") and last else "")
    return found + rest


def formatannotation(annotation, base_module=None):
    if getattr(annotation, "__module__", None) == "typing":
        return _without_typing(repr(annotation))
    if isinstance(annotation, _types.GenericAlias):
        return str(annotation)
    if isinstance(annotation, type):
        if annotation.__module__ in ("builtins", base_module):
            return annotation.__qualname__
        return annotation.__module__ + "." + annotation.__qualname__
    return repr(annotation)


class Signature:
    __slots__ = ("_return_annotation", "_parameters")
    empty = _empty

    def __init__(self, parameters=None, *, return_annotation=_empty, __validate_parameters__=True):
        found = _OrderedDict()
        last, has_default, variadic = _ParameterKind.POSITIONAL_ONLY, False, []
        for p in parameters or ():
            if _MINOR >= 14 and p.kind in variadic:
                raise ValueError(f"more than one {p.kind.description} parameter")
            if p.kind in (_ParameterKind.VAR_POSITIONAL, _ParameterKind.VAR_KEYWORD):
                variadic.append(p.kind)
            if p.kind < last:
                raise ValueError(f"wrong parameter order: {last.description} parameter before {p.kind.description} parameter")
            last = p.kind
            if last <= _ParameterKind.POSITIONAL_OR_KEYWORD:
                if p.default is _empty and has_default:
                    raise ValueError("non-default argument follows default argument")
                has_default = has_default or p.default is not _empty
            if p.name in found:
                raise ValueError(f"duplicate parameter name: {p.name!r}")
            found[p.name] = p
        self._parameters, self._return_annotation = _types.MappingProxyType(found), return_annotation

    @classmethod
    def from_callable(cls, obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
        return _signature(obj, follow_wrapped, _names_of(globals, locals) if eval_str else None, cls)

    parameters = property(lambda self: self._parameters)
    return_annotation = property(lambda self: self._return_annotation)

    def replace(self, *, parameters=_absent, return_annotation=_absent):
        return type(self)(self._parameters.values() if parameters is _absent else parameters,
                          return_annotation=self._return_annotation if return_annotation is _absent else return_annotation)

    def bind(self, /, *args, **kwargs):
        return BoundArguments(self, self._ptc_bound(args, kwargs, False))

    def bind_partial(self, /, *args, **kwargs):
        return BoundArguments(self, self._ptc_bound(args, kwargs, True))

    def _ptc_bound(self, args, kwargs, is_partial):
        """What each parameter is given."""
        found, taken, others = {}, 0, None
        for p in self._parameters.values():
            name, kind = p.name, p.kind
            if kind is _ParameterKind.VAR_POSITIONAL:
                if taken < len(args):
                    found[name] = tuple(args[taken:])
                    taken = len(args)
            elif taken < len(args) and kind >= _ParameterKind.KEYWORD_ONLY:
                break
            elif kind is _ParameterKind.VAR_KEYWORD:
                others = name
            elif taken < len(args):
                if name in kwargs and kind is not _ParameterKind.POSITIONAL_ONLY:
                    raise TypeError(f"multiple values for argument {name!r}")
                found[name] = args[taken]
                taken += 1
            elif name in kwargs:
                if kind is _ParameterKind.POSITIONAL_ONLY:
                    if _MINOR >= 12:
                        _refuse("Signature.bind() with the name of a parameter that is positional only")    # versions differ
                    raise TypeError(f"{name!r} parameter is positional only, but was passed as a keyword")
                found[name] = kwargs.pop(name)
            elif p.default is _empty and not is_partial:
                what = " keyword-only" if _MINOR >= 12 and kind is _ParameterKind.KEYWORD_ONLY else ""
                raise TypeError(f"missing a required{what} argument: {name!r}")
        if taken < len(args):
            raise TypeError("too many positional arguments")
        if kwargs:
            if others is None:
                raise TypeError(f"got an unexpected keyword argument {next(iter(kwargs))!r}")
            found[others] = kwargs
        return found

    def _ptc_parts(self):
        """Parameters that are passed by name alone have no order."""
        named = {n: p for n, p in self._parameters.items() if p.kind is _ParameterKind.KEYWORD_ONLY}
        return tuple([p for n, p in self._parameters.items() if n not in named]), named, self._return_annotation

    def __eq__(self, other):
        return self is other or (self._ptc_parts() == other._ptc_parts() if isinstance(other, Signature) else NotImplemented)

    def __hash__(self):
        placed, named, result = self._ptc_parts()
        return hash((placed, frozenset(named.values()), result))

    def __str__(self):
        parts = []
        slash, star = False, False
        for p in self.parameters.values():
            if p.kind is Parameter.POSITIONAL_ONLY:
                slash = True
            elif slash:
                parts.append("/")
                slash = False
            if p.kind is Parameter.VAR_POSITIONAL:
                star = True
            elif p.kind is Parameter.KEYWORD_ONLY and not star:
                parts.append("*")
                star = True
            parts.append(str(p))
        if slash:
            parts.append("/")
        text = "(" + ", ".join(parts) + ")"
        return text if self.return_annotation is _empty else text + " -> " + formatannotation(self.return_annotation)

    def __repr__(self):
        return f"<{type(self).__name__} {self}>"


class BoundArguments:
    __slots__ = ("arguments", "_signature")
    __hash__ = None

    def __init__(self, signature, arguments):
        self.arguments, self._signature = arguments, signature

    signature = property(lambda self: self._signature)

    def _ptc_split(self):
        """Arguments by position, and those by name: all behind the first that is missing."""
        args, kwargs, is_named = [], {}, False
        for name, p in self._signature.parameters.items():
            is_named = is_named or name not in self.arguments or p.kind >= _ParameterKind.KEYWORD_ONLY
            if name not in self.arguments:
                continue
            value = self.arguments[name]
            if p.kind is _ParameterKind.VAR_KEYWORD:
                kwargs.update(value)
            elif is_named:
                kwargs[name] = value
            elif p.kind is _ParameterKind.VAR_POSITIONAL:
                args.extend(value)
            else:
                args.append(value)
        return tuple(args), kwargs

    args = property(lambda self: self._ptc_split()[0])
    kwargs = property(lambda self: self._ptc_split()[1])

    def apply_defaults(self):
        found = {}
        for name, p in self._signature.parameters.items():
            if name in self.arguments:
                found[name] = self.arguments[name]
            elif p.default is not _empty:
                found[name] = p.default
            elif p.kind is _ParameterKind.VAR_POSITIONAL:
                found[name] = ()
            elif p.kind is _ParameterKind.VAR_KEYWORD:
                found[name] = {}
        self.arguments = found

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, BoundArguments):
            return NotImplemented
        return self.signature == other.signature and self.arguments == other.arguments

    def __repr__(self):
        return f"<{type(self).__name__} ({', '.join([f'{n}={v!r}' for n, v in self.arguments.items()])})>"


def signature(obj, *, follow_wrapped=True, globals=None, locals=None, eval_str=False):
    return _signature(obj, follow_wrapped, _names_of(globals, locals) if eval_str else None, Signature)


def _names_of(globals, locals):
    """The names that annotations are evaluated with; None in place of those of the function."""
    return [names for names in (locals, globals)]


def _signature(obj, follow, evaluated, made):
    """`made`: the class of what it gives."""
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if ismethod(obj):
        return _without_first(_signature(obj.__func__, follow, evaluated, made))
    if follow:
        obj = unwrap(obj, stop=lambda f: hasattr(f, "__signature__") or ismethod(f))
        if ismethod(obj):
            return _signature(obj, follow, evaluated, made)
    said = getattr(obj, "__signature__", None)
    if said is not None:
        if not isinstance(said, Signature):
            if isinstance(said, str) and _MINOR >= 12 or _MINOR >= 13 and callable(said):
                _refuse("a __signature__ that is text or a function")
            raise TypeError(f"unexpected object {said!r} in __signature__ attribute")
        return said
    if isfunction(obj):
        said = _said_parameters(obj)
        return _of_function(obj, evaluated, made) if said is None else made(said, return_annotation=obj.__annotations__.get("return", _empty))
    if isinstance(obj, _functools.partial):
        return _of_partial(obj, _signature(obj.func, follow, evaluated, made))
    if isclass(obj):
        method = _maker_of(obj)
        if method is None:
            return made()
    else:
        method = _own_method(type(obj), "__call__")
        if method is None:
            _refuse("the signature of a function of C")
    return _without_first(_signature(method, follow, evaluated, made))


def _evaluated_text(text, names):
    from typing._text import _Annotation

    return _Annotation(text, names).value()


def _own_method(cls, name):
    """A method that the program, or a module in Python, writes; None: it is one of object or type."""
    found = getattr(cls, name, None)
    if found is getattr(object, name, None) or found is type.__call__:
        return None
    written = [vars(base)[name] for base in cls.__mro__ if name in vars(base)]
    is_changed = isinstance(written[0], classmethod if name == "__new__" else (classmethod, staticmethod)) if written else True
    if is_changed or not isfunction(found):    # versions differ
        _refuse(f"a signature by '{cls.__name__}.{name}', which is no plain method of Python")
    return found


def _maker_of(cls):
    """The method that takes what the class is called with; None: it takes nothing."""
    call = _own_method(type(cls), "__call__")
    if call is not None:
        return call
    for base in cls.__mro__:
        for name in ("__new__", "__init__"):
            if name in vars(base) and base is not object:
                return _own_method(cls, name)
    return None


def _without_first(sig):
    found = list(sig.parameters.values())
    if not found or found[0].kind >= Parameter.KEYWORD_ONLY:
        raise ValueError("invalid method signature")
    return sig.replace(parameters=found if found[0].kind is Parameter.VAR_POSITIONAL else found[1:])


def _parameters_of_fields(held, notes):
    """Of the __init__ of a dataclass."""
    named = [f for f in held["taken"] if f.kw_only]
    return [Parameter(f.name, Parameter.KEYWORD_ONLY if f.kw_only else Parameter.POSITIONAL_OR_KEYWORD, annotation=notes[f.name],
                      default=_dataclasses._default_shown(f, _empty)) for f in (*[f for f in held["taken"] if not f.kw_only], *named)]


def _parameters_of_names(held, notes):
    """Of the __new__ of a named tuple."""
    return [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, annotation=notes.get(n, _empty), default=held["field_defaults"].get(n, _empty))
            for n in held["fields"]]


# Functions of lib/Prelude that take any arguments where CPython makes functions of text, by the name of their code.
_GENERAL = {"_make_init.<locals>.__init__": ("self", _parameters_of_fields), "namedtuple.<locals>.__new__": ("_cls", _parameters_of_names)}


def _said_parameters(f):
    """The parameters of a function that takes any arguments; None of others."""
    code = f.__code__
    first, made = _GENERAL.get(code.co_qualname, (None, None))
    if made is None or _is_program_code(f):
        return None
    held = dict(zip(code.co_freevars, [cell.cell_contents for cell in f.__closure__]))
    return [Parameter(first, Parameter.POSITIONAL_OR_KEYWORD)] + made(held, f.__annotations__)


def _of_partial(obj, whole):
    """The parameters that are left to be given, and those that were given by name, which others may be given for."""
    try:
        given = whole.bind_partial(*obj.args, **obj.keywords).arguments
    except TypeError as e:
        raise ValueError(f"partial object {obj!r} has incorrect arguments") from e
    found, last, is_named = [], [], False
    for name, p in whole.parameters.items():
        if p.kind is Parameter.VAR_POSITIONAL:
            if not is_named:
                found.append(p)
            continue
        if p.kind is Parameter.VAR_KEYWORD:
            last.append(p)
            continue
        if name in given:
            if p.kind is not Parameter.KEYWORD_ONLY and name not in obj.keywords:
                continue
            p = p.replace(default=given[name])
            is_named = is_named or p.kind is not Parameter.KEYWORD_ONLY
        if is_named and p.kind is Parameter.POSITIONAL_OR_KEYWORD:
            p = p.replace(kind=Parameter.KEYWORD_ONLY)
        found.append(p)
    return whole.replace(parameters=found + last)


def _of_function(f, evaluated, made):
    code = f.__code__
    names = code.co_varnames
    notes = getattr(f, "__annotations__", None) or {}
    if evaluated is not None:
        known = [n for n in (evaluated[0], evaluated[1] if evaluated[1] is not None else f.__globals__) if n is not None]
        notes = {k: _evaluated_text(n, known) if not _is_opaque(n) and isinstance(n, str) else n for k, n in notes.items()}
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    defaults = f.__defaults__ or ()
    keyword_defaults = f.__kwdefaults__ or {}
    found = []
    for i in range(count):
        kind = Parameter.POSITIONAL_ONLY if i < code.co_posonlyargcount else Parameter.POSITIONAL_OR_KEYWORD
        at = i - (count - len(defaults))
        found.append(Parameter(names[i], kind, default=defaults[at] if at >= 0 else _empty, annotation=notes.get(names[i], _empty)))
    after = count + keyword_only
    if code.co_flags & _code_varargs:
        found.append(Parameter(names[after], Parameter.VAR_POSITIONAL, annotation=notes.get(names[after], _empty)))
        after += 1
    for name in names[count:count + keyword_only]:
        found.append(Parameter(name, Parameter.KEYWORD_ONLY, default=keyword_defaults.get(name, _empty), annotation=notes.get(name, _empty)))
    if code.co_flags & _code_varkw:
        found.append(Parameter(names[after], Parameter.VAR_KEYWORD, annotation=notes.get(names[after], _empty)))
    return made(found, return_annotation=notes.get("return", _empty))
