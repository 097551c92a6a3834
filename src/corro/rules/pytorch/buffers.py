"""Make the buffers of the model equal before it is evaluated.

Why
---
Batch normalisation keeps running statistics in buffers, each process those of its own shard of the data. An evaluation
that is shared out, or a decision on it, needs the same model everywhere: rank 0's buffers are sent around before each
evaluation, as rank 0's are what is saved.

Before
------
::

    model.eval()

After
-----
::

    for buffer in model.buffers():
        dist.broadcast(buffer, src=0)
    model.eval()

Source
------
PyTorch documentation, ``DistributedDataParallel`` (``broadcast_buffers``: from rank 0, in training forwards only);
pytorch issue 2584.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch.forwards import ends_training_mode
from corro.rules.reducing import is_uniform
from corro.source import Before

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "buffers"


def apply(job: Job) -> Iterable[Answer]:
    """A broadcast before ``model.eval()``, or before a pass that has none."""
    numbers = frozenset().union(*(site.numbers for site in job.anatomy.models if site.batchnorm))
    if not numbers:
        return
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if (
            not ends_training_mode(fact)
            or fact.receiver is None
            or not fact.receiver.sites & numbers
            or fact.node in seen
        ):
            continue
        seen.add(fact.node)
        yield from _before_eval(job, fact)


def _before_eval(job: Job, fact: CallFact) -> Iterable[Answer]:
    if not isinstance(fact.node.func, ast.Attribute):
        return
    if not all(is_uniform(job, f.context) for f in job.calls_of(fact.node)):
        yield job.refuse(
            NAME,
            "the model is switched to evaluation where its buffers cannot be made equal.",
            fact.node,
            "Call model.eval() in the script itself, not under a condition.",
        )
        return
    job, statement = job.at(fact.node), job.statement(fact.node)
    code = job.target.equal_buffers(job.segment(fact.node.func.value), job.names.fresh("buffer"))
    yield job.change(NAME, "all processes evaluate the same model", statement, [Before(statement, code.text)], code)
