"""shutil: how wide a terminal is, where there is none. Files and programs have no model."""
from os import environ as _environ, terminal_size as _terminal_size

from _ptc import _assume


def get_terminal_size(fallback=(80, 24)):
    """The environment's, else the fallback."""
    given = []
    for name in ("COLUMNS", "LINES"):
        try:
            given.append(int(_environ[name]))
        except (KeyError, ValueError):
            given.append(0)
    if given[0] <= 0 or given[1] <= 0:
        _assume("standard output is no terminal")
        given = [own if own > 0 else other for own, other in zip(given, fallback)]
    return _terminal_size(given)
