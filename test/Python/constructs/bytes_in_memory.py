"""io.BytesIO."""
import io


def said(f, *a, **k):
    try:
        return f(*a, **k)
    except BaseException as e:
        return type(e).__name__, str(e)


b = io.BytesIO(b"abc\ndef\n\nxyz")
print(b.read(2), b.readline(), b.readline(2), b.tell(), b.readlines(), b.read(), b.readline(), b.seek(0), list(b), b.seek(1), b.read(-1), b.seek(2), b.read(None))
print(b.seek(-3, 2), b.read(), b.seek(-100, 1), b.seek(3, 1), b.read1(2), b.getbuffer()[1], said(b.seek, -1), said(b.seek, 0, 5), said(b.read, "a"), said(b.seek, 1.5)[0])
b = io.BytesIO()
print(b.write(b"hello"), b.write(bytearray(b" w")), b.write(memoryview(b"x")), b.getvalue(), b.seek(10), b.write(b""), b.getvalue(), b.write(b"z"), b.getvalue())
print(said(b.write, "a"), said(b.write, 3), said(io.BytesIO, "a"), b.truncate(3), b.getvalue(), b.tell(), b.seek(0), b.truncate(), b.getvalue(), said(b.truncate, -1))
b.writelines([b"a\n", b"bc"])
print(b.getvalue(), b.seek(0), b.readlines(1), b.readable(), b.writable(), b.seekable(), b.isatty(), b.closed, said(b.fileno))
buf = bytearray(4)
b.seek(0)
print(b.readinto(buf), buf, b.readinto(buf), said(b.readinto, b"abc")[0])
with io.BytesIO(b"q") as c:
    print(c.read())
print(c.closed, said(c.read), said(c.getvalue), said(c.__enter__), said(next, c), c.close())
b = io.BytesIO(None)
print(b.getvalue(), type(b).__name__, b.flush())


class Sub(io.BytesIO):
    def write(self, d):
        return super().write(d.upper())


s = Sub()
s.write(b"abc")
print(s.getvalue())
