"""Say on each line of an output which rule wrote it: ``# corro: RULE``, for reading and for ``corro explain``.

The comments stand at the ends of logical lines. There, and only there, a comment can never change what a program
means nor how it is laid out. New lines get theirs before the edits are applied; lines that an edit changes, and the
``if`` of a guard, are found again in the output.
"""

from __future__ import annotations

import ast
from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

from corro.classes import replace
from corro.errors import CheckError
from corro.source import (
    After,
    Before,
    Guard,
    Import,
    Insert,
    Lift,
    Remove,
    Replace,
    Under,
    Wrap,
    apply,
    rewritten,
    text_edits,
)
from corro.source.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.changes import Change
    from corro.source import Edit, SourceFile

MARK = "# corro: "


def annotate(source: SourceFile, changes: tuple[Change, ...]) -> str:
    """The text that the changes of a file make, with a comment on each line they insert or change.

    Raises:
        CheckError: the comments change the program: a fault of Corro.
    """
    edits = tuple(_commented(changes))
    plain = tuple(edit for change in changes for edit in change.edits)
    pieces = text_edits(source, edits)
    text = rewritten(source, pieces)
    tokens = Tokens(text)
    rules: dict[int, list[str]] = {}
    for rule, offset in _changed_places(source, changes, text, _Positions(pieces)):
        rules.setdefault(tokens.newline(offset).start, []).append(rule)
    annotated = _with_comments(text, rules)
    if ast.dump(ast.parse(annotated)) != ast.dump(ast.parse(apply(source, plain))):
        raise CheckError("the annotated program differs from the one without comments.")
    return annotated


def comment_lines(text: str, rule: str) -> str:
    """A text of whole statements with the rule at the end of each logical line."""
    tokens = Tokens(text)
    last = tokens.code[-1].end if tokens.code else 0
    ends = [newline.start for newline in tokens.newlines]
    if last and (not ends or ends[-1] < last):
        ends.append(len(text))
    return _with_comments(text, {end: [rule] for end in ends})


def _commented(changes: Iterable[Change]) -> Iterator[Edit]:
    """The edits, whole new lines with their comments. An import is said to be of the first rule that needs it."""
    imports: dict[str, str] = {}
    for change in changes:
        for edit in change.edits:
            if isinstance(edit, Import):
                rule = imports.setdefault(edit.text.strip(), change.rule)
                yield replace(edit, text=comment_lines(edit.text.strip(), rule))
            elif isinstance(edit, (Before, After)):
                yield replace(edit, text=comment_lines(edit.text, change.rule))
            else:
                yield edit


def _changed_places(
    source: SourceFile, changes: Iterable[Change], text: str, positions: _Positions
) -> Iterator[tuple[str, int]]:
    """Places in the output, each on a logical line that a rule changed or in the head of a guard that it made."""
    for change in changes:
        for edit in change.edits:
            if isinstance(edit, (Guard, Under, Lift)):
                stmt = positions.after(source.span(edit.stmt).start)
                yield change.rule, max(text.rfind(edit.head, 0, stmt), 0)
            elif (offset := _offset(source, edit)) is not None:
                yield change.rule, positions.after(offset)


def _offset(source: SourceFile, edit: Edit) -> int | None:
    """Where an edit changes a statement; ``None`` for edits that write or remove whole lines."""
    if isinstance(edit, (Replace, Wrap)):
        return edit.span.start
    if isinstance(edit, Insert):
        return edit.offset
    if isinstance(edit, (Before, After, Import, Guard, Under, Remove, Lift)):
        return None
    return source.span(edit.call).start


class _Positions:
    """From offsets in the original text to offsets in the output."""

    def __init__(self, pieces: tuple[Replace, ...]) -> None:
        self._starts = [piece.span.start for piece in pieces]
        self._pieces = pieces
        self._shifts = [0, *accumulate(len(piece.text) - len(piece.span) for piece in pieces)]

    def after(self, offset: int) -> int:
        """Where the output goes on with what stood at ``offset``, after all that is written there."""
        count = bisect_right(self._starts, offset)
        kept = max(offset, self._pieces[count - 1].span.end) if count else offset
        return kept + self._shifts[count]


def _with_comments(text: str, rules: Mapping[int, Iterable[str]]) -> str:
    """The text with the names of rules at offsets that are ends of logical lines."""
    written: list[str] = []
    position = 0
    for end, names in sorted(rules.items()):
        line = text[position:end]
        written.append(line)
        known = _known(line)
        for name in dict.fromkeys(names):
            if name not in known:
                written.append(f", {name}" if known else f"  {MARK}{name}")
                known.append(name)
        position = end
    return "".join(written) + text[position:]


def _known(line: str) -> list[str]:
    """The rules that the last line names already."""
    _, mark, names = line.rpartition(f"  {MARK}")
    return names.split(", ") if mark and "\n" not in names and "\r" not in names else []
