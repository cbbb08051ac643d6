import numpy as np

x = np.sin(np.arange(1000) * 0.37) * 3
y = (np.arange(1000) * 0.37 % 1 - 0.5) * 1e3
for n in (1, 5, 7, 8, 9, 16, 100, 128, 129, 200, 333, 1000):
    for kind in (np.float64, np.float32):
        a = y[:n].astype(kind)
        print(n, repr(a.sum()), repr(a.mean()), repr(np.cumsum(a)[-1]), repr(a.var()) , repr(a.std()), repr(np.prod(a[:20] / 100)))
z = y[:600].reshape(20, 30)
print(z.sum(0)[:3].tolist(), z.sum(1)[:3].tolist(), z.sum().item(), z.T.sum(0)[:3].tolist(), z.T.sum().item(), z[:, ::2].sum().item(), z.mean(axis=1)[:2].tolist())
w = y[:600].reshape(4, 5, 30)
print(w.sum(1)[0, :3].tolist(), w.sum(0)[0, :3].tolist(), w.sum(2)[0, :3].tolist(), w.sum(-1, keepdims=True).shape, w.std(axis=0)[0, :2].tolist(), w.var(2, ddof=1)[0, :2].tolist())
i = np.arange(12).reshape(3, 4)
print(i.sum(), i.sum(0), i.sum(axis=1), i.sum(axis=(0, 1)), i.sum(axis=1, keepdims=True), i.mean(), i.mean(0), i.prod(1), i.max(), i.min(0), i.argmax(), i.argmax(1), i.argmin(0))
print(i.any(), i.all(), (i > 3).any(1), (i > 3).all(0), (i > 3).sum(), (i > 3).mean(), np.count_nonzero(i), np.cumsum(i), np.cumsum(i, 1), np.cumprod(i[1]), i.cumsum(0))
print(np.median(i), np.median(i, 0), np.median([3.0, 1.0]), np.ptp(i), np.average([1, 2, 3], weights=[3, 2, 1]), np.average(i, 0), np.std([1, 2, 3]), np.var([1.0, 2, 4]))
print(np.sort([3, 1, 2]), np.sort(np.array([[3, 1], [2, 0]]), 0), np.argsort([3, 1, 2]), np.unique([3, 1, 1, 2]), np.unique([1, 1, 2], return_counts=True), np.searchsorted([1, 3, 5], [0, 3, 6]))
print(np.max([1, 5, 3]), np.min([1.5, 0.5]), np.amax(i, 1), np.nanmax([1.0, np.nan]), np.nansum([1.0, np.nan, 2]), np.nanmean([1.0, np.nan, 2]), np.max([1.0, np.nan]), np.argmax([1.0, np.nan, 3]))
print(np.dot([1, 2], [3, 4]), np.dot(i, i.T), i @ i.T, np.matmul(i, np.ones(4, int)), np.outer([1, 2], [3, 4]), np.inner([1., 2], [3, 4]), np.einsum("ij,kj->ik", i, i), np.tensordot(i, i.T, 1).shape)
print(np.trace(np.eye(3)), np.linalg.norm([3.0, 4.0]), np.linalg.norm(i, axis=1)[1:2], np.linalg.norm([1, -2], 1), np.linalg.norm([1, -2], np.inf))
print(np.diff([1, 4, 9]), np.diff(i, axis=0), np.clip(i, 2, 5), i.clip(min=3), np.round([1.25, 2.5, -0.5], 0), np.round([1.255, 2.345], 2), np.round(1234.5, -2), i.round(), np.around([0.5, 1.5]))
print(np.interp([0.5, 1.5, -1, 9], [0, 1, 2], [0, 10, 30]), np.interp(0.25, [0, 1], [1, 2]), np.array_equal([1, 2], [1, 2]), np.allclose([1.0], [1.0 + 1e-9]), np.isclose([1.0, 2], [1.0, 3]), np.isin([1, 2, 3], [2, 4]))
print(np.add.reduce([1, 2, 3]), np.multiply.reduce([1, 2, 3]), np.maximum.reduce([1, 5, 2]), np.add.accumulate([1, 2, 3]), np.add.outer([1, 2], [10, 20]), np.subtract.outer([1, 2], [1, 2]), np.add)
print(np.concatenate([[1, 2], [3.5]]), np.concatenate([i, i], axis=1).shape, np.stack([i, i]).shape, np.stack([[1, 2], [3, 4]], axis=1), np.vstack([[1, 2], [3, 4]]), np.hstack([[1], [2, 3]]), np.append([1], [2, 3]), np.dstack([[1], [2]]), np.column_stack([[1, 2], [3, 4]]))
print(np.split(np.arange(6), 3), np.array_split(np.arange(5), 2), np.split(np.arange(5), [2, 3]), np.repeat([1, 2], 2), np.repeat([1, 2], [1, 3]), np.tile([1, 2], 2), np.tile([[1], [2]], (2, 2)), np.flip([1, 2, 3]), np.flip(i, 1)[0], np.roll([1, 2, 3], 1), np.roll(i, 1, axis=0)[0], np.rot90([[1, 2], [3, 4]]))
print(np.pad([1, 2], 1), np.pad([[1]], ((1, 0), (0, 2)), constant_values=9), np.pad([1, 2, 3], 2, mode="reflect"), np.pad([1, 2, 3], 2, "edge"), np.pad([1, 2, 3], (1, 2), "symmetric"), np.pad([1, 2, 3], 2, "wrap"), np.insert([1, 2, 3], 1, 9), np.delete([1, 2, 3], 1))
print(np.where([True, False], 1, 2), np.where([1, 0], [1.5, 2.5], 0), np.take([10, 20, 30], [0, 2]), np.take_along_axis(i, np.array([[0], [1], [2]]), 1), np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape, np.unravel_index(5, (2, 3)), np.broadcast_to([1, 2], (2, 2)), np.atleast_2d([1, 2]).shape, np.broadcast_shapes((2, 1), (3,)), np.shape([[1, 2]]), np.ndim(3), np.size([1, 2]))
q = np.zeros((2, 3)); np.put_along_axis(q, np.array([[1], [2]]), 5, axis=1); print(q)
print(np.float64(3).sum(), np.int64(4).max(), np.float32(2.6).round(), np.sum(5), np.mean([1, 2]), np.sum([[1, 2], [3, 4]], axis=0), np.sum(np.arange(3) > 0), np.max(3))
print(np.maximum([1, 5], [3, 2]), np.minimum(np.arange(3), 1), np.fmax([np.nan, 1], [0, np.nan]), np.sign([-2, 0, 3]), np.sign([np.nan, -1.5]), np.isnan([1, np.nan]), np.isinf([np.inf, 1]), np.floor([-1.5, 2]), np.trunc([-1.5]), np.rint([0.5, 1.5]), np.square([2, 3]), np.abs([-1, 2]), np.fabs([-1]), np.deg2rad(180), np.rad2deg(np.pi), np.hypot(3, 4), np.arctan2(1, 1), np.logical_and([1, 0], [1, 1]), np.equal([1, 2], [1, 3]), np.copysign(1, -0.0))
print([repr(np.count_nonzero(c)) for c in (x > 0, 5, [[1, 0], [2, 3]])], repr(np.count_nonzero([[1, 0], [2, 3]], axis=1)), repr(np.count_nonzero([1, 0], keepdims=True)))
