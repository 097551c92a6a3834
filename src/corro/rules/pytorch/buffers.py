"""Make the buffers of the model equal before it is evaluated.

Why
---
Batch normalisation keeps running statistics in buffers, each process those of its own shard of the data. An evaluation
that is shared out, or a decision on it, needs the same model everywhere: rank 0's buffers are sent around before each
evaluation, as rank 0's are what is saved; in front of a loop that is shared out, where the model is switched within it.

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

from corro.classes import replace
from corro.frontends.pytorch.forwards import ends_training_mode
from corro.rules.reducing import is_uniform
from corro.source import Before
from corro.source.walking import names_set

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact, Context
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
    receiver = fact.node.func.value
    place = _place(job, fact, receiver)
    if place is None:
        yield job.refuse(
            NAME,
            "the model is switched to evaluation where its buffers cannot be made equal.",
            fact.node,
            "Call model.eval() in the script itself, not under a condition.",
        )
        return
    job = job.at(fact.node)
    code = job.target.equal_buffers(job.segment(receiver), job.names.fresh("buffer"))
    yield job.change(NAME, "all processes evaluate the same model", place, [Before(place, code.text)], code)


def _place(job: Job, fact: CallFact, receiver: ast.expr) -> ast.stmt | None:
    """In front of the call, or of the pass around it that is dealt out: some processes have a batch more there."""
    contexts = [each.context for each in job.calls_of(fact.node)]
    if all(is_uniform(job, each) for each in contexts):
        return job.statement(fact.node)
    above = [each for each in job.ancestors(fact.node) if isinstance(each, ast.For)]
    around = (each for each in reversed(above) if any(each is loop.node for loop in fact.context.passes))
    for place in around:
        before = [_in_front_of(each, place) for each in contexts]
        names = {part.id for part in ast.walk(receiver) if isinstance(part, ast.Name)}
        if names.isdisjoint(names_set(place)) and all(each is not None and is_uniform(job, each) for each in before):
            return place
    return None


def _in_front_of(context: Context, place: ast.For) -> Context | None:
    """Where processes are in front of a loop that they are in."""
    for number, loop in enumerate(context.loops):
        if loop.node is place:
            return replace(context, loops=context.loops[:number], tests=loop.tests)
    return None
