"""Calls of the functions that lib/Prelude/torch composes of operations, in every element type, memory order and size.

A row is a call with places for tensors, and what they are: letters of SIZES for dimensions, in front of them `i:` for
indices below 2, `b:` for masks, `f:` for float32 whatever type is tried, `u:` for elements between 0 and 1. `compare` makes one
call on both libraries: exception class, type, sizes, strides, values and what the result shares memory with must be the same.
"""
import itertools
import math
import warnings

import torch

from compare import Tolerance, laid_out, tensor_difference

SIZES = {"B": 2, "C": 4, "H": 6, "W": 5, "M": 3, "N": 4, "K": 5, "T": 3, "1": 1, "2": 2, "6": 6, "8": 8, "S": 4}
DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int32, torch.int64, torch.int16, torch.int8,
          torch.uint8, torch.bool, torch.complex64, torch.complex128]
TOLERANCES = {torch.float32: Tolerance(1e-4, 1e-5), torch.float64: Tolerance(1e-10, 1e-11), torch.float16: Tolerance(1e-2, 1e-2),
              torch.bfloat16: Tolerance(6e-2, 6e-2), torch.complex64: Tolerance(1e-4, 1e-5),
              torch.complex128: Tolerance(1e-10, 1e-11)}

# Of arguments of these types, calls are made inside torch.autocast, too.
CASTED = (torch.float32, torch.bfloat16, torch.float64)

