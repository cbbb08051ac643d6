"""A module-level number that each call raises decides a branch of later calls."""
steps = 0


def warm_up(x):
    global steps
    if steps > 3:
        x = x * 10
    steps += 1
    return x
