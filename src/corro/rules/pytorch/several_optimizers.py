"""Refuse closures and LBFGS, for now, and steps of optimizers that are not known beside those that are.

Why
---
Each optimizer's gradients are averaged in front of its step. Of one that is made where it cannot be followed it is not
known what it steps. A closure makes several backward passes in a step: Horovod 0.28 with ``step(closure)`` diverges
silently.

Before
------
::

    optimizer.step(closure)

After
-----
::

    refused: the optimizer's step is given a closure

Source
------
horovod issues 796, 1549, 2154, 2821 (several optimizers) and 1292 (closures); pytorch issue 30439.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.steps import is_scaled, stepped_by, update_calls

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "several-optimizers"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first step that no average in front of it makes right."""
    yield from _closures(job)
    yield from _unknown(job)


def _closures(job: Job) -> Iterator[Answer]:
    for fact in update_calls(job.facts):
        if len(fact.args) + len(fact.keywords) > is_scaled(fact):
            yield job.refuse(
                NAME,
                "the optimizer's step is given a closure, which is not converted yet.",
                fact.node,
                "Compute loss and gradient before calling step() without an argument.",
            )
            return
        if stepped_by(fact).name == "LBFGS":
            yield job.refuse(
                NAME,
                "LBFGS makes several passes a step and looks at all data.",
                fact.node,
                "Use another optimizer.",
                effort="other training",
            )
            return


def _unknown(job: Job) -> Iterator[Answer]:
    """A step of what may be an optimizer, where a model of the step is given to none that is known."""
    if all(site.optimizers for site in job.anatomy.models):
        return
    for fact in job.calls:
        of_unknown = fact.receiver is not None and stepped_by(fact).kind is Kind.UNKNOWN
        trains = any(loop.node in job.anatomy.training_loops for loop in fact.context.loops)
        if fact.name == "step" and of_unknown and trains:
            yield job.refuse(
                NAME,
                "this may be the step of an optimizer that Corro cannot follow: its gradients would not be averaged.",
                fact.node,
                "Make each optimizer in the script, from a class of torch.optim.",
            )
            return
