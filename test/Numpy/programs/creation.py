import numpy as np

print(np.array([1, 2, 3]), repr(np.array([1, 2, 3])), np.array([1., 2.5]).dtype)
print(repr(np.array([[1, 2], [3, 4]], dtype=np.float32)))
print(np.arange(5), np.arange(2, 10, 3), np.arange(0, 1, 0.1), np.arange(5.0))
print(np.linspace(0, 1, 11))
print(repr(np.linspace(0, 0.1, 12)), [float(v) for v in np.linspace(0, 0.1, 12)])
print(np.linspace(0, 10, 5, endpoint=False), np.linspace(1, 1, 3), np.linspace(0, 5, 1), np.linspace(0, 10, 4, dtype=int))
print(np.zeros((2, 3)), np.ones(3, dtype=int), np.full((2, 2), 7), np.full(3, 0.5), np.eye(3), np.identity(2))
print(np.zeros_like(np.arange(3)), np.ones_like(np.arange(3.)), np.full_like(np.arange(3), 2.7))
print(repr(np.array(3.0)), np.array(3.0).shape, repr(np.array(5)), np.array(True))
print(repr(np.array([])), repr(np.zeros((0, 3))), repr(np.array([], dtype=np.float32)))
print(np.array([1, 2.5, True]), np.array([True, False]), np.array([[True], [False]]))
print(np.array([np.float32(1.5), np.float32(2)]).dtype, np.array([np.float32(1), 2.0]).dtype, np.array([np.int32(1), 2]).dtype)
print(np.array([1.7, -1.7], dtype=int), np.array([0, 1, 2], dtype=bool), np.array(range(4)), np.array([[1, 2], [3, 4]]).tolist())
print(np.asarray([1, 2]).dtype, np.asarray((1.0, 2)).shape, np.array([np.arange(3), np.arange(3)]), np.array(np.arange(3), ndmin=2))
a = np.arange(6)
b = np.asarray(a)
c = np.array(a)
print(a is b, a is c)
a[0] = 100
print(b[0], c[0])
try:
    np.array([[1, 2], [3]])
except ValueError as e:
    print(e)
try:
    np.array([300], dtype=np.uint8)
except OverflowError as e:
    print(e)
print(np.tri(3), np.tril(np.ones((3, 3))), np.triu(np.arange(9).reshape(3, 3), 1), np.diag([1, 2, 3]), np.diag(np.arange(9).reshape(3, 3)))
x, y = np.meshgrid(np.arange(3), np.arange(2))
print(x, y)
x, y = np.meshgrid([1, 2], [3, 4, 5], indexing="ij")
print(x.shape, y)
print(np.logspace(0, 2, 3), np.indices((2, 3)), np.hanning(5), np.hamming(4), np.bartlett(5))
print(np.pi, np.e, np.inf, np.nan, np.newaxis)
