"""Refuse several optimizers, closures and LBFGS, for now.

Why
---
Each optimizer needs its own parameters and names; a GAN's two backward passes reduce gradients that the other one
reduces again. A closure makes several backward passes in a step: Horovod 0.28 with ``step(closure)`` diverges
silently.

Before
------
::

    optimizer_g.step()
    optimizer_d.step()

After
-----
::

    refused: several optimizers

Source
------
horovod issues 796, 1549, 2154, 2821 (several optimizers) and 1292 (closures); pytorch issue 30439.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.pytorch.steps import update_calls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "several-optimizers"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what the one update of the training step cannot stand for."""
    stepped: set[frozenset[int]] = set()
    for fact in update_calls(job.facts):
        assert fact.receiver is not None
        stepped.add(fact.receiver.sites)
        if fact.args or fact.keywords:
            yield job.refuse(
                NAME,
                "the optimizer's step is given a closure, which is not converted yet.",
                fact.node,
                "Compute loss and gradient before calling step() without an argument.",
            )
            return
        if fact.receiver.name == "LBFGS":
            yield job.refuse(
                NAME, "LBFGS makes several passes a step and looks at all data.", fact.node, "Use another optimizer."
            )
            return
    if len(stepped) > 1 or len({f.node for f in update_calls(job.facts)}) > 1:
        node = list(dict.fromkeys(f.node for f in update_calls(job.facts)))[-1]
        yield job.refuse(
            NAME,
            "there are several optimizer steps, which are not converted yet.",
            node,
            "Use one optimizer and one step.",
        )
