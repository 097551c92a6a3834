"""From edits to text: every edit becomes a few replacements of the original text, all of them disjoint."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from rueda.source.arguments import argument_pieces
from rueda.source.edits import (
    AddArgument,
    Edit,
    EditError,
    Insert,
    RemoveArgument,
    Replace,
    Wrap,
)
from rueda.source.fitting import fit_fstrings
from rueda.source.imports import place_imports
from rueda.source.layout import Layout
from rueda.source.pieces import Piece, Rank
from rueda.source.span import LINE_END, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.source.file import SourceFile


def apply(source: SourceFile, edits: Iterable[Edit]) -> str:
    """The text of ``source`` with all edits made at once; what no edit names stays as it is, to the byte.

    Raises:
        EditError: edits overlap, reach into a removed statement, or have no place in the source.
    """
    written: list[str] = []
    position = 0
    for edit in text_edits(source, edits):
        written += source.text[position : edit.span.start], edit.text
        position = edit.span.end
    return "".join(written) + source.text[position:]


def text_edits(source: SourceFile, edits: Iterable[Edit]) -> tuple[Replace, ...]:
    """The edits as replacements of spans of the original text: disjoint, in order, at most one for each offset.

    Raises:
        EditError: as ``apply``.
    """
    edits = tuple(edits)
    if not edits:  # also for a text that does not parse
        return ()
    edits = (*edits, *place_imports(source, edits))
    calls = [edit for edit in edits if isinstance(edit, (AddArgument, RemoveArgument))]
    inner = fit_fstrings(source, [*_expression_pieces(edits), *argument_pieces(source, calls)])
    layout = Layout(source, edits)
    return _joined(source, [*map(layout.indented, inner), *layout.pieces()])


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
