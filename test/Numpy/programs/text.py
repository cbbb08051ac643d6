import numpy as np

for values in ([1.0, 2.0], [0.1, 0.25, 3], [1e10, 1], [1e-5, 1], [1.123456789012, 2], [np.nan, 1], [np.inf, -np.inf, 0.5], [1e300, 1e-300], [-1.5, 2], [0.0, -0.0],
               [123456.789, 0.5], [1e8, 1], [99999999.0, 1.0], [1001.0, 1.0], [1000.0, 1.0], [np.nan], [np.inf], [1 / 3, 2 / 3], [1e-4, 0.05], [5e-324], [1e16], [0.1 + 0.2],
               [123.456, 7.89, 1000.1234567891], [2.5e-5, np.nan], [1.5e10, -np.inf], [3.0e-10, -4.123456789123e-12]):
    for kind in (np.float64, np.float32):
        with np.errstate(all="ignore"):
            a = np.array(values).astype(kind)
        print(a, repr(a), [str(v) for v in a])
print(np.arange(100), repr(np.arange(30) * 1000))
print(np.arange(2000), repr(np.arange(2000)))
print(np.arange(24).reshape(2, 3, 4), repr(np.arange(24).reshape(2, 3, 4)))
print(np.linspace(0, 1, 50), repr(np.linspace(0, 1, 30).astype(np.float32)))
print(np.arange(1200).reshape(40, 30), repr(np.arange(4000.).reshape(2, 2000)))
print(np.array([True, False]), repr(np.array([[True], [False]])), np.array(True), repr(np.array(False)))
print(np.array([-1, 10, 100]), repr(np.array([1, 2], dtype=np.int8)), repr(np.arange(40, dtype=np.int32)), f"{np.arange(3)}", str(np.array([1.5])))
print(repr(np.array(1.5, dtype=np.float32)), str(np.array(2)), "%s" % np.arange(2), repr(np.array(1e-7)), np.zeros((2, 0)), np.array([[]]))
print(np.array([[1.5, 2], [300, -4]]), np.array([0.001, 0.1]), np.array([1e5, 1e-3]), np.float16(0.1), np.array([0.1, 65504], dtype=np.float16))
np.set_printoptions(precision=3, suppress=True)
print(np.array([1 / 3, 1e-6, 1000.0]), np.array([1e9, 1.0]))
with np.printoptions(precision=1):
    print(np.array([0.123]))
print(np.array([0.123456]))
