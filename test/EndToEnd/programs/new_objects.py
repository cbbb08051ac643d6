"""State and loops that hold one of several new objects: each call, each pass may make another."""

chosen, others = [], {}


def new_object_if(x):
    global chosen
    if x.sum() > 0:
        chosen = [len(chosen), x.sum().item()]
    return x, chosen


def new_object_or_early(x):
    global chosen, others
    if x.sum() > 3:
        return x, others
    others = {"last": x * 2, "n": len(chosen)}
    if x.max() > 1:
        chosen = [len(chosen)]
    return others, chosen


class Point:
    def __init__(self, at):
        self.at, self.visits = at, 0


def moved_in_loop(x):
    p = Point(x)
    best = p
    while p.at.sum() < 9:
        p = Point(p.at.abs() * 2 + 1)
        if p.at.max() > 4:
            best = p
        best.visits += 1
    return best.at, best.visits, best is p
