"""Refuse parameters and layers that are frozen, unfrozen, added or replaced once the model is wrapped.

Why
---
DDP and Horovod take note of the trainable parameters when the model or the optimizer is wrapped. Parameters frozen
later are waited for in vain; the gradients of those thawed or added later are never averaged. What is frozen before
training stays frozen.

Before
------
::

    if epoch == 5:
        model.unfreeze()

After
-----
::

    refused: parameters are frozen, unfrozen or added in the training loop

Source
------
PyTorch documentation, ``DistributedDataParallel`` (never change parameters after wrapping).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.pytorch.forwards import training_forwards
from corro.frontends.pytorch.steering import COPY, Steered, writes
from corro.rules.pytorch._wrapped import is_after_wrapping

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.frontends.pytorch.steering import Write
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "changed-parameters"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first change of what is trained, on any way that leads to it after wrapping."""
    for write in writes(job.facts):
        changes = write.what in (Steered.TRAINABLE, Steered.STRUCTURE)
        if changes and is_after_wrapping(job, write.node, write.context) and not _is_of_copy(job, write):
            yield job.refuse(
                NAME,
                "parameters are frozen, unfrozen or added in the training loop.",
                write.node,
                "Decide before training which parameters are trained; train in stages by running a script for each.",
            )
            return


def _is_of_copy(job: Job, write: Write) -> bool:
    """Whether what is changed belongs to a copy of the model that is not trained, such as a teacher."""
    trained = (fact.receiver for step in job.anatomy.steps for fact in training_forwards(job.facts, step))
    return COPY in write.owner.tags and not any(model is not None and COPY in model.tags for model in trained)
