"""Lines of output side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite

from corro.verify.evidence import Evidence
from corro.verify.numbers import NUMBER, agree, skeleton, times
from corro.verify.records import Printed
from corro.verify.verdict import Fault

BAR = re.compile(r"\d+%\|")


def first_unlike(own: Iterable[object], wanted: Iterable[object]) -> int | None:
    """The place of the first pair that differs; what one side has more is not looked at."""
    return next((place for place, pair in enumerate(zip(own, wanted, strict=False)) if pair[0] != pair[1]), None)


def printed(lines: Sequence[Printed]) -> list[Printed]:
    """Lines of standard output; progress bars write themselves anew and are left out."""
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
        count = abs(len(own) - len(wanted))
        are = "line is" if count == 1 else "lines are"
        yield Fault(f"{count} {are} {word}, first {first.text!r}", first.line)


def other_numbers(
    evidence: Evidence, own: Sequence[Printed], wanted: Sequence[Printed], once: Sequence[Printed] = ()
) -> Iterator[Fault]:
    """Numbers that do not agree; times and, under weak scaling, learning rates are no such numbers.

    ``once`` are the lines of the run that was not given what fills up batches.
    """
    truths = once if [skeleton(each.text) for each in once] == [skeleton(each.text) for each in wanted] else wanted
    for line, other, truth in zip(own, wanted, truths, strict=False):
        shape = skeleton(other.text)
        if skeleton(line.text) != shape:
            return
        numbers = NUMBER.findall(line.text)
        for place, number in enumerate(numbers):
            beside = numbers[:place] + numbers[place + 1 :]
            filled, right = (NUMBER.findall(each.text)[place] for each in (other, truth))
            text = "another number is written"
            if counted(evidence, filled, right) and agree(number, filled) and not _of_all(evidence, beside):
                text = "samples that fill up the last batch are counted twice"
            elif agrees(evidence, number, filled, right):
                continue
            unsteady = (shape, place) in evidence.unsteady or place in times(other.text)
            if not unsteady and not is_rate(evidence, number, filled):
                yield Fault(text, other.line, own=repr(line.text), wanted=repr(truth.text))
                break


def agrees(evidence: Evidence, own: str, filled: str, right: str) -> bool:
    """Whether a number is the sequential run's, with or without the samples that fill up batches.

    A sum that the script divides by the size of its data set may be divided by the number of samples that were given.
    """
    if agree(own, filled) or agree(own, right):
        return True
    if "." not in filled:
        return False
    value, digits = float(filled.replace(",", "")), len(filled.lower().partition("e")[0].partition(".")[2])
    shown = "e" if "e" in filled.lower() else "f"
    return any(agree(own, f"{value * n / (n + more):.{digits}{shown}}") for n, more in evidence.repeated)


def counted(evidence: Evidence, filled: str, right: str) -> bool:
    """Whether a number is a count of samples, or the share of one in all, with some counted twice."""
    if agree(filled, right):
        return False
    return any(
        0 < most - least <= more
        for n, more in evidence.repeated
        for scale in (1.0, float(n), n / 100)
        if (most := _count(filled, scale)) is not None and (least := _count(right, scale)) is not None
    )


def _count(text: str, scale: float) -> int | None:
    """The whole number that a number is times ``scale``, if its digits tell so much."""
    mantissa, _, exponent = text.replace(",", "").lower().partition("e")
    value = float(text.replace(",", "")) * scale
    digit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])) * scale
    if not isfinite(value) or (digit > _TELLING and "." in mantissa) or ("." not in mantissa and scale != 1):
        return None
    return round(value) if abs(value - round(value)) <= 0.51 * digit + 1e-6 * abs(value) else None


_TELLING = 0.2
"""So much of a sample the last digit may be worth, or any number would be a count."""


def _of_all(evidence: Evidence, beside: Sequence[str]) -> bool:
    """Whether the other numbers of a line tell how many samples were given, as in 34 of 34."""
    return any(str(n + more) in beside for n, more in evidence.repeated)


def is_rate(evidence: Evidence, own: str, wanted: str) -> bool:
    """Whether two numbers are learning rates of the distributed run and of the script, which weak scaling changes."""
    if not evidence.weak or evidence.reference is None or not NUMBER.fullmatch(own) or not NUMBER.fullmatch(wanted):
        return False
    planned = {rate for step in evidence.reference.steps for rate in step.planned} | {*evidence.reference.last_rates}
    used = {rate for step in evidence.ranks[0].steps for rate in step.rates} | {*evidence.ranks[0].last_rates}
    used |= {evidence.growth * rate for rate in planned}
    return any(agree(repr(rate), own) for rate in used) and any(agree(repr(rate), wanted) for rate in planned)
