"""torch.backends: switches that choose kernels in eager choose nothing here."""


class _Switches:
    enabled = True
    benchmark = False
    deterministic = False
    allow_tf32 = False

    def is_available(self):
        return False


class _Cuda(_Switches):
    matmul = _Switches()


cudnn = _Switches()
mps = _Switches()
mkldnn = _Switches()
cuda = _Cuda()
