import numpy as np

a = np.arange(24).reshape(2, 3, 4)
print(a[0], a[1, 2], a[-1, -1, -1], a[:, 1], a[..., 0], a[0, ::2, 1:3], a[None].shape, a[:, None].shape, a[0][1][2], type(a[0, 0, 0]))
print(a[::-1, 0, 0], a[0, ::-1, 0], a[0, 0, ::-2], a[1, 0, 3:0:-1], np.arange(5)[::-1], np.arange(5)[4:1:-1], np.arange(5)[10:2:-2])
v = a[0]
v[0, 0] = 100
print(a[0, 0])
r = a[0, 0, ::-1]
a[0, 0, 1] = 55
print(r, r.copy(), r + 1, r[::-1], r[1], r[1:], list(r))
b = np.arange(10)
b[2:5] = 0
b[[7, 8]] = [70, 80]
b[b > 60] += 1
b[-1] = 2.9
print(b, b[[1, 2]], b[np.array([0, -1])], b[b % 2 == 0], b[(b > 0) & (b < 10)])
b[::-2] = [1, 2, 3, 4, 5]
print(b)
c = np.zeros((3, 4))
c[1] = 5
c[:, 2] = [1, 2, 3]
c[0, 1:3] += 0.5
c[[0, 2], [1, 3]] = -1
print(c, c[[0, 2]], c[:, [1, 2]], c[[0, 1], [1, 2]], c[np.arange(3)[:, None], [0, 1]], c[1:][..., None].shape)
print(a[0, :, [1, 2]].shape, a[:, [0, 1], 0].shape, a[[0, 1], :, [1, 2]].shape, a[0, [0, 1], [1, 2]], a[np.ix_([0, 1], [0, 2], [1])].shape)
m = a > 10
print(a[m], a[m].sum(), a[a[:, :, 0] > 8].shape, np.where(m, a, -1)[0], np.nonzero(b), np.argwhere(c > 1), np.flatnonzero(b > 3))
print(len(a), a.shape, a.ndim, a.size, a.strides, a.nbytes, a.T.shape, a.transpose(1, 0, 2).shape, a.swapaxes(0, 1).shape, [row.shape for row in a])
for bad in (lambda: a[2], lambda: a[0, 0, 0, 0], lambda: a[0, 5], lambda: a["x"], lambda: a[1.0], lambda: len(np.array(1)), lambda: bool(a), lambda: a[[0, 5]],
            lambda: c.__setitem__((0, slice(None)), [1, 2]), lambda: a.reshape(5, 5), lambda: np.zeros((2,)) + np.zeros((3,)), lambda: np.zeros((2, 3)) + np.zeros((4,)),
            lambda: float(np.arange(2)), lambda: a.sum(axis=5), lambda: np.concatenate([np.zeros((2, 2)), np.zeros((3, 3))]), lambda: np.stack([np.zeros(2), np.zeros(3)]),
            lambda: np.broadcast_to(np.arange(3), (2, 4)), lambda: np.broadcast_to(np.arange(3), (2, 3)).__setitem__(0, 1), lambda: np.arange(3) @ np.arange(4),
            lambda: [1, 2, 3][np.array([1, 2])], lambda: np.zeros(3).item(), lambda: hash(np.arange(2)), lambda: iter(np.array(1)), lambda: np.zeros(-1),
            lambda: a.transpose(0, 1), lambda: np.max([]), lambda: np.split(np.arange(5), 2), lambda: np.arange(3).reshape(-1, 2), lambda: a[..., ...],
            lambda: np.squeeze(a, 0), lambda: np.add(1), lambda: np.argmax([]), lambda: np.ones((2, 2)).item(5)):
    try:
        print("?", bad())
    except Exception as e:
        print(type(e).__name__, type(e).__module__, str(e))
print(3 in b, 1000 in b, np.array(5).item(), a.item(3), a.item(0, 1, 2), np.array([[7]]).item(), [10, 20, 30][np.array(1)], np.array([1])[0] == 1)
d = np.arange(6)
d.shape = (2, 3)
print(d, d.ravel(), d.flatten(), d.reshape(-1), d.reshape(3, 2), d.reshape((6,)), d.T, d.T.ravel(), d.copy().fill(0))
e = d.reshape(6)
e[0] = 42
print(d[0, 0], d.astype(float)[0], d.tolist(), d.view()[1], d.squeeze().shape, np.ones((1, 3, 1)).squeeze().shape, np.expand_dims(d, 0).shape)
