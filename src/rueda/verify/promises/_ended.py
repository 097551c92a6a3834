"""Promises that can only be judged of runs that came to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from rueda.verify.evidence import Evidence
from rueda.verify.records import Record
from rueda.verify.verdict import Observation, Unknown

Check = Callable[[Evidence], Iterator[Observation]]


def of_ended_runs(compare: Callable[[Evidence, Record], Iterator[Observation]]) -> Check:
    """The check that gives ``compare`` the reference, and abstains where a process or the reference did not end."""

    @wraps(compare)
    def check(evidence: Evidence) -> Iterator[Observation]:
        if evidence.complete and evidence.reference is not None:
            yield from compare(evidence, evidence.reference)
        else:
            yield Unknown("the run did not come to its end")

    return check
