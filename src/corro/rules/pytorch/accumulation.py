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

from corro.frontends.pytorch.recognise import backward_calls, update_calls

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "accumulation"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse when backward or update stands under a condition inside the training loop."""
    loops = {step.loop for step in job.anatomy.steps}
    for fact in (*backward_calls(job.facts), *update_calls(job.facts)):
        loop = next((x.node for x in fact.context.loops if x.node in loops), None)
        if not isinstance(loop, ast.For):
            continue
        called = [frame.call for frame in fact.context.frame.path() if frame.call is not None]
        around = [t.node for t in fact.context.tests if any(_within(n, t.node) for n in (fact.node, *called))]
        inside = [node for node in around if _within(node, loop)]  # what skips batches is for the rule for decisions
        deeper = [x for x in fact.context.loops if x.node is not loop and _within(x.node, loop)]
        if inside or deeper:
            what = "under a condition" if inside else "in a loop of its own"
            yield job.refuse(
                NAME,
                f"the backward pass or the optimizer's step is made {what} within the training loop.",
                fact.node,
                "Make one backward pass and one step for each batch; gradient accumulation is not converted yet.",
            )
            return


def _within(node: ast.AST, around: ast.AST) -> bool:
    return any(part is node for part in ast.walk(around)) and node is not around
