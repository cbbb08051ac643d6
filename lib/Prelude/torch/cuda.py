"""torch.cuda as a program sees it on a machine without one."""


def is_available():
    return False


def device_count():
    return 0


def synchronize(device=None):
    pass


def empty_cache():
    pass


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass
