"""What an operation that fails finds changed stays changed: state, arguments, containers of the caller."""
import torch

count = 0
seen = torch.zeros(1)


def entry(x, places):
    global count
    count += 1
    seen.add_(1)
    x += count
    i = x[:, 0].long()
    y = x.gather(0, i.unsqueeze(1))
    count += 10
    places.append(count)
    return y, count, seen.clone(), 7 // int(x[0, 1])
