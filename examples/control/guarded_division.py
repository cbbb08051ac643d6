"""The division must not run when its divisor is zero."""


def quotient(x, a=10):
    n = int(x.sum().item())
    return a // n if n else 0
