"""random: Python's generator is not modelled, so every draw is refused; seed() alone does nothing."""


def seed(a=None, version=2):
    pass
