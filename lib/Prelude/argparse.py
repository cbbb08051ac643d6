"""argparse: namespaces, and parsers of lists of arguments that are given. A compiled program has no command line: parse_args() without a
list is refused, and so are subparsers, and what ends a program (help, a version, wrong arguments)."""
import re as _re

from copy import copy

from _ptc import _is_opaque, _python_minor
from _ptc_torch import _refuse

SUPPRESS, OPTIONAL, ZERO_OR_MORE, ONE_OR_MORE, PARSER, REMAINDER = "==SUPPRESS==", "?", "*", "+", "A...", "..."
_UNGIVEN = object()


class ArgumentError(Exception):
    def __init__(self, argument, message):
        self.argument_name, self.message = argument and "/".join(argument.option_strings or [argument.dest]), message

    def __str__(self):
        return self.message if self.argument_name is None else f"argument {self.argument_name}: {self.message}"


class ArgumentTypeError(Exception):
    pass


class HelpFormatter:
    """How help looks, which nobody asks for here."""

    def __init__(self, prog, indent_increment=2, max_help_position=24, width=None):
        self._prog = prog


class RawDescriptionHelpFormatter(HelpFormatter):
    pass


class RawTextHelpFormatter(RawDescriptionHelpFormatter):
    pass


class ArgumentDefaultsHelpFormatter(HelpFormatter):
    pass


class MetavarTypeHelpFormatter(HelpFormatter):
    pass


class Namespace:
    def __init__(self, **kwargs):
        for name in kwargs:
            setattr(self, name, kwargs[name])

    def __eq__(self, other):
        if not isinstance(other, Namespace):
            return NotImplemented
        return vars(self) == vars(other)

    def __contains__(self, key):
        return key in self.__dict__

    def __repr__(self):
        plain = [f"{name}={value!r}" for name, value in self.__dict__.items() if name.isidentifier()]
        others = {name: value for name, value in self.__dict__.items() if not name.isidentifier()}
        return f"{type(self).__name__}({', '.join(plain + ([f'**{others!r}'] if others else []))})"


class FileType:
    def __init__(self, mode="r", bufsize=-1, encoding=None, errors=None):
        _refuse("argparse.FileType")


def _copied(items):
    return [] if items is None else copy(items)


class Action:
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None,
                 metavar=None, deprecated=False):
        self.option_strings, self.dest, self.nargs, self.const, self.default = option_strings, dest, nargs, const, default
        self.type, self.choices, self.required, self.help, self.metavar = type, choices, required, help, metavar

    def __call__(self, parser, namespace, values, option_string=None):
        raise NotImplementedError(".__call__() not defined")


def _check_values(nargs, const, text):
    """Of an action that keeps its arguments."""
    if nargs == 0:
        raise ValueError(text)
    if const is not None and nargs != OPTIONAL:
        raise ValueError(f"nargs must be {OPTIONAL!r} to supply const")


class _StoreAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None,
                 metavar=None, deprecated=False):
        _check_values(nargs, const, "nargs for store actions must be != 0; if you have nothing to store, actions such as store true or store const "
                                    "may be more appropriate")
        super().__init__(option_strings, dest, nargs, const, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, values)


class _ConstAction(Action):
    """An action without arguments of its own."""

    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None, deprecated=False):
        super().__init__(option_strings, dest, nargs=0, const=const, default=default, required=required, help=help)


class _StoreConstAction(_ConstAction):
    def __call__(self, parser, namespace, values, option_string=None):
        setattr(namespace, self.dest, self.const)


class _StoreTrueAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=False, required=False, help=None, deprecated=False):
        super().__init__(option_strings, dest, const=True, default=default, required=required, help=help)


class _StoreFalseAction(_StoreConstAction):
    def __init__(self, option_strings, dest, default=True, required=False, help=None, deprecated=False):
        super().__init__(option_strings, dest, const=False, default=default, required=required, help=help)


class _AppendAction(Action):
    def __init__(self, option_strings, dest, nargs=None, const=None, default=None, type=None, choices=None, required=False, help=None,
                 metavar=None, deprecated=False):
        _check_values(nargs, const, "nargs for append actions must be != 0; if arg strings are not supplying the value to append, the append const "
                                    "action may be more appropriate")
        super().__init__(option_strings, dest, nargs, const, default, type, choices, required, help, metavar)

    def __call__(self, parser, namespace, values, option_string=None):
        items = _copied(getattr(namespace, self.dest, None))
        items.append(values)
        setattr(namespace, self.dest, items)


