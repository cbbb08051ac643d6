import torch


def entry(x):
    one = x[0]
    return ([x.to(t) for t in (torch.int8, torch.int16, torch.int32, torch.int64)],
            [x.double().to(t) for t in (torch.int16, torch.int32)], [one.to(t) for t in (torch.int16, torch.int32)],
            x.bfloat16().to(torch.int32), x.half().short())
