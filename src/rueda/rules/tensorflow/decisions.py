"""Let all processes of a training loop take the same decisions.

Why
---
A process that leaves the loop, or skips a step, while the others wait for its gradients, stops them for ever. What
decides on steps must therefore be equal everywhere: a metric is reduced before, and what differs by chance is refused.

Before
------
::

    if loss > limit:
        print("diverging")

After
-----
::

    mean_loss = hvd.allreduce(loss)
    if mean_loss > limit:

Source
------
horovod issues 4027 and 3140 (processes that stop at different times hang).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.placement import Form
from rueda.rules import wholes
from rueda.rules.reducing import differs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import Context, ExitFact, Test
    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job

NAME = "tape-decisions"


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what differs, reduce what can be reduced."""
    for fact in job.updates:
        if _differing(job, fact.context) is not None:
            yield job.refuse(
                NAME,
                "whether this runs depends on a value that differs between processes.",
                fact.node,
                "Make the condition depend on values that are equal on all processes.",
            )
            return
    for leave in job.facts.exits:
        if isinstance(leave.node, (ast.Break, ast.Return, ast.Raise, ast.Call, ast.Continue)):
            yield from _exit(job, leave)
    yield from wholes.reduced_tests(job, NAME)


def _differing(job: Job, context: Context) -> Test | None:
    return next((t for t in context.tests if t.value.form is Form.LOCAL or differs(job, t.value)), None)


def _exit(job: Job, leave: ExitFact) -> Iterator[Answer]:
    """A statement that can change the number of training steps."""
    training = {loop.node for fact in job.updates for loop in fact.context.loops}
    loops = [loop for loop in leave.context.loops if loop.node in training]
    if not loops:
        return
    ends = isinstance(leave.node, (ast.Raise, ast.Call))
    if not ends and not any(loop.frame is leave.context.frame for loop in loops):
        return
    for test in leave.context.tests:
        if isinstance(test.node, ast.ExceptHandler):
            continue
        if (test.value.placement.measured and test.value.form is not Form.STEP) or test.value.form is Form.LOCAL:
            skips = isinstance(leave.node, ast.Continue)
            what = "a batch is skipped" if skips else "the training loop is left"
            yield job.refuse(
                NAME,
                f"{what} on a condition that depends on a metric or on chance.",
                leave.node,
                "Train for a fixed number of epochs; keep the best weights instead of stopping early.",
            )
            return
