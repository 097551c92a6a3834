"""All processes and the sequential run start from equal weights and optimizer states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from corro.verify.evidence import Evidence
from corro.verify.numbers import several
from corro.verify.records import Record
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 2
TITLE = "all processes start where the sequential run starts"


def check(evidence: Evidence) -> Iterator[Observation]:
    """The weights before the first training batch, and what optimizers remember before their first step."""
    ranks, reference = evidence.ranks, evidence.reference
    if not ranks or not ranks[0].steps:
        yield Unknown("no optimizer step was seen")
        return
    line = ranks[0].steps[0].line
    for other in ranks[1:]:
        yield from _different(other, ranks[0], "is not rank 0's", evidence.line(line), weights=0 not in evidence.uneven)
    if evidence.uneven:
        yield Unknown(uneven(evidence))
    if reference is None or not reference.steps:
        yield Unknown("there is no sequential run to compare with")
        return
    if _seeded(evidence):
        yield from _different(ranks[0], reference, "is not the sequential run's", reference.steps[0].line)
    else:
        yield Seen("the script sets no seed: the sequential run was given rank 0's weights")
    yield Seen(several(len(ranks[0].start), "tensor"))


def uneven(evidence: Evidence) -> str:
    """Why some first steps are not those of the sequential run."""
    steps = sorted(evidence.uneven)
    starts = [each for each in steps if each - 1 not in steps]
    ends = [each for each in steps if each + 1 not in steps]
    spans = [f"{a}" if a == b else f"{a} to {b}" for a, b in zip(starts, ends, strict=True)]
    which = f"step{'s' if len(steps) > 1 else ''} {', '.join(spans)}"
    return f"each process makes {which} with its own weights, as no seed is set: rank 0's are sent only after it"


def _different(own: Record, wanted: Record, what: str, line: str, *, weights: bool = True) -> Iterator[Fault]:
    if weights:
        yield from _first("the initial value of a tensor", own, own.start, wanted.start, what, line)
    for number, (a, b) in enumerate(zip(own.optimizer_start, wanted.optimizer_start, strict=False)):
        yield from _first(f"the state of optimizer {number}", own, a, b, what, line)


def _first(
    thing: str, own: Record, values: Mapping[str, int], wanted: Mapping[str, int], what: str, line: str
) -> Iterator[Fault]:
    for name in (*wanted, *(name for name in values if name not in wanted)):
        if values.get(name) != wanted.get(name):
            yield Fault(f"{thing} {what}", line, 0, own.rank, name, _shown(values.get(name)), _shown(wanted.get(name)))
            return


def _shown(value: int | None) -> str:
    return "none" if value is None else f"checksum {value:08x}"


def _seeded(evidence: Evidence) -> bool:
    """Whether the script sets its own seeds: runs that were started with different ones have equal weights."""
    alone, reference = evidence.alone_reference, evidence.reference
    return alone is None or reference is None or alone.start == reference.start