ROWS = [
    # Comparing and types.
    ("torch.isclose({0}, {1})", "MN MN"), ("torch.isclose({0}, {1}, equal_nan=True)", "MN N"),
    ("torch.isclose({0}, {1}, rtol=0, atol=0)", "MN MN"), ("torch.allclose({0}, {1})", "MN MN"),
    ("torch.isin({0}, {1})", "MN N"), ("torch.isin({0}, 1)", "MN"), ("torch.isin({0}, {1}, invert=True)", "CHW N"),
    ("torch.isreal({0})", "MN"), ("torch.is_same_size({0}, {1})", "MN NM"),
    # Pointwise.
    ("torch.positive({0})", "MN"), ("torch.float_power({0}, {1})", "MN MN"), ("torch.float_power({0}, 2)", "MN"),
    ("torch.float_power(2, {0})", "MN"), ("torch.heaviside({0}, {1})", "MN MN"), ("torch.heaviside({0}, {1})", "MN N"),
    ("torch.ldexp({0}, {1})", "MN MN"), ("torch.ldexp({0}, {1})", "MN i:N"), ("torch.logaddexp2({0}, {1})", "MN MN"),
    ("torch.logaddexp2({0}, {1})", "MN N"), ("torch.logaddexp({0}, {1})", "MN N"), ("torch.xlogy({0}, {1})", "MN MN"),
    ("torch.xlogy({0}, 2)", "MN"), ("torch.xlogy(2, {0})", "MN"), ("torch.sinc({0})", "MN"), ("torch.sinc({0})", "BCHW"),
    ("torch.angle({0})", "MN"), ("torch.angle({0})", "BCHW"), ("torch.polar({0}, {1})", "MN MN"), ("torch.conj({0})", "MN"),
    ("torch.conj_physical({0})", "MN"),
    *[(f"torch.{name}({{0}}, {{1}})", spec) for name in ("gcd", "lcm") for spec in ("MN MN", "MN N", "BCHW BCHW", "MN i:N")],
    *[(f"torch.{name}({{0}} * 6 - 5, {{1}} * 4)", "MN MN") for name in ("gcd", "lcm")],
    # Reductions.
    *[(f"torch.{name}({{0}}, {dim})", spec) for name in ("cummax", "cummin") for spec, dims in (("MN", (0, 1)), ("BCHW", (1, -1)), ("i:K6", (1,)))
      for dim in dims], ("torch.cummax(torch.where({0} > 1, {0}, math.nan), 0)", "K6"), ("torch.cummin({0}, 3)", "MN"),
    *[(f"torch.histc({{0}}, {more})", spec) for more in ("4", "5, -1, 1.5", "3, 0, 0", "0", "2, 2, 1", "7, min=-2, max=2") for spec in ("MN", "BCHW")],
    ("torch.histc({0}, 4, 0, 1)", "i:MN"), ("torch.histc(torch.where({0} > 0, {0}, math.nan), 4)", "MN"),
    *[(f"torch.{name}({{0}}{more})", spec) for name in ("unique", "unique_consecutive") for spec in ("MN", "i:MN", "i:BCHW", "b:6")
      for more in ("", ", return_inverse=True, return_counts=True", ", dim=0", ", return_inverse=True, return_counts=True, dim=-1", ", return_counts=True, dim=1")],
    ("torch.nansum({0})", "MN"), ("torch.nansum({0}, 0)", "BCHW"), ("torch.nansum({0}, 1, True)", "MN"),
    ("torch.nanmean({0})", "MN"), ("torch.nanmean({0}, 1)", "BCHW"), ("torch.aminmax({0})", "MN"),
    ("torch.aminmax({0}, dim=1)", "BCHW"), ("torch.aminmax({0}, dim=0, keepdim=True)", "MN"), ("torch.msort({0})", "MN"),
    ("torch.kthvalue({0}, 2)", "MN"), ("torch.kthvalue({0}, 1, 1)", "BCHW"), ("torch.kthvalue({0}, 3, 0, True)", "CHW"),
    ("torch.kthvalue({0}, 9)", "MN"), ("torch.kthvalue({0}, 4)", "i:K6"), ("torch.kthvalue({0}, 2, 0)", "i:6K"),
    ("torch.kthvalue(torch.where({0} > 0, {0}, math.nan), 3, 0)", "K6"), ("torch.logcumsumexp({0}, 1)", "BCHW"),
    ("torch.msort({0})", "BCHW"), ("torch.quantile({0}, 0.3)", "MN"), ("torch.nanquantile({0}, 0.3)", "MN"),
    ("torch.nanquantile(torch.where({0} > 0, {0}, float('nan')), 0.3, 1)", "CHW"),
    ("torch.nanquantile(torch.where({0} > 0, {0}, float('nan')), torch.tensor([0., 0.3, 1.]).to({0}.dtype), 0, True, interpolation='higher')", "MN"),
    ("torch.quantile({0}, 0.5, 1)", "CHW"),
    ("torch.quantile({0}, 0.5, 0, True)", "CHW"), ("torch.quantile({0}, 0.5, 1, interpolation='nearest')", "MN"),
    ("torch.trapezoid({0})", "MN"), ("torch.trapezoid({0}, dim=0)", "BCHW"), ("torch.trapezoid({0}, {1})", "MN MN"),
    ("torch.trapezoid({0}, {1})", "MN N"), ("torch.trapz({0}, dx=2)", "MN"), ("torch.trapezoid({0}, dx=0.5, dim=0)", "MN"),
    *[(f"torch.diff({call})", spec) for call, spec in (("{0}, prepend={1}", "MN M1"), ("{0}, 2, 0, {1}, {0}", "BCHW BCHW"), ("{0}, 0, 1, {1}", "MN M1"),
                                                       ("{0}, append={1}", "MN NM"), ("{0}, dim=0, append={1}", "MN N"), ("{0}, 2", "CHW"))],
    ("{0}.diff(prepend={0}[:1] - 1)", "N"), ("torch.cov({0})", "MN"), ("torch.cov({0}, correction=0)", "N"), ("torch.corrcoef({0})", "MN"),
    # Fourier transforms.
    *[(f"torch.fft.{name}({{0}}{more})", spec) for name in "fft ifft rfft irfft hfft ihfft".split()
      for spec, more in (("N", ""), ("MN", ", dim=0"), ("CHW", ", norm='ortho'"), ("BCHW", ", dim=1, norm='forward'"), ("MN", ", 3"), ("CHW", ", 8, 1"), ("M8", ", 7"),
                         ("MN", ", 0"), ("MN", ", norm='other'"), ("MN", ", dim=2"))],
    *[(f"torch.fft.{name}({{0}}{more})", spec) for name in "fft2 ifft2 rfft2 irfft2 hfft2 ihfft2".split()
      for spec, more in (("MN", ""), ("BCHW", ""), ("BHWC", ", dim=(1, 2), norm='ortho'"), ("CHW", ", (4, 8), (2, 0)"), ("N", ""), ("MN", ", dim=(0, 0)"))],
    *[(f"torch.fft.{name}({{0}}{more})", spec) for name in "fftn ifftn rfftn irfftn hfftn ihfftn".split()
      for spec, more in (("CHW", ""), ("BCHW", ", dim=(3, 0, 1)"), ("BCHW", ", (-1, 7), norm='forward'"), ("MN", ", dim=()"), ("N", ", (2, 3)"), ("MN", ", (2, 3), (0,)"))],
    *[(f"torch.fft.{name}({{0}}{more})", spec) for name in ("fftshift", "ifftshift") for spec, more in (("CHW", ""), ("MN", ", 1"), ("BCHW", ", dim=(-1, 0)"))],
    *[(f"torch.fft.{name}({n}{more}) + {{0}}", "1") for name in ("fftfreq", "rfftfreq") for n in (1, 8, 7) for more in ("", ", 0.25", ", d=3, dtype=torch.float64")],
    *[(f"torch.stft({{0}}, {more}, return_complex=True)", spec) for spec in ("N6", "M24", "MN6")
      for more in ("6", "8, 3", "7, 2, 5, center=False", "8, 2, 8, normalized=True, onesided=False", "8, 4, pad_mode='constant'", "30, center=False", "8, 0")],
    *[(f"torch.stft({{0}}, 8, {hop}, {length}, {{1}}, return_complex={way})", "M24 6") for hop, length, way in ((2, 6, True), (3, 8, True), (4, 6, False))],
    *[(f"torch.istft({{0}}, {more})", spec) for spec in ("51", "M5T", "BM5T", "88")
      for more in ("8", "8, 2, length=20", "8, 2, length=3", "8, 5, normalized=True", "8, 3, 7, center=False", "8, onesided=False", "9, 3")],
    *[(f"torch.istft({{0}}, 8, 2, 6, {{1}}{more})", "M5T u:6") for more in ("", ", False")],
    # Functions of functional.py.
    ("torch.broadcast_tensors({0}, {1})", "MN N"), ("torch.meshgrid({0}, {1}, indexing='ij')", "M N"),
    ("torch.meshgrid({0}, {1}, indexing='xy')", "M N"), ("torch.einsum('mn,nk->mk', {0}, {1})", "MN NK"),
    ("torch.einsum('mn->nm', {0})", "MN"), ("torch.einsum('mn->n', {0})", "MN"), ("torch.einsum('bij,bjk->bik', {0}, {1})", "BMN BNK"),
    ("torch.einsum('bhqd,bhkd->bhqk', {0}, {1})", "BCMN BCKN"), ("torch.einsum('i,j->ij', {0}, {1})", "M N"),
    ("torch.einsum('ii->i', {0})", "MM"), ("torch.einsum('...n,n->...', {0}, {1})", "BMN N"),
    ("torch.einsum('bchw,c->bhw', {0}, {1})", "BCHW C"), ("torch.einsum('mn,mn->', {0}, {1})", "MN MN"),
    ("torch.atleast_1d({0})", "MN"), ("torch.atleast_2d({0})", "N"), ("torch.atleast_3d({0})", "MN"),
    ("torch.hstack([{0}, {1}])", "MN MN"), ("torch.vstack([{0}, {1}])", "MN MN"), ("torch.dstack([{0}, {1}])", "MN MN"),
    ("torch.hstack([{0}, {1}])", "BCHW BCHW"), ("torch.vstack([{0}, {1}])", "BCHW BCHW"), ("torch.dstack([{0}, {1}])", "BCHW BCHW"),
    ("torch.column_stack([{0}, {1}])", "MN M"), ("torch.vstack([{0}, {1}])", "N N"),
    ("torch.hsplit({0}, 2)", "MN"), ("torch.vsplit({0}, 3)", "MN"), ("torch.dsplit({0}, 2)", "BCHW"),
    ("torch.hsplit({0}, [1, 2])", "MN"), ("torch.block_diag({0}, {1})", "MN NM"), ("torch.block_diag({0}, {1})", "MN N"),
    ("torch.cartesian_prod({0}, {1})", "M N"), ("torch.cartesian_prod({0})", "M"),
    ("torch.combinations({0})", "N"), ("torch.combinations({0}, 3)", "N"), ("torch.combinations({0}, 2, True)", "M"),
    ("torch.combinations({0}, 3, True)", "M"), ("torch.combinations({0}, 0)", "M"), ("torch.combinations({0}, 1)", "M"),
    ("torch.combinations({0}, 7)", "M"), ("torch.combinations({0})", "MN"), ("torch.combinations({0}, -1)", "M"),
    ("torch.norm({0})", "MN"), ("torch.norm({0}, dim=1)", "BCHW"), ("torch.norm({0}, 1, 0, True)", "MN"),
    ("torch.norm({0}, p=3)", "MN"), ("torch.dist({0}, {1})", "MN MN"), ("torch.dist({0}, {1}, 1)", "MN N"),
    ("torch.pairwise_distance({0}, {1})", "MN MN"), ("torch.pairwise_distance({0}, {1}, keepdim=True)", "MN N"),
    ("torch.pairwise_distance({0}, {1}, p=1.0)", "CHW CHW"),
    ("torch.cosine_similarity({0}, {1})", "MN MN"), ("torch.cosine_similarity({0}, {1}, dim=-1)", "BCHW BCHW"),
    ("torch.cosine_similarity({0}, {1}, dim=1)", "BCHW C11"), ("torch.cdist({0}, {1})", "MN KN"), ("torch.cdist({0}, {1})", "BMN BKN"),
    ("torch.cdist({0}, {1}, p=1.0)", "MN KN"), ("torch.inner({0}, {1})", "MN KN"), ("torch.inner({0}, {1})", "N N"),
    ("torch.tensordot({0}, {1}, 1)", "MN NK"), ("torch.tensordot({0}, {1}, ([0, 1], [1, 2]))", "MNK 2MN"),
    ("torch.tensordot({0}, {1}, 2)", "BMN MNK"), ("torch.tensordot({0}, {1}, 0)", "M N"),
    ("torch.kron({0}, {1})", "MN NM"), ("torch.kron({0}, {1})", "MN N"), ("torch.cross({0}, {1})", "NT NT"), ("torch.cross({0}, {1}, dim=0)", "TN TN"),
    ("torch.linalg.cross({0}, {1})", "NT T"), ("torch.vdot({0}, {1})", "N N"), ("torch.chain_matmul({0}, {1}, {2})", "MN NK K2"),
    ("torch.addr({0}, {1}, {2})", "MN M N"), ("torch.addr({0}, {1}, {2}, beta=2, alpha=3)", "MN M N"),
    ("torch.addr({0}, {1}, {2}, beta=0)", "N M N"), ("torch.ger({0}, {1})", "M N"), ("torch.addbmm({0}, {1}, {2})", "MK BMN BNK"),
    ("torch.addbmm({0}, {1}, {2}, beta=0)", "K BMN BNK"), ("torch.trace({0})", "MN"), ("torch.matrix_power({0}, 3)", "MM"),
    ("torch.matrix_power({0}, 0)", "BMM"), ("torch.matrix_power({0}, 1)", "BMM"),
    ("torch.argsort({0})", "MN"), ("torch.argsort({0}, 1, True, stable=True)", "BCHW"), ("torch.fliplr({0})", "MN"), ("torch.flipud({0})", "BCHW"),
    ("torch.rot90({0})", "MN"), ("torch.rot90({0}, 2)", "MN"), ("torch.rot90({0}, 3, (1, 2))", "BCHW"), ("torch.rot90({0}, 0)", "MN"),
    ("torch.rot90({0}, 0)", "BCHW"), ("torch.diagflat({0})", "MN"), ("torch.adjoint({0})", "MN"), ("torch.take({0}, {1})", "MN i:22"),
    ("torch.narrow_copy({0}, 1, 1, 2)", "MN"), ("torch.narrow_copy({0}, 1, 1, 2)", "BCHW"), ("torch.unsafe_chunk({0}, 2)", "MN"),
    ("torch.unsafe_split({0}, 2, 1)", "MN"), ("torch.channel_shuffle({0}, 2)", "BCHW"), ("torch.channel_shuffle({0}, 2)", "BCH"),
    ("torch.vander({0})", "N"), ("torch.vander({0}, 3, True)", "N"), ("torch.unique({0})", "MN"),
    ("torch.unique({0}, return_inverse=True, return_counts=True)", "MN"), ("torch.nonzero({0})", "MN"),
    ("torch.nonzero({0}, as_tuple=True)", "MN"), ("torch.where({0})", "MN"), ("torch.where({0}, {1}, {2})", "b:MN MN N"),
    *[(f"torch.{call}", "N") for call in ("searchsorted({0}.sort()[0], 1)", "searchsorted({0}.sort()[0], 0.5, right=True)", "bucketize(1, {0}.sort()[0])",
                                          "bucketize(0.5, {0}.sort()[0], out_int32=True)", "searchsorted({0}, 2, side='right', sorter={0}.sort()[1])")],
    ("torch.searchsorted({0}, 1)", "MN"), ("torch.searchsorted({0}.sort()[0], {1})", "N M"), ("torch.unique({0}, False)", "BCHW"),
    ("torch.unravel_index({0}, (2, 2))", "i:MN"), ("torch.bincount({0})", "i:N"), ("torch.bincount({0})", "N"),
    ("torch.bincount({0}, {1})", "i:N N"), ("torch.normal({0}, 0.0)", "MN"),
    # torch.linalg and torch.special.
    ("torch.linalg.norm({0})", "MN"), ("torch.linalg.norm({0}, 1)", "MN"), ("torch.linalg.norm({0}, dim=1)", "BCHW"),
    ("torch.linalg.matrix_norm({0})", "BMN"), ("torch.linalg.matrix_norm({0}, 1)", "BMN"), ("torch.linalg.matrix_norm({0}, -math.inf, keepdim=True)", "BMN"),
    ("torch.linalg.vecdot({0}, {1})", "MN MN"), ("torch.linalg.vecdot({0}, {1}, dim=1)", "BCHW BCHW"), ("torch.linalg.diagonal({0})", "BMN"),
    ("torch.linalg.multi_dot([{0}, {1}, {2}])", "MN NK K2"), ("torch.linalg.multi_dot([{0}, {1}])", "N NK"), ("torch.linalg.matrix_power({0}, 2)", "BMM"),
    *[(call, spec) for call in ("torch.linalg.det({0})", "torch.det({0})", "torch.linalg.slogdet({0})", "{0}.slogdet()", "torch.logdet({0})") for spec in ("MM", "BMM", "MN", "M")],
    *[(f"torch.linalg.{name}(torch.zeros_like({{0}}))", "BMM") for name in ("det", "slogdet", "inv")],
    *[(f"torch.linalg.cholesky({{0}} @ {{0}}.mT + torch.eye(3, dtype={{0}}.dtype){more})", spec) for more in ("", ", upper=True") for spec in ("MM", "BMM", "BMN")],
    ("torch.linalg.cholesky({0} - 9)", "MM"), ("torch.linalg.cholesky({0})", "MN"), ("torch.linalg.inv({0} + torch.eye(3, dtype={0}.dtype) * 5)", "BMM"),
    # Where columns are equal, rounding decides.
    *[(f"torch.linalg.qr({{0}} + torch.eye({{0}}.shape[-2], {{0}}.shape[-1], dtype={{0}}.dtype) * 5{more})", spec) for more in ("", ", 'complete'", ", mode='r'", ", 'full'") for spec in ("MN", "NM", "MM", "BNM", "1N")], ("torch.linalg.qr({0})", "M"),
    *[(f"torch.linalg.solve_triangular({{0}} + torch.eye(3, dtype={{0}}.dtype) * 5, {{1}}, {more})", spec)
      for more in ("upper=True", "upper=False", "upper=True, unitriangular=True") for spec in ("MM MN", "BMM MN", "MM BMN", "MM NM")],
    ("torch.linalg.solve_triangular({0} + torch.eye(3, dtype={0}.dtype) * 5, {1}, upper=False, left=False)", "MM NM"),
    ("torch.linalg.solve({0} + torch.eye(3, dtype={0}.dtype) * 5, {1})", "MM MN"), ("torch.linalg.solve_triangular({0}, {1}, upper=True)", "MM M"),
    ("torch.linalg.vander({0})", "MN"), ("torch.special.ndtr({0})", "MN"), ("torch.special.expit({0})", "MN"), ("torch.special.xlogy({0}, {1})", "MN N"),
    ("torch.special.softmax({0}, 1)", "MN"), ("torch.special.log_softmax({0}, 1)", "BCHW"), ("torch.special.gammaln({0})", "MN"),
    # torch.nn.functional.
    *[(f"F.{name}({{0}})", spec) for name in
      "relu relu6 hardtanh elu selu celu silu mish leaky_relu gelu softplus hardswish hardsigmoid logsigmoid softsign tanhshrink tanh "
      "sigmoid rrelu alpha_dropout softmin".split() for spec in ("MN", "BCHW")],
    *[(f"F.{name}({{0}}.clone(), inplace=True)", "MN") for name in
      "relu relu6 hardtanh elu selu celu silu mish leaky_relu hardswish hardsigmoid".split()],
    *[(f"F.grouped_mm({{0}}, {{1}}{offs})", spec) for offs, spec in (
        (", offs=torch.tensor([1, 1, 3], dtype=torch.int32)", "M8 T88"), (", offs=torch.cat([torch.cumsum({2}, 0), torch.tensor([3])]).int()", "M8 S88 i:T"),
        (", offs=torch.tensor([0, 8], dtype=torch.int32)", "M8 88"), (", offs=torch.tensor([3, 8], dtype=torch.int32)", "BM8 88"), ("", "BM8 B88"), ("", "M8 T88"))],
    ("F.glu({0})", "MN"), ("F.glu({0}, 1)", "BCHW"), ("F.threshold({0}, 0.5, 2)", "MN"), ("F.threshold({0}, 1, 0)", "BCHW"),
    ("F.threshold({0}.clone(), 0, 1, inplace=True)", "MN"), ("F.softmax({0}, dim=-1)", "BCHW"), ("F.log_softmax({0}, dim=1)", "MN"),
    ("F.softmin({0}, dim=1)", "BCHW"), ("F.normalize({0})", "MN"), ("F.normalize({0}, p=1.0, dim=0)", "MN"), ("F.normalize({0})", "BCHW"),
    ("F.cosine_similarity({0}, {1})", "MN N"), ("F.pairwise_distance({0}, {1})", "MN MN"), ("F.dropout({0}, training=False)", "MN"),
    ("F.embedding({0}, {1})", "i:MN NK"), ("F.one_hot({0}, 4)", "i:MN"), ("F.layer_norm({0}, (4,))", "MN"), ("F.rms_norm({0}, (4,))", "MN"),
    ("F.group_norm({0}, 2)", "BCHW"), ("F.embedding_bag({0}, {1})", "i:MN NK"), ("F.embedding_bag({0}, {1}, mode='sum')", "i:MN NK"),
    ("F.embedding_bag({0}, {1}, mode='max')", "i:MN NK"), ("F.batch_norm({0}, {1}, {2})", "BCHW C u:C"), ("F.batch_norm({0}, None, None, training=True)", "BCHW"),
    ("F.instance_norm({0})", "BCHW"), ("F.instance_norm({0}, {1}.clone(), {2}.clone())", "BCHW C u:C"), ("F.local_response_norm({0}, 2)", "BCHW"),
    ("F.max_pool1d({0}, 2)", "BCH"), ("F.max_pool1d({0}, 2, return_indices=True)", "BCH"), ("F.max_pool2d({0}, 2)", "BCHW"),
    ("F.max_pool2d({0}, 2, 1, 1, return_indices=True)", "BCHW"), ("F.avg_pool2d({0}, 2)", "BCHW"), ("F.avg_pool1d({0}, 2)", "BCH"), ("F.lp_pool2d({0}, 2.0, 2)", "BCHW"),
    ("F.max_pool3d({0}, 2)", "BCHWK"), ("F.adaptive_avg_pool1d({0}, 2)", "BCH"), ("F.adaptive_avg_pool2d({0}, 2)", "BCHW"), ("F.adaptive_avg_pool2d({0}, (None, 3))", "BCHW"),
    *[(f"F.adaptive_avg_pool3d({{0}}, {size})", spec) for size in ("1", "2", "(2, None, 3)", "(1, 1, 2)", "(2, 0, 3)") for spec in ("BCTHW", "CTHW")],
    ("F.interpolate({0}, size=(2, 4, 3), mode='area')", "BCTHW"),
    ("F.adaptive_max_pool1d({0}, 2)", "BCH"), ("F.adaptive_max_pool2d({0}, 3, True)", "BCHW"), ("F.pad({0}, (1, 2))", "MN"), ("F.pad({0}, (-1, 0))", "BCHW"), ("F.pad({0}, (0, -1, -1))", "MN"), ("F.pad({0}, (-1, -1, 0, -1))", "BCHW"), ("F.pad({0}, (0, 0))", "BCH"),
    ("F.pad({0}, (-1, 1))", "BCHW"), ("F.pad({0}, (-9, 0))", "MN"), ("F.embedding_bag({0}, {1}, {2}, mode='sum')", "i:6 NK i:1"),
    ("F.embedding_bag({0}, {1}, {2})", "i:6 NK i:1"), ("F.embedding_bag({0}, {1}, padding_idx=1)", "i:MN NK"), ("F.embedding_bag({0}, {1}, mode='max', padding_idx=0)", "i:MN NK"),
    ("F.embedding_bag({0}, {1}, mode='sum', per_sample_weights={2})", "i:MN NK MN"),
    ("F.pad({0}, (1, 1, 2, 0))", "BCHW"), ("F.pad({0}, (1, 1), mode='reflect')", "BCH"), ("F.pad({0}, (1, 1, 1, 1), mode='replicate')", "BCHW"),
    ("F.pad({0}, (1, 1), mode='circular')", "BCH"), ("F.interpolate({0}, scale_factor=2)", "BCHW"), ("F.interpolate({0}, size=3)", "BCH"),
    ("F.interpolate({0}, size=(3, 7), mode='bilinear')", "BCHW"), ("F.interpolate({0}, size=(3, 2), mode='area')", "BCHW"),
    ("F.interpolate({0}, scale_factor=1.5, mode='bilinear', align_corners=True)", "BCHW"), ("F.upsample_nearest({0}, scale_factor=2)", "BCHW"),
    *[(f"F.interpolate({{0}}, size=(4, 7), mode='bicubic'{more})", "BCHW") for more in ("", ", align_corners=True")],
    ("F.interpolate({0}, scale_factor=(1.7, 0.6), mode='bicubic')", "BCHW"), ("F.interpolate({0}, scale_factor=2, mode='bicubic', align_corners=True)", "BCHW"),
    *[(f"F.interpolate({{0}}, {to}, mode='linear'{more})", "BCH") for to in ("size=4", "size=11", "scale_factor=1.7") for more in ("", ", align_corners=True")],
    *[(f"F.interpolate({{0}}, {to}, mode='trilinear'{more})", "BCTHW") for to in ("size=(4, 3, 7)", "scale_factor=1.7") for more in ("", ", align_corners=True")],
    *[(f"F.interpolate({{0}}, {to}, mode='nearest-exact')", spec) for to in ("size=4", "scale_factor=1.7") for spec in ("BCH", "BCHW", "BCTHW")],
    *[(f"F.interpolate({{0}}, {to})", "BCTHW") for to in ("size=(2, 7, 11)", "scale_factor=1.7")],
    *[(f"F.interpolate({{0}}, size=3, mode='{mode}')", "BCHW") for mode in ("linear", "trilinear")],
    *[(f"F.interpolate({{0}}, {to}, mode='{mode}', antialias=True{more})", "BCHW") for mode in ("bilinear", "bicubic") for more in ("", ", align_corners=True")
      for to in ("size=(3, 2)", "size=(9, 5)", "size=1", "scale_factor=0.45", "scale_factor=(1.6, 0.3)")],
    *[(f"F.interpolate({{0}}, size=3, mode='{mode}', antialias=True)", spec) for mode, spec in (("area", "BCHW"), ("linear", "BCH"))],
    ("F.unfold({0}, 2)", "BCHW"), ("F.unfold({0}, 2, padding=1, stride=2)", "BCHW"), ("F.fold({0}, (3, 3), 2)", "BC4"), ("F.fold({0}, (3, 3), 2)", "C4"),
    ("F.channel_shuffle({0}, 2)", "BCHW"), ("F.bilinear({0}, {1}, {2})", "BM BN KMN"), ("F.bilinear({0}, {1}, {2}, {3})", "BM BN KMN K"),
    ("F.affine_grid({0}, (2, 3, 4, 5))", "B23"), ("F.grid_sample({0}, {1}, align_corners=False)", "BCHW BMN2"),
    ("F.grid_sample({0}, {1}, mode='nearest', padding_mode='border', align_corners=True)", "BCHW BMN2"), ("F.pixel_shuffle({0}, 2)", "BCHW"), ("F.pixel_unshuffle({0}, 2)", "BC64"),
    # Losses.
    *[(f"F.{name}({{0}}, {{1}}{more})", "MN MN") for name in
      "mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss soft_margin_loss hinge_embedding_loss "
      "binary_cross_entropy_with_logits multilabel_soft_margin_loss".split() for more in ("", ", reduction='none'", ", reduction='sum'")],
    *[(f"F.{name}({{0}}, {{1}}, reduction='none')", "BCHW BCHW") for name in
      "mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss soft_margin_loss hinge_embedding_loss "
      "binary_cross_entropy_with_logits".split()],
    ("F.binary_cross_entropy({0}, {1})", "u:MN u:MN"), ("F.binary_cross_entropy({0}, {1}, reduction='none')", "u:BCHW u:BCHW"),
    ("F.poisson_nll_loss({0}, {1}, full=True, reduction='none')", "MN u:MN"), ("F.gaussian_nll_loss({0}, {1}, {2}, reduction='none')", "MN MN u:MN"),
    ("F.gaussian_nll_loss({0}, {1}, {2}, full=True)", "MN MN u:M1"), ("F.cosine_embedding_loss({0}, {1}, {2})", "MN MN M"),
    *[(f"F.ctc_loss(F.log_softmax({{0}}, 2), {{1}} + 1, {lengths}{more})", "HB6 i:B" + wide)
      for lengths, wide in (("[6, 5], [3, 2]", "T"), ("[6, 3], [3, 3]", "T"), ("[0, 0], [0, 1]", "T"), ("[6, 4], [2, 2]", "2T"),
                            ("[7, 6], [3, 3]", "T"), ("[6, 6], [4, 3]", "T"), ("[6], [3]", "T"), ("[6, -1], [3, 3]", "T"),
                            ("torch.tensor([6, 4]), torch.tensor([3, 1])", "T"), ("torch.tensor([6., 4.]), torch.tensor([3, 1])", "T"))
      for more in ("", ", reduction='none'", ", reduction='sum', zero_infinity=True", ", 3, 'none'")],
    *[(f"F.ctc_loss(F.log_softmax({{0}}, -1), {{1}}, {lengths})", f"{probs} i:{places}")
      for lengths, probs, places in (("[6, 5], [3, 1]", "HB6", "S"), ("[6, 5], [2, 1]", "HB6", "S"), ("[6], [3]", "H6", "T"),
                                     ("torch.tensor(6), torch.tensor(4)", "H6", "S"), ("torch.tensor([6, 5]), torch.tensor([3, 1])", "HB6", "S"),
                                     ("[6, 5], [3, 1]", "H6", "S"), ("[6, 5], [1, 1]", "HB6", "BTN"))],
    ("F.margin_ranking_loss({0}, {1}, {2}, reduction='none')", "MN MN MN"), ("F.triplet_margin_loss({0}, {1}, {2})", "MN MN MN"),
    ("F.triplet_margin_loss({0}, {1}, {2}, swap=True, reduction='none')", "MN MN MN"), ("F.cross_entropy({0}, {1})", "MN i:M"),
    ("F.cross_entropy({0}, {1}, reduction='none')", "BCHW i:BHW"), ("F.nll_loss({0}, {1}, reduction='none')", "BCHW i:BHW"),
    ("F.l1_loss({0}, {1}, weight={2}, reduction='none')", "MN MN MN"),
    # out=.
    *[(f"torch.{name}({{0}}, {{1}}, out={{2}})", spec) for name, spec in
      [("xlogy", "MN N MN"), ("inner", "MN KN MK"), ("kron", "MN MN i:0"), ("cross", "NT NT NT"), ("linalg.vecdot", "MN MN M"),
       ("linalg.cross", "NT NT NT"), ("tensordot", "MN NK MK")] if name not in ("kron", "tensordot")],
    ("torch.hstack([{0}, {1}], out={2})", "MN MN MN"), ("torch.vstack([{0}, {1}], out={2})", "MN MN 6N"),
    *[(f"F.{name}({{0}}, out={{1}})", "MN MN") for name in "gelu softplus logsigmoid".split()], ("F.avg_pool2d({0}, 2, out={1})", "BCHW BC32"),
    ("F.normalize({0}, out={1})", "MN MN"), ("torch.norm({0}, dim=1, out={1})", "MN M"),
]


