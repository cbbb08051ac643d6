"""Deletes statements from a failing program while it fails in the same way."""
import ast
import time


def statement_lists(tree):
    """Every list of statements, outermost first."""
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(node, name, None)
            if isinstance(block, list) and block:
                yield node, name, block


def is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def candidates(tree):
    """(description, function that changes the tree): large deletions first."""
    for n, (node, name, block) in enumerate(statement_lists(tree)):
        size = len(block)
        chunk = size
        while chunk:
            for at in range(0, size, chunk):
                yield n, at, at + chunk, "delete"
            chunk //= 2
        for at, statement in enumerate(block):
            if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                for part in ("body", "orelse", "finalbody"):
                    if getattr(statement, part, None):
                        yield n, at, at + 1, part


def changed(source, change):
    """The source after one change, or None where it makes no sense."""
    tree = ast.parse(source)
    n, low, high, what = change
    lists = list(statement_lists(tree))
    if n >= len(lists):
        return None
    node, name, block = lists[n]
    if high > len(block):
        high = len(block)
    if low >= high or name == "handlers" and high - low == len(block) and not getattr(node, "finalbody", None):
        return None
    new = getattr(block[low], what) if what != "delete" else []
    block[low:high] = new
    if not block and name == "body" and not isinstance(node, ast.Module):
        block.append(ast.Pass())
    try:
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        compile(text, "candidate", "exec")
    except (SyntaxError, ValueError):
        return None
    return text if text != source else None


def minimise(judge, source, verdict, seconds=120):
    """(smaller source, its verdict); `judge(source)` gives a verdict, whose `reason` must not change."""
    best = ast.unparse(ast.parse(source)) + "\n"
    last = judge(best)
    if last.reason != verdict.reason:
        return source, verdict                 # the failure depends on positions
    end, seen, progress = time.time() + seconds, set(), True
    while progress and time.time() < end:
        progress = False
        for change in list(candidates(ast.parse(best))):
            text = changed(best, change)
            if text is None or text in seen:
                continue
            seen.add(text)
            now = judge(text)
            if now.reason == verdict.reason:
                best, last, progress = text, now, True
                break
            if time.time() > end:
                break
    return best, last
