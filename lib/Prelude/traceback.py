"""traceback: what it prints on standard error is left out, since it names lines of source files, which are not looked at.
Printed anywhere else it is refused. Functions that are not here give texts that nobody knows."""
import sys
from _ptc_torch import _refuse


def _leave_out(name, file):
    stream = sys.stderr if file is None else file
    if stream is not sys.__stderr__:
        _refuse(f"traceback.{name} that does not print on standard error")


def print_tb(tb, limit=None, file=None):
    _leave_out("print_tb", file)


def print_exception(exc, /, value=None, tb=None, limit=None, file=None, chain=True, **kwargs):
    if not isinstance(exc if value is None else value, BaseException):
        _refuse("traceback.print_exception of what is no exception")
    _leave_out("print_exception", file)


def print_exc(limit=None, file=None, chain=True):
    _leave_out("print_exc", file)


def print_last(limit=None, file=None, chain=True):
    _leave_out("print_last", file)


def print_stack(f=None, limit=None, file=None):
    _leave_out("print_stack", file)


def print_list(extracted_list, file=None):
    _leave_out("print_list", file)
