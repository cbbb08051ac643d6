"""Packs the tables of names that exist for KnownNames.cpp: pack.py OUT.cpp TABLE.txt...

A table is made of blocks, one for each module and class:

    @m PATH FLAGS       a module
    @c PATH FLAGS       a class, where it is defined
    KEY NAME NAME ...   names of the block that are alike
    @l NAME NAME ...    modules that an import of torch loads

A flag is `open` (there may be other names), `source` (a file of Python code), `package`, or, of classes, `own` (an instance check
of its own), `static` (not made at run time), `fixed` (its attributes cannot be set), `dict` (instances have a __dict__), or
`in`, with `:` and a hexadecimal mask of CPython's versions (bit 0 is 3.11) where it does not hold for
all that the block is in. A KEY ends with `@` and a mask where it is not for all of these. It is

    m c f V v n         module, class, function, value that is callable, value, None
    s                   no name of the class: its methods set it in instances
    b t a               bases of the class in their order, its metaclass, the module that is meant

with `>` and the path where a module or class is defined if that is not here, or `=` and the type of a value or function,
then `~o` if a package has the module as an attribute once somebody has imported it.

Out: byte strings, read where they lie: KnownNames.cpp has their layout.
"""
import re
import struct
import sys
from pathlib import Path

KINDS = {"m": 0, "c": 1, "f": 2, "v": 3, "n": 4, "V": 5, "s": 6}
LINKS = {"b": 0, "t": 1, "a": 2}
FLAGS = ("in", "open", "own", "source", "package", "static", "fixed", "dict")
# Places of flags in the packed words: modules and classes use them differently.
PLACES = {"in": 0, "open": 1, "own": 2, "source": 2, "package": 3, "static": 3, "fixed": 4, "dict": 5}
KEY = re.compile(r"([a-zA-Z])(?:>([^@~ ]+))?(?:=([^@~ ]+))?(?:~(o))?(?:@([0-9a-f]+))?$")
ALL, NONE = 31, 0xFFFFFFFF


class Pool:
    """Strings that are numbered in their order."""

    def __init__(self, strings):
        self.strings = sorted(set(strings), key=lambda s: s.encode())
        self.index = {s: n for n, s in enumerate(self.strings)}

    def sections(self):
        text = [s.encode() for s in self.strings]
        offsets = [0]
        for s in text:
            offsets.append(offsets[-1] + len(s))
        return b"".join(text), struct.pack(f"<{len(offsets)}I", *offsets)


def read(paths):
    blocks, loaded = [], []
    for path in paths:
        for line in Path(path).read_text().splitlines():
            head, *words = line.split(" ")
            if head == "#":
                continue
            if head == "@l":
                loaded += words
            elif head.startswith("@"):
                flags = dict.fromkeys(FLAGS, 0)
                flags["in"] = ALL
                for word in words[1:]:
                    name, _, mask = word.partition(":")
                    flags[name] = int(mask, 16) if mask else None
                blocks.append((head, words[0], {f: flags["in"] if m is None else m for f, m in flags.items()}, []))
            else:
                kind, target, of_type, since, mask = KEY.match(head).groups()
                blocks[-1][3].append((kind, target, of_type, since, int(mask, 16) if mask else blocks[-1][2]["in"], words))
    return blocks, loaded


def pack(blocks, loaded):
    have = {(head, path) for head, path, _, _ in blocks}
    # Classes of other libraries that names mean: nothing is known about them.
    for head, path, _, lines in list(blocks):
        for kind, target, _, _, _, words in lines:
            wanted = words if kind in "bt" else [target or f"{path}.{w}" for w in words] if kind == "c" else []
            for name in wanted:
                if ("@c", name) not in have:
                    have.add(("@c", name))
                    blocks.append(("@c", name, dict.fromkeys(FLAGS, 0) | {"in": ALL, "open": ALL}, []))
    blocks.sort(key=lambda b: (b[1].encode(), b[0] == "@c"))
    place = {(head, path): n for n, (head, path, _, _) in enumerate(blocks)}
    names = Pool(w for _, _, _, lines in blocks for kind, _, _, _, _, words in lines if kind in KINDS for w in words)
    kinds = Pool(["", "function", *(t for _, _, _, lines in blocks for _, _, t, _, _, _ in lines if t)])
    spaces, entries, links = [], [], []
    for head, path, flags, lines in blocks:
        own_entries, own_links = [], []
        for kind, target, of_type, since, mask, words in lines:
            for word in words:
                if kind in LINKS:
                    to = place[("@m" if kind == "a" else "@c", word)]
                    own_links.append(to << 8 | LINKS[kind] << 5 | mask)
                    continue
                if kind in "mc":
                    to = place.get(("@" + kind, target or f"{path}.{word}"), NONE)
                elif kind == "s":
                    to = NONE
                else:
                    to = kinds.index[of_type or ("function" if kind == "f" else "")]
                own_entries.append((names.index[word] << 9 | KINDS[kind] << 6 | bool(since) << 5 | mask, to))
        bits = head == "@c"
        for flag, n in PLACES.items():
            bits |= flags[flag] << 1 + 5 * n
        spaces.append(struct.pack("<5I", len(entries), len(own_entries), len(links), len(own_links), bits))
        entries += sorted(own_entries)
        links += own_links
    starts = struct.pack(f"<{len(loaded)}I", *sorted(place[("@m", m)] for m in loaded if ("@m", m) in place))
    path_text = [path.encode() for _, path, _, _ in blocks]
    path_offsets = [0]
    for text in path_text:
        path_offsets.append(path_offsets[-1] + len(text))
    name_text, name_offsets = names.sections()
    type_text, type_offsets = kinds.sections()
    return {"NameText": name_text, "NameOffsets": name_offsets, "TypeText": type_text, "TypeOffsets": type_offsets,
            "PathText": b"".join(path_text), "PathOffsets": struct.pack(f"<{len(path_offsets)}I", *path_offsets),
            "Spaces": b"".join(spaces), "Entries": b"".join(struct.pack("<2I", *e) for e in entries),
            "Links": struct.pack(f"<{len(links)}I", *links), "TorchLoads": starts}


ESCAPES = [chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in range(256)]


def main():
    out, *tables = sys.argv[1:]
    lines = ['#include "KnownTable.h"', "", "using namespace ptc::capture;", ""]
    for name, data in pack(*read(tables)).items():
        lines.append(f"static const char k{name}[] =")
        for at in range(0, len(data), 1024):
            lines.append('"' + "".join(ESCAPES[b] for b in data[at : at + 1024]) + '"')
        if not data:
            lines.append('""')
        lines += [";", f"llvm::StringRef known::get{name}() {{ return {{k{name}, {len(data)}}}; }}", ""]
    Path(out).write_text("\n".join(lines))


if __name__ == "__main__":
    main()
