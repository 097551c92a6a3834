"""Lines of output side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from rueda.verify.evidence import Evidence
from rueda.verify.numbers import NUMBER, agree, differing, skeleton
from rueda.verify.records import Printed
from rueda.verify.verdict import Fault

BAR = re.compile(r"\d+%\|")


def first_unlike(own: Iterable[object], wanted: Iterable[object]) -> int | None:
    """The place of the first pair that differs; what one side has more is not looked at."""
    return next((place for place, pair in enumerate(zip(own, wanted, strict=False)) if pair[0] != pair[1]), None)


def printed(lines: Sequence[Printed]) -> list[Printed]:
    """Lines of standard output; progress bars draw themselves anew and are left out."""
    return [each for each in lines if "\r" not in each.text and not BAR.search(each.text)]


def logged(lines: Sequence[Printed]) -> list[Printed]:
    """Lines of standard error without progress bars and blank lines."""
    return [each for each in printed(lines) if each.text.strip()]


def unlike(own: Sequence[Printed], wanted: Sequence[Printed]) -> Iterator[Fault]:
    """Lines that are missing, too many, or other ones, whatever their numbers."""
    for line, other in zip(own, wanted, strict=False):
        if skeleton(line.text) != skeleton(other.text):
            yield Fault("another line is written", other.line, own=repr(line.text), wanted=repr(other.text))
            return
    if len(own) != len(wanted):
        longer, word = (own, "too many") if len(own) > len(wanted) else (wanted, "missing")
        first = longer[min(len(own), len(wanted))]
        yield Fault(f"{abs(len(own) - len(wanted))} lines are {word}, first {first.text!r}", first.line)


def other_numbers(evidence: Evidence, own: Sequence[Printed], wanted: Sequence[Printed]) -> Iterator[Fault]:
    """Numbers that do not agree; times and, under weak scaling, learning rates are no such numbers."""
    for line, other in zip(own, wanted, strict=False):
        shape = skeleton(other.text)
        if skeleton(line.text) != shape:
            return
        for place, number, right in differing(line.text, other.text):
            known = (shape, place) in evidence.unsteady or is_rate(evidence, number, right)
            if not known and not _is_over_all_seen(evidence, number, right):
                yield Fault("another number is written", other.line, own=repr(line.text), wanted=repr(other.text))
                break


def is_rate(evidence: Evidence, own: str, wanted: str) -> bool:
    """Whether two numbers are learning rates of the distributed run and of the script, which weak scaling changes."""
    if not evidence.weak or evidence.reference is None or not NUMBER.fullmatch(own) or not NUMBER.fullmatch(wanted):
        return False
    planned = {rate for step in evidence.reference.steps for rate in step.planned} | {*evidence.reference.last_rates}
    used = {rate for step in evidence.ranks[0].steps for rate in step.rates} | {*evidence.ranks[0].last_rates}
    used |= {evidence.growth * rate for rate in planned}
    return any(agree(repr(rate), own) for rate in used) and any(agree(repr(rate), wanted) for rate in planned)


def _is_over_all_seen(evidence: Evidence, own: str, wanted: str) -> bool:
    """Whether a number is the same sum divided by all samples that an epoch gives, with those that fill it up.

    The script, which is fed these samples too, divides by those that it has.
    """
    if evidence.reference is None or not NUMBER.fullmatch(own) or "." not in own + wanted:
        return False
    epochs = [Counter(chain.from_iterable(each.batches)) for each in evidence.reference.passes if each.training]
    filled = {each.total() / len(each) for each in epochs if each.total() > len(each)}
    return any(agree(repr(float(own.replace(",", "")) * share), wanted) for share in filled)
