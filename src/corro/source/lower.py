"""From edits to text: every edit becomes a few replacements of the original text, all of them disjoint."""

from __future__ import annotations

import ast
from bisect import bisect_right
from typing import TYPE_CHECKING

from corro.classes import replace
from corro.source.arguments import argument_pieces
from corro.source.calls import parenthesised
from corro.source.edits import (
    AddArgument,
    Before,
    Edit,
    EditError,
    Insert,
    Lift,
    RemoveArgument,
    Replace,
    Wrap,
)
from corro.source.fitting import fit_fstrings
from corro.source.imports import place_imports
from corro.source.layout import Layout
from corro.source.pieces import Piece, Rank
from corro.source.span import LINE_END, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.source.file import SourceFile

_LAST = 99
"""The order of what belongs to a statement itself: it is computed after all that is written in front of it."""


def apply(source: SourceFile, edits: Iterable[Edit]) -> str:
    """The text of ``source`` with all edits made at once; what no edit names stays as it is, to the byte.

    Raises:
        EditError: edits overlap, reach into a removed statement, or have no place in the source.
    """
    return rewritten(source, text_edits(source, edits))


def text_edits(source: SourceFile, edits: Iterable[Edit]) -> tuple[Replace, ...]:
    """The edits as replacements of spans of the original text: disjoint, in order, at most one for each offset.

    Raises:
        EditError: as ``apply``.
    """
    edits = tuple(edits)
    if not edits:  # also for a text that does not parse
        return ()
    edits = _with_quoted(source, _with_lifted(source, (*edits, *place_imports(source, edits))))
    layout = Layout(source, edits)
    inner = map(layout.indented, _inner_pieces(source, edits))
    return _joined(source, [*_broken(source, layout, list(inner)), *layout.pieces()])


def _broken(source: SourceFile, layout: Layout, pieces: list[Piece]) -> list[Piece]:
    """The pieces, with statements of one line that they make too long written anew on several lines."""
    simple = [stmt for stmt in source.statements if isinstance(stmt, (ast.Assign, ast.AugAssign, ast.Expr))]
    simple.sort(key=lambda stmt: source.span(stmt).start)
    starts = [source.span(stmt).start for stmt in simple]
    by_statement: dict[ast.stmt, list[Piece]] = {}
    for piece in pieces:
        at = bisect_right(starts, piece.start) - 1
        if at >= 0 and source.span(simple[at]).contains(Span(piece.start, piece.end)):
            by_statement.setdefault(simple[at], []).append(piece)
    for stmt, parts in by_statement.items():
        span = source.span(stmt)
        written = rewritten(source, _joined(source, parts), span)
        lines = layout.broken(stmt, written)
        if lines != written:
            pieces = [piece for piece in pieces if piece not in parts]
            pieces.append(Piece(span.start, span.end, lines, Rank.REPLACE))
    return pieces


def _inner_pieces(source: SourceFile, edits: Iterable[Edit], within: Span | None = None) -> list[Piece]:
    """The pieces of edits within statements, for a text that goes no further than ``within``."""
    edits = tuple(edits)
    calls = [edit for edit in edits if isinstance(edit, (AddArgument, RemoveArgument))]
    return fit_fstrings(source, [*_expression_pieces(edits), *argument_pieces(source, calls)], within)


