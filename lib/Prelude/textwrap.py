"""textwrap: dedent, indent, and wrapping at spaces. Text with hyphens is refused."""


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


def _runs(text):
    """Words and the spaces between them, in turn."""
    text = "".join([" " if c in "\n\r\v\f" else c for c in text.expandtabs()])
    runs = []
    for c in text:
        if c == "-":
            raise NotImplementedError("textwrap does not break lines at hyphens in a compiled program")
        if runs and (runs[-1][0] == " ") == (c == " "):
            runs[-1] += c
        else:
            runs.append(c)
    return runs


def wrap(text, width=70, *, initial_indent="", subsequent_indent=""):
    if width <= 0:
        raise ValueError(f"invalid width {width!r} (must be > 0)")
    runs = _runs(text)
    lines = []
    at = 0
    while at < len(runs):
        lead = subsequent_indent if lines else initial_indent
        room = width - len(lead)
        if lines and runs[at][0] == " ":
            at += 1
        line = ""
        full = False
        while at < len(runs) and len(line) + len(runs[at]) <= room:
            line += runs[at]
            at += 1
        if at < len(runs) and len(runs[at]) > room:
            # A word longer than a line is cut where the line ends. CPython keeps the space before a
            # word of which nothing fits.
            cut = max(room - len(line), 0) if room >= 1 else 1
            full = cut == 0
            line += runs[at][:cut]
            runs[at] = runs[at][cut:]
        if not full:
            line = line.rstrip(" ")
        if line:
            lines.append(lead + line)
    return lines


def fill(text, width=70, *, initial_indent="", subsequent_indent=""):
    return "\n".join(wrap(text, width, initial_indent=initial_indent, subsequent_indent=subsequent_indent))


def shorten(text, width, *, placeholder=" [...]"):
    words = text.split()
    if len(" ".join(words)) <= width:
        return " ".join(words)
    while words and len(" ".join(words)) + len(placeholder) > width:
        words.pop()
    return " ".join(words) + placeholder if words else placeholder.strip()
