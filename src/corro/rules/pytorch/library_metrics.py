"""Refuse metric objects that communicate by themselves, for now.

Why
---
A metric object of torchmetrics or Ignite gathers its state over all processes when it is computed, as soon as
``torch.distributed`` is running. Computed on one process only, as in a print under a condition on the rank, it waits
for the others forever; computed where every process evaluates all of the data, it counts each sample N times.

Before
------
::

    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)
    for x, y in loader:
        accuracy.update(model(x), y)
    print(accuracy.compute())

After
-----
::

    refused: this metric gathers over all processes by itself

Source
------
torchmetrics, ``Metric.sync_context`` (``should_sync`` where ``torch.distributed`` is initialized); Ignite,
``ignite.metrics.metric.sync_all_reduce``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "library-metrics"
GATE = 1

_SYNCHRONISING = ("torchmetrics.", "ignite.metrics.", "torcheval.metrics.toolkit.", "monai.metrics.")


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first metric that is made; functions keep no state and are left alone."""
    for fact in job.calls:
        if fact.name.startswith(_SYNCHRONISING) and fact.name.rpartition(".")[2][:1].isupper():
            yield job.refuse(
                NAME,
                "this metric gathers from all processes on its own, which is not converted yet.",
                fact.node,
                "Sum up single numbers, for instance hits and samples, and divide at the end.",
            )
            return