def laid(t, layout):
    """The same elements in another memory order, as far as the rank has it; expanded ones repeat their first."""
    n = t.dim()
    if layout == "reversed" and n > 1:
        return t.permute(*reversed(range(n))).contiguous().permute(*reversed(range(n)))
    if layout == "rolled" and n > 2:
        order = [*range(1, n), 0]
        return t.permute(order).contiguous().permute([order.index(d) for d in range(n)])
    if layout == "channels last" and n in (4, 5):
        return t.contiguous(memory_format=torch.channels_last if n == 4 else torch.channels_last_3d)
    if layout == "stepped" and n and t.numel():
        wide = torch.zeros([*t.shape[:-1], 2 * t.shape[-1]], dtype=t.dtype)[..., ::2]
        return wide.copy_(t)
    if layout == "expanded" and n > 1 and t.numel():
        return t[:1].expand(t.shape)
    if layout == "expanded inside" and n > 1 and t.numel():
        return t[..., :1].expand(t.shape)
    return t.contiguous() if layout == "contiguous" else None


LAYOUTS = ["contiguous", "reversed", "rolled", "channels last", "stepped", "expanded", "expanded inside"]


def sizes_of(row):
    """Sizes of its letters: those of SIZES, one of them 0, one of them 1, all of them 1."""
    letters = [c for c in dict.fromkeys(row[1].replace("i:", "").replace("b:", "").replace("u:", "").replace("f:", "")) if c in SIZES and c.isalpha()]
    yield SIZES
    for letter in letters:
        yield {**SIZES, letter: 0}
    for letter in letters:
        yield {**SIZES, letter: 1}
    yield {**SIZES, **dict.fromkeys(letters, 1)}


