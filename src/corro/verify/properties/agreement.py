"""All processes have the same weights at each step, and every decision rests on equal values."""

from __future__ import annotations

from collections.abc import Iterator

from corro.verify.evidence import Evidence
from corro.verify.numbers import several
from corro.verify.properties._lines import first_unlike
from corro.verify.records import Record
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 6
TITLE = "all processes agree at every step"

_PARTS = (("gradients", "gradient_norms"), ("weights", "weight_norms"))


def check(evidence: Evidence) -> Iterator[Observation]:
    """Gradients, rates and weights bit by bit; conditions and judged values that must be equal on all processes."""
    if evidence.size == len(evidence.ranks) == 1 and evidence.ranks[0].devices > 1:
        yield from _devices(evidence.ranks[0], evidence)
        return
    if len(evidence.ranks) < max(2, evidence.size):
        yield Unknown(
            "there is one process only, and devices are not compared"
            if evidence.size < 2
            else "not all processes left a record"
        )
        return
    first = evidence.ranks[0]
    for other in evidence.ranks[1:]:
        yield from _steps(evidence, first, other)
    yield from _decisions(evidence)
    yield from _judged(evidence)
    if evidence.hung:
        were = "was" if len(first.steps) == 1 else "were"
        yield Unknown(f"the run did not finish: only {several(len(first.steps), 'step')} {were} compared")
    elif first.steps:
        yield Seen(f"{several(len(first.steps), 'step')} of {evidence.size} processes bit-equal")
    if evidence.equal_decisions:
        yield Seen(several(len(evidence.equal_decisions.keys() & first.decisions.keys()), "condition"))


def _steps(evidence: Evidence, first: Record, other: Record) -> Iterator[Fault]:
    for number, (own, wanted) in enumerate(zip(other.steps, first.steps, strict=False)):
        line = evidence.line(wanted.line)
        if own.rates != wanted.rates:
            yield Fault(
                "learning rates differ between processes",
                line,
                number,
                other.rank,
                "",
                str(own.rates),
                str(wanted.rates),
            )
            return
        for what, norms in _PARTS:
            if what == "weights" and number in evidence.uneven:
                continue  # sent by rank 0 after this step
            tensor = first_unlike(getattr(own, what), getattr(wanted, what))
            if tensor is not None:
                values = (f"norm {getattr(each, norms)[tensor]:.9g}" for each in (own, wanted))
                yield Fault(
                    f"{what} differ between processes", line, number, other.rank, first.tensor(wanted, tensor), *values
                )
                return
    if len(other.steps) != len(first.steps) and not evidence.hung:
        line = evidence.line(first.steps[-1].line) if first.steps else ""
        yield Fault("optimizer steps", line, None, other.rank, "", str(len(other.steps)), str(len(first.steps)))


def _devices(own: Record, evidence: Evidence) -> Iterator[Observation]:
    """One process decides for all its devices; what they have by themselves are copies of the weights."""
    for tensor, number in own.unlike.items():
        line = evidence.line(own.steps[number].line)
        yield Fault("weights differ between devices", line, number, own.rank, tensor)
        return
    if own.steps:
        yield Seen(f"{several(len(own.steps), 'step')} of {own.devices} devices with bit-equal weights")


def _decisions(evidence: Evidence) -> Iterator[Fault]:
    first = evidence.ranks[0]
    for place in sorted(evidence.equal_decisions.keys() & first.decisions.keys()):
        wanted = first.decisions[place]
        for other in evidence.ranks[1:]:
            own = other.decisions.get(place, [])
            at = first_unlike(own, wanted)  # a data set may be asked more often on one process
            if at is not None:
                text = "a condition depends on a value that differs between processes"
                yield Fault(text, evidence.equal_decisions[place], None, other.rank, "", own[at], wanted[at])
                return


def _judged(evidence: Evidence) -> Iterator[Fault]:
    first = evidence.ranks[0]
    for line, wanted in sorted(first.judged.items()):
        for other in evidence.ranks[1:]:
            own = other.judged.get(line, [])
            at = first_unlike(own, wanted)
            if at is not None:
                text = "a scheduler depends on a value that differs between processes"
                yield Fault(text, evidence.line(line), None, other.rank, "", own[at], wanted[at])
                return
