"""Shared by rules of loops that a script writes itself: what would let processes part ways."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.rules.reducing import differs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from corro.flow.facts import Context, ExitFact, Test
    from corro.rules.base import Answer
    from corro.rules.reducing import ReducingJob as Job

_EXITS = (ast.Break, ast.Return, ast.Raise, ast.Call, ast.Continue)


def differing(job: Job, context: Context) -> Test | None:
    """The first condition around something that differs between processes."""
    return next((test for test in context.tests if test.value.form is Form.LOCAL or differs(job, test.value)), None)


def unequal(job: Job, name: str, node: ast.AST) -> Answer:
    """The refusal of what some processes would do, and others not."""
    return job.refuse(
        name,
        "whether this runs depends on a value that differs between processes.",
        node,
        "Make the condition depend on values that are equal on all processes.",
    )


def leaves(leave: ExitFact, loops: Collection[ast.AST]) -> bool:
    """Whether a statement can change the number of rounds that some loops make."""
    left = [loop for loop in leave.context.loops if loop.node in loops]
    ends = bool(left) and isinstance(leave.node, (ast.Raise, ast.Call))
    return ends or any(loop.frame is leave.context.frame for loop in left)


def exits(job: Job, name: str, loops: Collection[ast.AST], whole_batches: str) -> Iterator[Answer]:
    """Refuse to leave training loops, or to skip a batch, on what is measured or differs.

    ``whole_batches`` says how a last batch that is too short is left out.
    """
    for leave in job.facts.exits:
        test = _deciding(leave) if isinstance(leave.node, _EXITS) and leaves(leave, loops) else None
        if test is not None:
            what, advice = _left_on(job, leave, test, whole_batches)
            yield job.refuse(name, what, leave.node, advice)


def after_steps(job: Job) -> Iterator[ast.AST]:
    """Where a pass over batches is left after a number of steps."""
    for leave in job.facts.exits:
        counted = any(test.value.form is Form.STEP for test in leave.context.tests)
        if counted and isinstance(leave.node, (ast.Break, ast.Return)) and leave.context.passes:
            yield leave.node


def too_many(job: Job, name: str, node: ast.AST) -> Answer:
    """The refusal of such a place under weak scaling."""
    return job.refuse(
        name,
        "training ends after a number of steps, of which weak scaling needs N times fewer.",
        node,
        "Count epochs, or use --scaling strong.",
    )


def _deciding(leave: ExitFact) -> Test | None:
    """The condition of an exit that is measured on data, or differs between processes."""
    for test in leave.context.tests:
        measured = test.value.placement.data_dependent and test.value.form is not Form.STEP
        if not isinstance(test.node, ast.ExceptHandler) and (measured or test.value.form is Form.LOCAL):
            return test
    return None


def _left_on(job: Job, leave: ExitFact, test: Test, whole_batches: str) -> tuple[str, str]:
    """What is wrong with an exit, and what to do instead."""
    skips = isinstance(leave.node, ast.Continue)
    what = "a batch is skipped" if skips else "the training loop is left"
    condition = getattr(test.node, "test", test.node)
    if any(job.value(part).form is Form.COUNT for part in ast.walk(condition)):
        return f"{what} because of the size of a batch, of which each process has only its share.", whole_batches
    advice = "Train for a fixed number of epochs; keep the best weights instead of stopping early."
    advice = "Train on every batch." if skips else advice
    return f"{what} on a condition that depends on a metric or on chance.", advice
