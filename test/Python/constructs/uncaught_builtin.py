"""A built-in error from an expression, with output before it."""
data = {"a": [1, 2, 3]}
print(data["a"][1])
for key in ("a", "b"):
    print(key, sum(data[key]))
