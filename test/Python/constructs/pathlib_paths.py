"""pathlib: paths as text. What differs between versions (a dot at the end of a name, texts of errors) is left out."""
import copy
import os
from pathlib import Path, PosixPath, PurePath, PurePosixPath

TEXTS = ["", ".", "/", "//", "///", "a", "a/", "./a", "a/.", "a/./b", "a//b", "/a/b/c.tar.gz", "//x/y", "///x/y", "../a", "a/..", ".hidden", "a.b.c/d", "~/x", "/.", "a b/c'd"]


def attempt(make):
    try:
        return make()
    except Exception as e:
        return type(e).__name__


for text in TEXTS:
    p = PurePosixPath(text)
    print(repr(p), str(p), p.parts, p.root, p.anchor, p.drive == "", p.name, p.suffix, p.suffixes, p.stem, p.parent, list(p.parents), p.is_absolute())
    print(p.as_posix(), os.fspath(p), p == PurePosixPath(str(p)), p == Path(text), attempt(lambda: p.with_name("n.x")), attempt(lambda: p.with_suffix(".q")), attempt(lambda: p.with_suffix("")))
    print(p / "z", "z" / p, p / "/z", p.joinpath("m", "n"), p.joinpath(PurePath("q"), "r"), p.joinpath())
    print([attempt(lambda: str(p.relative_to(other))) for other in ("", "a", "/", "/a", "/a/b")], [p.is_relative_to(other) for other in ("", "a", "/", "/a", "/a/b")])

print(PurePath("a", "b", "/c", "d"), PurePath("a", "", "b"), PurePath(), PurePath(PurePath("u"), "v"), Path("a", Path("b")), PurePath("a/b", "..", "c"))
print(type(PurePath("a")).__name__, type(Path("a")).__name__, isinstance(Path("a"), PurePath), isinstance(Path("a"), PurePosixPath), issubclass(PosixPath, Path), type(Path("a") / "b").__name__, type("a" / Path("b")).__name__)
print(Path("a") == "a", Path("a") != Path("a"), Path("a") == Path("./a/"), Path("a") == PurePath("a"), Path("a") in {PurePath("a"): 1}, hash(Path("a/b")) == hash(PurePosixPath("a/b")), len({Path("x"), Path("x/"), Path("y")}))
print(sorted([Path("b"), Path("a/c"), Path("a"), Path("/z"), Path("a/b")]), Path("a") < Path("b"), Path("a/b") >= Path("a"), attempt(lambda: Path("a") < "b"))
print([attempt(lambda: PurePath(v)) for v in (1, None, ["a"])], [attempt(lambda: PurePath("a") / v) for v in (1, None)], attempt(lambda: 1 / PurePath("a")))
print([attempt(lambda: PurePath("a/b").with_name(n)) for n in ("", ".", "x/y", "/x", "x/")], [attempt(lambda: PurePath("a/b").with_suffix(s)) for s in ("x", ".x", "x.y", "./y")], PurePath("a/b.txt").with_stem("c"), attempt(lambda: PurePath("/").with_name("x")))
ups = PurePath("/a/b/c").parents
print(len(ups), ups[0], ups[2], ups[-1], ups[:2], attempt(lambda: ups[3]), attempt(lambda: ups[-4]), PurePath("/a") in ups, [str(u) for u in reversed(ups)])
print(copy.copy(Path("a/b")), copy.deepcopy({"k": Path("a")}), bool(Path("")), f"{Path('a')}/x", "%s" % Path("a/b"), repr(Path("it's")), format(Path("q")))
print(os.path.join(Path("a"), "b"), os.path.join("a", Path("b")), os.path.basename(Path("x/y")), os.path.dirname(Path("x/y")), os.path.splitext(Path("a.b")), os.path.isabs(Path("/a")), os.path.normpath(Path("a/../b")), os.path.split(Path("a/b")), os.path.commonpath([Path("/a/b"), "/a/c"]), os.path.commonprefix([Path("ab"), "ac"]))
print(hasattr(Path("a"), "nothing"), callable(Path("a").exists), attempt(lambda: setattr(Path("a"), "name", "b")), attempt(lambda: setattr(Path("a"), "fresh", 1)), isinstance(Path("a"), os.PathLike))
print((str | Path) == (Path | str), isinstance(Path("a"), str | Path), list[Path] == list[Path])
match Path("a"):
    case PurePath(name=n):
        print(n)
