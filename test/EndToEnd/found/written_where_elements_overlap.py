import torch

WRITES = (lambda x: x.add_(1), lambda x: x.t().cumsum_(0), lambda x: x[:, :2].lerp_(x[:, :2] * 3, 0.5),
          lambda x: torch.relu_(x), lambda x: x.sigmoid_().sub_(2))


def entry(spread, dense, turned, one, gaps):
    seen = []
    for x in (spread, dense, turned, one, gaps):
        for write in WRITES:
            y = x[1:] * 1
            try:
                write(x)
            except RuntimeError as error:
                seen.append(str(error))
            seen.append((x.sum(0), y))
    return seen, [spread, dense, turned, one, gaps]
