"""Transforms of windows along a signal, as ATen composes them (SpectralOps.cpp)."""
import math
import warnings
import torch
from torch import _refuse
from torch._casts import _autocast_rule

__all__ = ["istft", "stft"]


def _full_window(window, win_length, n_fft, like):
    """`window` in the middle of n_fft places; None: there is none."""
    if window is not None and (window.dim() != 1 or window.size(0) != win_length):
        raise RuntimeError(f"expected a 1D window tensor of size equal to win_length={win_length}, but got window with size {list(window.shape)}")
    if window is None:
        warnings._refuse_seen("torch.stft without a window")
    if win_length == n_fft:
        return window
    if window is None:
        window = torch.ones(win_length, dtype=like.dtype, device=like.device)
    left = (n_fft - win_length) // 2
    return torch.nn.functional.pad(window, [left, n_fft - win_length - left])


def _check(input, n_fft, hop, win_length):
    if not input.is_floating_point() and not input.is_complex():
        raise RuntimeError("expected a tensor of floating point or complex values")
    if input.dim() not in (1, 2):
        raise RuntimeError("expected a 1D or 2D tensor")
    if n_fft <= 0 or n_fft > input.size(-1):
        raise RuntimeError(f"expected 0 < n_fft < {input.size(-1)}, but got n_fft={n_fft}")
    if hop <= 0:
        raise RuntimeError(f"expected hop_length > 0, but got hop_length={hop}")
    if win_length <= 0 or win_length > n_fft:
        raise RuntimeError(f"expected 0 < win_length <= n_fft, but got win_length={win_length}")


@_autocast_rule("float32", "float32")
def stft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, pad_mode="reflect", normalized=False,
         onesided=None, return_complex=None, align_to_window=None):
    if center and align_to_window is not None:
        raise RuntimeError("stft align_to_window should only be set when center = false")
    rank = input.dim()
    if center:
        half = n_fft // 2
        input = torch.nn.functional.pad(input.view([1] * (3 - rank) + list(input.shape)), [half, half], pad_mode)
        input = input.view(input.shape[-rank:])
    hop = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    if return_complex is None:
        return_complex = input.is_complex() or window is not None and window.is_complex()
        if not return_complex:
            raise RuntimeError("stft requires the return_complex parameter be given for real inputs, and will further require that "
                               "return_complex=True in a future PyTorch release.")
    if not return_complex:
        warnings._refuse_seen("torch.stft(return_complex=False)")
    _check(input, n_fft, hop, win_length)
    if align_to_window:
        _refuse("torch.stft(align_to_window=True)")
    window = _full_window(window, win_length, n_fft, input)
    frames = (input if rank == 2 else input.unsqueeze(0)).unfold(-1, n_fft, hop)
    if window is not None:
        frames = frames * window
    scale = 1.0 / math.sqrt(n_fft) if normalized else 1.0
    if frames.is_complex():
        if onesided:
            raise RuntimeError("Cannot have onesided output if window or input is complex")
        made = torch.fft._c2c(frames, [2], -1, scale)
    else:
        made = torch.fft._r2c(frames, [2], -1, scale, True if onesided is None else onesided)
    made = made.transpose(1, 2)
    made = made if rank == 2 else made.squeeze(0)
    return made if return_complex else torch.view_as_real(made)


def _added(parts, step):
    """[batch, count, size], each part `step` behind the one before, added where they overlap."""
    batch, count, size = parts.shape
    length = size + step * (count - 1)
    if step >= size:
        spread = torch.nn.functional.pad(parts, [0, step - size]).reshape(batch, count * step)
        return spread.narrow(1, 0, length)
    # Of pieces as long as a step: the p-th of each part falls on the p-th place behind that of the first.
    pieces = -(-size // step)
    parts = torch.nn.functional.pad(parts, [0, pieces * step - size]).reshape(batch, count, pieces, step)
    made = None
    for p in range(pieces):
        placed = torch.nn.functional.pad(parts[:, :, p], [0, 0, p, pieces - 1 - p])
        made = placed if made is None else made + placed
    return made.reshape(batch, (count + pieces - 1) * step).narrow(1, 0, length)


def istft(input, n_fft, hop_length=None, win_length=None, window=None, center=True, normalized=False, onesided=None, length=None,
          return_complex=False):
    if not input.is_complex():
        raise RuntimeError("istft requires a complex-valued input tensor matching the output from stft with return_complex=True.")
    hop = n_fft // 4 if hop_length is None else hop_length
    win_length = n_fft if win_length is None else win_length
    if input.dim() not in (2, 3):
        raise RuntimeError(f"expected a tensor with 3 or 4 dimensions, but got {input.dim() + 1}")
    bins, count = input.shape[-2:]
    onesided = (n_fft > 1 and bins == n_fft // 2 + 1 and bins != n_fft) if onesided is None else onesided
    wanted = n_fft // 2 + 1 if onesided else n_fft
    if bins != wanted:
        raise RuntimeError("expected the frequency dimension (3rd to the last) of the input tensor to match "
                           f"n_fft{' / 2 + 1 when onesided=True' if onesided else ' when onesided=False'}, but got {bins}")
    if not 0 < hop <= win_length:
        raise RuntimeError("expected 0 < hop_length <= win_length")
    if not 0 < win_length <= n_fft:
        raise RuntimeError("expected 0 < win_length <= n_fft")
    if window is None:
        warnings._refuse_seen("torch.istft without a window")
        window = torch.ones(win_length, dtype=input.dtype.to_real(), device=input.device)
    window = _full_window(window, win_length, n_fft, input)
    spectra = (input if input.dim() == 3 else input.unsqueeze(0)).transpose(1, 2)
    scale = 1.0 / math.sqrt(n_fft) if normalized else 1.0 / n_fft
    if return_complex:
        _refuse("torch.istft(return_complex=True)")
    if window.is_complex():
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    parts = torch.fft._c2r(spectra.narrow(-1, 0, n_fft // 2 + 1), [2], 1, scale, n_fft)
    made = _added(parts * window, hop)
    weight = _added((window * window).expand(1, count, n_fft), hop)
    whole = n_fft + hop * (count - 1)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else whole - n_fft // 2 if center else whole
    inside = min(end, whole)
    made, weight = made[:, start:inside], weight[:, start:inside]
    if weight.abs().min() < 1e-11:
        raise RuntimeError("window overlap add min: 1\n[ CPUBoolType{} ]")
    made = made / weight
    made = made if input.dim() == 3 else made.squeeze(0)
    if end > whole:
        warnings._refuse_seen("torch.istft of a length that is longer than the signal")
        made = torch.nn.functional.pad(made, [0, end - whole])
    return made
