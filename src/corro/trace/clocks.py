"""One clock for two: how far that of another tracer is from the clock of the processes.

What both have seen tells it. An event of theirs that came after a moment of ours, or before one, is a bound; the
difference lies between the greatest lower bound and the least upper one, and no further off than those are apart.
"""

from __future__ import annotations

from collections.abc import Sequence

from corro.classes import dataclass


@dataclass(frozen=True)
class Alignment:
    """How the times of another tracer are put beside ours.

    Args:
        offset: added to theirs, in seconds.
        error: how far off it may be, at most, in seconds.
        confirmed: whether it is the difference by the time of day, and nothing that both have seen is against it.
    """

    offset: float
    error: float
    confirmed: bool = False


def aligned(
    after: Sequence[tuple[float, float]], before: Sequence[tuple[float, float]], guess: float | None = None
) -> Alignment | None:
    """The difference of two clocks; ``None`` where nothing tells it.

    Args:
        after: pairs of a time of theirs and one of ours that it came after, or with.
        before: pairs of a time of theirs and one of ours that it came before, or with.
        guess: what the difference is by the time of day, which the bounds correct.
    """
    if not after or not before:
        return None
    low = max(ours - theirs for theirs, ours in after)
    high = min(ours - theirs for theirs, ours in before)
    middle = (low + high) / 2
    confirmed = guess is not None and low <= guess <= high
    offset = guess if guess is not None and confirmed else middle
    return Alignment(offset, max(abs(high - offset), abs(offset - low)), confirmed)
