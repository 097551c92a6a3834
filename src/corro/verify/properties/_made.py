"""Batches that the script makes itself: which rows of each the processes have, beside the sequential run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import chain

from corro.verify.evidence import Evidence
from corro.verify.records import Pass, shares


class Shared(Enum):
    """How a batch is shared out: its samples once each, some twice to fill it up, or others; or it is not visible."""

    EXACTLY = "exactly"
    FILLED = "filled"
    OTHERWISE = "otherwise"
    UNSEEN = "unseen"


def shared(natural: Pass, number: int, row: Sequence[Pass], numbers: Sequence[int]) -> Shared:
    """What the processes have of the batch with this number, of which theirs have these."""
    parts = [_batch(each, own) for each, own in zip(row, numbers, strict=False)]
    found = _compared(_batch(natural, number), parts)
    return Shared.UNSEEN if found is Shared.OTHERWISE and number in natural.computed else found


def _batch(opened: Pass, number: int) -> list[int]:
    return opened.batches[number] if 0 <= number < len(opened.batches) else []


def _compared(whole: Sequence[int], parts: Sequence[Sequence[int]]) -> Shared:
    """Rows that differ may be rounded otherwise where they are few; more than the batch has are no shares of it."""
    wanted, given = Counter(whole), Counter(chain.from_iterable(parts))
    if not whole or not all(parts):
        return Shared.UNSEEN
    missing, extra = wanted - given, given - wanted
    if not missing and not extra:
        return Shared.EXACTLY
    if not missing and extra.total() < len(parts) and not set(extra) - set(wanted):
        return Shared.FILLED
    of_all = _had_by_all(wanted, parts)
    several = Counter({row: count * len(parts) for row, count in of_all.items()})
    if wanted - of_all and wanted - of_all == given - several:
        return Shared.EXACTLY
    others = given.total() == wanted.total() and missing.total() * len(parts) >= wanted.total()
    return Shared.OTHERWISE if others else Shared.UNSEEN


def _had_by_all(wanted: Counter[int], parts: Sequence[Sequence[int]]) -> Counter[int]:
    """The rows that each process has all of: points of a boundary that are too few to be shared out, say."""
    found = wanted
    for part in parts:
        found = found & Counter(part)
    return found if len(parts) > 1 else Counter()


def of_step(evidence: Evidence, number: int) -> Shared | None:
    """How the batch of a step is shared out; ``None`` where a loader gave it."""
    reference = evidence.reference
    assert reference is not None
    row = next((row for row, each in zip(evidence.rows, reference.passes, strict=False) if each.made), None)
    natural = next((each for each in reference.passes if each.made), None)
    if row is None or natural is None:
        return None
    numbers = [record.steps[number].batch for record in evidence.ranks]
    return shared(natural, reference.steps[number].batch, list(shares(row)), numbers)


def filled(evidence: Evidence) -> Iterator[int]:
    """The steps whose batches were filled up."""
    steps = len(evidence.reference.steps) if evidence.reference is not None else 0
    own = min((len(each.steps) for each in evidence.ranks), default=0)
    return (number for number in range(min(steps, own)) if of_step(evidence, number) is Shared.FILLED)
