"""Text of values that are known at run time only: f-strings, format, %, str, repr, print."""
import sys
import torch
from collections import OrderedDict, namedtuple
from dataclasses import dataclass

Point = namedtuple("Point", ["x", "y"])


@dataclass
class Box:
    name: str
    value: float


class Named:
    def __init__(self, v):
        self.v = v

    def __repr__(self):
        return f"<Named {self.v:.1f}>"

    def __str__(self):
        return f"named {self.v}"

    def __format__(self, spec):
        return f"[{spec}|{self.v:{spec or '.1f'}}]"


def numbers(x):
    v = x.sum().item()
    n = int(x.max().item())
    b = v > 4
    print(f"{v}|{v:.3f}|{v:10.2e}|{v:+g}|{v:,.1f}|{v:%}|{v!r:>12}|{v!s:<12}|{v=}")
    print(f"{n}|{n:5d}|{n:<5}|{n:^7}|{n:08b}|{n:x}|{n:+,}|{n:.2f}|{n!r}|{n=:>6}")
    print(f"{b}|{b!r}|{b:>8}|{b:d}|{not b}")
    print("%s %r %d %5.2f %-8s| %x %e %%" % (v, v, n, v, b, n, v))
    print("%(a)s and %(b).1f" % {"a": n, "b": v})
    print("%d of %5s" % (n, str(v)), "%*d" % (6, n), "%s" % n)
    print("{} {:.2f} {k:>8}".format(v, v, k=n), "{0!r} {0:.1f} {1}".format(v, n))
    print(format(v, ".1f"), format(n), format(b), str(b) + repr(n) + ascii(v))
    return v, n


def strings(x):
    v = x.mean().item()
    s = "value " + str(v)
    s += "!"
    t = f"<{s:>30}>" + f"{s!r}"
    u = ", ".join([str(v), "a", repr(int(v))])
    parts = []
    for i in range(3):
        parts.append(f"x[{i}]={x[i].item():.1f}")
    return s, t, u, "; ".join(parts), f"{s}", "%s/%10s" % (s, s)


def choices(x):
    name = "big" if x.sum() > 4 else "small"
    tag = f"{name}:{x.max().item():.1f}" if x.max() > 2 else f"tiny {int(x[0])}"
    print(name, tag, f"[{name:>6}]", name.upper())
    return name, tag, len(name)


def containers(x):
    v = x.sum().item()
    n = int(v)
    p = Point(v, n)
    b = Box("b", v)
    d = OrderedDict([("a", v), ("b", [n, (v,)])])
    print([v, n], (v,), {"k": v, 2: n}, (n, "s"), [[v], []], {n > 2: None})
    print(p, b, [p, b], dict(d), Named(v), [Named(v)], f"{Named(v)} {Named(v)!r} {Named(v):.3f}")
    print(f"{[v, 'a']} {(n,)!r:>8}", str([v]) + "?", repr({"z": (v, n)}))
    print([x.sum(), x > 0], {"t": x[:2]}, (x.long(),))
    return [str(p), repr(b)]


def shapes(x):
    y = x[x > 0]
    print(y.shape, y.size(0), x.shape, x.dtype, x.device, [y.shape], f"{y.shape} {tuple(y.shape)} {y.numel():>4}")
    print(x.size(), len(y), y.dim(), torch.float32, torch.channels_last, [x.device, x.dtype])
    return str(y.shape)


def snapshots(x):
    s = str(x)
    t = f"{x[0]} {x}"
    x.add_(1)
    print(s, t, x)
    return s


def zero_dim(x):
    t = x.sum()
    print(t, f"{t}", f"{t:.2f}", "%.1f" % t, "%d" % t, "%s" % t, "{:.3f}".format(t), str(t), [t])
    print(f"{(x > 0).any()} {x.argmax()} {x.argmax():3d} {x.numel()}")
    return x


def streams(x):
    v = x.sum().item()
    print("out", v, file=sys.stdout)
    n = sys.stdout.write(f"out {v}\n")
    print(n, len(f"é{v}"))
    print(v, end="")
    print("", v, sep="-", flush=True)
    return x


def loop_text(x):
    n = 0
    last = "none"
    while x.sum() < 8:
        x = x + 1
        n += 1
        last = f"pass {n} of {x.max().item():.1f}"
        if n > 5:
            break
    print(last)
    return last, x


def error_text(x):
    v = x.sum().item()
    try:
        if v > 4:
            raise ValueError("too big", v)
        if v > 0:
            raise KeyError(f"k{v}")
        raise RuntimeError(f"low {v:.1f}")
    except ValueError as e:
        return str(e), repr(e), e.args
    except KeyError as e:
        return str(e), repr(e), f"{e}"
    except Exception as e:
        return f"{type(e).__name__}: {e}", repr(e), [e.args[0]]


def named_results(x):
    print(torch.kthvalue(x, 1), torch.aminmax(x), str(x.kthvalue(1)))
    return x
