"""torch.nn.utils.rnn"""
from collections import namedtuple


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    import torch
    if not isinstance(sequences, (list, tuple, torch.Tensor)):
        sequences = tuple(sequences)
    if len(sequences) == 0:
        raise RuntimeError("received an empty list of sequences")
    longest = max([s.size(0) for s in sequences])
    rows = []
    for s in sequences:
        missing = longest - s.size(0)
        fill = torch.full([missing] + list(s.shape[1:]), padding_value, dtype=s.dtype)
        rows.append(torch.cat([s, fill] if padding_side == "right" else [fill, s]))
    return torch.stack(rows, 0 if batch_first else 1)


# Packed sequences keep what of a padded tensor they hold: layers go over such a one, which is made of `data` as that is
# then.


class PackedSequence(namedtuple("PackedSequence_", ["data", "batch_sizes", "sorted_indices", "unsorted_indices"])):
    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            from torch import _refuse
            _refuse("torch.nn.utils.rnn.PackedSequence of a pair")
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)


def invert_permutation(permutation):
    import torch
    if permutation is None:
        return None
    return torch.zeros_like(permutation).scatter(0, permutation, torch.arange(permutation.numel(), device=permutation.device))


def _packed(padded, mask, batch_sizes, sorted_indices, unsorted_indices):
    """Of what `mask` [time, batch] holds of `padded` [time, batch, …]."""
    made = PackedSequence(padded[mask], batch_sizes, sorted_indices, unsorted_indices)
    made._ptc_mask = mask
    return made


def _padded(sequence):
    """[time, batch, …] and which of its places are held, in the order of the packed batch."""
    import torch
    mask = getattr(sequence, "_ptc_mask", None)
    if mask is None:
        sizes = sequence.batch_sizes
        mask = torch.arange(sizes[0].item()).unsqueeze(0) < sizes.unsqueeze(1)
    rows = (mask.reshape(-1).cumsum(0) - 1).clamp(min=0)
    padded = sequence.data.index_select(0, rows).reshape(list(mask.shape) + list(sequence.data.shape[1:]))
    held = mask.reshape(list(mask.shape) + [1] * (padded.dim() - 2))
    return torch.where(held, padded, torch.zeros((), dtype=padded.dtype)), mask


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    import torch
    lengths = lengths.to("cpu") if isinstance(lengths, torch.Tensor) else torch.as_tensor(lengths, dtype=torch.int64)
    order = None
    if not enforce_sorted:
        lengths, order = torch.sort(lengths, descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    if batch_first:
        input = input.transpose(0, 1)
    time, batch = input.shape[:2]
    if input.numel() == 0:
        raise RuntimeError("Cannot pack empty tensors.")
    if lengths.size(0) != batch:
        raise RuntimeError(f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.size(0)} (batch_size={batch})")
    if lengths[-1] <= 0:
        raise RuntimeError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if enforce_sorted and (lengths[1:] > lengths[:-1]).any():
        raise RuntimeError("`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
                           "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
                           "do not need ONNX exportability.")
    if lengths[0] > time:
        raise NotImplementedError("packing sequences that are longer than what holds them")
    mask = torch.arange(time).unsqueeze(1) < lengths.unsqueeze(0)
    sizes = mask.sum(1)[:lengths[0].item()]
    return _packed(input, mask, sizes, order, invert_permutation(order))


def pack_sequence(sequences, enforce_sorted=True):
    import torch
    return pack_padded_sequence(pad_sequence(sequences), torch.as_tensor([v.size(0) for v in sequences]), enforce_sorted=enforce_sorted)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    import torch
    padded, mask = _padded(sequence)
    longest = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < longest:
            raise ValueError("Expected total_length to be at least the length of the longest sequence in input, but got "
                             f"total_length={total_length} and max sequence length being {longest}")
        missing = total_length - padded.size(0)
        if missing > 0:
            padded = torch.cat([padded, padded.new_zeros([missing] + list(padded.shape[1:]))])
            mask = torch.cat([mask, mask.new_zeros([missing, mask.size(1)])])
        longest = total_length
    lengths = mask.sum(0)
    held = mask[:longest].reshape([longest, mask.size(1)] + [1] * (padded.dim() - 2))
    padded = torch.where(held, padded[:longest], torch.full((), padding_value, dtype=padded.dtype))
    if batch_first:
        padded = padded.transpose(0, 1)
    if sequence.unsorted_indices is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, sequence.unsorted_indices), lengths[sequence.unsorted_indices]


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    import torch
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    places = torch.arange(padded_sequences.shape[1], device=lengths.device)
    return [sequence[places < length] for sequence, length in zip(padded_sequences, lengths, strict=True)]


def unpack_sequence(packed_sequences):
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
