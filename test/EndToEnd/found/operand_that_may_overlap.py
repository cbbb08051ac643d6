def entry(x, k):
    pivot = x[0]
    while k > 0:
        pivot = pivot * 0.5
        k = k - 1
    x /= pivot
    return x
