"""The text of a tensor: whatever eager prints."""


def shown(tensors):
    for t in tensors:
        print(t)
    return [f"{t} {t!r}" for t in tensors[:10]], str(tensors[:5])
