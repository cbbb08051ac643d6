"""torch.cuda as a program sees it on a machine without one; questions are answers about the world."""


def synchronize(device=None):
    pass


def empty_cache():
    pass


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


empty_cache.__module__ = "torch.cuda.memory"
manual_seed.__module__ = manual_seed_all.__module__ = "torch.cuda.random"
