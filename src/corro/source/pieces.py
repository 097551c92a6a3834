"""Pieces: edits in their lowest form, a replacement of a span of the text with an order among its equals."""

from __future__ import annotations

from enum import IntEnum

from corro.classes import dataclass


class Rank(IntEnum):
    """The order of texts that meet at one offset."""

    LINES_AFTER = 0
    LINES_BEFORE = 1
    INDENT = 2
    WRAP_END = 3
    INSERT = 4
    WRAP_START = 5
    REPLACE = 6
    LINES_AT_END = 7


@dataclass(frozen=True)
class Piece:
    """``text`` for ``start <= offset < end``; smaller ``order`` first among equals of one rank."""

    start: int
    end: int
    text: str
    rank: Rank
    order: tuple[int, ...] = ()

    def key(self) -> tuple[int, int, tuple[int, ...]]:
        """What pieces are sorted by."""
        return (self.start, self.rank, self.order)
