"""bytes and bytearray: literals, methods, slicing, conversion, mutation, comparison, repr."""
b = b"Hello \x00\xff\n'\""
print(b, len(b), b[0], b[-1], b[1:4], b[::-1], list(b[:3]), b"a" b"b", b"x" * 3, b"a" + b"b", 72 in b, b"ell" in b, bytes(3), bytes([65, 66]), bytes("é", "utf-8"), bytes(b"copy"))
print(b.upper(), b.lower(), b"a,b,c".split(b","), b",".join([b"x", b"y"]), b"abc".find(b"c"), b"abc".index(b"b"), b"abcabc".count(b"bc"), b"abc".replace(b"b", b"--"), b" x ".strip(), b"abc".startswith(b"a"), b"abc".endswith((b"x", b"c")))
print(b"abc".hex(), b"abc".hex(":"), bytes.fromhex("61 62 63"), b"abc".decode(), b"\xe2\x82\xac".decode("utf-8"), "€".encode(), b"abc".isalpha(), b"123".isdigit(), b"Abc".title(), b"abc".center(7, b"*"), b"7".zfill(3), b"a b".partition(b" "), b"l1\nl2".splitlines())
print(b"a" < b"b", b"abc" == b"abc", b"a" != "a", hash(b"abc") == hash(b"abc"), sorted([b"b", b"a"]), max(b"abc"), min(b"abc"), sum(b"ab"), tuple(b"ab"), {b"k": 1}[b"k"], b"".join([]), bool(b""), bool(b"\0"))
ba = bytearray(b"hello")
ba[0] = 72
ba.append(33)
ba.extend(b"??")
ba[1:3] = b"EEE"
del ba[-1]
ba += b"."
ba.insert(0, 42)
print(ba, len(ba), ba.pop(), ba.pop(0), bytes(ba), ba.decode(), ba == b"HEEElo!?", ba.find(b"l"), ba.upper(), list(ba[:2]), bytearray(2), bytearray([1, 2]), bytearray("é", "latin-1"))
ba.reverse()
ba.remove(ord("l"))
ba.clear()
print(ba, repr(bytearray(b"q")), bytearray(b"a") + b"b", b"a" + bytearray(b"b"))
print(int.from_bytes(b"\x01\x00", "big"), int.from_bytes(b"\x01\x00", "little"), (258).to_bytes(2, "big"), (258).to_bytes(4, "little"), (-2).to_bytes(2, "big", signed=True), int.from_bytes(b"\xff\xfe", "big", signed=True), int.from_bytes(b""), (10 ** 20).to_bytes(9, "big"))
print(b"%d-%s" % (1, b"x"), [hex(v) for v in b"\x00\x7f\x80"], b"\t\r\n\\", b"tab\there".expandtabs(4), b"abc".translate(bytes(range(256))), b"aXbX".translate(None, b"X"), bytes.maketrans(b"a", b"b")[97], b"xxabxx".strip(b"x"), b"a-b-c".rsplit(b"-", 1), b"prefix-x".removeprefix(b"prefix-"))
mv = memoryview(b"abcdef")
print(mv[1], bytes(mv[1:3]), len(mv), mv.tolist()[:2], mv == b"abcdef")


def attempt(fn):
    try:
        print(fn())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: bytes([256]))
attempt(lambda: bytes("x"))
attempt(lambda: b"a" + "b")
attempt(lambda: b"abc"[5])
attempt(lambda: b"abc".find("b"))
attempt(lambda: bytes(-1))
attempt(lambda: b"\x80".decode())
attempt(lambda: b"\xe2\x82".decode())
attempt(lambda: (300).to_bytes(1, "big"))
attempt(lambda: (-1).to_bytes(1, "big"))
attempt(lambda: bytearray(b"a").append(256))
attempt(lambda: b",".join(["a"]))
attempt(lambda: bytes({"a": 1}))

print(int.from_bytes([1, 2], "big"), int.from_bytes((255, 1), "little", signed=True), int.from_bytes(bytearray(b"ab"), "big"), int.from_bytes({1: 2}, "big"))
for wrong in (5, "ab", None, [256], ["a"]):
    try:
        print(int.from_bytes(wrong, "big"))
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
