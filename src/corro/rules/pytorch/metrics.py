"""Reduce metrics to their global values before anything reads them.

Why
---
Each process sees its own shard of the data, so a counter holds a part of the sum and a loss is the mean of a part.
Printed, compared or given to a scheduler like that, it is about 1/N of the truth, or differs between processes, which
then decide differently and hang. Sums are all-reduced directly after the loop that accumulates them, all in one
collective; values reported within an epoch are reduced where they are reported. Where neither makes what is
accumulated whole (squares of losses, sums of losses times sizes), the numbers that it is made of are reduced in each
step, in front of the statement. A ratio of sums over a batch, such as an IoU, is one of a shard: the mean over the
processes is reported, with a review, and decides nothing.

Before
------
::

    for images, labels in loader:
        correct += (model(images).argmax(1) == labels).sum().item()
    print(correct / len(loader.dataset))

After
-----
::

    for images, labels in loader:
        correct += (model(images).argmax(1) == labels).sum().item()
    total = torch.tensor(correct, dtype=torch.float64)
    dist.all_reduce(total)
    correct = int(total)
    print(correct / len(loader.dataset))

Source
------
Horovod, ``examples/pytorch/pytorch_mnist.py`` (``metric_average``); ``MetricAverageCallback``, which must come before
callbacks that decide; accelerate issue 3797 (plateau on a local loss).
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import RatioOf
from corro.rules import wholes
from corro.source import children, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "metrics"
_ADVICE = "Add up what is divided over the batches, and divide at the end, for the exact ratio."
_READING = frozenset({"item", "float"})
_LEAVING = (ast.Break, ast.Return, ast.Continue)


def apply(job: Job) -> Iterable[Answer]:
    """Reduce after each pass, then at each report and decision that still needs it."""
    yield from wholes.answers(job, NAME)
    yield from _ratios(job)
    yield from _decided(job)


def _ratios(job: Job) -> Iterator[Answer]:
    """Ratios within a shard of a batch that training data is measured by."""
    for node in filter(partial(_is_ratio, job), job.nodes.of(ast.Call, ast.BinOp)):
        message = (
            "this is a ratio within a process's shard of a batch: the mean over the processes is reported, which is "
            "not the ratio in the global batch."
        )
        yield job.review(NAME, message, node, _ADVICE, differs=("metrics",))


def _decided(job: Job) -> Iterator[Answer]:
    """What the mean of such ratios decides: the learning rate, and how long is trained."""
    steps = (f for f in job.calls if f.name == "step" and f.receiver is not None and f.receiver.kind is Kind.SCHEDULER)
    rates = {given: "the learning rate" for fact in steps for given in fact.node.args}
    tests = job.nodes.of(ast.If, ast.While)
    leaving = (n for n in tests if isinstance(n, ast.While) or any(isinstance(p, _LEAVING) for p in walk(n)))
    lengths = {node.test: "how long is trained" for node in leaving}
    for node, what in (rates | lengths).items():
        if any(_is_of_shards(job, part) for part in walk(node)):
            message = (
                f"this comes from ratios within each process's shard of a batch, which are not those in the global "
                f"batch, and decides {what}."
            )
            yield job.refuse(NAME, message, node, _ADVICE)


def _is_ratio(job: Job, node: ast.Call | ast.BinOp) -> bool:
    """Whether a number becomes a ratio within a shard here, where one is read out of a tensor or is divided."""
    made = isinstance(node, ast.BinOp) or _called(node) in _READING
    return made and _is_of_shards(job, node) and not any(_is_of_shards(job, part) for part in children(node))


def _called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _is_of_shards(job: Job, node: ast.AST) -> bool:
    """Whether a number comes from ratios within shards of batches that are trained on."""
    return any(isinstance(tag, RatioOf) and int(tag) in job.anatomy.trained_on for tag in job.value(node).tags)
