"""Statements that edits made too long, broken as ``ruff format`` breaks them: at brackets, each item on a line."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 120

_OPEN, _CLOSE = "([{", ")]}"


def broken(text: str, indent: str, step: str) -> str:
    """A simple statement, given without its indentation, on several lines where one is too long; else as it is.

    Only spaces and line ends between tokens change, and the comma after the last of several lines.
    """
    if "\n" in text or len(indent) + len(text) <= WIDTH:
        return text
    comments = Tokens(text).comments
    code = text[: comments[0].start].rstrip() if comments else text
    if len(indent) + len(code) <= WIDTH or not _is_simple(code):
        return text
    lines = "\n".join(_lines(_in_brackets(code), indent, step, "")).removeprefix(indent)
    return lines + text[len(code) :] if _is_same(lines, code) else text


def _is_same(lines: str, code: str) -> bool:
    """Not where a comma parts no items, as in the target of a comprehension."""
    try:
        return ast.dump(ast.parse(lines)) == ast.dump(ast.parse(code))
    except SyntaxError:
        return False


def _is_simple(text: str) -> bool:
    try:
        body = ast.parse(text).body
    except SyntaxError:
        return False
    return len(body) == 1 and isinstance(body[0], (ast.Assign, ast.AugAssign, ast.Expr))


def _in_brackets(text: str) -> str:
    """A tuple without brackets on the right of an assignment gets some, or there would be no place to break."""
    stmt = ast.parse(text).body[0]
    if not isinstance(stmt, ast.Assign) or not isinstance(stmt.value, ast.Tuple):
        return text
    start = len(text.encode()[: stmt.value.col_offset].decode())
    return text if _last_pair(text) == (start, len(text) - 1) else f"{text[:start]}({text[start:]})"


def _lines(text: str, indent: str, step: str, end: str) -> Iterator[str]:
    """One item: on a line where it fits, else broken at its last brackets."""
    pair = None if len(indent) + len(text) + len(end) <= WIDTH else _last_pair(text)
    if pair is None or not text[pair[0] + 1 : pair[1]].strip():
        yield indent + text + end
        return
    start, stop = pair
    yield indent + text[: start + 1]
    inner = text[start + 1 : stop].strip()
    items = _items(inner)
    if len(indent) + len(step) + len(inner) <= WIDTH and not _is_bare_tuple(text, start):
        yield indent + step + inner
    elif len(items) == 1:
        for part in _clauses(items[0]):
            yield from _lines(part, indent + step, step, "")
    else:
        for item in items:
            yield from _lines(item, indent + step, step, ",")
    yield indent + text[stop:] + end


def _is_bare_tuple(text: str, start: int) -> bool:
    return text[:start].endswith("= ") and text[start] == "(" and len(_items(text[start + 1 : -1])) > 1


def _last_pair(text: str) -> tuple[int, int] | None:
    """Where the last pair of brackets that is within no other one opens and closes."""
    depth, start, found = 0, 0, None
    for token in Tokens(text).code:
        string = text[token.start : token.end]
        if string in _OPEN:
            start, depth = (start if depth else token.start), depth + 1
        elif string in _CLOSE:
            depth -= 1
            found = found if depth else (start, token.start)
    return found


def _clauses(text: str) -> list[str]:
    """The parts of a comprehension, each of which begins a line: what it gives, and each ``for`` and ``if``."""
    starts, depth, clauses = [0], 0, False
    for token in Tokens(text).code:
        string = text[token.start : token.end]
        depth += (string in _OPEN) - (string in _CLOSE)
        clauses |= string == "for" and not depth
        if string in ("for", "if") and clauses and not depth:
            starts.append(token.start)
    return [text[start:end].strip() for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _items(text: str) -> list[str]:
    """What commas part that are within no brackets."""
    items, depth, position = list[str](), 0, 0
    for token in Tokens(text).code:
        string = text[token.start : token.end]
        depth += (string in _OPEN) - (string in _CLOSE)
        if string == "," and not depth:
            items.append(text[position : token.start].strip())
            position = token.end
    return [item for item in (*items, text[position:].strip()) if item]
