"""platform: the compiled program's system is x86-64 Linux. What is said of the machine that it runs on is not known."""
import sys as _sys


def system():
    return "Linux"


def machine():
    return "x86_64"


def python_implementation():
    return "CPython"


def python_version_tuple():
    return tuple(python_version().split("."))


def python_version():
    return "{}.{}.{}".format(*_sys.version_info[:3])
