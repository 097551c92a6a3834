"""Refuse training steps that are compiled as a whole.

Why
---
A compiled model needs nothing: the wrapper goes around it, so that the names of its weights stay those of the
sequential program. Where the backward pass and the update are in a compiled function, what is sent between processes
would be compiled with them.

Before
------
::

    @torch.compile
    def train_step(x, y):
        criterion(model(x), y).backward()
        optimizer.step()

After
-----
::

    refused: the training step is compiled as a whole

Source
------
PyTorch documentation, ``torch.compile``: "DDP and FSDP".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "model-calls"
GATE = 1

_COMPILE = "torch.compile"


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first call."""
    compiled = frozenset(_compiled(job))
    for step in job.anatomy.steps if compiled else ():
        for site in (*step.backwards, *step.updates):
            frames = (frame for fact in job.calls_of(site.node) for frame in fact.context.frame.path())
            if any(frame.scope.node in compiled for frame in frames):
                message = "the training step is compiled as a whole, with what would be sent between processes."
                yield job.refuse(
                    NAME, message, site.node, "Compile the model, or the loss, by itself.", effort="one line"
                )
                return


def _compiled(job: Job) -> Iterator[ast.AST]:
    """The functions of the script that are compiled."""
    for fact in job.calls:
        given = fact.argument(0, "model") if fact.name == _COMPILE else None
        if given is not None and given.kind is Kind.FUNCTION:
            yield job.facts.functions[given.obj]
    for node in job.nodes.of(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        for decorator in node.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            if job.value(called).name == _COMPILE:
                yield node
