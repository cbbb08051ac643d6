import numpy as np

a = np.arange(6.)
a[1:4] = a[2:5]
print(a)
a[:-1] = a[1:]
print(a)
a[1:] = a[:-1]
print(a)
a = np.arange(9).reshape(3, 3)
a[...] = a.T
print(a)
a[:, 1:] = a[:, :-1]
print(a)
a[:] = a[0:1]
print(a)
a = np.arange(5)
a[a] = a[::-1]
print(a)
a[a] = 7
print(a)
a = np.arange(4)
a[[0, 1]] = a[1:3]
print(a)
a[:] = a[2, ...]
print(a)
a = np.arange(4)
a[::-1] = a
print(a)
a[:] = a[::-1]
print(a)
a = np.array([True, False, True])
a[a] = False
print(a)
b = np.broadcast_to(np.arange(3), (2, 3))
try:
    b += 1
except ValueError as e:
    print(e)

f32, i64, A, nan = np.float32, np.int64, np.array, np.nan
values = [300.7, -1.5, 70000, f32(300.7), f32(nan), np.float64(-1.5), np.float64(nan), np.float64(70000.5), np.int16(-1), i64(70000), np.True_, np.uint8(200),
          A(70000), A([3]), nan, np.inf, 1e300, [1], (1,), [], A([[7]]), True, A([300.7, 2.]), [[1, 2]], (A(1), 2), range(2), [[1], [2]], [True, 2.5]]
flat = [[300, 1], [300.7, 1], [nan, 1], [i64(70000), 1]]
places = [0, slice(0, 2), ..., [0, 1], A([True, False, True]), (0, ...), slice(0, 1), (None, 0), A(0), i64(1), -1, slice(None, None, -1), 5]
for kind in ("uint8", "int8", "int16", "int64", "float16", "float32", "float64", "bool"):
    for place in places:
        for value in values if isinstance(place, tuple) and ... in place else values + flat:
            a = np.zeros(3, dtype=kind)
            try:
                a[place] = value
                print(kind, place, value, a)
            except Exception as e:
                print(kind, place, value, type(e).__name__, e)