def _with_lifted(source: SourceFile, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, with what is lifted as the line it makes; the edits within it are made there."""
    for lift in dict.fromkeys(edit for edit in edits if isinstance(edit, Lift)):
        span = source.span(lift.node)
        inside = tuple(edit for edit in edits if _is_within(source, edit, span))
        text = lift.head + _on_its_own(source, lift.node, _edited(source, inside, span))
        others = (edit for edit in edits if edit != lift and edit not in inside)
        edits = (*others, Before(lift.stmt, text, _LAST), Replace(span, lift.name))
    return edits


def _with_quoted(source: SourceFile, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
    """The edits, with those within expressions that stand in the text of another made there."""
    for before in dict.fromkeys(edit for edit in edits if isinstance(edit, Before) and edit.quoted):
        text, gone = before.text, set[Edit]()
        for written, nodes in _by_text(source, before.quoted).items():
            inside = [[e for e in edits if _is_inside(source, e, source.span(node))] for node in nodes]
            text = text.replace(written, _edited(source, inside[0], source.span(nodes[0])))
            gone.update(edit for each in inside for edit in each)
        edits = tuple(replace(before, text=text, quoted=()) if e == before else e for e in edits if e not in gone)
    return edits


def _by_text(source: SourceFile, nodes: Iterable[ast.expr]) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        found.setdefault(source.segment(node), []).append(node)
    return found


def _is_inside(source: SourceFile, edit: Edit, span: Span) -> bool:
    """Whether an edit is of a part of an expression, not of all of it."""
    return _is_within(source, edit, span) and not (isinstance(edit, (Replace, Wrap)) and edit.span == span)


def _is_within(source: SourceFile, edit: Edit, span: Span) -> bool:
    if isinstance(edit, (Replace, Wrap)):
        return span.contains(edit.span)
    if isinstance(edit, Insert):
        return span.start < edit.offset < span.end
    return isinstance(edit, (AddArgument, RemoveArgument)) and span.contains(source.span(edit.call))


def _edited(source: SourceFile, edits: Iterable[Edit], span: Span) -> str:
    """A part of the text with the edits within it made."""
    return rewritten(source, _joined(source, _inner_pieces(source, edits, span)), span)


def rewritten(source: SourceFile, edits: Iterable[Replace], span: Span | None = None) -> str:
    """The text, or the part of it within ``span``, with what ``text_edits`` gives made."""
    written: list[str] = []
    span = span or Span(0, len(source.text))
    position = span.start
    for edit in edits:
        written += source.text[position : edit.span.start], edit.text
        position = edit.span.end
    return "".join(written) + source.text[position : span.end]


def _on_its_own(source: SourceFile, node: ast.expr, text: str) -> str:
    """The text of an expression on the right of an assignment; what ``*`` unpacks is computed there and then."""
    if isinstance(source.parent(node), ast.Starred):
        return f"[*{text}]"
    loose = isinstance(node, ast.NamedExpr) or "\n" in text
    return f"({text})" if loose and parenthesised(source, node) != source.segment(node) else text


def _expression_pieces(edits: Iterable[Edit]) -> Iterator[Piece]:
    for number, edit in enumerate(edits):
        if isinstance(edit, Replace):
            rank = Rank.REPLACE if len(edit.span) else Rank.INSERT
            yield Piece(edit.span.start, edit.span.end, edit.text, rank)
        elif isinstance(edit, Insert):
            yield Piece(edit.offset, edit.offset, edit.text, Rank.INSERT, (number,))
        elif isinstance(edit, Wrap):
            start, end = edit.span.start, edit.span.end
            yield Piece(start, start, edit.before, Rank.WRAP_START, (-end, -number))
            yield Piece(end, end, edit.after, Rank.WRAP_END, (-start, number))


def _joined(source: SourceFile, pieces: list[Piece]) -> tuple[Replace, ...]:
    """The pieces in order, equal ones once, those that meet at one offset as one."""
    merged: list[Replace] = []
    for piece in sorted(dict.fromkeys(_without_lost_lines(source, pieces)), key=Piece.key):
        if piece.start < 0 or piece.end > len(source.text):
            raise EditError(f"{source.path} has no offset {piece.end}")
        text = LINE_END.sub(source.newline, piece.text)
        last = merged[-1].span if merged else Span(0, 0)
        if piece.start < last.end:
            raise EditError(f"{source.place(piece.start)}: two edits overlap; one writes {piece.text!r}")
        if merged and piece.start == last.start:
            merged[-1] = Replace(Span(piece.start, piece.end), merged[-1].text + text)
        else:
            merged.append(Replace(Span(piece.start, piece.end), text))
    return tuple(merged)


def _without_lost_lines(source: SourceFile, pieces: list[Piece]) -> Iterator[Piece]:
    """All pieces but the indentation of lines whose start is rewritten by another piece."""
    cuts = sorted((piece for piece in pieces if piece.end > piece.start), key=Piece.key)
    starts = [cut.start for cut in cuts]
    for piece in pieces:
        if piece.rank is Rank.INDENT:
            line = source.lines.start(piece.start)
            last = bisect_right(starts, line)
            if any(_rewrites(source, cut, line) for cut in cuts[max(last - 2, 0) : last]):
                continue
        yield piece


def _rewrites(source: SourceFile, cut: Piece, line: int) -> bool:
    """Whether the line that starts at ``line`` does not start there any more once ``cut`` is made."""
    whole_lines = not cut.text and (source.text[cut.end - 1] in "\r\n" or cut.end == len(source.text))
    return cut.start <= line < cut.end if whole_lines else cut.start < line <= cut.end
