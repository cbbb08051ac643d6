"""random: Python's generator is not modelled, so every draw is refused; seed() alone does nothing."""


def _refuse(name):
    def draw(*args, **kwargs):
        raise NotImplementedError(f"random.{name}() is not supported: draw with torch's generators instead")

    draw.__name__ = name
    return draw


def seed(a=None, version=2):
    pass


random = _refuse("random")
uniform = _refuse("uniform")
randint = _refuse("randint")
randrange = _refuse("randrange")
getrandbits = _refuse("getrandbits")
randbytes = _refuse("randbytes")
choice = _refuse("choice")
choices = _refuse("choices")
shuffle = _refuse("shuffle")
sample = _refuse("sample")
gauss = _refuse("gauss")
normalvariate = _refuse("normalvariate")
expovariate = _refuse("expovariate")
betavariate = _refuse("betavariate")
triangular = _refuse("triangular")
getstate = _refuse("getstate")
setstate = _refuse("setstate")
Random = _refuse("Random")
SystemRandom = _refuse("SystemRandom")
