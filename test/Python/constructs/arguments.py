"""argparse of given lists; platform."""
import argparse
import platform

space = argparse.Namespace(width=64, name="b")
space.depth = 2
print(space, vars(space), "name" in space, "other" in space, space == argparse.Namespace(width=64, name="b", depth=2), argparse.Namespace(**{"a b": 1, "c": 2}))


class Double(argparse.Action):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, (values * 2, option_string))


parser = argparse.ArgumentParser(description="a model", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
parser.add_argument("source", nargs="?", default="none")
parser.add_argument("sizes", nargs="*", type=int)
training = parser.add_argument_group("training")
training.add_argument("--lr", type=float, default="0.1", help="rate")
training.add_argument("-n", "--num-layers", type=int, default=3, dest="layers")
parser.add_argument("--flag", action="store_true")
parser.add_argument("--no-cache", action="store_false", dest="cache")
parser.add_argument("--shape", nargs=2, type=int)
parser.add_argument("--many", nargs="+", default=[])
parser.add_argument("--maybe", nargs="?", const="const", default="default")
parser.add_argument("-v", action="count", default=0)
parser.add_argument("-q", action="store_const", const=5)
parser.add_argument("--add", action="append", type=int)
parser.add_argument("--bias", action=argparse.BooleanOptionalAction, default=True)
parser.add_argument("--mode", choices=["a", "b"], default="a")
parser.add_argument("--double", action=Double)
either = parser.add_mutually_exclusive_group()
either.add_argument("--left", action="store_true")
either.add_argument("--right", action="store_true")
parser.set_defaults(seed=4, layers=6)
for given in ([], ["x", "1", "2", "--lr", "2", "-n", "7"], ["--lr=3e-4", "-n5", "--flag", "--no-cache"], ["--shape", "3", "-4", "--many", "a", "b", "--flag"],
              ["--maybe"], ["--maybe", "v"], ["-vv", "-qv"], ["--add", "1", "--add", "2"], ["--no-bias", "--mode", "b"], ["--num", "9", "--double", "ab"],
              ["--left"], ["--", "x", "3"], ["-v", "--right"]):
    print(parser.parse_args(given))
print(parser.parse_known_args(["--unknown", "--lr", "1", "-z"]), parser.get_default("seed"), parser.get_default("lr"))
print(parser.parse_args(["--flag"], argparse.Namespace(flag=0, more=1)).more)
for wrong in (lambda: parser.add_argument("--flag"), lambda: parser.add_argument("x", required=True), lambda: parser.add_argument("--a", action="none")):
    try:
        wrong()
    except Exception as problem:
        print(type(problem).__name__, str(problem).replace("'", '"'))
print(platform.python_implementation())


def added(args, kwargs, is_in_group=False):
    small = argparse.ArgumentParser()
    try:
        (small.add_argument_group() if is_in_group else small).add_argument(*args, **kwargs)
        print(args, "added")
    except (TypeError, ValueError) as problem:
        # Which of the two an error is has changed, and the text of some.
        print(args, str(problem).replace(", did you mean metavar?", "").replace("'-', '--'", "'--'"))


for kwargs in (dict(nargs=0), dict(nargs=0, action="append"), dict(nargs=0, action="extend"), dict(nargs="z"), dict(nargs=1.5), dict(nargs=[2]), dict(nargs=""),
               dict(nargs=-1), dict(nargs=True), dict(choices=5), dict(choices="ab"), dict(choices=5, metavar="c"), dict(nargs=1, const=3), dict(const=3),
               dict(nargs="?", const=3), dict(const=3, action="append"), dict(nargs="?", const=3, action="append"), dict(type="int"), dict(foo=1),
               dict(action="store_true", metavar="a"), dict(action="store_const", const=3, metavar=("a", "b")), dict(dest=""), dict(metavar=["a", "b"])):
    added(("-x",), kwargs)
for nargs in (None, "?", "*", "+", "...", "A...", 1, 2):
    for count in range(4):
        added(("-x",), dict(nargs=nargs, metavar=("a", "b", "c")[:count]))
for args in (("-",), ("--",), ("---",), ("-", "--"), ("-", "--x"), ("-x", "y"), ("x", "y"), ("x",), ()):
    added(args, dict(dest="y") if not args else {})
added(("x",), dict(dest="y"))
added(("x",), dict(nargs="z"))
added(("x",), dict(nargs=2, metavar=("a", "b")))
added(("-x",), dict(nargs=2, metavar=("a", "b")), True)
try:
    argparse.ArgumentParser().add_argument("x", nargs=0)
except ValueError:
    print("no values")
letters = argparse.ArgumentParser()
letters.add_argument("-n", "--num")
letters.add_argument("-v", action="count")
letters.add_argument("-f", action="store_true")
for given in (["-vvn4"], ["-vn", "4"], ["-n=4"], ["-n="], ["-vf"], ["-vn4=5"], ["-vn-4"], ["--num="], ["-fvvn4"]):
    print(letters.parse_args(given))
