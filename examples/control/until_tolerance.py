"""Newton's iteration for square roots: a `while` on a norm, with a way out in the middle and an early return."""
import torch

TOLERANCE = 1e-3


def square_root(x, guess):
    if (x < 0).any():
        return None, -1
    steps = 0
    error = (guess * guess - x).norm()
    while error > TOLERANCE:
        guess = 0.5 * (guess + x / guess)
        error = (guess * guess - x).norm()
        steps += 1
        if steps >= 6:
            break
        if not torch.isfinite(guess).all():
            return x, steps
    else:
        steps += 100
    return guess, steps
