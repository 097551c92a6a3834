"""Shared by the rules around looks at the data: whether all processes have to see the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.purity import is_pure
from corro.frontends.pytorch.loaders import is_shuffled
from corro.frontends.pytorch.peeks import peeks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.placement import Placement
    from corro.flow.facts import CallFact
    from corro.frontends.pytorch.peeks import Peek
    from corro.rules.pytorch._job import Job

_FOLLOWED = frozenset({Kind.FUNCTION, Kind.MODULE})
_LOOKING = frozenset({"next", "iter", "enumerate"})


def shared(job: Job) -> Iterator[Peek]:
    """Looks at random batches of which more is made than rank 0 shows."""
    for peek in peeks(job.facts):
        if is_shuffled(peek.value) and _matters(job, peek.numbers):
            yield peek


def _matters(job: Job, numbers: frozenset[int]) -> bool:
    """Whether anything depends on the samples of some batches: a condition, a value that is kept, an unknown call."""
    tested = (test.value.placement for test in job.facts.tests.values())
    kept = (value.placement for store in job.facts.stores for value in store.given)
    given = (placement for fact in job.calls for placement in fact.depends if not _only_looks(job, fact))
    return any(_holds(placement, numbers) for placements in (tested, kept, given) for placement in placements)


def _holds(placement: Placement, numbers: frozenset[int]) -> bool:
    return bool(placement.sources & numbers) and placement.form not in (Form.COUNT, Form.STEP, Form.REPLICATED)


def _only_looks(job: Job, fact: CallFact) -> bool:
    shown = {effect.node for effect in job.effects}
    around = job.ancestors(fact.node)
    followed = job.value(fact.node.func).kind in _FOLLOWED or fact.name in _LOOKING
    return followed or fact.node in shown or not shown.isdisjoint(around) or is_pure(job.facts, fact.node)
