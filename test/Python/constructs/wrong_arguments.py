# Arguments of the wrong kind for methods of bytes, str and int, and classes' __new__ on no class.
def attempt(name, call):
    try:
        print(name, call())
    except (TypeError, ValueError) as e:
        print(name, type(e).__name__ + ":", e)


for wrong in (3, 2.5, "a", None, [1]):
    attempt("partition", lambda: b"a".partition(wrong))
    attempt("rpartition", lambda: b"a".rpartition(wrong))
    attempt("removeprefix", lambda: b"a".removeprefix(wrong))
    attempt("removesuffix", lambda: b"a".removesuffix(wrong))
    attempt("replace", lambda: b"a".replace(wrong, b""))
    attempt("replace by", lambda: b"a".replace(b"", wrong))
    attempt("maketrans", lambda: bytes.maketrans(wrong, b""))
    attempt("maketrans to", lambda: bytes.maketrans(b"", wrong))
    attempt("translate without", lambda: b"a".translate(None, wrong))
    if wrong is not None:
        attempt("strip", lambda: b"a".strip(wrong))
        attempt("lstrip", lambda: b"a".lstrip(wrong))
        attempt("rstrip", lambda: b"a".rstrip(wrong))
        attempt("split", lambda: b"a".split(wrong))
        attempt("rsplit", lambda: b"a".rsplit(wrong))
        attempt("translate", lambda: b"a".translate(wrong))
    attempt("str translate", lambda: "ab".translate({97: wrong}))
    attempt("str maketrans", lambda: str.maketrans("a", "b", wrong))
    attempt("to_bytes", lambda: (3).to_bytes(1, wrong))
    attempt("to_bytes length", lambda: (3).to_bytes(wrong, "big"))
    attempt("to_bytes signed", lambda: (3).to_bytes(1, "big", signed=wrong))
    attempt("from_bytes", lambda: int.from_bytes(b"\xff", wrong))
    attempt("from_bytes signed", lambda: int.from_bytes(b"\xff", "big", signed=wrong))
    attempt("str new", lambda: str.__new__(wrong))
    if wrong != "a":
        attempt("float fromhex", lambda: float.fromhex(wrong))
attempt("bytes new", lambda: bytes.__new__(b"a"))
attempt("str new of str", lambda: str.__new__("a", "b"))
attempt("tuple new", lambda: tuple.__new__((1, 2)))
attempt("translate too high", lambda: "a".translate({97: 0x110000}))

attempt("indices", lambda: slice(1, 2).indices(-1))
for change in (lambda: bytearray.clear(3), lambda: bytearray.append(b"a", 1), lambda: bytearray.__imul__(3, 1),
               lambda: bytearray.__setitem__(b"ab", 0, 1), lambda: bytearray.__delitem__(b"ab", 0)):
    try:
        print(change())
    except TypeError:
        print("TypeError")                  # its text names the method in CPython
attempt("getter", lambda: int.real())
attempt("getter of another", lambda: BaseException.args(3))
print((3).to_bytes(2, "little"), (-3).to_bytes(2, "big", signed=1))
