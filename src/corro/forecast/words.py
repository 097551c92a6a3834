"""A forecast in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corro.bench.words import counted
from corro.forecast.outlook import STRONG, Limit, Outlook, Range
from corro.forecast.profile import Profile

_MUCH = 0.1
"""A part of a step that is worth a sentence."""
_NO_GAIN = 1.0
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0


def said(profile: Profile, found: Sequence[Outlook], limit: Limit, scaling: str) -> Iterator[str]:
    """What a table of one scaling shows."""
    if not found:
        return
    yield _limit(limit, scaling, found[-1].processes)
    worst = max(found, key=lambda each: each.exposed + each.slowest)
    if worst.exposed >= _MUCH:
        advice = "A larger batch, or an update every few batches, makes it rarer." if scaling == STRONG else ""
        yield (
            f"On {counted(worst.processes, 'process')} {worst.exposed:.0%} of a step is waiting for gradients. {advice}"
        ).strip()
    if worst.slowest >= _MUCH:
        yield (
            f"On {counted(worst.processes, 'process')} {worst.slowest:.0%} of a step is waiting for the slowest: "
            "the measured steps differ by so much."
        )
    if scaling == STRONG:
        yield from _of_shares(profile, found)


def _limit(limit: Limit, scaling: str, most: int) -> str:
    many = counted(limit.last, "process")
    if limit.next is None:
        if limit.last == 1:
            return f"With {scaling} scaling only one process was looked at."
        return f"With {scaling} scaling all of {counted(min(limit.last, most), 'process')} pay."
    rest = "nothing" if limit.gained <= 0 else f"{limit.gained:.0%} of what they would with nobody to wait for"
    added = limit.next - limit.last
    if limit.last == 1:
        return f"With {scaling} scaling more than one process does not pay: {limit.next} bring {rest}."
    return f"With {scaling} scaling it pays up to {many}: the next {added} bring {rest}."


def _of_shares(profile: Profile, found: Sequence[Outlook]) -> Iterator[str]:
    """Where shares are smaller than all that were measured."""
    least = min(each.batch for each in profile.shares)
    smaller = [each for each in found if each.batch < least]
    if smaller:
        how = "on the straight line of larger ones" if len({each.batch for each in profile.shares}) > 1 else "in parts"
        yield f"Shares of fewer than {counted(least, 'sample')} were not measured; they are taken {how}."


def will_not_pay(profile: Profile, own: float, alone: float, processes: int, file: str) -> str:
    """The sentence of a command that is about to start several processes; empty where they pay.

    Args:
        profile: of the script.
        own: samples a second of so many processes.
        alone: of one.
        processes: how many.
        file: where the profile is.
    """
    if own > alone * _NO_GAIN:
        return ""
    many = counted(processes, "process")
    return (
        f"by {file}, {many} of this machine will not pay: {own / alone:.2g} times as fast as one with "
        f"{counted(profile.threads, 'thread')}."
    )


def ranged(value: Range, form: str) -> str:
    """A number with its interval, where that is not one number."""
    low, own, high = (format(each, form) for each in (value.low, value.value, value.high))
    return own if low == high else f"{own} ({low}–{high})"


def lasting(value: Range) -> str:
    """A time with its interval, in a unit of its own."""
    units = ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min"), (1.0, "s"))
    unit, name = next((each for each in units if value.value >= 2 * each[0]), units[-1])
    return f"{ranged(Range(value.value / unit, value.low / unit, value.high / unit), '.3g')} {name}"
