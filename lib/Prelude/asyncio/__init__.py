"""asyncio: coroutines that end without waiting for what is outside of them, in the order in which CPython's loop runs them.

Time does not pass, and nothing comes from files, sockets, processes or other threads: a loop that has nothing left to run, where
CPython's would wait, is refused, and so is sleeping for more than no time. What is not here is refused by its name.
"""
import inspect as _inspect

from _ptc import _python_minor
from _ptc_torch import _refuse
from asyncio.exceptions import BrokenBarrierError, CancelledError, InvalidStateError, TimeoutError
from asyncio.events import AbstractEventLoop, Handle, TimerHandle, _loops, get_event_loop, get_running_loop, new_event_loop, set_event_loop
from asyncio.futures import Future, isfuture
from asyncio.locks import BoundedSemaphore, Condition, Event, Lock, Semaphore
from asyncio.queues import LifoQueue, PriorityQueue, Queue, QueueEmpty, QueueFull
from asyncio.runners import Runner, run
from asyncio.taskgroups import TaskGroup
from asyncio.tasks import (ALL_COMPLETED, FIRST_COMPLETED, FIRST_EXCEPTION, Task, all_tasks, as_completed, create_task, current_task, ensure_future, gather,
                           iscoroutine, iscoroutinefunction, shield, sleep, wait, wait_for)
from asyncio.threads import to_thread
from asyncio.timeouts import Timeout, timeout

if _python_minor() >= 13:
    from asyncio.queues import QueueShutDown