def tensor_of(spec, sizes, dtype, generator):
    kind, _, letters = spec.rpartition(":")
    shape = [sizes.get(c, int(c) if c.isdigit() else None) for c in letters]
    drawn = torch.rand(shape, generator=generator, dtype=torch.float64)
    if kind == "i":
        return (drawn * 2).long()
    if kind == "b":
        return drawn > 0.5
    if kind == "f":
        return drawn.float()
    if kind == "u" and (dtype.is_floating_point or dtype.is_complex):
        return (drawn * 0.9 + 0.05).to(dtype)
    if dtype == torch.bool:
        return drawn > 0.5
    if dtype.is_complex:
        return torch.complex(drawn * 4 - 2, torch.rand(shape, generator=generator, dtype=torch.float64)).to(dtype)
    if dtype.is_floating_point:
        return (drawn * 4 - 2).to(dtype)
    return (drawn * 3).to(dtype)


def layouts_of(row):
    """All tensors in one order, and the first alone in another than the rest."""
    count = row[1].count(" ") + 1
    for layout in LAYOUTS:
        yield [layout] * count
        if count > 1 and layout != "contiguous":
            yield [layout] + ["contiguous"] * (count - 1)
            yield ["contiguous"] + [layout] * (count - 1)


def calls(row):
    """The tensors of each call of a row."""
    for dtype in DTYPES:
        for sizes in sizes_of(row):
            generator = torch.Generator().manual_seed(5)
            given = [tensor_of(spec, sizes, dtype, generator) for spec in row[1].split()]
            for layouts in layouts_of(row):
                if "out=" in row[0] and layouts[-1].startswith("expanded"):
                    continue                   # eager refuses to write there, before or after all else
                if dtype not in (torch.float32, torch.bool) and layouts[0] != "contiguous" and sizes is not SIZES:
                    continue
                made = [laid(t, layout) for t, layout in zip(given, layouts)]
                if all(m is None for m in made):
                    continue
                yield [given[k] if m is None else m for k, m in enumerate(made)]


