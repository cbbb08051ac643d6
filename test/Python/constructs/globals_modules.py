"""Module attributes, __name__, docstrings, sys, __main__ guard, dir, builtins through names."""
"""not the docstring"""
import sys
import collections.abc
from math import pi as PI, sqrt
import math as m, operator as o

print(__name__, __doc__[:6], PI == m.pi, sqrt(4), o.add(1, 2), collections.abc.Sized.__name__)
value = 1
globals()["dynamic"] = 5
print(dynamic, globals()["value"], "value" in globals(), "nope" in vars(), sys.version_info[0], sys.version_info >= (3, 11), isinstance(sys.argv, list))
if __name__ == "__main__":
    print("main")


def f():
    "documented"
    x = 1
    return locals()


print(f(), f.__doc__, f.__name__, f.__module__ == __name__, type(sys).__name__, m.__name__, hasattr(m, "cos"), getattr(m, "nope", "no"))
try:
    m.nope
except AttributeError as e:
    print(e)
try:
    from math import nope
except ImportError as e:
    print(type(e).__name__, e.name)
try:
    import not_there.sub
except ModuleNotFoundError as e:
    print(e)
try:
    import fast_json as json_like
except ImportError:
    json_like = None
print(json_like, __builtins__ is not None, sys.maxsize > 2 ** 30, sys.byteorder)
exec_free = (lambda: sorted(k for k in globals() if k.startswith("v")))()
print(exec_free, callable(print), __file__.endswith("globals_modules.py") or __file__.endswith(".pyc"))
import _collections_abc
import collections.abc
import os.path
print([(m.__name__, m.__package__) for m in (_collections_abc, os.path, collections)], collections.abc.__name__)
print(collections.abc.__package__ == ("" if sys.version_info >= (3, 13) else "collections"))
