"""Refuse automatic mixed precision, for now.

Why
---
A gradient scaler decides on each process's own gradients whether a step is skipped, and Horovod needs ``synchronize``
before ``unscale_``; processes that skip differently drift apart.

Before
------
::

    with torch.autocast("cuda"):
        loss = criterion(model(x), y)
    scaler.scale(loss).backward()

After
-----
::

    refused: mixed precision

Source
------
Horovod, ``examples/pytorch/pytorch_mnist.py`` (``train_mixed_precision``); horovod issue 3160.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "mixed-precision"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse autocast in the training step, and any gradient scaler."""
    for fact in job.calls:
        scaler = fact.name.endswith("GradScaler")
        if scaler or "apex" in fact.name or (fact.name == "backward" and "autocast" in fact.context.modes):
            yield _refused(job, fact.node)
            return
        if fact.name in ("torch.autocast", "torch.cuda.amp.autocast", "torch.amp.autocast") and fact.result.name:
            yield _refused(job, fact.node)
            return


def _refused(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "automatic mixed precision is not converted yet.",
        node,
        "Train in full precision for now.",
    )