def outcome(expression, library, tensors):
    """(exception, result)"""
    scope = {"torch": library, "F": library.nn.functional, "math": math, **{f"t{k}": t for k, t in enumerate(tensors)}}
    names = [f"t{k}" for k in range(len(tensors))]
    try:
        return None, eval(expression.format(*names), scope)
    except Exception as error:
        return error, None


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flat(item)]
    return [value]


def element_difference(want, got):
    if want.is_complex():
        return complex_difference(want, got)
    return tensor_difference(want, got, TOLERANCES.get(want.dtype, Tolerance()))


def origin(value, tensors):
    """Which arguments a result shares its memory with."""
    if not value.numel():
        return None
    return [k for k, t in enumerate(tensors) if t.untyped_storage().data_ptr() == value.untyped_storage().data_ptr()]


def copied(t):
    """The same memory order, in a storage of its own."""
    return torch.tensor([], dtype=t.dtype).set_(t.untyped_storage().clone()).as_strided(t.shape, t.stride(), t.storage_offset())


def complex_difference(want, got):
    """None, or what differs: parts that are not finite may, since vector loops compute with them as they like."""
    if want.dtype != got.dtype or want.shape != got.shape or laid_out(want) != laid_out(got):
        return tensor_difference(want, got, Tolerance())
    tolerance = TOLERANCES[want.dtype]
    close = torch.isclose(got, want, rtol=tolerance.rtol, atol=tolerance.atol, equal_nan=True)
    same = (want.isnan() == got.isnan()) & (close | ~want.isfinite())
    return None if same.all() else "complex elements differ"


