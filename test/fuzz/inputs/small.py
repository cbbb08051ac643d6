def entry(x, *, n=2):
    kept = {}
    for i in range(n):
        try:
            kept[i] = x[i] if x[i].sum() > 0 else -x
        except IndexError as e:
            raise ValueError(f"no {i:>3}") from e
    return [k + len(kept) for k in kept.values()]
