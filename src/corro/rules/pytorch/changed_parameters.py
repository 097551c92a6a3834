"""Refuse layers that are added or replaced once training runs, and parameters that not all processes freeze alike.

Why
---
DDP and Horovod take note of the trainable parameters when the model or the optimizer is wrapped. Parameters frozen
later are waited for in vain; the gradients of those thawed later are never averaged. So where the script freezes or
unfreezes parameters while it trains, nothing is wrapped: the gradients that there are, are averaged in front of each
step. That is right only if all processes freeze the same parameters at the same time. A layer that is added later
would start from other weights on each process.

Before
------
::

    if epoch == 5:
        model.head = nn.Linear(512, 10)

After
-----
::

    refused: layers or parameters are added in the training loop

Source
------
PyTorch documentation, ``DistributedDataParallel`` (never change parameters after wrapping).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.pytorch.steering import Steered
from corro.rules.reducing import differs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.frontends.pytorch.steering import Write
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "changed-parameters"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first change of what is trained that cannot be followed by all processes."""
    for write in job.changes:
        if write.what is Steered.STRUCTURE:
            message = "layers or parameters are added in the training loop."
            yield job.refuse(NAME, message, write.node, "Make them before training.", effort="one line")
            return
        if not _is_equal(job, write):
            message = "which parameters are trained depends on what differs between processes."
            yield job.refuse(NAME, message, write.node, "Decide by what is equal on all processes, such as the epoch.")
            return


def _is_equal(job: Job, write: Write) -> bool:
    return job.is_uniform(write.context) and not any(differs(job, value) for value in write.given)
