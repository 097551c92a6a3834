"""Texts that go into the fields of f-strings: before Python 3.12 the quotes around them must not appear in them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.classes import dataclass, replace
from corro.source.edits import EditError
from corro.source.fstrings import string_fields
from corro.source.pieces import Piece, Rank
from corro.source.span import Span
from corro.source.tokens import Field, split_opening

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.source.file import SourceFile

_EQUALS = re.compile(r"=\s*")
_OPENING = re.compile(r"\w*(?:'''|\"\"\"|'|\")")


@dataclass(frozen=True)
class _Setting:
    """The innermost field that a span stands in, and the quotes of all strings around it."""

    field: Field
    quotes: frozenset[str]


def fit_fstrings(source: SourceFile, pieces: Iterable[Piece], within: Span | None = None) -> list[Piece]:
    """The pieces, those within an f-string fitted to it; what ``{name=}`` prints keeps the name as it was.

    Args:
        source: the file.
        pieces: what is to be written.
        within: the part of the text that is written somewhere else: strings around it hold it no longer.

    Raises:
        EditError: a text that no f-string of Python 3.10 can hold.
    """
    strings = sorted(
        (
            source.span(node)
            for node in source.nodes.of(ast.JoinedStr)
            if source.has_reliable_span(node)
            if within is None or within.contains(source.span(node))
        ),
        key=lambda span: (span.start, -span.end),
    )
    fitted: dict[Piece, None] = {}
    for piece in pieces:
        setting = _setting(source, strings, Span(piece.start, piece.end))
        if setting is None:
            fitted[piece] = None
        else:
            fitted.update(dict.fromkeys(_spelt_out(source.text, setting.field)))
            fitted[replace(piece, text=_fitted(source, piece, setting))] = None
    return list(fitted)


def _setting(source: SourceFile, strings: Iterable[Span], span: Span) -> _Setting | None:
    found: Field | None = None
    quotes: set[str] = set()
    for string in strings:
        if string.start < span.start and span.end < string.end:
            for field in string_fields(source.text, string):
                inner = _innermost(field, span)
                if inner is not None:
                    found = inner
                    opening = _OPENING.match(source.text, _part(source, string, span))
                    quotes.add(split_opening(opening[0])[1] if opening else "")
    return _Setting(found, frozenset(quotes)) if found else None


def _innermost(field: Field, span: Span) -> Field | None:
    for nested in field.nested:
        if found := _innermost(nested, span):
            return found
    return field if field.expression.contains(span) else None


def _part(source: SourceFile, string: Span, span: Span) -> int:
    """Where the literal starts that holds ``span``: ``string`` may be several, one after the other."""
    token = source.tokens.before(span.start)
    return token.start if token is not None and token.start >= string.start else string.start


def _spelt_out(text: str, field: Field) -> Iterator[Piece]:
    """For ``{name=}``, whose text is about to change: ``name={name!r}``, which prints the same."""
    if field.equals is None:
        return
    match = _EQUALS.match(text, field.equals)
    assert match is not None
    label = text[field.expression.start : match.end()].replace("{", "{{").replace("}", "}}")
    yield Piece(field.span.start, field.span.start, label, Rank.INSERT)
    end = field.expression.start + len(text[field.expression.start : field.equals].rstrip())
    yield Piece(end, match.end(), "" if field.converted or field.spec else "!r", Rank.REPLACE)


def _fitted(source: SourceFile, piece: Piece, setting: _Setting) -> str:
    text = piece.text
    if any(character in text for character in "\\\n#"):
        raise EditError(f"{source.place(piece.start)}: an f-string cannot hold {text!r}")
    for quote in setting.quotes:
        if quote in text:
            other = "'" if quote[0] == '"' else '"'
            if other in text or any(other[0] == quote[0] for quote in setting.quotes):
                raise EditError(f"{source.place(piece.start)}: the quotes of this f-string leave no room for {text!r}")
            text = text.replace(quote[0], other)
    opens = piece.start == setting.field.expression.start and text.startswith("{")
    return f" {text}" if opens else text
