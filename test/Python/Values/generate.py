#!/usr/bin/env python3
"""Calls of builtin methods with what CPython answers: the fixtures of the Values test.

usage: PYTHONHASHSEED=0 python3.11 generate.py DIR           write DIR/*.txt, the checked-in tables
       PYTHONHASHSEED=0 python3.11 generate.py --random SEED  print all enumerated calls and random ones

A line is `name TAB argument... TAB = TAB answer`. Values are a letter and a text: n (None), b (bool),
i (int), f (float, 16 hex digits of its bits), c (complex, two of them), s (str, UTF-8), y (bytes), l (list or tuple, items after
`|`); an exception is `!Kind:text`. Bytes that are not plain ASCII stand as \\xNN.
"""
import collections
import itertools
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import python_calls  # noqa: E402


# So many of the enumerated calls go into each table; the live comparison makes all of them.
MAX_FIXED = 2000


def escape(octets):
    return "".join(
        chr(o) if 0x20 <= o < 0x7F and o not in b"\\|" else "\\x%02x" % o for o in octets)


def bits(value):
    if value != value:
        return "7ff8000000000000"
    return "%016x" % struct.unpack("<Q", struct.pack("<d", value))[0]


def encode(value):
    if value is None:
        return "n"
    if value is True or value is False:
        return "b%d" % value
    if isinstance(value, int):
        return "i%d" % value if value.bit_length() < 10000 else "x%x" % value
    if isinstance(value, float):
        return "f" + bits(value)
    if isinstance(value, complex):
        return "c" + bits(value.real) + bits(value.imag)
    if isinstance(value, str):
        return "s" + escape(value.encode("utf-8", "surrogatepass"))
    if isinstance(value, bytes):
        return "y" + escape(value)
    if isinstance(value, (list, tuple)):
        return "l" + "".join("|" + encode(item) for item in value)
    raise TypeError("no encoding for %r" % (value,))


def line(name, args):
    try:
        answer = encode(python_calls.call(name, args))
    except Exception as exc:  # noqa: BLE001: every exception is an answer
        text = str(exc.args[0]) if isinstance(exc, KeyError) and exc.args else str(exc)
        answer = "!%s:%s" % (type(exc).__name__, escape(text.encode("utf-8", "surrogatepass")))
    return "\t".join([name, *map(encode, args), "=", answer])


def sample(calls, rng):
    """At most MAX_FIXED of `calls`, with the first two of each name."""
    seen = collections.Counter()
    first = set()
    for i, (name, _) in enumerate(calls):
        seen[name] += 1
        if seen[name] <= 2:
            first.add(i)
    more = rng.sample(range(len(calls)), min(len(calls), MAX_FIXED))
    return [calls[i] for i in sorted(first.union(more))]


def main(argv):
    if sys.version_info[:2] != (3, 11) or os.environ.get("PYTHONHASHSEED") != "0":
        sys.exit("generate.py: needs CPython 3.11 with PYTHONHASHSEED=0")
    if argv[:1] == ["--random"]:
        rng = random.Random(int(argv[1]))
        for cases in python_calls.TABLES.values():
            for name, args in (*cases.fixed(), *itertools.islice(cases.random(rng), 3000)):
                print(line(name, args))
        return
    for table, cases in python_calls.TABLES.items():
        rng = random.Random(table)
        chosen = sample(list(cases.fixed()), rng)
        chosen += itertools.islice(cases.random(rng), cases.sample)
        lines = dict.fromkeys(line(name, args) for name, args in chosen)
        with open(os.path.join(argv[0], table + ".txt"), "w") as out:
            out.write("\n".join(lines) + "\n")


main(sys.argv[1:])
