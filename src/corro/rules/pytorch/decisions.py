"""Make decisions rest on values that are equal on all processes.

Why
---
A branch that holds a training step, a collective or a checkpoint must be taken by all processes or by none. A
condition on a process's own loss or accuracy is not equal: some processes wait in a collective that the others never
reach. Leaving the training loop on a metric is not converted yet, even where the metric is reduced.

Before
------
::

    if val_loss > best_loss:
        break

After
-----
::

    refused: the training loop is left on a metric

Source
------
horovod issue 4027 and 3140, Lightning issue 379 (processes left waiting after an early stop).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.effects import EffectKind, effects
from corro.rules import parting, wholes
from corro.rules.reducing import differs, sharded_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "decisions"

_STEPPING = frozenset({Kind.OPTIMIZER, Kind.SCHEDULER, Kind.SCALER})
_WHOLE_BATCHES = "Give the DataLoader drop_last=True, which leaves out a last batch that is too short."


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what would let processes part ways."""
    exits = list(parting.exits(job, NAME, job.anatomy.training_loops, _WHOLE_BATCHES))
    if not exits:  # they decide upon what stands after them too
        yield from _governed_steps(job)
    yield from _governed_reductions(job)
    yield from wholes.reduced_tests(job, NAME)
    yield from exits


def _governed_steps(job: Job) -> Iterator[Answer]:
    """Backward passes, updates, schedulers and passes over loaders under conditions that differ."""
    saves = {e.node for e in effects(job.calls) if e.kind is EffectKind.SAVE}
    for fact in job.calls:
        test = parting.differing(job, fact.context) if must_be_uniform(fact) else None
        if fact.node in saves:
            test = next((t for t in fact.context.tests if differs(job, t.value)), None)
        if test is not None:
            yield parting.unequal(job, NAME, fact.node)
            return


def _governed_reductions(job: Job) -> Iterator[Answer]:
    """Passes after which something is reduced, under conditions that differ."""
    reduced = {a.loop for a in job.facts.accumulations.values() if a.used and not a.continued}
    for loop in reduced:
        site = job.anatomy.pass_of(loop)
        if site is None or not site.loaders & sharded_sources(job):
            continue
        for running in job.facts.loops.get(loop, ()):
            if any(test.value.form is Form.LOCAL or differs(job, test.value) for test in running.tests):
                yield job.refuse(
                    NAME,
                    "whether this loop over a loader runs depends on a value that differs between processes.",
                    loop,
                    "Make the condition depend on values that are equal on all processes.",
                )
                break


def must_be_uniform(fact: CallFact) -> bool:
    """Whether a call changes what all processes have in common: weights, gradients, learning rates."""
    kind = fact.receiver.kind if fact.receiver is not None else None
    if fact.name == "load_state_dict" and kind in (Kind.MODULE, Kind.OPTIMIZER):
        return True
    scales = kind is Kind.SCALER and fact.name in ("unscale_", "update")
    return scales or fact.name == "backward" or (fact.name == "step" and kind in _STEPPING)
