"""Positions that operations give need no question whether they are inside, also where somebody would notice; others do."""
import torch


class Counted:
    calls = 0


def picked(x, table):
    Counted.calls += 1                         # who is called next would notice an exception here
    best = x.flatten().topk(3)[1]
    rows, columns = best // x.size(1), best % x.size(1)
    where = torch.where(x[0] > 0)[0]
    order = x[0].sort()[1]
    joined = torch.cat([where, order])
    return table[rows], x[rows, columns], x[0][joined.clamp(0, 2)], x[0][where], x[0][order]


def entry(x, table, more):
    found = []
    for index in (more.argmax(0), more):
        try:
            found.append(table[index])
        except IndexError as e:
            found.append(str(e))
    return picked(x, table), found, Counted.calls
