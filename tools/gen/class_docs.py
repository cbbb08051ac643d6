#!/usr/bin/env python3
"""The texts of the built-in classes: their __doc__.

    class_docs.py ask > VERSION.json      by an interpreter of each version (3.11.json)
    class_docs.py merge VERSION.json… > lib/Capture/Known/ClassDocs.def
"""
import builtins
import itertools
import json
import sys
from pathlib import Path


def ask():
    docs = {name: value.__doc__ for name, value in sorted(vars(builtins).items())
            if isinstance(value, type) and value.__module__ == "builtins" and value.__name__ == name}
    json.dump(docs, sys.stdout)


def merge(files):
    tables = dict(sorted((int(Path(file).stem.split(".")[1]), json.loads(Path(file).read_text())) for file in files))
    print("//===- ClassDocs.def - What the built-in classes have as __doc__ -----------------------------===//")
    print("// PTC_CLASS_DOC(Class, First, Last, Text), versions 3.First to 3.Last: written by tools/gen/class_docs.py; do not edit.")
    print("//===----------------------------------------------------------------------===//")
    for name in sorted({name for table in tables.values() for name in table}):
        texts = [(table[name], minor) for minor, table in tables.items() if isinstance(table.get(name), str)]
        for text, versions in itertools.groupby(texts, key=lambda pair: pair[0]):
            minors = [minor for _, minor in versions]
            assert text.isascii() and "??" not in text, name
            print(f'PTC_CLASS_DOC("{name}", {minors[0]}, {minors[-1]}, {json.dumps(text)})')
    print("#undef PTC_CLASS_DOC")


if __name__ == "__main__":
    ask() if sys.argv[1:2] == ["ask"] else merge(sys.argv[2:])
