"""Accumulate gradients over batches as the script does, where all processes step after the same batches.

Why
---
An update every k batches sums the gradients of k backward passes. DDP averages at each backward pass, so the sum of
averages is the average of sums: these lines stay as they are. All processes make as many passes over as many batches,
so they step together where the number of the batch decides. Horovod's optimizer counts backward passes
(``backward_passes_per_step``), and stops where a group is incomplete. So gradients are averaged by hand there, in front
of each update, whenever that is made; and for all engines where a step makes several backward passes or updates. What
decides otherwise is refused, and so are backward passes that are not made for each batch, but for those of such steps.

Before
------
::

    (loss / 4).backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()

After
-----
::

    (loss / 4).backward()
    if (i + 1) % 4 == 0:
        optimizer.step()
        optimizer.zero_grad()

Source
------
horovod issues 1103 and 2497; PyTorch documentation, ``DistributedDataParallel``: gradients are accumulated into
``.grad`` after they are averaged.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.anatomy.steps import StepCall
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "accumulation"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first backward pass or update that is not made for each batch, where that is not known to agree."""
    plain = job.anatomy.is_plain
    for site in job.anatomy.backwards:
        if site.governed and (plain or not _is_common(job, site)):
            more = "" if _is_looped(site) else " Train and evaluate in two loops."
            return (_refused(job, "backward pass", site, f"Make one backward pass for each batch.{more}"),)
    for update in job.anatomy.updates:
        if update.governed and not _is_common(job, update):
            return (_refused(job, "optimizer's step", update, "Decide by the number of the batch when to step."),)
    return ()


def _is_common(job: Job, site: StepCall) -> bool:
    """Whether all processes make an update for the same batches: by conditions that do not differ between them."""
    tested = all(isinstance(node, (ast.If, ast.IfExp)) for node in site.governed)
    return tested and all(job.is_uniform(fact.context) for fact in job.calls_of(site.node))


def _refused(job: Job, what: str, site: StepCall, advice: str) -> Answer:
    where = "in a loop of its own" if _is_looped(site) else "under a condition"
    return job.refuse(NAME, f"the {what} is made {where} within the training loop.", site.node, advice)


def _is_looped(site: StepCall) -> bool:
    return all(isinstance(node, (ast.For, ast.comprehension)) for node in site.governed)
