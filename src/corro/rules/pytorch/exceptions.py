"""Refuse training steps that an exception skips.

Why
---
An exception is raised by a batch, and each process has other batches: one process skips the step, the others wait for
its gradients and get those of another step, or nothing at all. ``contextlib.suppress`` does the same, and so does each
context manager that catches what is raised in its block, be it entered by ``with``, on an ``ExitStack`` or as a
decorator. What is caught around the whole training, or raised again, stays.

Before
------
::

    for x, y in loader:
        try:
            step(x, y)
        except RuntimeError:
            continue

After
-----
::

    refused: an exception that is caught here skips a training step on one process alone

Source
------
PyTorch documentation, ``torch.distributed``: all processes make the same collective calls in the same order.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch.forwards import training_forwards
from corro.rules.parting import leaves
from corro.rules.places import handlers, way
from corro.rules.pytorch.decisions import must_be_uniform

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "exceptions"

_OF_ALL = frozenset({"KeyboardInterrupt", "SystemExit", "GeneratorExit", "StopIteration"})
"""What is raised on all processes, or ends them: each has as many batches as the others."""
_ENDING = frozenset({"exit", "_exit", "quit", "abort"})


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first handler after which training goes on."""
    for handler in (*_around_steps(job), *_leaving(job)):
        if _goes_on(handler):
            return (
                job.refuse(
                    NAME,
                    "an exception that is caught here skips a training step on one process alone: the others wait for "
                    "its gradients.",
                    handler,
                    "Leave bad samples out in the data set, or let the exception end the program.",
                ),
            )
    return ()


def _around_steps(job: Job) -> Iterator[ast.AST]:
    """Handlers within the training loop of what a step does."""
    for step in job.anatomy.steps:
        forwards = {fact.node for fact in training_forwards(job.facts, step)}
        for fact in job.calls:
            inside = any(loop.node is step.loop for loop in fact.context.loops)
            if inside and (fact.node in forwards or must_be_uniform(fact)):
                call, *calls = way(fact)
                yield from handlers(job, [call, *reversed(calls)], step.trainings)


def _leaving(job: Job) -> Iterator[ast.ExceptHandler]:
    """Handlers that skip a batch, or end the training, because of something that differs between processes."""
    for leave in job.facts.exits:
        if isinstance(leave.node, ast.Raise) or not leaves(leave, job.anatomy.training_loops):
            continue
        for test in leave.context.tests:
            tried = job.parent(test.node) if isinstance(test.node, ast.ExceptHandler) else None
            body = tried.body if isinstance(tried, ast.Try) else []
            parts = (part for statement in body for part in ast.walk(statement))
            if isinstance(test.node, ast.ExceptHandler) and not all(job.value(p).placement.is_equal for p in parts):
                yield test.node


def _goes_on(handler: ast.AST) -> bool:
    """Whether something may be caught that one process alone raises, and is not raised again."""
    if isinstance(handler, ast.Call):
        return not all(_name(each) in _OF_ALL for each in handler.args)
    if not isinstance(handler, ast.ExceptHandler):
        return True
    types = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return not all(_name(each) in _OF_ALL for each in types) and not _ends(handler.body)


def _ends(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and _ends(last.body) and _ends(last.orelse)
    call = last.value if isinstance(last, ast.Expr) else None
    return isinstance(last, ast.Raise) or (isinstance(call, ast.Call) and _name(call.func) in _ENDING)


def _name(node: ast.expr | None) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))
