"""Make decisions rest on values that are equal on all processes.

Why
---
A branch that holds a training step, a collective or a checkpoint must be taken by all processes or by none. A condition
on a process's own loss or accuracy is not equal: some processes wait in a collective that the others never reach.
Leaving the training loop on a metric is not converted yet, even where the metric is reduced.

Before
------
::

    if val_loss > best_loss:
        break

After
-----
::

    refused: the training loop is left on a metric

Source
------
horovod issue 4027 and 3140, Lightning issue 379 (processes left waiting after an early stop).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.rules.pytorch._reducing import differs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import CallFact, Context, ExitFact, Test
    from rueda.rules.base import Answer, Job

NAME = "decisions"


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what would let processes part ways."""
    yield from _governed_steps(job)
    yield from _exits(job)


def _governed_steps(job: Job) -> Iterator[Answer]:
    """Backward passes, updates, schedulers and passes over loaders under conditions that differ."""
    for fact in job.calls:
        if not _must_be_uniform(fact):
            continue
        test = _differing(job, fact.context)
        if test is not None:
            yield job.refuse(
                NAME, "whether this runs depends on a value that differs between processes.", fact.node,
                "Make the condition depend on values that are equal on all processes.",
            )  # fmt: skip
            return


def _must_be_uniform(fact: CallFact) -> bool:
    kind = fact.receiver.kind if fact.receiver is not None else None
    return fact.name == "backward" or (fact.name == "step" and kind in (Kind.OPTIMIZER, Kind.SCHEDULER))


def _differing(job: Job, context: Context) -> Test | None:
    for test in context.tests:
        if test.value.form is Form.LOCAL or differs(job, test.value):
            return test
    return None


def _exits(job: Job) -> Iterator[Answer]:
    for leave in job.facts.exits:
        if isinstance(leave.node, (ast.Break, ast.Return, ast.Raise, ast.Call, ast.Continue)):
            yield from _exit(job, leave)


def _exit(job: Job, leave: ExitFact) -> Iterator[Answer]:
    if not _leaves_training(job, leave):
        return
    for test in leave.context.tests:
        if not _is_inside_loop(job, test, leave):
            continue
        if (test.value.placement.measured and test.value.form is not Form.STEP) or test.value.form is Form.LOCAL:
            yield job.refuse(
                NAME, "the training loop is left on a condition that depends on a metric or on chance.", leave.node,
                "Train for a fixed number of epochs; keep the best weights instead of stopping early.",
            )  # fmt: skip
            return


def _leaves_training(job: Job, leave: ExitFact) -> bool:
    """Whether the statement can change the number of training steps."""
    step = job.step
    loops = [loop for loop in leave.context.loops if loop.node in (step.loop, step.epoch_loop)]
    if not loops:
        return False
    if isinstance(leave.node, (ast.Raise, ast.Call)):
        return True
    return any(loop.frame is leave.context.frame for loop in loops)


def _is_inside_loop(job: Job, test: Test, leave: ExitFact) -> bool:
    return not isinstance(test.node, ast.ExceptHandler)
