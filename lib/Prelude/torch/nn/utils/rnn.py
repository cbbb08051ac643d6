"""torch.nn.utils.rnn"""


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    import torch
    longest = max([s.size(0) for s in sequences])
    rows = []
    for s in sequences:
        missing = longest - s.size(0)
        fill = torch.full([missing] + list(s.shape[1:]), padding_value, dtype=s.dtype)
        rows.append(torch.cat([s, fill] if padding_side == "right" else [fill, s]))
    return torch.stack(rows, 0 if batch_first else 1)
