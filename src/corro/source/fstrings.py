"""Where the expressions inside f-strings really are.

Before Python 3.12 the parser gives the nodes within an f-string the position of the string, or a wrong one. Here the
fields are found again in the text, each expression is parsed on its own, and where its tree equals the original one
node for node, the positions are taken from there. The same way is used on every Python.
"""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING

from corro.source.span import Lines, Span
from corro.source.tokens import Field, Kind, Tokens, fields

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def locate(text: str, joined: ast.JoinedStr, span: Span) -> dict[ast.AST, Span]:
    """The spans of the nodes inside an f-string that stands at ``span``; nodes that could not be found are missing."""
    found: dict[ast.AST, Span] = {joined: span}
    _locate_values(text, joined, string_fields(text, span), found)
    return found


def string_fields(text: str, span: Span) -> list[Field]:
    """The outer fields of the (perhaps concatenated) f-string at ``span``, in order."""
    inner = Tokens(text[span.start : span.end])
    parts = [token for token in inner.code if token.kind is Kind.STRING]
    return [_shift(field, span.start) for part in parts for field in fields(inner.text, part)]


def _shift(field: Field, by: int) -> Field:
    return Field(
        _moved(field.span, by),
        _moved(field.expression, by),
        None if field.equals is None else field.equals + by,
        field.converted,
        None if field.spec is None else _moved(field.spec, by),
        tuple(_shift(nested, by) for nested in field.nested),
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _locate_values(text: str, joined: ast.JoinedStr, found: Sequence[Field], spans: dict[ast.AST, Span]) -> None:
    values = [value for value in joined.values if isinstance(value, ast.FormattedValue)]
    if len(values) != len(found):
        return
    for value, field in zip(values, found, strict=True):
        spans[value] = field.span
        _locate_expression(text, value.value, field.expression, spans)
        if isinstance(value.format_spec, ast.JoinedStr) and field.spec is not None:
            spans[value.format_spec] = field.spec
            _locate_values(text, value.format_spec, field.nested, spans)


def _locate_expression(text: str, node: ast.expr, span: Span, spans: dict[ast.AST, Span]) -> None:
    """Parse the text at ``span`` on its own; if that gives ``node`` again, take its positions."""
    code = f"({text[span.start : span.end]}\n)"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            twin = ast.parse(code, mode="eval").body
    except (SyntaxError, ValueError):
        return
    if ast.dump(twin) != ast.dump(node):
        return
    lines = Lines(code)
    stripped = _strip(text, span)
    for original, copy in _pairs(node, twin):
        assert copy.end_lineno is not None
        assert copy.end_col_offset is not None
        start = lines.offset(copy.lineno, copy.col_offset) + span.start - 1
        end = lines.offset(copy.end_lineno, copy.end_col_offset) + span.start - 1
        place = Span(max(start, stripped.start), min(end, stripped.end))
        spans[original] = place
        if isinstance(original, ast.JoinedStr):
            spans.update(locate(text, original, place))


def _pairs(node: ast.expr, twin: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The expressions of two equal trees, pair by pair; not those inside f-strings."""
    todo: list[tuple[ast.AST, ast.AST]] = [(node, twin)]
    while todo:
        original, copy = todo.pop()
        if isinstance(original, (ast.expr, ast.keyword, ast.arg)):
            yield original, copy  # type: ignore[misc]  # equal trees
        if not isinstance(original, ast.JoinedStr):
            todo.extend(zip(ast.iter_child_nodes(original), ast.iter_child_nodes(copy), strict=True))


def _strip(text: str, span: Span) -> Span:
    content = text[span.start : span.end]
    return Span(span.start + len(content) - len(content.lstrip()), span.end - len(content) + len(content.rstrip()))
