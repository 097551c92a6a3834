"""Properties that can only be judged of runs that came to their end, or that the sequential run followed so far."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from corro.verify.evidence import Evidence
from corro.verify.numbers import several
from corro.verify.records import Record
from corro.verify.verdict import Observation, Unknown

Check = Callable[[Evidence], Iterator[Observation]]


def of_ended_runs(compare: Callable[[Evidence, Record], Iterator[Observation]]) -> Check:
    """The check that gives ``compare`` the reference, and abstains where a process or the reference did not end."""

    @wraps(compare)
    def check(evidence: Evidence) -> Iterator[Observation]:
        if evidence.complete and evidence.reference is not None:
            yield from compare(evidence, evidence.reference)
        else:
            yield Unknown("the run did not finish")

    return check


def of_steps_made(compare: Callable[[Evidence, Record], Iterator[Observation]]) -> Check:
    """The same, where steps are judged one by one: those before processes waited for ever too, but no pass is had."""

    @wraps(compare)
    def check(evidence: Evidence) -> Iterator[Observation]:
        if evidence.followed and evidence.reference is not None:
            yield from compare(evidence, evidence.reference)
        if not evidence.complete:
            made = len(evidence.reference.steps) if evidence.followed and evidence.reference is not None else 0
            yield Unknown(
                "the run did not finish"
                + (f": only {several(made, 'step')} {'was' if made == 1 else 'were'} compared" if made else "")
            )

    return check
