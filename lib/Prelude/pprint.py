"""pprint: what fits one line, or is one piece of text. Breaking lines has no model."""
from _ptc_torch import _refuse


def _ordered(items, key):
    try:
        return sorted(items, key=key)
    except TypeError:
        _refuse("pprint of keys that have no order")


def _text(v, sort):
    """As repr(), with keys in order."""
    kind = type(v)
    if kind is dict:
        items = _ordered(v.items(), lambda item: item[0]) if sort else v.items()
        return "{" + ", ".join([_text(k, sort) + ": " + _text(x, sort) for k, x in items]) + "}"
    if kind is list:
        return "[" + ", ".join([_text(x, sort) for x in v]) + "]"
    if kind is tuple:
        return "(" + ", ".join([_text(x, sort) for x in v]) + (",)" if len(v) == 1 else ")")
    if isinstance(v, dict):
        _refuse("pprint of a dict of another type")
    return repr(v)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False, **options):
    if depth is not None or underscore_numbers or options:
        _refuse("pprint with depth, underscore_numbers or options of later versions")
    text = _text(object, sort_dicts)
    if len(text) > width:
        _refuse("pprint of what does not fit one line")
    return text


def pprint(object, stream=None, *args, **kwargs):
    text = pformat(object, *args, **kwargs)
    if stream is None:
        import sys
        stream = sys.stdout
    if stream is not None:
        stream.write(text + "\n")


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)
