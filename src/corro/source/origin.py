"""Where the text of an output comes from: offsets of the output led back to the original."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.source.lower import text_edits
from corro.source.span import Lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.source.edits import Edit
    from corro.source.file import SourceFile


@dataclass(frozen=True)
class Origin:
    """The way back from an output to its source.

    Args:
        starts: offsets of the output where another piece begins, the first at 0.
        origins: for each piece the offset in the original, and whether its text is the original's.
        output: the lines of the output.
        original: the lines of the original.
    """

    starts: tuple[int, ...]
    origins: tuple[tuple[int, bool], ...]
    output: Lines
    original: Lines

    @classmethod
    def of(cls, source: SourceFile, edits: Iterable[Edit], text: str) -> Origin:
        """The origin of ``text``, which is what ``apply`` made of ``source`` and ``edits``."""
        starts, origins, at, done = [0], [(0, True)], 0, 0
        for edit in text_edits(source, edits):
            at += edit.span.start - done
            starts += [at, at + len(edit.text)]
            origins += [(edit.span.start, False), (edit.span.end, True)]
            at, done = at + len(edit.text), edit.span.end
        return cls(tuple(starts), tuple(origins), Lines(text), source.lines)

    def offset(self, offset: int) -> tuple[int, bool]:
        """The offset in the original, and whether the text there is the original's own and not an edit's."""
        piece = bisect_right(self.starts, offset) - 1
        origin, own = self.origins[piece]
        return (origin + offset - self.starts[piece] if own else origin), own

    def line(self, line: int) -> int:
        """The line of the original that a line of the output comes from or stands before; both from 1."""
        start = self.output.starts[min(line, len(self.output.starts)) - 1]
        end = self.output.starts[line] if line < len(self.output.starts) else start + 1
        own = next((offset for offset in range(start, end) if self.offset(offset)[1]), start)
        return self.original.number(self.offset(own)[0])
