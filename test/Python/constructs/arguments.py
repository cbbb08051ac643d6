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
