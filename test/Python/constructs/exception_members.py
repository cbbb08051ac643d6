"""Members of OSError, UnicodeError, SyntaxError and ImportError, and the texts made of them."""
# needs: 64-bit
def show(e, *names):
    print(type(e).__name__, repr(str(e)), e.args, [getattr(e, n, "missing") for n in names])
O = ("errno", "strerror", "filename", "filename2")
for a in [(), ("x",), (2, "x"), (2, "x", "f"), (2, "x", "f", None, "g"), (2, "x", None), (13, "p"), (17, "e"), (32, "b"), (11, "a"), (104, "r"), (4, "i"), (110, "t"), (1, "perm"), (3, "esrch"), (10, "ch"), (20, "nd"), (21, "isd"), (103, "ab"), (111, "ref"), (108, "esh"), (115, "inp"), (114, "alr"), (5, "eio"), ("2", "s"), (2, "a", "b", "c", "d", "e"), (2.0, "float"), (True, "bool"), (None, None), (2, None), (2, "x", b"raw")]:
    show(OSError(*a), *O)
show(FileNotFoundError(13, "x"), *O)
class E(OSError):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.mine = 1
show(E(2, "q"), *O, "mine")
class N(OSError): pass
show(N(2, "q", "file"), *O)
class M(OSError):
    def __init__(self, text):
        self.text = text
show(M("hello"), *O)
class W(OSError):
    def __new__(cls, x, **k): return super().__new__(cls, 2, x)
    def __init__(self, *a, **k): pass
show(W("hello", z=1), *O)
class K(OSError):
    def __init__(self, *, code):
        super().__init__(code, "kw")
show(K(code=3), *O)
e = OSError(2, "x"); e.filename = "later"; show(e, *O); e.errno = 5; print(str(e), e.args, vars(e)); e.extra = 1; print(vars(e))
e = OSError(2, "x"); e.strerror = "new"; print(e)
try:
    raise OSError(2, "No such file", "a.txt")
except FileNotFoundError as e:
    show(e, *O); print(repr(e))
try: OSError(2, "x", k=1)
except TypeError as t: print(t)
U = ("encoding", "object", "start", "end", "reason")
for cls, a in [(UnicodeDecodeError, ("utf-8", b"\xff\xfe", 0, 1, "bad")), (UnicodeDecodeError, ("utf-8", b"\xff\xfe", 0, 2, "bad")), (UnicodeEncodeError, ("ascii", "a\xe9b", 1, 2, "no")), (UnicodeEncodeError, ("ascii", "a\u20acb", 1, 2, "no")), (UnicodeEncodeError, ("ascii", "a\U0001f600b", 1, 2, "no")), (UnicodeEncodeError, ("ascii", "a\xe9b", 1, 3, "no"))]:
    show(cls(*a), *U)
show(UnicodeTranslateError("a\xe9b", 1, 2, "no"), *U)
show(UnicodeTranslateError("a\xe9b", 0, 2, "no"), *U)
for f in [lambda: UnicodeDecodeError("x"), lambda: UnicodeDecodeError(), lambda: UnicodeEncodeError("a", "b", 1, 2), lambda: UnicodeDecodeError(1, b"", 0, 1, ""), lambda: UnicodeDecodeError("a", "s", 0, 1, ""), lambda: UnicodeEncodeError("a", b"s", 0, 1, ""), lambda: UnicodeEncodeError("a", "s", 0.5, 1, ""), lambda: UnicodeEncodeError("a", "s", 0, 1, 3), lambda: UnicodeTranslateError("a", 1), lambda: UnicodeEncodeError("a", "s", 0, "1", "")]:
    try: print(f())
    except TypeError as t: print(t)
try: b"ab\xff".decode()
except UnicodeDecodeError as u: show(u, *U)
try: "abé".encode("ascii")
except UnicodeEncodeError as u: show(u, *U)
try: b"\xd8".decode("utf-16")
except UnicodeDecodeError as u: show(u, *U)
try: "a\ud800".encode("utf-16")
except UnicodeEncodeError as u: show(u, *U)
try: "a\ud800".encode()
except UnicodeError as u: show(u, *U); u.reason = "other"; u.start = 0; print(u)
S = ("msg", "filename", "lineno", "offset", "text", "end_lineno", "end_offset", "print_file_and_line")
for a in [(), ("m",), ("m", ("f.py", 3, 4, "text")), ("m", ("f.py", 3, 4, "text", 5, 6)), ("m", (None, 3, None, None)), ("m", ("dir/f.py", None, 4, "t")), ("m", ["f", 1, 2, "l"]), ("a", "b", "c")]:
    try: show(SyntaxError(*a), *S)
    except Exception as x: print(type(x), x)
show(IndentationError("m", ("f.py", 3, 4, "text")), *S)
for a in [("m", (1,)), ("m", 5), ("m", ("f", 1, 2, "l", 5))]:
    try: show(SyntaxError(*a), *S)
    except Exception as x: print(type(x), x)
e = SyntaxError("m"); e.msg = "changed"; e.lineno = 7; print(e, e.args)
show(ImportError("x", name="n"), "msg", "name", "path")
show(ImportError(), "msg", "name", "path")
show(ImportError("a", "b"), "msg", "name", "path")
print(vars(ImportError("x", name="n")))
try:
    import no_such_module
except ImportError as e:
    show(e, "msg", "name", "path")
