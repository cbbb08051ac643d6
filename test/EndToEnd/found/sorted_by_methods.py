"""Methods of the program that say what is less are asked in CPython's order."""
import heapq


class Noted:
    asked = 0

    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        Noted.asked += 1
        print("less", self.value, other.value)
        return self.value < other.value

    def __eq__(self, other):
        print("equal")
        return self.value == other.value


class Quiet:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value


def values(items):
    return [item.value for item in items]


def entry(x):
    up = values(sorted([Noted(v) for v in (3, 1, 2, 0, 5)]))
    down = values(sorted([Noted(v) for v in (3, 1, 2, 0, 5)], reverse=True))
    own = [Noted(1), Noted(2), Noted(1.5)]
    own.sort()
    of_the_run = values(sorted([Quiet(v) for v in x.tolist()])), values(heapq.nlargest(2, [Quiet(v) for v in x.tolist()]))
    return up, down, values(own), Noted.asked, of_the_run
