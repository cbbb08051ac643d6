"""Texts for bounds that are no integers, bytearrays with views, the text of a dataclass with an empty one, line ends of csv."""
import csv
import dataclasses
import io
import sys


def noted(call):
    try:
        return call()
    except Exception as e:
        return f"{type(e).__name__}: {e}".replace(" or None", "")  # 3.15 leaves it out


for method in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith"):
    for s in ("abc", b"abc", bytearray(b"abc")):
        print(method, noted(lambda: getattr(s, method)(s[:1], "b")), noted(lambda: getattr(s, method)(s[:1], None, True)),
              noted(lambda: getattr(s, method)(s[:1], 0, 1.5)))
print(noted(lambda: [1].index(1, "a")), noted(lambda: (1,).index(1, None)), noted(lambda: [1].index(1, 0, 2.5)), [1].index(1, False))

b = bytearray(b"abc")
with memoryview(b) as m:
    for change in (lambda: b.extend(b"x"), lambda: b.pop(), lambda: b.clear(), lambda: b.__setitem__(slice(0, 1), b"xy"), lambda: b.__delitem__(0),
                   lambda: b.insert(0, 1), lambda: b.remove(97), lambda: b.__iadd__(b"x"), lambda: b.append(1), lambda: b.reverse(),
                   lambda: b.__setitem__(0, 5), lambda: b.__setitem__(slice(0, 1), b"z"), lambda: b.extend(b"")):
        print(noted(change), b, bytes(m))
b.append(1)
print(b, noted(lambda: m[0]), noted(lambda: len(m)), noted(m.tobytes), m.release())
first = memoryview(b)
second = first[1:]
first.release()
second.release()
b += b"more"
print(b)
f = io.BytesIO(b"abc")
with f.getbuffer() as view:
    view[0] = 120
    print(noted(lambda: f.write(b"longer")))
print(f.write(b"longer"), f.getvalue())


@dataclasses.dataclass
class Empty:
    """"""
    a: int


print(repr(Empty.__doc__))
LATER = sys.version_info >= (3, 14)
for value, text in ((None, '"lineterminator" must be a string, not NoneType' if LATER else "lineterminator must be set"),
                    (5, '"lineterminator" must be a string' + ", not int" * LATER)):
    print(noted(lambda: csv.writer(io.StringIO(), lineterminator=value)) == "TypeError: " + text)
for name, value in (("delimiter", 5), ("quotechar", 5), ("escapechar", "ab"), ("quoting", "a")):
    print(name, noted(lambda: csv.writer(io.StringIO(), **{name: value}))[:len(name) + 20])
