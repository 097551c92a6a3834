"""Shared by rules of loops that a script writes itself: what would let processes part ways."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.rules.reducing import differs, sharded_sources

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from corro.flow.facts import Context, ExitFact, Test
    from corro.flow.values import Value
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


def exits(
    job: Job, name: str, loops: Collection[ast.AST], whole_batches: str, parts: Callable[[Value], bool]
) -> Iterator[Answer]:
    """Refuse to leave training loops, or to skip a batch, on what lets processes part ways.

    ``whole_batches`` says how a last batch that is too short is left out, ``parts`` of which values it is not known
    that they are equal on all processes.
    """
    for leave in job.facts.exits:
        test = _deciding(job, leave, parts) if isinstance(leave.node, _EXITS) and leaves(leave, loops) else None
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
        effort="one line",
    )


def is_measured(value: Value) -> bool:
    """Whether a value comes from data, or differs without meaning."""
    return value.form is Form.LOCAL or (value.placement.data_dependent and value.form is not Form.STEP)


def may_differ(job: Job, value: Value) -> bool:
    """Whether processes may have different values: not where all have it from a reduction, or from all of the data."""
    if value.placement.is_equal:
        return False
    return not value.sources or bool(value.sources & sharded_sources(job)) or value.form is Form.LOCAL


def _deciding(job: Job, leave: ExitFact, parts: Callable[[Value], bool]) -> Test | None:
    """The condition of an exit by which processes may part ways, or that asks for the size of a batch."""
    tests = (test for test in leave.context.tests if not isinstance(test.node, ast.ExceptHandler))
    return next((test for test in tests if parts(test.value) or _asks_for_size(job, test)), None)


def _asks_for_size(job: Job, test: Test) -> bool:
    """Whether a condition is on a number of samples: of the last batch, processes may repeat some."""
    return any(job.value(part).form is Form.COUNT for part in ast.walk(getattr(test.node, "test", test.node)))


def _left_on(job: Job, leave: ExitFact, test: Test, whole_batches: str) -> tuple[str, str]:
    """What is wrong with an exit, and what to do instead."""
    skips = isinstance(leave.node, ast.Continue)
    what = "a batch is skipped" if skips else "the training loop is left"
    if _asks_for_size(job, test):
        return f"{what} because of the size of a batch, of which each process has only its share.", whole_batches
    if may_differ(job, test.value):
        advice = "Decide on a sum or a mean over all samples, or on what is equal on all processes."
        return f"{what} on a condition that may differ between processes.", advice
    advice = "Train for a fixed number of epochs; keep the best weights instead of stopping early."
    return f"{what} on a condition that depends on a metric.", "Train on every batch." if skips else advice
