"""Let all processes train the same model from the start.

Why
---
Weights are drawn at random, by each process for itself. Where the variables are there before training, rank 0's go to
all processes at once. A model that makes its variables when it sees the first batch has none by then, so Horovod's
example broadcasts after the first step, the optimizer's state too; so that the first step is made with equal weights,
the processes draw them from an equal seed (see ``tape-seeds``), and so they do where training has no name for what it
trains. A script that trains several models, one after the other, sends the weights of each in front of its own loop,
even where all have one name. Where a single step is made in front of a loop, they are sent before the model is used at
all, so that the losses shown by then are those of one model.

Before
------
::

    for epoch in range(10):
        for x, y in train:
            train_step(x, y)

After
-----
::

    hvd.broadcast_variables(model.variables, root_rank=0)
    for epoch in range(10):
        for x, y in train:
            train_step(x, y)

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py``: "broadcast should be done after the first gradient step to
ensure optimizer initialization".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import Value
from corro.rules.tensorflow._starting import starts
from corro.source import After, Before
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.rules.tensorflow._starting import Start
    from corro.source import Edit

NAME = "tape-start"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each time that training begins: the broadcast; nothing where an equal seed does it."""
    if job.sharing is None:
        return
    begins = starts(job) or ()
    for start in begins:
        if start.models is not None:
            yield _broadcast(job.at(start.anchor), start)
    if any(start.models is not None and not start.built for start in begins):
        yield from _kept(job)


def _broadcast(job: Job, start: Start) -> Answer:
    target = job.sharing
    assert target is not None
    code = Code("", (target.engine,))
    lists = [*(f"{model}.variables" for model in start.models or ()), *start.variables]
    if start.built:
        lines = "\n".join(target.broadcast(each) for each in lists)
        before = [Before(start.anchor, lines, order=-12)]
        return job.change(NAME, "rank 0's weights for all", start.anchor, before, code)
    lists += [f"{optimizer}.variables()" for optimizer in start.optimizers]
    flag = job.names.fresh("first_step")
    broadcasts = "".join(f"    {target.broadcast(each)}\n" for each in lists)
    edits: list[Edit] = [
        Before(start.anchor, f"{flag} = True", order=-12),
        After(start.step, f"if {flag}:\n{broadcasts}    {flag} = False"),
    ]
    return job.change(NAME, "rank 0's weights for all, once they are made", start.step, edits, code)


def _kept(job: Job) -> Iterator[Answer]:
    """Metrics that a model keeps."""
    kept = next((node for node, value in job.facts.values.items() if _keeps(job, node, value)), None)
    if kept is not None:
        yield job.note(
            NAME,
            "a metric that the model keeps is sent with its weights: in the first epoch it holds rank 0's shard of "
            "the first batch for all.",
            kept,
        )


def _keeps(job: Job, node: ast.AST, value: Value) -> bool:
    """Whether a metric is put into an attribute of a model, whose variables are then its own."""
    stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    owner = job.value(node.value) if isinstance(node, ast.Attribute) else Value()
    return stored and value.kind is Kind.METRIC and owner.kind is Kind.MODULE
