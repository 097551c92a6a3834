"""Reduce metrics to their global values before anything reads them.

Why
---
Each process sees its own shard of the data, so a counter holds a part of the sum and a loss is the mean of a part.
Printed, compared or given to a scheduler like that, it is about 1/N of the truth, or differs between processes, which
then decide differently and hang. Sums are all-reduced directly after the loop that accumulates them, all in one
collective; values reported within an epoch are reduced where they are reported. Where neither makes what is
accumulated whole (squares of losses, sums of losses times sizes), the numbers that it is made of are reduced in each
step, in front of the statement.

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

from typing import TYPE_CHECKING

from corro.rules import wholes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "metrics"


def apply(job: Job) -> Iterable[Answer]:
    """Reduce after each pass, then at each report and decision that still needs it."""
    return wholes.answers(job, NAME)