class _AppendConstAction(_ConstAction):
    def __init__(self, option_strings, dest, const=None, default=None, required=False, help=None, metavar=None, deprecated=False):
        super().__init__(option_strings, dest, const, default, required, help)
        self.metavar = metavar

    def __call__(self, parser, namespace, values, option_string=None):
        items = _copied(getattr(namespace, self.dest, None))
        items.append(self.const)
        setattr(namespace, self.dest, items)


class _ExtendAction(_AppendAction):
    def __call__(self, parser, namespace, values, option_string=None):
        items = _copied(getattr(namespace, self.dest, None))
        items.extend(values)
        setattr(namespace, self.dest, items)


class _CountAction(_ConstAction):
    def __init__(self, option_strings, dest, default=None, required=False, help=None, deprecated=False):
        super().__init__(option_strings, dest, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        count = getattr(namespace, self.dest, None)
        setattr(namespace, self.dest, 1 if count is None else count + 1)


class _EndAction(Action):
    """Help and versions are printed, and the program ends."""

    def __init__(self, option_strings, dest=SUPPRESS, default=SUPPRESS, help=None, version=None, deprecated=False):
        super().__init__(option_strings, dest, nargs=0, default=default, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        _refuse(f"argparse: {option_string}, which ends the program,")


class BooleanOptionalAction(Action):
    def __init__(self, option_strings, dest, default=None, type=None, choices=None, required=False, help=None, metavar=None, deprecated=False):
        both = []
        for option in option_strings:
            both.append(option)
            if option.startswith("--"):
                both.append("--no-" + option[2:])
        super().__init__(both, dest, nargs=0, default=default, required=required, help=help)

    def __call__(self, parser, namespace, values, option_string=None):
        if option_string in self.option_strings:
            setattr(namespace, self.dest, not option_string.startswith("--no-"))


_ACTIONS = {None: _StoreAction, "store": _StoreAction, "store_const": _StoreConstAction, "store_true": _StoreTrueAction,
            "store_false": _StoreFalseAction, "append": _AppendAction, "append_const": _AppendConstAction, "extend": _ExtendAction,
            "count": _CountAction, "help": _EndAction, "version": _EndAction}


class _Group:
    """Arguments that help shows together; of a parser they are."""

    def __init__(self, parser, exclusive=None):
        self._ptc_parser, self._ptc_exclusive = parser, exclusive

    def add_argument(self, *args, **kwargs):
        action = self._ptc_parser._ptc_made(args, kwargs)
        _check_shape_of_group(action)
        self._ptc_parser._ptc_add(action)
        if self._ptc_exclusive is not None and action.required:
            raise ValueError("mutually exclusive arguments must be optional")
        if self._ptc_exclusive is not None:
            self._ptc_exclusive.append(action)
        return action

    def add_argument_group(self, *args, **kwargs):
        return self._ptc_parser.add_argument_group(*args, **kwargs)

    def add_mutually_exclusive_group(self, *, required=False):
        return self._ptc_parser.add_mutually_exclusive_group(required=required)

    def set_defaults(self, **kwargs):
        self._ptc_parser.set_defaults(**kwargs)


def _pattern(action):
    """What the letters of its arguments match: A of an argument, O of an option, - of `--`."""
    nargs = action.nargs
    if nargs is None:
        text = "(-*A-*)"
    elif nargs == OPTIONAL:
        text = "(-*A?-*)"
    elif nargs == ZERO_OR_MORE:
        text = "(-*[A-]*)"
    elif nargs == ONE_OR_MORE:
        text = "(-*A[A-]*)"
    elif nargs == REMAINDER:
        text = "([-AO]*)"
    else:
        text = "(-*" + "-*".join("A" * nargs) + ")"
    return text.replace("-*", "").replace("-", "") if action.option_strings else text


def _counts_of_metavars(nargs):
    """How many names of its values the text of help has places for; None: any."""
    for known, counts in ((None, (1,)), (OPTIONAL, (1,)), (ZERO_OR_MORE, (1, 2)), (ONE_OR_MORE, (2,)), (PARSER, (1,)), (REMAINDER, None),
                          (SUPPRESS, None)):
        if nargs == known:
            return counts
    try:
        return (len(range(nargs)),)
    except TypeError:
        raise ValueError("invalid nargs value") from None


def _check_shape(action):
    """As a parser checks: by the text of help, which tells how many values an argument has and what they are called."""
    try:
        if action.metavar is None and action.choices is not None:
            [str(choice) for choice in action.choices]
        counts = _counts_of_metavars(action.nargs)
        fits = counts is None or not isinstance(action.metavar, tuple) or len(action.metavar) in counts
    except TypeError:
        fits = False
    if not fits:
        raise ValueError("length of metavar tuple does not match nargs")


def _check_shape_of_group(action):
    """A group does not check, and what is wrong shows when arguments are parsed."""
    if hasattr(type(action.choices), "__next__"):
        _refuse("argparse: an iterator of choices")
    try:
        _check_shape(action)
    except ValueError:
        _refuse("argparse: an argument of a group with values that do not fit together")


def _check_help(action):
    if _python_minor() >= 14 and isinstance(action.help, str) and "%" in _re.sub("%%|%\\((?:prog|dest|type|default|const|nargs)\\)[sr]", "", action.help):
        _refuse("argparse: a text of help with fields that are not known")


class ArgumentParser:
    def __init__(self, prog=None, usage=None, description=None, epilog=None, parents=(), formatter_class=HelpFormatter, prefix_chars="-",
                 fromfile_prefix_chars=None, argument_default=None, conflict_handler="error", add_help=True, allow_abbrev=True,
                 exit_on_error=True, **kwargs):
        if parents or prefix_chars != "-" or fromfile_prefix_chars or conflict_handler != "error":
            _refuse("argparse.ArgumentParser with parents, other prefixes, files of arguments or a handler of conflicts")
        self.prog, self.usage, self.description, self.epilog, self.argument_default = prog, usage, description, epilog, argument_default
        self.add_help, self.allow_abbrev, self.exit_on_error = add_help, allow_abbrev, exit_on_error
        self._actions, self._option_string_actions, self._defaults, self._ptc_exclusive = [], {}, {}, []
        if add_help:
            self.add_argument("-h", "--help", action="help", default=SUPPRESS, help="show this help message and exit")

    # Which arguments there are ---------------------------------------------------------------------

    def add_argument(self, *args, **kwargs):
        action = self._ptc_made(args, kwargs)
        _check_shape(action)
        return self._ptc_add(action)

    def _ptc_made(self, args, kwargs):
        if not args or (len(args) == 1 and args[0][0] != "-"):
            if args and "dest" in kwargs:
                raise (ValueError("dest supplied twice for positional argument") if _python_minor() < 14 else
                       TypeError("dest supplied twice for positional argument, did you mean metavar?"))
            dest, options = args[0] if args else kwargs.pop("dest"), []
            if "required" in kwargs:
                raise TypeError("'required' is an invalid argument for positionals")
            nargs = kwargs.get("nargs")
            if nargs == 0 and _python_minor() >= 14:
                raise ValueError("nargs for positionals must be != 0")
            if nargs not in (OPTIONAL, ZERO_OR_MORE) or (nargs == ZERO_OR_MORE and "default" not in kwargs):
                kwargs["required"] = nargs != OPTIONAL and nargs not in (REMAINDER, SUPPRESS)
        else:
            options = list(args)
            for option in options:
                if option[0] != "-":
                    raise ValueError(f"invalid option string {option!r}: must start with a character '-'")
            long = [option for option in options if option.startswith("--")]
            dest = kwargs.pop("dest", None)
            if dest is None:
                dest = (long or options)[0].lstrip("-").replace("-", "_")
                if not dest:
                    named = options if _python_minor() >= 15 else options[-1:]
                    raise (ValueError if _python_minor() < 14 else TypeError)(
                        f"dest= is required for options like {', '.join([repr(option) for option in named])}")
        if "default" not in kwargs and dest in self._defaults:
            kwargs["default"] = self._defaults[dest]
        elif "default" not in kwargs and self.argument_default is not None:
            kwargs["default"] = self.argument_default
        made = kwargs.pop("action", None)
        if "deprecated" in kwargs and (kwargs["deprecated"] or _python_minor() < 13):
            _refuse("argparse: deprecated arguments")
        if _is_opaque(made) or (isinstance(made, str) and made not in _ACTIONS):
            raise ValueError(f'unknown action "{made}"' if _python_minor() < 14 else f"unknown action {made!r}")
        action = (made if isinstance(made, type) else _ACTIONS[made])(options, dest, **kwargs)
        if not action.option_strings and action.nargs == 0 and _python_minor() >= 14:
            raise ValueError(f"action {made!r} is not valid for positional arguments")
        if action.type is not None and not callable(action.type):
            raise (ValueError if _python_minor() < 14 else TypeError)(f"{action.type!r} is not callable")
        return action

    def _ptc_add(self, action):
        _check_help(action)
        for option in action.option_strings:
            if option in self._option_string_actions:
                raise ArgumentError(action, f"conflicting option string: {option}")
            self._option_string_actions[option] = action
        self._actions.append(action)
        return action

    def add_argument_group(self, *args, **kwargs):
        return _Group(self)

    def add_mutually_exclusive_group(self, *, required=False):
        self._ptc_exclusive.append(([], required))
        return _Group(self, self._ptc_exclusive[-1][0])

    def add_subparsers(self, **kwargs):
        _refuse("argparse: subparsers")

    def set_defaults(self, **kwargs):
        self._defaults.update(kwargs)
        for action in self._actions:
            if action.dest in kwargs:
                action.default = kwargs[action.dest]

    def get_default(self, dest):
        for action in self._actions:
            if action.dest == dest and action.default is not None:
                return action.default
        return self._defaults.get(dest, None)

    # Parsing ---------------------------------------------------------------------------------------

    def parse_args(self, args=None, namespace=None):
        found, rest = self.parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found

    def parse_known_args(self, args=None, namespace=None):
        if args is None:
            _refuse("argparse: the command line; give parse_args() a list, or make options arguments of the entry or of its class, with --init")
        args = list(args)
        if [arg for arg in args if not isinstance(arg, str)]:
            _refuse("argparse: arguments that are no known text")
        if args.count("--") > 1:
            _refuse("argparse: arguments with '--' in them twice")
        namespace = Namespace() if namespace is None else namespace
        for action in self._actions:
            if action.dest is not SUPPRESS and not hasattr(namespace, action.dest) and action.default is not SUPPRESS:
                setattr(namespace, action.dest, action.default)
        for dest in self._defaults:
            if not hasattr(namespace, dest):
                setattr(namespace, dest, self._defaults[dest])
        return _Parsing(self, args, namespace).run()

    def error(self, message):
        _refuse(f"argparse: the program ends, as its arguments are wrong: {message}")

    def exit(self, status=0, message=None):
        _refuse("argparse: the end of the program")

    def format_help(self):
        _refuse("argparse: the text of help")

    format_usage = print_help = print_usage = format_help


class _Parsing:
    """One list of arguments."""

    def __init__(self, parser, args, namespace):
        self.parser, self.args, self.namespace = parser, args, namespace
        self.positionals = [action for action in parser._actions if not action.option_strings]
        self.rest, self.seen, self.given = [], [], []
        self.options, letters, is_behind = {}, [], False
        for at, arg in enumerate(args):
            option = None if is_behind or arg == "--" else self.option_in(arg)
            if option is not None:
                self.options[at] = option
            letters.append("-" if arg == "--" and not is_behind else "A" if option is None else "O")
            is_behind = is_behind or arg == "--"
        self.letters = "".join(letters)

    def option_in(self, arg):
        """(action or None, option, value or None) where the text is one of an option."""
        known = self.parser._option_string_actions
        if not arg or arg[0] != "-":
            return None
        if arg in known:
            return known[arg], arg, None
        if len(arg) == 1:
            return None
        option, is_joined, value = arg.partition("=")
        if is_joined and option in known:
            return known[option], option, value
        if arg.startswith("--"):
            fits = [name for name in known if self.parser.allow_abbrev and name.startswith(option)]
            if len(fits) > 1:
                self.parser.error(f"ambiguous option: {arg} could match {', '.join(fits)}")
            if fits:
                return known[fits[0]], fits[0], value if is_joined else None
        elif arg[:2] in known:
            return known[arg[:2]], arg[:2], arg[2:]
        elif [name for name in known if self.parser.allow_abbrev and name.startswith(arg)]:
            _refuse(f"argparse: {arg!r}, a part of an option with one dash")
        if _re.match(r"^-\d+$|^-\d*\.\d+$", arg) and not [name for name in known if _re.match(r"^-\d+$|^-\d*\.\d+$", name)]:
            return None
        return None if " " in arg else (None, arg, None)

    def run(self):
        at, last = 0, max(self.options, default=-1)
        while at <= last:
            following = min([index for index in self.options if index >= at])
            if at != following:
                behind = self.take_positionals(at)
                if behind > at:
                    at = behind
                    continue
            if at not in self.options:
                self.rest += self.args[at:following]
                at = following
            at = self.take_option(at)
        at = self.take_positionals(at)
        self.rest += self.args[at:]
        self.finish()
        return self.namespace, self.rest

    def take_option(self, at):
        action, option, value = self.options[at]
        if action is None:
            self.rest.append(self.args[at])
            return at + 1
        together = []
        while value is not None and action.nargs == 0 and not option.startswith("--") and value:
            if not together and self.args[at].startswith(option + "="):
                self.parser.error(f"argument {option}: ignored explicit argument {value!r}")
            together.append((action, option))           # -xy: x, then y
            option = "-" + value[0]
            if option not in self.parser._option_string_actions:
                self.parser.error(f"argument {option}: ignored explicit argument {value!r}")
            action, value = self.parser._option_string_actions[option], value[1:] or None
            if value is not None and action.nargs != 0 and value.startswith("="):
                if _python_minor() < 13:           # the sign is of the value in some releases of a version, and not in others
                    _refuse(f"argparse: {self.args[at]!r}, options of one letter with '='")
                value = value[1:]
        if value is not None and action.nargs == 0:
            self.parser.error(f"argument {option}: ignored explicit argument {value!r}")
        for first, name in together:
            self.call(first, [], name)
        if value is not None:
            if isinstance(action.nargs, int) and action.nargs != 1:
                self.parser.error(f"argument {option}: ignored explicit argument {value!r}")
            self.call(action, [value], option)
            return at + 1
        found = _re.match("()" if action.nargs == 0 else _pattern(action), self.letters[at + 1:])
        if found is None:
            self.parser.error(f"argument {option}: expected {'one argument' if action.nargs is None else 'other arguments'}")
        count = len(found.group(1))
        self.call(action, self.args[at + 1:at + 1 + count], option)
        return at + 1 + count

    def take_positionals(self, at):
        for count in range(len(self.positionals), 0, -1):
            found = _re.match("".join([_pattern(action) for action in self.positionals[:count]]), self.letters[at:])
            if found is not None:
                taken, self.positionals = self.positionals[:count], self.positionals[count:]
                for action, letters in zip(taken, found.groups()):
                    if action.nargs in (OPTIONAL, ZERO_OR_MORE) and not letters and [o for o in self.options if o >= at]:
                        _refuse("argparse: a positional argument that may be empty, before options")
                    self.call(action, self.args[at:at + len(letters)], None)
                    at += len(letters)
                break
        return at

    def call(self, action, texts, option):
        values = self.values(action, texts)
        self.seen.append(action)
        if texts or action.nargs == 0 or values is not action.default:
            self.given.append(action)
            for members, _ in self.parser._ptc_exclusive:
                if action in members and [other for other in members if other is not action and other in self.given]:
                    self.parser.error("not allowed with another argument")
        if values is not SUPPRESS:
            action(self.parser, self.namespace, values, option)

    def values(self, action, texts):
        if not action.option_strings and "--" in texts and action.nargs != REMAINDER:
            texts = [text for n, text in enumerate(texts) if n != texts.index("--")]
        if action.nargs == OPTIONAL and not texts:
            value = action.const if action.option_strings else action.default
            if isinstance(value, str):
                value = self.value(action, value)
                self.check(action, value)
            return value
        if action.nargs == ZERO_OR_MORE and not texts and not action.option_strings:
            return action.default if action.default is not None else []
        made = [self.value(action, text) for text in texts]
        for value in made:
            self.check(action, value)
        return made[0] if action.nargs in (None, OPTIONAL) else made

    def value(self, action, text):
        if action.type is None:
            return text
        try:
            return action.type(text)
        except (ArgumentTypeError, TypeError, ValueError):
            self.parser.error(f"argument {action.dest}: invalid value: {text!r}")

    def check(self, action, value):
        if action.choices is not None and value not in action.choices:
            self.parser.error(f"argument {action.dest}: invalid choice: {value!r}")

    def finish(self):
        missing = []
        for action in self.parser._actions:
            if action in self.seen:
                continue
            if action.required:
                missing.append("/".join(action.option_strings) or action.dest)
            elif isinstance(action.default, str) and action.default is not SUPPRESS and getattr(self.namespace, action.dest, None) is action.default:
                setattr(self.namespace, action.dest, self.value(action, action.default))
        if missing:
            self.parser.error(f"the following arguments are required: {', '.join(missing)}")
        for members, is_required in self.parser._ptc_exclusive:
            if is_required and not [action for action in members if action in self.given]:
                self.parser.error("one of the arguments is required")
