# needs: 64-bit
"""The generator of the module random: each way to draw, after each kind of seed."""
import copy
import random


def draws(r):
    yield r.random()
    yield r.getrandbits(5), r.getrandbits(77), r.randint(1, 10), r.randrange(0, 50, 7), r.randrange(9, -9, -4)
    yield r.choice("abcdef"), r.sample(range(100), 8), r.sample(range(10), 9), r.sample("abc", 4, counts=[2, 2, 2])
    yield r.choices([1, 2, 3], [1, 2, 3], k=4), r.choices("ab", k=3), r.choices("ab", cum_weights=[1, 4], k=5)
    # What libraries of C round by their own lights, without its last digits.
    yield [float(f"{value:.12g}") for value in floats(r)], r.randbytes(5)
    items = list(range(20))
    r.shuffle(items)
    yield items
    state = r.getstate()
    first = [r.random() for _ in range(700)]
    r.setstate(state)
    yield first == [r.random() for _ in range(700)], first[-1], state[0], len(state[1]), state[1][-1]


def floats(r):
    return (r.uniform(1, 3), r.gauss(0, 1), r.gauss(2, 3), r.normalvariate(0, 2), r.triangular(0, 1, 0.3), r.triangular(), r.betavariate(0.5, 2),
            r.gammavariate(0.3, 2), r.gammavariate(3, 2), r.gammavariate(1, 2), r.expovariate(2), r.vonmisesvariate(0, 4), r.paretovariate(3),
            r.weibullvariate(1, 2), r.lognormvariate(0, 1))


for seed in (0, 1, -5, 2**70, "abc", "", "x" * 200, b"xy", bytearray(b"z"), 1.5, True):
    random.seed(seed)
    for drawn in draws(random):
        print(drawn)
random.seed("abc", version=1)
print(random.random())
own, other = random.Random(7), random.Random(8)
print(own.random(), other.random(), own.random())


class Own(random.Random):
    def twice(self):
        return self.random() * 2


print(Own(3).twice(), Own(3).random() * 2)
for wrong in (lambda: random.choice([]), lambda: random.randrange(0), lambda: random.randrange(5, 1), lambda: random.randrange(1, 9, 0),
              lambda: random.sample([1], 2), lambda: random.sample({1}, 1), lambda: random.choices([1], [1, 2]), lambda: random.choices([1], [0]),
              lambda: random.seed([1]), lambda: random.choices([1], [1], cum_weights=[1]), lambda: random.gammavariate(0, 1),
              lambda: random.getrandbits(-1), lambda: random.setstate((7, (), None))):
    try:
        wrong()
    except Exception as problem:
        print(type(problem).__name__)
words = tuple(range(624))
for state in ((3, (1, 2), None), (2, (1, 2), None), (3, words + (700,), None), (3, words + (-1,), None), (3, words + (2**70,), None), (3, words + (1.0,), None),
              (3, list(words) + [1], None), (3, (1.5,) + words, None), (3, (-1,) + words, None), (2, (1.5,) + words, None), (3, None, None), (3, (1,) * 625), (3,), (),
              (3, words + (624,), None), (3, words + (0,), "next"), (3, words + (True,), None), (2, (-1,) + words[1:] + (5,), None), (2, [2**70] + [1] * 624, None)):
    changed = random.Random(1)
    try:
        changed.setstate(state)
    except Exception as problem:
        print(type(problem).__name__, problem)
    print(changed.getstate()[1][:3], changed.getstate()[1][-1], changed.gauss_next, changed.random())
for wrong in (lambda: random.random(1), lambda: random.Random(1).random(1), lambda: random.random(x=1), lambda: random.getrandbits(), lambda: random.getrandbits(1, 2)):
    try:
        wrong()
    except TypeError as problem:
        print(problem)
# A copy goes on from the same state, and on its own.
own.gauss()
for made in (copy.copy(own), copy.deepcopy(own), copy.deepcopy({"r": own})["r"]):
    print(type(made) is random.Random, made is own, made.getstate() == own.getstate(), made.gauss_next == own.gauss_next)
    print(made.random() == made.random(), made.getstate() == own.getstate())
fresh = Own(5)
fresh.extra = 1
again = copy.copy(fresh)
print(type(again) is Own, hasattr(again, "extra"), again.twice() == fresh.twice())
print(own.__reduce__()[:2] == (random.Random, ()), len(own.__reduce__()), own.__reduce__()[2] == own.__getstate__() == own.getstate())
