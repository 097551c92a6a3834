"""Refuse steps of optimizers that are not known, beside those that are.

Why
---
Each optimizer's gradients are averaged in front of its step. Of one that is made where it cannot be followed it is not
known what it steps.

Before
------
::

    optimizers = library.make_optimizers(generator, critic)
    optimizers[0].step()

After
-----
::

    refused: this may be the step of an optimizer that Corro cannot follow

Source
------
horovod issues 796, 1549, 2154, 2821.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.steps import stepped_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "several-optimizers"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first step that no average in front of it makes right."""
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
