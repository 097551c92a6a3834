"""Refuse gradient accumulation and updates under a condition, for now.

Why
---
An update every k batches sums gradients over k backward passes. Averaging at every backward is wasted work with DDP
and an error with Horovod (``backward_passes_per_step``). What is skipped on one process must be skipped on all.

Before
------
::

    if (i + 1) % 4 == 0:
        optimizer.step()

After
-----
::

    refused: the optimizer's step is made under a condition

Source
------
horovod issues 1103 and 2497; PyTorch documentation, ``DistributedDataParallel.no_sync``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "accumulation"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse when backward or update stands under a condition inside the training loop."""
    for site in (*job.anatomy.backwards, *job.anatomy.updates):
        if site.governed:
            looped = all(isinstance(node, (ast.For, ast.comprehension)) for node in site.governed)
            what = "in a loop of its own" if looped else "under a condition"
            return (
                job.refuse(
                    NAME,
                    f"the backward pass or the optimizer's step is made {what} within the training loop.",
                    site.node,
                    "Make one backward pass and one step for each batch; gradient accumulation is not converted yet.",
                ),
            )
    return ()
