"""pprint: containers over several lines."""
import io
import pprint
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from types import SimpleNamespace


@dataclass
class Layer:
    name: str
    sizes: list = field(default_factory=list)
    hidden: int = field(default=3, repr=False)


CONFIG = {"model": {"layers": 12, "heads": [8] * 12, "name": "a long name " * 9, "dropout": 0.1}, "b": (1,), "a": {"x": None, "y": {}}, "c": list(range(40)),
          "empty": [[], (), {}, set()]}
VALUES = [CONFIG, [CONFIG], list(range(60)), tuple("word%d" % i for i in range(20)), {i: i * i for i in range(30)}, {100 - i for i in range(40)}, frozenset(range(40)),
          "one two three " * 10, "lines\nof\ntext " * 6, ["text " * 20, b"bytes"], OrderedDict((str(i), [i] * 5) for i in range(8)),
          defaultdict(list, {"k%d" % i: [i] for i in range(12)}), SimpleNamespace(a=1, b=list(range(30))), Layer("conv", list(range(30))),
          [Layer("a"), Layer("b" * 70)], {"z": 1, "a": 2}, 10**6, [1.5, 10**9], ("x" * 90,), {"k": ("y" * 80,)}, []]
for v in VALUES:
    for options in ({}, {"width": 40}, {"indent": 4}, {"compact": True, "width": 30}, {"depth": 1}, {"sort_dicts": False}, {"underscore_numbers": True}):
        print(pprint.pformat(v, **options))
pprint.pprint(CONFIG)
pprint.pp(CONFIG, width=60)
out = io.StringIO()
pprint.pprint([1, 2], stream=out, width=2)
pprint.PrettyPrinter(width=20, stream=out).pprint({"b": 1, "a": [1, 2, 3, 4, 5, 6, 7]})
print(repr(out.getvalue()), pprint.saferepr({"b": 1, "a": 2}), pprint.PrettyPrinter(indent=2).pformat({"a": [1]}))
for wrong in ({"indent": -1}, {"depth": 0}, {"width": 0}):
    try:
        pprint.PrettyPrinter(**wrong)
    except ValueError as e:
        print(e)
