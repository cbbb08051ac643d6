"""hashlib, base64 and struct."""
import base64
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
