"""await, asynchronous loops and generators."""


def _get_awaitable(v, where):
    f = _lookup(type(v), "__await__")
    if f is _missing:
        if where:
            raise TypeError(f"'async with' received an object from {'__aenter__' if where == 1 else '__aexit__'} that does not implement __await__: "
                            + _type_name(v))
        raise _not_awaitable(v)
    return _awaited(f(v), v)


def _not_awaitable(v):
    return TypeError(f"object {_type_name(v)} can't be used in 'await' expression" if _python_minor() < 14 else f"'{_type_name(v)}' object can't be awaited")


def _awaited(it, v):
    """What __await__() of `v` gave, as an iterator to which values and exceptions can be sent."""
    is_coroutine = type(it) is _Coroutine
    if not is_coroutine and _is_native_iterator(it):
        return it
    if is_coroutine or _lookup(type(it), "__next__") is _missing:
        if _python_minor() >= 15:
            raise TypeError(f"{_type_name(v)}.__await__() must return an iterator, not {_type_name(it)}")
        raise TypeError("__await__() returned a coroutine" if is_coroutine else f"__await__() returned non-iterator of type '{_type_name(it)}'")
    return _delegate(it)


class _CoroutineWrapper:
    """The iterator that __await__() of a coroutine gives."""
    _ptc_known_as = "builtins.coroutine_wrapper"

    def __init__(self, coroutine):
        self._ptc_coroutine = coroutine

    def __iter__(self):
        return self

    def __next__(self):
        return _gen_send(self._ptc_coroutine, None)

    def send(self, value, /):
        return _gen_send(self._ptc_coroutine, value)

    def throw(self, type, value=None, traceback=None, /):
        return _gen_throw(self._ptc_coroutine, type, value)

    def close(self):
        self._ptc_coroutine.close()


def _coroutine_wrapper(coroutine):
    return _CoroutineWrapper(coroutine)


def _get_aiter(v):
    f = _lookup(type(v), "__aiter__")
    if f is _missing:
        raise TypeError(f"'async for' requires an object with __aiter__ method, got {_type_name(v)}")
    it = f(v)
    if _lookup(type(it), "__anext__") is _missing:
        raise TypeError(f"'async for' received an object from __aiter__ that does not implement __anext__: {_type_name(it)}")
    return it


def _get_anext(it):
    f = _lookup(type(it), "__anext__")
    if f is _missing:
        raise TypeError(f"'async for' requires an iterator with __anext__ method, got {_type_name(it)}")
    v = f(it)
    if type(v) is _Coroutine or _is_native_iterator(v):
        return v
    f = _lookup(type(v), "__await__")
    try:
        if f is _missing:
            raise _not_awaitable(v)
        return _awaited(f(v), v)
    except TypeError as error:
        raise TypeError(f"'async for' received an invalid object from __anext__: {_type_name(v)}") from error


class _AsyncItem:
    """What an asynchronous generator yields, told from what it awaits."""

    def __init__(self, value):
        self._ptc_value = value


def _async_item(value):
    return _AsyncItem(value)


def _async_send(generator, value):
    return _AsyncStep(_async_steps(generator, value, None))


def _async_throw(generator, kind, value):
    return _AsyncStep(_async_steps(generator, None, _exception_of(kind, value)))


def _async_close(generator):
    return _AsyncStep(_async_closing(generator))


class _AsyncStep:
    """What __anext__(), asend(), athrow() and aclose() give: awaited once."""
    _ptc_known_as = "builtins.async_generator_asend"

    def __init__(self, steps):
        self._ptc_steps = steps

    def __await__(self):
        return self._ptc_steps

    def __iter__(self):
        return self._ptc_steps

    def __next__(self):
        return _gen_send(self._ptc_steps, None)

    def send(self, value, /):
        return _gen_send(self._ptc_steps, value)

    def throw(self, type, value=None, traceback=None, /):
        return _gen_throw(self._ptc_steps, type, value)

    def close(self):
        _gen_close(self._ptc_steps)


def _async_steps(generator, value, error):
    """Runs an asynchronous generator up to what it yields, which is the result; what it awaits goes to the caller."""
    while True:
        try:
            x = _gen_send(generator, value) if error is None else _gen_throw(generator, error)
        except StopIteration:
            raise StopAsyncIteration from None
        if isinstance(x, _AsyncItem):
            return x._ptc_value
        value, error = None, None
        try:
            value = yield x
        except BaseException as thrown:
            error = thrown


def _async_closing(generator):
    if not _gen_suspended(generator):
        return
    try:
        yield from _async_steps(generator, None, GeneratorExit())
    except (StopAsyncIteration, GeneratorExit):
        return
    raise RuntimeError("async generator ignored GeneratorExit")


async def _no_coroutine():
    pass


async def _no_items():
    yield


_Coroutine, _AsyncGenerator = type(_no_coroutine()), type(_no_items())


def aiter(async_iterable, /):
    f = _lookup(type(async_iterable), "__aiter__")
    if f is _missing:
        raise TypeError(f"'{_type_name(async_iterable)}' object is not an async iterable")
    it = f(async_iterable)
    if _lookup(type(it), "__anext__") is _missing:
        raise TypeError(f"aiter() returned not an async iterator of type '{_type_name(it)}'" if _python_minor() < 15 else
                        f"{_type_name(async_iterable)}.__aiter__() must return an async iterator, not {_type_name(it)}")
    return it


def anext(async_iterator, default=_missing, /):
    f = _lookup(type(async_iterator), "__anext__")
    if f is _missing:
        raise TypeError(f"'{_type_name(async_iterator)}' object is not an async iterator")
    v = f(async_iterator)
    return v if default is _missing else _AsyncStep(_next_or(v, default))


def _next_or(awaitable, default):
    try:
        return (yield from _CoroutineWrapper(awaitable) if type(awaitable) is _Coroutine else _get_awaitable(awaitable, 0))
    except StopAsyncIteration:
        return default
