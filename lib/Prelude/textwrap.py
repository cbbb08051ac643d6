"""textwrap: dedent, indent, and wrapping at spaces and hyphens."""
from _ptc import _is_opaque, _python_minor
from _ptc_torch import _refuse


def dedent(text):
    lines = text.split("\n")
    margin = None
    for i in range(len(lines)):
        line = lines[i]
        if not line.strip(" \t"):
            lines[i] = ""
            continue
        lead = line[:len(line) - len(line.lstrip(" \t"))]
        if margin is None:
            margin = lead
            continue
        n = 0
        while n < len(margin) and n < len(lead) and margin[n] == lead[n]:
            n += 1
        margin = margin[:n]
    if margin:
        lines = [line[len(margin):] for line in lines]
    return "\n".join(lines)


def indent(text, prefix, predicate=None):
    out = []
    for line in text.splitlines(True):
        wanted = line.strip() != "" if predicate is None else predicate(line)
        out.append(prefix + line if wanted else line)
    return "".join(out)


_SPACES = "\t\n\v\f\r "


def _is_letter(c):
    return (c.isalnum() or c == "_") and not c.isdecimal()


def _is_of_word(c):
    """Of what stands before a dash between words."""
    return c.isalnum() or c == "_" or c in "!\"'&.,?"


def _dashes_at(word, at):
    """How many dashes, at least two, stand there in front of a letter or digit."""
    end = at
    while end < len(word) and word[end] == "-":
        end += 1
    return end - at if end - at > 1 and end < len(word) and (word[end].isalnum() or word[end] == "_") else 0


def _breaks_behind(word, at):
    """May a line end behind the hyphen at `at`: between two parts of which each has two letters?"""
    before = at >= 2 and _is_letter(word[at - 1]) and (_is_letter(word[at - 2]) or at >= 3 and word[at - 2] == "-" and _is_letter(word[at - 3]))
    rest = word[at + 1:at + 4]
    after = len(rest) > 1 and _is_letter(rest[0]) and (_is_letter(rest[1]) or len(rest) > 2 and rest[1] == "-" and _is_letter(rest[2]))
    return before and after


def _parts(word):
    """Where a word may be broken: behind hyphens of compounds, around dashes."""
    parts, begin = [], 0
    while begin < len(word):
        dashes = _dashes_at(word, begin) if begin and _is_of_word(word[begin - 1]) else 0
        end = begin + (dashes or 1)
        while not dashes and end < len(word):
            if word[end] == "-" and _breaks_behind(word, end):
                end += 1
                break
            if _is_of_word(word[end - 1]) and _dashes_at(word, end):
                break
            end += 1
        parts.append(word[begin:end])
        begin = end
    return parts


def _runs(text, on_hyphens):
    """Parts of words and the spaces between them."""
    runs = []
    for c in text:
        if runs and (runs[-1][0] in _SPACES) == (c in _SPACES):
            runs[-1] += c
        else:
            runs.append(c)
    return [part for run in runs for part in ([run] if run[0] in _SPACES or not on_hyphens else _parts(run))]


class TextWrapper:
    def __init__(self, width=70, initial_indent="", subsequent_indent="", expand_tabs=True, replace_whitespace=True, fix_sentence_endings=False,
                 break_long_words=True, drop_whitespace=True, break_on_hyphens=True, tabsize=8, *, max_lines=None, placeholder=" [...]"):
        self.width, self.initial_indent, self.subsequent_indent = width, initial_indent, subsequent_indent
        self.expand_tabs, self.replace_whitespace, self.fix_sentence_endings = expand_tabs, replace_whitespace, fix_sentence_endings
        self.break_long_words, self.drop_whitespace, self.break_on_hyphens, self.tabsize = break_long_words, drop_whitespace, break_on_hyphens, tabsize
        self.max_lines, self.placeholder = max_lines, placeholder

    def wrap(self, text):
        if _is_opaque(text):
            _refuse("textwrap of text that is not known")
        if self.fix_sentence_endings:
            _refuse("textwrap with fix_sentence_endings")
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = "".join([" " if c in _SPACES else c for c in text])
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        return self._ptc_lines(_runs(text, self.break_on_hyphens))

    def fill(self, text):
        return "\n".join(self.wrap(text))

    def _ptc_lines(self, runs):
        lines, runs = [], runs[::-1]
        while runs:
            lead = self.subsequent_indent if lines else self.initial_indent
            room, line = self.width - len(lead), []
            if self.drop_whitespace and lines and not runs[-1].strip():
                runs.pop()
            length = 0
            while runs and length + len(runs[-1]) <= room:
                length += len(runs[-1])
                line.append(runs.pop())
            if runs and len(runs[-1]) > room:
                self._ptc_cut(runs, line, length, room)
            length = sum([len(run) for run in line])
            if self.drop_whitespace and line and not line[-1].strip():
                length -= len(line.pop())
            if not line:
                continue
            fits = length <= room and (not runs or self.drop_whitespace and len(runs) == 1 and not runs[0].strip())
            if self.max_lines is None or len(lines) + 1 < self.max_lines or fits:
                lines.append(lead + "".join(line))
                continue
            self._ptc_end(lines, line, length, room, lead)
            break
        return lines

    def _ptc_cut(self, runs, line, length, room):
        """A run that is longer than a line is cut where the line ends, or has a line of its own."""
        cut = 1 if room < 1 else room - length
        if self.break_long_words:
            run, end = runs[-1], cut
            if self.break_on_hyphens and len(run) > cut:
                hyphen = run.rfind("-", 0, cut)
                if hyphen > 0 and any([c != "-" for c in run[:hyphen]]):
                    end = hyphen + 1
            if end > 0 or _python_minor() < 14:    # nothing behind a space keeps the space, before 3.14
                line.append(run[:end])
            runs[-1] = run[end:]
        elif not line:
            line.append(runs.pop())

    def _ptc_end(self, lines, line, length, room, lead):
        """The last line, with what stands for the rest."""
        while line:
            if line[-1].strip() and length + len(self.placeholder) <= room:
                lines.append(lead + "".join(line) + self.placeholder)
                return
            length -= len(line.pop())
        if lines:
            before = lines[-1].rstrip()
            if len(before) + len(self.placeholder) <= self.width:
                lines[-1] = before + self.placeholder
                return
        lines.append(lead + self.placeholder.lstrip())


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))
