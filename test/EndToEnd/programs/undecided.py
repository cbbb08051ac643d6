"""What builtins do with values that differ from side to side, or that only the run knows."""
import math

import torch


def iterator_ends_once(x):
    items = [1]
    it = iter(items)
    if x[0] > 0:
        next(it)
    a = next(it, "end")
    items.append(5)
    return a, next(it, "end"), [v for v in it]


def list_ends_once(x):
    items = [1, 2]
    it = iter(items)
    if x[0] > 0:
        next(it)
    first = [v for v in it]
    items.append(5)
    return first, list(it)


def resized_dict(x):
    d = {1: 1, 2: 2}
    it = iter(d)
    if x[0] > 0:
        next(it)
    d[3] = 3
    try:
        return next(it)
    except RuntimeError as e:
        return str(e)


def views_of_one_of_two(x):
    d, e = {"a": 1}, {"b": 2, "c": 3}
    v = (d if x[0] > 0 else e).keys()
    w = d.items() if x[0] > 0 else e.values()
    return list(v), len(v), list(w), len(w), "a" in v, v == {"a"}, sorted(v), (d if x[1] > 0 else e).pop("a", 7)


def list_or_tuple(x):
    v = [2, 1] if x[0] > 0 else (3, 2)
    n = 7 if x[1] > 0 else 2.5
    return sorted(v), list(reversed(v)), sum(v), max(v), divmod(n, 2), round(n)


def reversed_by_data(x):
    back = bool(x[0] > 0)
    items = [3, 1, 2]
    items.sort(reverse=back)
    return sorted([3, 1, 2], reverse=back), items


def exceptions_with_other_arguments(x):
    e = ValueError("a") if x[0] > 0 else ValueError()
    f = StopIteration(1) if x[1] > 0 else StopIteration()
    return repr(e), f.value, e.args


def text_of_one_of_two(x):
    fill = "*" if x[0] > 0 else "-"
    made = type("A" if x[1] > 0 else "B", (), {"z": 1})
    return "a".center(5, fill), "b".ljust(3, fill), made.__name__, made.z


def powers(x):
    k = 2 if x[0] > 0 else 2.5
    return math.pow(abs(x[1].item()), k), math.atan2(x[1].item(), k), math.sqrt(x[0].abs()), math.pow(x[0].item(), x[2] * 0 + 2)


def step_of_zero(x):
    n = int(x[0].clamp(-2, 2).item())
    total = 0
    try:
        for i in range(0, 6, n):
            total += i
    except ValueError as e:
        return str(e)
    return total


def bools_become_ints(x):
    c = bool(x[0] > 0)
    return +c, c.real, c.__int__(), c.conjugate(), True.real, type(+c) is int


def members_of_ranges(x):
    v, n = x[0].item(), int(x[1].item())
    return n in range(5), n in range(0, 9, 3), x.shape[0] in range(3), x.shape[0] in range(4), v == 1.0


def only_on_one_side(x):
    """Groups of equal neighbours, as CTC decoding collapses them."""
    out, last = [], None
    for k in x.clamp(0, 2).long().tolist():
        if k != last and k != 0:
            out.append(k)
        last = k
    return out


def _either(x, a, b):
    return a if x[0] > 0 else b


def percent_of_one_of_two(x):
    print("[%s] loss %.4f" % (_either(x, "train", "eval"), x.sum().item()))
    try:
        count = "%d" % _either(x, "s", 3)
    except TypeError as e:
        count = str(e)
    mapped = "%(a)s %(b)5.1f" % {"a": _either(x, "s", 3), "b": _either(x, 1, 2.25)}
    shown = "%r %a %c" % (_either(x, "s", None), _either(x, "é", 1), _either(x, "k", 65))
    return count, mapped, shown, "%x %e" % (_either(x, 1, 255), _either(x, 1.5, 2)), (b"%s" % _either(x, b"a", b"bb")).hex()


def parts_of_arguments(x):
    found = "apos".endswith((_either(x, "pos", "neg"), "z")), "apos".startswith(("b", _either(x, "ap", "neg")))
    mapped = "abc".translate({97: _either(x, "Q", None), 98: _either(x, 100, "zz")})
    return found, mapped, int.from_bytes([_either(x, 1, 2), 3], "big")


def slices_of_one_of_two(x):
    s, t = _either(x, slice(0, 1), slice(1, 2)), slice(_either(x, 0, 1), None)
    return s == slice(0, 1), t == slice(0, None), t != slice(0, None), t < slice(1, 2) if x[0] > 5 else s < slice(0, 2), slice(0, x[1].item()) == slice(0, 2.0)


class Named:
    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        return self.name


class Marking(type):
    def __new__(meta, name, bases, names):
        return type.__new__(meta, name, bases, {**names, "marked": True})


def classes_of_one_of_two(x):
    class Slotted:
        __slots__ = (_either(x, "a", "b"),)

    class Derived(_either(x, dict, list)):
        member = _either(x, Named(), 3)

        def __len__(self):
            return 5 + super().__len__()

    class Made(metaclass=_either(x, Marking, type)):
        pass

    called = type("Called", _either(x, (dict,), (list, Named)), {})
    try:
        Slotted().a = 1
        slot = "a"
    except AttributeError:
        slot = "b"
    return slot, Derived.member, len(Derived()), isinstance(Derived(), list), hasattr(Made, "marked"), called.__mro__[1].__name__


def groups_of_one_of_two(x):
    found = []
    try:
        raise ExceptionGroup("g", [_either(x, ValueError("a"), KeyError("b")), TypeError("t")])
    except* (ValueError, TypeError) as e:
        found.append(len(e.exceptions))
    except* _either(x, OSError, (KeyError, OSError)) as e:
        found.append(e.exceptions[0].args)
    return found
