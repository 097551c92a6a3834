"""Refuse samples that are read by a place which a process's share of the batch does not have.

Why
---
With strong scaling each process has its share of a batch. A loop over ``range(batch_size)`` that reads
``labels[i]`` ends in an IndexError. Where the largest place is known the program checks at its start that a share has
it; where it is not, or where half a batch does not have it, the script is refused.

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

from corro.rules.pytorch._positions import Position, positions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "sample-positions"


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place that even half a batch may not have."""
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


def _is_beyond(job: Job, position: Position, needed: int) -> bool:
    """Whether two processes cannot have it: their shares are half of the batch."""
    made = [fact for number in position.sources for fact in job.calls_of(job.facts.nodes[number])]
    sizes = [size.const for fact in made if (size := fact.argument(1, "batch_size")) is not None]
    return any(isinstance(size, int) and size // 2 < needed for size in sizes)
