"""Let the optimizer average gradients over the processes (Horovod).

Why
---
Horovod's ``DistributedOptimizer`` all-reduces each gradient while the backward pass goes on, and waits for them in
``step()``. It is made right after the optimizer, before a scheduler or a loaded state refers to it: made later it
drops the state that is there. ``zero_grad`` of Horovod 0.28 takes no argument. When the loss is a sum over samples,
gradients are summed, not averaged.

Before
------
::

    optimizer = optim.SGD(model.parameters(), lr=0.01)

After
-----
::

    optimizer = optim.SGD(model.parameters(), lr=0.01)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

Source
------
Horovod documentation, ``horovod.torch.DistributedOptimizer``; ``examples/pytorch/pytorch_mnist.py``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.pytorch._averaging import is_summed, loose, wraps_optimizers
from corro.rules.wrapping import wrapped
from corro.source import remove_argument
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import OptimizerSite
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "optimizer"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each call that makes the optimizer, and for each ``zero_grad`` with an argument."""
    if not wraps_optimizers(job):
        return
    for optimizer in job.anatomy.optimizers:
        summed = any(is_summed(job, update) for update in job.anatomy.updates if optimizer in update.optimizers)
        yield from _optimizer(job, optimizer, summed=summed)
    yield from _zero_grads(job)


def _optimizer(job: Job, site: OptimizerSite, *, summed: bool) -> Iterator[Answer]:
    job, node = job.at(site.node), site.node
    model = _model_name(job, site)

    edits = wrapped(job, node, lambda expression: job.target.wrap_optimizer(expression, model, summed=summed).text)
    code = Code("", (job.target.engine,))
    yield job.change(NAME, "gradients are averaged over the processes", node, edits, code)


def _model_name(job: Job, site: OptimizerSite) -> str | None:
    """The model whose parameters the optimizer was given, as it is written there; none where it is given more."""
    if loose(job, [site]):
        return None
    for part in ast.walk(site.node):
        if isinstance(part, ast.Attribute) and part.attr in ("parameters", "named_parameters"):
            value = job.value(part.value)
            if (
                value.kind is Kind.MODULE
                and isinstance(part.value, (ast.Name, ast.Attribute))
                and "part" not in value.tags
            ):
                whole = any(value.sites == each.numbers for each in job.anatomy.models)
                if whole and len(job.anatomy.models) == 1:
                    return job.segment(part.value)
    return None


def _zero_grads(job: Job) -> Iterator[Answer]:
    for fact in job.calls:
        receiver = fact.receiver
        if fact.name == "zero_grad" and receiver is not None and receiver.kind is Kind.OPTIMIZER:
            for keyword in fact.node.keywords:
                edits = remove_argument(job.file_of(fact.node), fact.node, keyword)
                yield job.change(NAME, "Horovod's zero_grad takes no argument", fact.node, edits)
