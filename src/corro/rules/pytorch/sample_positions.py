"""Refuse samples that are read by a place which a process's share of the batch does not have.

Why
---
With strong scaling each process has its share of a batch. A loop over ``range(batch_size)`` that reads
``labels[i]`` ends in an IndexError. Where the largest place is known the program checks at its start that a share has
it; where it is not, or where half a batch does not have it, the script is refused. So it is where a list that grew
with the batches is paired with an array of all data: what stands at one place in both is not of one sample.

Before
------
::

    for images, labels in train_loader:
        for i in range(batch_size):
            print(labels[i])

After
-----
::

    refused: labels[i] may not be in this process's share of the batch

Source
------
PyTorch documentation, ``torch.utils.data.DataLoader``: what ``batch_size`` counts is what each process loads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.rules.pytorch._positions import Position, positions
from corro.rules.reducing import differs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "sample-positions"


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place that even half a batch may not have, or that is another one in all data."""
    yield from _paired(job)
    if not job.is_strong:
        return
    for position in positions(job):
        if position.needed is None or _is_beyond(job, position, position.needed):
            text = job.segment(position.node)
            yield job.refuse(
                NAME,
                f"{text} may not be in this process's share of the batch.",
                position.node,
                "Take the number of samples from the batch itself, as in range(len(labels)).",
                effort="one line",
            )
            return


def _paired(job: Job) -> Iterator[Answer]:
    """``zip(labels, predictions)``: of all data, and of the batches of a pass that is shared out."""
    for fact in job.calls:
        if fact.name != "zip" or fact.context.passes or not differs(job, fact.result):
            continue
        whole = any(each.kind is Kind.TENSOR and each.form is Form.REPLICATED for each in fact.args)
        if whole and any(each.kind is Kind.LIST for each in fact.args):
            yield job.refuse(
                NAME,
                "this pairs an array of all data with a list of what this process has of its shard: at the same place "
                "they have different samples.",
                fact.node,
                "Collect the labels of each batch in the same loop as the predictions.",
                effort="one line",
            )
            return


def _is_beyond(job: Job, position: Position, needed: int) -> bool:
    """Whether two processes cannot have it: their shares are half of the batch."""
    made = [fact for number in position.sources for fact in job.calls_of(job.facts.nodes[number])]
    sizes = [size.const for fact in made if (size := fact.argument(1, "batch_size")) is not None]
    return any(isinstance(size, int) and size // 2 < needed for size in sizes)
