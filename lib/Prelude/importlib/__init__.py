"""importlib: modules by name, found where import statements find them."""


def _resolved(name, package):
    if not name.startswith("."):
        return name
    if not package:
        raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
    level = len(name) - len(name.lstrip("."))
    bits = package.rsplit(".", level - 1)
    if len(bits) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return f"{bits[0]}.{name[level:]}" if name[level:] else bits[0]


def import_module(name, package=None):
    return __import__(_resolved(name, package), fromlist=("__name__",))


def invalidate_caches():
    pass
