"""Slices, bytes and sizes made of what data decides: values, lengths and types."""
import struct
import torch

HELD = bytearray(8)


def longer(x):
    l = [1, 2, 3]
    a = [4, 5]
    if x[0] > 3:
        a.append(6)
    l[1:2] = a
    return l


def chosen(x):
    l = [1, 2, 3]
    l[:] = [1, 2] if x[0] > 3 else [3]
    return l


def other_kinds(x):
    l = [1, 2, 3]
    l[:] = (1, 2) if x[0] > 3 else (3,)
    l[1:] = "ab" if x[0] > 3 else "c"
    return l


def no_iterable(x):
    l = [1, 2, 3]
    try:
        l[:] = [5] if x[0] > 3 else 7
    except TypeError:
        return "T"
    return l


def of_bytearray(x):
    b = bytearray(1)
    if x[0] > 3:
        b[0] = 1
    return bytes(b).hex()


def of_types(x):
    E = 1 if x[0] > 3 else 'a'
    try:
        return bytes([E]).hex()
    except TypeError:
        return "T"


def of_state(x):
    r = bytes(HELD)
    struct.pack_into("<b", HELD, 0, 7)
    return r.hex()


def of_lengths(x):
    v = bytearray(b"a")
    if x[0] > 3:
        v += b"q"
    return bytes(v).hex(), bytes(v[1:2]).hex(), v == b"a", v.find(b"q")


def size_of_text(x):
    try:
        return torch.Size(["a"])
    except TypeError as e:
        return str(e)


def size_of_float(x):
    try:
        return torch.Size([2.5])
    except TypeError as e:
        return str(e)


def size_of_ints(x):
    return torch.Size([2, x.shape[0], True])


def entry(x):
    return [f(x) for f in (longer, chosen, other_kinds, no_iterable, of_bytearray, of_types, of_state, of_lengths, size_of_text, size_of_float, size_of_ints)]
