# Methods taken from their class and called on something else.
def attempt(name, call):
    try:
        print(name, call())
    except TypeError as e:
        print(name, "TypeError:", e)


attempt("upper", lambda: str.upper(5))
attempt("expandtabs", lambda: str.expandtabs(5))
attempt("append", lambda: list.append(3, 4))
attempt("get", lambda: dict.get([], 1))
attempt("hex", lambda: bytes.hex("a"))
attempt("add", lambda: set.add([], 1))
attempt("union", lambda: frozenset.union([], 1))
attempt("index", lambda: range.index(3, 4))
attempt("indices", lambda: slice.indices(3, 4))
attempt("mro", lambda: type.mro(3))
attempt("add_note", lambda: BaseException.add_note(3, "a"))
attempt("format", lambda: str.format(3))
attempt("exception text", lambda: BaseException.__str__(3))
attempt("list init", lambda: list.__init__(3))
attempt("list iter", lambda: list.__iter__(3))
attempt("int add", lambda: int.__add__("a", 1))
attempt("call of a type", lambda: type.__call__(3))
attempt("nothing", lambda: list.append())
attempt("str new", lambda: str.__new__(3))
attempt("str new of int", lambda: str.__new__(int))
attempt("no class", lambda: str.__new__())
attempt("from_bytes", lambda: int.from_bytes(b"a", 3))
try:
    bytes.fromhex(3)
except TypeError:
    print("fromhex TypeError")          # its text differs from 3.14 on
attempt("maketrans", lambda: str.maketrans(3))
attempt("build_class", lambda: __build_class__(3, "A"))


class Mine(list):
    pass


class Name(str):
    pass


mine = Mine([1])
list.append(mine, 2)
print(mine, list.__len__(mine), str.upper(Name("a")), dict.get({1: 2}, 1), object.__repr__(3) != "")
print(Name.__new__(Name, "x"), str.__new__(Name, "y"), b"a\tb".expandtabs(4), bool.__add__(True, 2))
print(bytes.hex(b"\x01"), bytearray.hex(bytearray(b"\x02")), list(map(str.strip, [" a "])))
attempt("partition", lambda: "a".partition(3))
attempt("removeprefix", lambda: "a".removeprefix(3))
attempt("maketrans of two", lambda: str.maketrans(3, "a"))
