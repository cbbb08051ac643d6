"""Who is asked for a length before items are collected, and what asking raises."""
import operator
import sys


ASKED = []


class Counted:
    def __len__(self):
        ASKED.append("len")
        return 2

    def __iter__(self):
        ASKED.append("iter")
        return iter([1, 2])


class Hinted:
    def __length_hint__(self):
        ASKED.append("hint")
        return 2

    def __iter__(self):
        return iter([1, 2])


class Iterator:
    def __init__(self):
        self.i = 0

    def __len__(self):
        ASKED.append("len")
        return 2

    def __iter__(self):
        return self

    def __next__(self):
        self.i += 1
        if self.i > 2:
            raise StopIteration
        return self.i


class List(list):
    def __len__(self):
        ASKED.append("len")
        return 7


class Tuple(tuple):
    def __len__(self):
        ASKED.append("len")
        return 7


def gathered(*args):
    return args


def rest(o):
    a, *b = o
    return b


def replaced(o):
    items = [0, 9]
    items[:1] = o
    return items


WAYS = {"list": list, "star": lambda o: [*o], "star of a tuple": lambda o: (*o,), "set display": lambda o: {*o}, "extend": lambda o: [].extend(o),
        "+=": lambda o: [0].__iadd__(o), "slice": replaced, "__setitem__": lambda o: [].__setitem__(slice(0), o), "sorted": sorted, "set": set,
        "frozenset": frozenset, "bytes": bytes, "bytearray": bytearray, "max": max, "sum": sum, "enumerate": lambda o: list(enumerate(o)),
        "map": lambda o: list(map(str, o)), "zip": lambda o: list(zip(o)), "fromkeys": dict.fromkeys, "any": any,
        "comprehension": lambda o: [x for x in o], "init": lambda o: [].__init__(o), "rest": rest}
for name, way in WAYS.items():
    print(name, end=": ")
    for make in (Counted, Hinted, Iterator, lambda: List([1]), *([] if name in ("+=", "bytes") else [lambda: Tuple([1])])):
        print(way(make()), *ASKED, end=" | ")
        ASKED.clear()
    print()
# Tuples are made without asking from 3.14 on.
for way in (tuple, lambda o: gathered(*o)):
    for make, asked in ((Counted, "iter len"), (Hinted, "hint"), (Iterator, "len"), (lambda: List([1]), "len"), (lambda: Tuple([1]), "len")):
        made = way(make())
        wanted = asked if sys.version_info < (3, 14) else "iter" if "iter" in asked else ""
        print(made, " ".join(ASKED) == wanted)
        ASKED.clear()


def class_with(name, answer):
    def ask(self):
        if isinstance(answer, Exception):
            raise answer
        return answer
    return type("C", (), {name: ask, "__iter__": lambda self: iter([1, 2])})


for name in ("__len__", "__length_hint__"):
    for answer in (ValueError("no"), TypeError("no"), -1, "x", NotImplemented, 2 ** 70, True):
        for way in (list, sorted, lambda o: [*o], lambda o: [].extend(o), operator.length_hint):
            try:
                print(way(class_with(name, answer)()), end=" | ")
            except Exception as e:
                print(type(e).__name__, e, end=" | ")
        print()
print(operator.length_hint([1, 2]), operator.length_hint(5, 4), operator.length_hint(Counted()), ASKED)
