"""Functions in threads that coroutines wait for: each runs to its end when it is asked for, as threads do here."""
from asyncio.events import get_running_loop as _get_running_loop
from contextvars import copy_context as _copy_context


async def to_thread(func, /, *args, **kwargs):
    context = _copy_context()
    return await _get_running_loop().run_in_executor(None, lambda: context.run(func, *args, **kwargs))
