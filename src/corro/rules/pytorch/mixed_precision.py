"""Let a gradient scaler look at averaged gradients.

Why
---
A gradient scaler leaves a step out when gradients have overflowed. Processes that decide that by gradients of their own
drift apart. DDP has averaged them when ``backward`` returns, and an overflow on one process is one on all. Horovod
averages them in the optimizer's ``step``, which is too late: they are synchronized before the scaler looks at them, and
the step does not average them again. ``autocast`` concerns each process for itself, and stays as it is.

Before
------
::

    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()

After
-----
::

    scaler.scale(loss).backward()
    optimizer.synchronize()
    with optimizer.skip_synchronize():
        scaler.step(optimizer)
    scaler.update()

DDP leaves these lines as they are.

Source
------
Horovod, ``examples/pytorch/pytorch_mnist.py`` (``train_mixed_precision``); horovod issue 3160. PyTorch, "Automatic
Mixed Precision examples", "Working with Multiple GPUs".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.pytorch._averaging import is_scaled_step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "mixed-precision"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Say what a scaler may do otherwise; refuse Apex, which changes models and optimizers."""
    for fact in job.calls:
        if fact.name.startswith("apex."):
            message = "mixed precision by Apex is not converted."
            yield job.refuse(NAME, message, fact.node, "Use torch.autocast and GradScaler.")
            return
    for step in job.anatomy.steps:
        if is_scaled_step(job, step):
            yield job.review(
                NAME,
                "gradients of a process's shard overflow half precision earlier than those of the global batch, so the "
                "scaler may leave out other steps than in the sequential run; all processes leave out the same.",
                step.updates[0].node,
                "Nothing to do, unless the scale is already close to where gradients vanish.",
                differs=("gradient", "update", "metrics"),
            )
