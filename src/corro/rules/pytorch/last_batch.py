"""Refuse what sets the samples of an evaluation beside those of the last batch of training.

Why
---
After its loop a variable of the training step still has the last batch, and an evaluation that names it by mistake runs
where both batches are of one size. A process has its share of that batch alone, and whole batches of the evaluation:
they are not as many, and the program would stop there.

Before
------
::

    for inputs, labels in train_loader:
        ...
    for x, y in test_loader:
        total += criterion(model(x), labels).item()

After
-----
::

    refused: the targets of the evaluation are called y

Source
------
PyTorch documentation, ``torch.nn.CrossEntropyLoss``: inputs and targets are of the same samples.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.sites import Role
from corro.frontends.pytorch.losses import FUNCTIONAL_LOSSES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "last-batch"


def apply(job: Job) -> Iterable[Answer]:
    """Operations on each sample of two batches, of which one is trained on, and the other one is evaluated."""
    evaluated = frozenset(site.number for site in job.anatomy.loaders if site.role is Role.EVALUATION)
    trained = frozenset(site.number for site in job.anatomy.loaders if site.role is Role.TRAINING)
    passes = {site.loop for site in job.anatomy.passes if not site.trains and site.loaders <= evaluated}
    for node, given in _operations(job):
        if passes.isdisjoint(job.ancestors(node)):
            continue
        sources = [value.sources for value in given if value.form is Form.SHARDED and value.batch_dim == 0]
        if any(each <= trained for each in sources) and any(each <= evaluated for each in sources):
            yield job.refuse(
                NAME,
                "samples that are evaluated meet those of the last batch of training, of which a process has its share "
                "alone: they are not as many.",
                node,
                "Name what the loop of the evaluation sets, if that is meant.",
                effort="one line",
            )


def _operations(job: Job) -> Iterator[tuple[ast.expr, list[Value]]]:
    """What sets one sample beside another one: arithmetic, comparisons and losses."""
    for node in job.nodes.of(ast.BinOp, ast.Compare):
        if isinstance(node, ast.Compare):
            yield node, [job.value(each) for each in (node.left, *node.comparators)]
        elif not isinstance(node.op, ast.MatMult):
            yield node, [job.value(node.left), job.value(node.right)]
    losses = (fact for fact in job.calls if _is_loss(fact.name, fact.receiver))
    yield from ((fact.node, [*fact.args, *fact.keywords.values()]) for fact in losses)


def _is_loss(name: str, receiver: Value | None) -> bool:
    return name.rpartition(".")[2] in FUNCTIONAL_LOSSES if receiver is None else receiver.kind is Kind.LOSS
