"""Accumulate gradients over batches as the script does, where all processes step after the same batches.

Why
---
An update every k batches sums the gradients of k backward passes. DDP averages at each backward pass, so the sum of
averages is the average of sums: these lines stay as they are. All processes make as many passes over as many batches,
so they step together where the number of the batch decides. Horovod's optimizer counts backward passes
(``backward_passes_per_step``), and stops where a group is incomplete. So gradients are averaged by hand there, in front
of each update, whenever that is made; and for all engines where a step makes several backward passes or updates. What
decides otherwise is refused. A loop within the step may make any number of them, as long as it is equal everywhere.

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
    single = job.anatomy.is_single
    for site in job.anatomy.backwards:
        if site.governed and ((single and not _is_looped(site)) or not _is_common(job, site)):
            advice = "Make one backward pass for each batch. Train and evaluate in two loops."
            return (_refused(job, "backward pass", site, advice),)
    for update in job.anatomy.updates:
        if update.governed and not _is_common(job, update):
            return (_refused(job, "optimizer's step", update, "Decide by the number of the batch when to step."),)
    return ()


def _is_common(job: Job, site: StepCall) -> bool:
    """Whether all processes do it for the same batches, and as often: by what does not differ between them."""
    known = all(isinstance(node, (ast.If, ast.IfExp, ast.For, ast.While)) for node in site.governed)
    return known and all(job.is_uniform(fact.context) for fact in job.calls_of(site.node))


def _refused(job: Job, what: str, site: StepCall, advice: str) -> Answer:
    if _is_looped(site):
        message = f"how often the {what} is made within the training loop may differ between processes."
        advice = "Make the number of rounds depend on values that are equal everywhere, and not on a batch."
        return job.refuse(NAME, message, site.node, advice)
    return job.refuse(NAME, f"the {what} is made under a condition within the training loop.", site.node, advice)


def _is_looped(site: StepCall) -> bool:
    return all(isinstance(node, (ast.For, ast.While, ast.comprehension)) for node in site.governed)
