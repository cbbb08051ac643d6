"""torch.cpu: what programs ask of the one device that is always there."""


def is_available():
    return True


def device_count():
    return 1


def synchronize(device=None):
    pass


def current_device():
    return "cpu"


from torch.cpu import amp  # noqa: E402,F401