def compare(expression, library, tensors, is_refusal, casts=False):
    """None, or what differs. `casts`: inside torch.autocast."""
    mine_of, real_of = ([copied(t) for t in tensors] for _ in range(2))
    with warnings.catch_warnings(), torch.autocast("cpu", enabled=casts):
        warnings.simplefilter("ignore")
        wrong, want = outcome(expression, torch, real_of)
        failed, got = outcome(expression, library, mine_of)
    if is_refusal(failed):
        return None
    if wrong or failed:
        if type(wrong).__name__ == type(failed).__name__:
            return None
        said = lambda e: "no exception" if e is None else f"{type(e).__name__}: {(str(e).splitlines() or [''])[0]}"
        return f"expected {said(wrong)}, got {said(failed)}"
    return results_difference(want, got, real_of, mine_of)


def results_difference(want, got, real_of, mine_of):
    want, got = flat(want), flat(got)
    if len(want) != len(got):
        return f"expected {len(want)} results, got {len(got)}"
    for a, b in zip(want, got):
        if not isinstance(a, torch.Tensor):
            if a != b and not (isinstance(a, float) and math.isclose(a, b, rel_tol=1e-5)):
                return f"expected {a}, got {b}"
            continue
        if not isinstance(b, torch.Tensor):
            return f"expected a tensor, got {type(b).__name__}"
        a, b = a.resolve_conj(), b.resolve_conj()
        text = element_difference(a, b)
        if text is None and origin(a, real_of) != origin(b, mine_of):
            text = f"expected memory of {origin(a, real_of)}, got of {origin(b, mine_of)}"
        if text:
            return text
    for k, (a, b) in enumerate(zip(real_of, mine_of)):
        if text := element_difference(a, b):
            return f"argument {k} after the call: {text}"
    return None


def check(number, library, is_refusal, stride):
    """None, or what differs in one of so many calls of a row, with the number of those that do."""
    row, found, count = ROWS[number], None, 0
    for k, tensors in enumerate(calls(row)):
        if (k + number) % stride:
            continue
        for casts in (False, True) if tensors[0].dtype in CASTED else (False,):
            text = compare(row[0], library, tensors, is_refusal, casts)
            count += text is not None
            found = found or text and f"{describe(tensors)}{' inside torch.autocast' * casts}: {text}"
    return found and f"{found} ({count} calls differ)"


def describe(tensors):
    return ", ".join(f"{str(t.dtype).removeprefix('torch.')}{list(t.shape)}/{list(t.stride())}" for t in tensors)
