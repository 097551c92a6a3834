"""Refuse state carried from batch to batch, and the batch size used as a shape, for now.

Why
---
A hidden state that goes on in the next batch belongs to the samples at the same place of it; shared out, the next
batch has other samples there. A tensor made for the global batch size does not fit the share of one process.

Before
------
::

    output, hidden = model(batch, hidden)

After
-----
::

    refused: hidden is carried from batch to batch

Source
------
salesforce/awd-lstm-lm, ``main.py`` (hidden state repackaged between batches).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.reducing import sharded_sources
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "carried-state"
GATE = 1

_SHAPED = ("torch.zeros", "torch.ones", "torch.randn", "torch.rand", "torch.full", "torch.empty", "torch.arange",
           "torch.randint", "torch.randperm", "torch.eye", "torch.normal", "torch.linspace")  # fmt: skip
_SHAPING = frozenset({"view", "reshape", "expand", "new_zeros", "new_ones", "repeat", "resize_", "new_full", "chunk"})


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place of each."""
    yield from _carried(job)
    if job.is_strong:
        yield from _shapes(job)


def _carried(job: Job) -> Iterator[Answer]:
    loops = {step.loop for step in job.anatomy.steps}
    for node, context in job.facts.carried.items():
        if any(loop.node in loops for loop in context.loops):
            name = f"{ast.unparse(node)!r}"
            yield job.refuse(
                NAME,
                f"{name} is carried from one batch to the next, but each process has only its shard of each batch.",
                node,
                "Reset it for each batch.",
            )
            return


def _shapes(job: Job) -> Iterator[Answer]:
    origins: set[int] = set()
    for site in job.training_loaders():
        for made in job.calls_of(site.node):
            size = made.argument(1, "batch_size")
            origins |= set(size.origins) if size is not None else set()
    if not origins:
        return
    for fact in job.calls:
        if _makes_shape(fact) and any(v.origins & origins for v in _parts(fact)) and _is_shared_out(job, fact):
            yield _refused(job, fact.node, "as the shape of a tensor")
            return
    for node in _in_step(job):
        value = job.facts.values.get(node)
        if value is not None and value.kind is Kind.NUMBER and value.origins & origins and isinstance(node, ast.expr):
            parent = job.parent(node)
            sliced = isinstance(parent, (ast.Slice, ast.Compare, ast.Subscript))
            if sliced or (isinstance(parent, ast.Call) and getattr(parent.func, "id", "") == "range"):
                yield _checked(job, node) if isinstance(parent, ast.Compare) else _refused(job, node, "to cut a batch")
                return


def _is_shared_out(job: Job, fact: CallFact) -> bool:
    """Whether a shape may be that of a share; where every process evaluates everything, batches are whole."""
    shared = sharded_sources(job)
    if fact.receiver is not None and fact.receiver.sources:
        return bool(fact.receiver.sources & shared)
    passed = frozenset().union(*(loop.loaders for loop in fact.context.passes))
    return not passed or bool(passed & shared)


def _refused(job: Job, node: ast.AST, how: str) -> Answer:
    return job.refuse(
        NAME,
        f"the batch size is used {how}; each process has only its share of it.",
        node,
        "Take the size from the batch itself, as in x.size(0), or use --scaling weak.",
    )


def _checked(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "the batch size is used to check a batch; each process has only its share of it.",
        node,
        "Give the DataLoader drop_last=True if a last batch that is too short is to be left out.",
    )


def _in_step(job: Job) -> Iterator[ast.AST]:
    """The training loop's own expressions."""
    for step in job.anatomy.steps:
        for statement in step.loop.body:
            yield from walk(statement)


def _makes_shape(fact: CallFact) -> bool:
    if fact.receiver is not None:
        return fact.name in _SHAPING and fact.receiver.kind in (Kind.TENSOR, Kind.BATCH, Kind.UNKNOWN)
    return fact.name in _SHAPED


def _parts(fact: CallFact) -> Iterator[Value]:
    for value in (*fact.args, *fact.keywords.values()):
        yield value
        yield from value.items
