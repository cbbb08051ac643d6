"""Checks JSON against the subset of JSON Schema that the compiler's schemas use."""
TYPES = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
         "null": type(None)}


def check(value, schema, root, path="$"):
    """Raises AssertionError with the place that is wrong; `root` has the definitions."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"]]
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    kind = next((name for name in names if isinstance(value, TYPES[name])
                 and (name == "boolean" or not isinstance(value, bool))), None)
    assert kind, (path, value)
    if kind == "array":
        for i, item in enumerate(value):
            check(item, schema["items"], root, f"{path}[{i}]")
    if kind == "object":
        known, others = schema["properties"], schema["additionalProperties"]
        assert set(schema.get("required", [])) <= set(value), (path, value.keys())
        for key, item in value.items():
            assert key in known or others, f"{path}.{key} is not in the schema"
            check(item, known.get(key, others), root, f"{path}.{key}")
