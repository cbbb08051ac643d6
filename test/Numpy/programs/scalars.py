import numpy as np

f, i, s = np.float64(2.5), np.int64(7), np.float32(0.1)
print(f, i, s, repr(f), repr(i), repr(s), [f, i, s], (np.True_, np.bool_(False)))
print(f + 1, i + 1, i + 1.5, s + 1, s * f, i / 2, i // 2, i % 4, -i, i ** 2, 2 ** i, f ** 2, abs(np.int64(-3)))
print(type(f + 1), type(i + 1), type(i / 2), type(s + 1), type(s * f), type(i > 3), type(1 + f), type(3.0 * s), type(True + i))
print(isinstance(f, float), isinstance(i, int), isinstance(s, float), isinstance(f, np.floating), isinstance(i, np.integer))
print(f"{f:.3f} {i:5d} {s:.4f} {s} {i} {f}", "%d %.2f" % (i, s), str(f), "{}".format(i))
print(int(f), float(i), bool(np.int64(0)), round(f), round(np.float64(2.675), 2), hash(i) == hash(7), i == 7, 7 == i, f != 2.5)
print([1, 2, 3, 4, 5, 6, 7, 8][i], range(i), "ab" * np.int64(2), [0] * np.int64(3))
print({i: 1}[7], {2.5: 2}[f], i in [7, 8], sorted([np.int64(3), np.int64(1)]), max(np.float64(1), np.float64(2)), sum([np.int64(1), np.int64(2)]))
print(np.int8(100) + np.int8(27), np.uint8(5) - np.uint8(3), np.int32(5) * np.int64(2), type(np.int32(5) * np.int64(2)), type(np.int8(1) + 1))
print(np.float32(1) / 3, np.float64(1) / 3, np.float16(1) / 3, np.float32(16777216.0), np.float32(1e16), np.float64(1e16), np.float64(1e-5), np.float32(1e-5))
print(np.float32("1.5"), np.int64("12"), np.float64("nan"), np.float64("inf"), np.float32(-0.0), np.int64(3.99), np.bool_(5))
print(f.dtype, i.dtype, f.shape, f.ndim, i.item(), type(i.item()), f.item(), type(s.item()), s.item(), i.tolist())
print(np.int64(5) & 3, np.int64(5) | 2, np.int64(5) ^ 1, ~np.int64(5), np.int64(1) << 4, np.int64(-16) >> 2, np.int64(7) // -2, np.int64(-7) % 3)
print(np.float64(7.5) // 2, np.float64(-7.5) % 2, divmod(np.int64(7), 3), np.float64(1.0).is_integer(), np.int64(6).bit_count())
print(np.sqrt(2), np.sqrt(16), np.log(1), np.exp(0), type(np.sqrt(2)), np.floor(2.7), np.ceil(2.2), np.abs(-3), type(np.abs(-3)), np.abs(-2.5))
print(np.maximum(2, 3), np.minimum(2.5, 3), np.power(2, 3), np.power(2.0, 0.5), np.add(1, 2), np.prod((2, 3, 4)), type(np.prod((2, 3))), np.prod([1.5, 2]))
print(np.isnan(np.float64("nan")), np.isfinite(1.0), np.sign(-2.0), np.round(2.5), np.round(3.14159, 2), np.clip(5, 0, 3), np.mod(-7, 3), np.floor_divide(7, 2))
try:
    np.int64(2) ** -1
except ValueError as e:
    print(e)
try:
    np.int8(1) + 300
except OverflowError as e:
    print(e)
try:
    np.uint8(-1)
except OverflowError as e:
    print(e)
print(np.float64(3) == np.int64(3), np.int64(3) < np.float32(3.5), np.nan == np.nan, np.float64("nan") < 1, not np.float64(0))
print(np.True_ & np.False_, np.True_ | False, ~np.True_, np.True_ + np.True_, np.logical_and(True, False), np.logical_not(3))
print(np.int64(2**62) * 2 == -2**63, np.int32(2**31 - 1) + np.int32(1))
print(math_ok := np.float64(0.1) + np.float64(0.2), np.float64(10) * 0.1, float(np.float32(0.1)))
