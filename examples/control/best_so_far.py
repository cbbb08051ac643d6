"""Inside a loop a name keeps an old tensor or takes the new one."""


def climb(x):
    best, score, step = x, x.max(), 0
    while step < 6 and x.sum() < 40:
        x = x * 1.5 - step
        step += 1
        better = x.max() > score
        if better:
            best, score = x, x.max()
    return best, score, step
