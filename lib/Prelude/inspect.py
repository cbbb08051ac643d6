"""inspect: questions about kinds of objects, and signatures of functions written in Python."""

import types as _types

from _ptc_torch import _refuse

_code_varargs, _code_varkw, _code_generator, _code_coroutine = 4, 8, 32, 128


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


def isroutine(object):
    return isbuiltin(object) or isfunction(object) or ismethod(object)


def isgeneratorfunction(object):
    object = getattr(object, "__func__", object)
    return isfunction(object) and object.__code__.co_flags & _code_generator != 0


def iscoroutinefunction(object):
    object = getattr(object, "__func__", object)
    return isfunction(object) and object.__code__.co_flags & _code_coroutine != 0


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


def getdoc(object):
    doc = getattr(object, "__doc__", None)
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


def getmro(cls):
    return getattr(cls, "__mro__")    # as the program sees it


def unwrap(func, *, stop=None):
    while hasattr(func, "__wrapped__") and (stop is None or not stop(func)):
        func = func.__wrapped__
    return func


# Signatures ----------------------------------------------------------------------------------------


class _Empty:
    _ptc_known_as = "inspect._empty"


class _Kind:
    def __init__(self, value, name):
        self.value = value
        self.name = name

    def __repr__(self):
        return f"<_ParameterKind.{self.name}: {self.value}>"

    def __str__(self):
        return self.name


class Parameter:
    empty = _Empty
    POSITIONAL_ONLY = _Kind(0, "POSITIONAL_ONLY")
    POSITIONAL_OR_KEYWORD = _Kind(1, "POSITIONAL_OR_KEYWORD")
    VAR_POSITIONAL = _Kind(2, "VAR_POSITIONAL")
    KEYWORD_ONLY = _Kind(3, "KEYWORD_ONLY")
    VAR_KEYWORD = _Kind(4, "VAR_KEYWORD")

    def __init__(self, name, kind, *, default=_Empty, annotation=_Empty):
        self.name = name
        self.kind = kind
        self.default = default
        self.annotation = annotation

    def __str__(self):
        text = self.name
        if self.annotation is not _Empty:
            text += ": " + formatannotation(self.annotation)
        if self.default is not _Empty:
            text += (" = " if self.annotation is not _Empty else "=") + repr(self.default)
        if self.kind is Parameter.VAR_POSITIONAL:
            return "*" + text
        return "**" + text if self.kind is Parameter.VAR_KEYWORD else text

    def __repr__(self):
        return f'<Parameter "{self}">'


def formatannotation(annotation):
    if isinstance(annotation, type) and not hasattr(annotation, "__origin__"):
        if annotation.__module__ == "builtins":
            return annotation.__qualname__
        return annotation.__module__ + "." + annotation.__qualname__
    return repr(annotation)


class Signature:
    empty = _Empty

    def __init__(self, parameters=None, *, return_annotation=_Empty):
        self.parameters = {}
        for p in parameters or ():
            self.parameters[p.name] = p
        self.return_annotation = return_annotation

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
        return text if self.return_annotation is _Empty else text + " -> " + formatannotation(self.return_annotation)

    def __repr__(self):
        return f"<Signature {self}>"


def signature(obj):
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if isinstance(obj, type):
        return _without_first(signature(obj.__init__))
    if ismethod(obj):
        return _without_first(signature(obj.__func__))
    if hasattr(obj, "__wrapped__"):
        return signature(obj.__wrapped__)
    if not isfunction(obj):
        call = getattr(type(obj), "__call__", None)
        if not isfunction(call):
            _refuse("the signature of a function of C")
        return _without_first(signature(call))
    return _of_function(obj)


def _without_first(sig):
    return Signature(list(sig.parameters.values())[1:], return_annotation=sig.return_annotation)


def _of_function(f):
    code = f.__code__
    names = code.co_varnames
    notes = getattr(f, "__annotations__", None) or {}
    count, keyword_only = code.co_argcount, code.co_kwonlyargcount
    defaults = f.__defaults__ or ()
    keyword_defaults = f.__kwdefaults__ or {}
    found = []
    for i in range(count):
        kind = Parameter.POSITIONAL_ONLY if i < code.co_posonlyargcount else Parameter.POSITIONAL_OR_KEYWORD
        at = i - (count - len(defaults))
        found.append(Parameter(names[i], kind, default=defaults[at] if at >= 0 else _Empty, annotation=notes.get(names[i], _Empty)))
    after = count + keyword_only
    if code.co_flags & _code_varargs:
        found.append(Parameter(names[after], Parameter.VAR_POSITIONAL, annotation=notes.get(names[after], _Empty)))
        after += 1
    for name in names[count:count + keyword_only]:
        found.append(Parameter(name, Parameter.KEYWORD_ONLY, default=keyword_defaults.get(name, _Empty), annotation=notes.get(name, _Empty)))
    if code.co_flags & _code_varkw:
        found.append(Parameter(names[after], Parameter.VAR_KEYWORD, annotation=notes.get(names[after], _Empty)))
    return Signature(found, return_annotation=notes.get("return", _Empty))
