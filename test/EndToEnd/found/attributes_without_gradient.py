import torch


def entry(x):
    y = x * 2
    tests = [y.grad_fn is None, x.name is None, x.output_nr, y.is_mtia, y.grad is None]
    for name in ("mT", "mH", "H"):
        try:
            tests.append(getattr(x, name).shape)
        except RuntimeError as e:
            tests.append(str(e))
    z = x.reshape(1, 3)
    with torch.inference_mode():
        tests.append(torch.is_inference_mode_enabled())

    @torch.inference_mode
    def inside(v):
        return v + 1, torch.is_inference_mode_enabled(), torch.is_grad_enabled()
    return tests, z.H, z.mH, z.mT, inside(x), torch.is_inference_mode_enabled()
