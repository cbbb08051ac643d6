"""hashlib, base64, codecs and struct."""
import base64
import codecs
import hashlib
import struct

for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
    for data in (b"", b"abc", b"x" * 55, b"y" * 64, bytes(range(256))):
        print(name, getattr(hashlib, name)(data).hexdigest())
digest = hashlib.new("sha256")
digest.update(b"ab")
again = digest.copy()
again.update(bytearray(b"c"))
print(digest.hexdigest(), again.digest(), again.name, again.digest_size, again.block_size)
try:
    hashlib.md5("text")
except TypeError as problem:
    print(problem)

for data in (b"", b"a", b"ab", b"abc", bytes(range(250, 256)) + b"\x3e\x3f"):
    text = base64.b64encode(data)
    print(text, base64.b64decode(text), base64.b64decode(text.decode()), base64.urlsafe_b64encode(data), base64.b16encode(data))
    print(base64.urlsafe_b64decode(base64.urlsafe_b64encode(data)) == data, base64.b16decode(base64.b16encode(data)) == data)
print(base64.b64decode("YW\nJj"), base64.b64decode(b"YWJj", validate=True), base64.b64encode(b"\xfb\xff", altchars=b"-_"))

for form, values in (("<if", (1, 2.5)), (">hHbBqQ", (-2, 65535, -128, 255, -2**63, 2**64 - 1)), ("@bq", (1, 2)), ("=bq", (1, 2)), ("4s3p2x?c", (b"ab", b"xyz", 1, b"q")),
                     ("!eeee", (1.5, -0.0, 65504.0, 5.9e-8)), ("<ffff", (1e-45, 3.4e38, float("inf"), -0.1)), ("<d", (1 / 3,)), ("ic", (1, b"x")), ("3h", (1, 2, 3)), ("", ())):
    packed = struct.pack(form, *values)
    print(form, packed, struct.calcsize(form), struct.unpack(form, packed))
pair = struct.Struct("<hi")
print(pair.size, pair.format, pair.pack(1, 2), list(pair.iter_unpack(pair.pack(1, 2) * 2)), pair.unpack_from(b"__" + pair.pack(5, 6), 2))
for form, values in (("<h", ()), ("y", (1,)), ("3", ()), ("<i", ("a",)), ("f", ("a",)), ("c", (b"ab",)), ("<f", (1e39,)), ("4s", (1,))):
    try:
        struct.pack(form, *values)
    except (struct.error, OverflowError) as problem:
        print(type(problem).__name__, problem)
try:
    struct.unpack("<i", b"123")
except struct.error as problem:
    print(problem)


def tried(function):
    """The kind of what is raised; and the text, where every version has the same."""
    try:
        print(function())
    except Exception as problem:
        kind = ValueError if isinstance(problem, ValueError) else type(problem)
        print(kind.__name__, problem if isinstance(problem, (struct.error, OverflowError)) else "")


class Bytes(bytes):
    def __bytes__(self):
        return b"other"


# What is no buffer is an error, and no number of zeros or list of numbers.
for given in (4, [1, 0, 1, 0], (1, 0, 1, 0), "abcd", None, 1.5, {1: 2}, bytearray(b"abcd"), memoryview(b"abcd"), Bytes(b"abcd")):
    print(type(given).__name__)
    for function in (lambda: struct.unpack("<2h", given), lambda: struct.unpack_from("<2h", given), lambda: list(struct.iter_unpack("<2h", given)),
                     lambda: base64.b64encode(given), lambda: base64.b16encode(given),
                     lambda: base64.b64decode(given), lambda: codecs.decode(given), lambda: codecs.decode(given, "ascii"), lambda: hashlib.md5(given).hexdigest()):
        tried(function)
tried(lambda: base64.b64encode(b"\xfb\xff", bytearray(b"-_")))
for function in (base64.b64encode, base64.b64decode):
    for letters in (5, b"abc", "-", [45, 95, 1]):
        try:
            print(function(b"YWJj", letters))
        except (AssertionError, TypeError, ValueError):         # another one of them since 3.15
            print("wrong letters", letters)
tried(lambda: codecs.decode(b"\xff"))
tried(lambda: codecs.encode("\xe9", "ascii"))
print(codecs.encode("\xe9", "latin-1"), codecs.decode(b"\xe9", "latin-1"))
for form, values in (("c", (bytearray(b"a"),)), ("3s", (bytearray(b"a"),)), ("\u0663i", (1, 2, 3)), ("\xb2i", (1, 2)), ("i\xa0i", (1, 2)), ("i\x1ci", (1, 2)),
                     ("<f", (10**400,)), ("<d", (10**400,)), ("<e", ("1",)), ("<f", (1e300,)), ("i\0", (1,)), ("3 i", (1, 2, 3)), (" i\t\x0bi\n", (1, 2)),
                     ("99999999999999999999i", (1,))):
    tried(lambda: struct.pack(form, *values))
for at in (0, 1, -1, -4, -5, 9):
    tried(lambda: struct.unpack_from("<h", b"abcd", at))
    tried(lambda: struct.unpack_from("<i", b"abcd", at))
tried(lambda: struct.unpack_from("<i", b"abcd", None))
tried(lambda: struct.iter_unpack("<", 4))
pieces = hashlib.sha256()
for at in range(40):
    pieces.update(bytes([at]) * at)
print(pieces.hexdigest(), pieces.copy().hexdigest())

# Packing into memory, and the other bases of base64
memory = bytearray(8)
packer = struct.Struct("<xH")
for form, offset, values in (("<i", 2, (7,)), ("<i", 6, (7,)), ("<i", -9, (7,)), ("<i", -2, (7,)), ("<i", -4, (9,)), ("<i", 0, ()), (">hh", 1, (-1, 5)), ("3s", 0, (b"ab",))):
    try:
        print(struct.pack_into(form, memory, offset, *values), memory)
    except struct.error as e:
        print(e)
packer.pack_into(memory, 1, 65535)
packer.pack_into(memoryview(memory)[4:], 0, 258)
print(memory)
for target in (b"bytes", 3, memoryview(b"abcd")):
    try:
        struct.pack_into("B", target, 0, 1)
    except TypeError as e:
        print(type(e).__name__)
for data in (b"", b"a", b"ab", b"abc", b"abcd", b"abcde", b"\xff\xfe\x00\x01\x02\x03\x04", bytes(range(80))):
    texts = base64.b32encode(data), base64.b32hexencode(data), base64.b85encode(data), base64.encodebytes(data)
    print(texts, base64.b85encode(data, pad=True))
    print([decode(text) == data for decode, text in zip((base64.b32decode, base64.b32hexdecode, base64.b85decode, base64.decodebytes), texts)])
print(base64.b32decode("mfra====", casefold=True))
