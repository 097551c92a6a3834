"""Places in a text: half-open spans of character offsets, and the way from a parser's positions to them."""

from __future__ import annotations

import re
from bisect import bisect_right

from corro.classes import dataclass

LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line for Python's parser. ``str.splitlines`` knows more line ends, and is never used on code."""


@dataclass(frozen=True)
class Span:
    """The characters ``start <= offset < end`` of a text."""

    start: int
    end: int

    def __init__(self, start: int, end: int) -> None:  # a text has many
        if not 0 <= start <= end:
            raise ValueError(f"no span: {start}..{end}")
        self.__dict__.update(start=start, end=end)

    def __lt__(self, other: Span) -> bool:
        return (self.start, self.end) < (other.start, other.end)

    def __len__(self) -> int:
        return self.end - self.start

    def contains(self, other: Span) -> bool:
        """Whether all of ``other`` lies within this span."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a character."""
        return max(self.start, other.start) < min(self.end, other.end)


class Lines:
    """The lines of a text: from (line, column in UTF-8 bytes), as ``ast`` counts them, to offsets and back."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in LINE_END.finditer(text))]
        self._ascii = text.isascii()

    def number(self, offset: int) -> int:
        """The line that holds ``offset``, counted from 1."""
        return bisect_right(self.starts, offset)

    def start(self, offset: int) -> int:
        """Where the line that holds ``offset`` starts."""
        return self.starts[self.number(offset) - 1]

    def offset(self, line: int, column: int) -> int:
        """The offset of a line (from 1) and a column in UTF-8 bytes (from 0)."""
        start = self.starts[line - 1]
        if self._ascii:
            return start + column
        end = self.starts[line] if line < len(self.starts) else len(self.text)
        content = self.text[start:end]
        if content.isascii():
            return start + column
        return start + len(content.encode("utf-8")[:column].decode("utf-8", "ignore"))

    def within(self, span: Span) -> list[int]:
        """The offsets of lines that begin strictly inside ``span``."""
        first = bisect_right(self.starts, span.start)
        last = bisect_right(self.starts, span.end - 1)
        return self.starts[first:last]
