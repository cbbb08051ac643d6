import numpy as np

for d in ("float32", "f4", "<f8", float, int, bool, np.int32, "i8", "uint8", "?", np.float16, "double", np.dtype("int16"), None):
    dt = np.dtype(d)
    print(repr(dt), str(dt), dt.name, dt.kind, dt.itemsize, dt.char, dt.str, dt.num)
print(np.dtype("float32") == np.float32, np.dtype(np.float32) == "float32", np.float32 == np.dtype("f4"), np.dtype("f4") != "f8")
print(np.dtype("f4") == None, np.dtype("f4") == 3, np.dtype(float) is np.dtype("float64"))
kinds = ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
for a in kinds:
    print(a, [str(np.promote_types(a, b)) for b in kinds], [np.can_cast(a, b) for b in kinds], [np.can_cast(a, b, "same_kind") for b in kinds])
    print(a, [str((np.ones(1, a) + np.ones(1, b)).dtype) for b in kinds], [str((np.ones(1, a) / np.ones(1, b)).dtype) for b in kinds])
    x = np.ones(2, a)
    print(a, (x + 1).dtype, (x + 1.5).dtype, (x * True).dtype, (1 / x).dtype, np.sqrt(x).dtype, (x > 0).dtype, np.where(x > 0, x, 0).dtype)
    print(a, (x * np.float32(2)).dtype, (x + np.int64(1)).dtype, x.mean().dtype, np.cumsum(x).dtype if a != "uint8" else "", x.max().dtype)
    print(a, np.issubdtype(x.dtype, np.integer), np.issubdtype(x.dtype, np.floating), np.issubdtype(a, np.number), np.issubdtype(x.dtype, np.signedinteger))
    print(a, np.floor(x).dtype, np.exp(x).dtype, np.rint(x).dtype, np.square(x).dtype, np.abs(x).dtype)
print(np.result_type(1, 2.0), np.result_type(np.float32, 1), np.result_type(np.int8, 1.0), np.result_type(np.arange(3), np.float32(1)), np.result_type("i4", "f4"))
print(np.finfo(np.float32).eps, np.finfo(np.float32).max, np.finfo("float64").min, np.finfo(np.float16).tiny, np.finfo(np.float64).bits)
print(np.iinfo(np.int32).max, np.iinfo("uint8").max, np.iinfo(np.int64).min, np.iinfo(np.int8).bits)
print(np.arange(3).astype(np.float32).dtype, np.arange(3).astype("float64"), np.array([1.9, -1.9]).astype(int), np.array([0.0, 2.0]).astype(bool))
print(np.array([300, -1]).astype(np.uint8), np.arange(3, dtype="f4").dtype, np.zeros(2, int).dtype, np.float32.__name__, np.float32, np.dtype)
try:
    np.dtype("foo")
except TypeError as e:
    print(e)
a = np.arange(3)
try:
    a += 1.5
except TypeError as e:
    print(type(e).__name__, e)
try:
    np.arange(3).astype(float).astype(int, casting="safe")
except TypeError as e:
    print(e)
try:
    np.array([True]) - np.array([True])
except TypeError as e:
    print(e)
a = np.arange(3, dtype=np.float32)
a *= 2
a += np.arange(3)
print(a, a.dtype)
b = np.array([100, 100], dtype=np.int8)
print(b + b, b * 2, -np.array([-128], dtype=np.int8), np.array([200], np.uint8) + np.uint8(100), np.array([5], np.int8) > 300, np.array([5], np.uint8) > -1)
print(np.array([7, -7]) // 2, np.array([7, -7]) % 3, np.array([7.5, -7.5]) // 2, np.array([-7.5, 0.0]) % 2, np.array([1, 2]) // 0.5)
print(np.array([1, 2, 3]) << 2, np.array([8, -8]) >> 1, np.array([5, 6]) & 3, ~np.array([1, 2]), ~np.array([True, False]), np.array([True]) ^ np.array([True]))
print(np.array([2, 3]) ** 2, np.array([2., 3.]) ** 0.5, 2 ** np.array([1, 2]), np.array([1, 2]) ** np.array([3, 4]), np.array([4.0]) ** -1)
