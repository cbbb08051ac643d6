"""asyncio.exceptions"""


class CancelledError(BaseException):
    """The future or task was cancelled."""


TimeoutError = TimeoutError


class InvalidStateError(Exception):
    """The operation is not allowed in this state."""


class BrokenBarrierError(RuntimeError):
    """A barrier is broken."""
