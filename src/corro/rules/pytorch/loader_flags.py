"""Tell a function that makes loaders for training and for evaluation which of them it makes.

Why
---
Only the loader for training is shared out by a ``DistributedSampler``; one that is used to evaluate keeps all samples,
or deals them out without repeating any. Where one call of ``DataLoader`` makes both, and nothing that its function is
given tells them apart, the function gets a flag.

Before
------
::

    def make_loader(data):
        return DataLoader(data, batch_size=16)

    train_loader = make_loader(train_data)
    test_loader = make_loader(test_data)

After
-----
::

    def make_loader(data, for_training=False):
        sampler = DistributedSampler(data, shuffle=False) if for_training else None
        ...

    train_loader = make_loader(train_data, for_training=True)
    test_loader = make_loader(test_data)

Source
------
PyTorch documentation, ``torch.utils.data.distributed.DistributedSampler``: it repeats samples, so that all processes
have as many.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.pytorch._shared import makes_training, new_flag, others_of
from corro.source import add_keyword, add_parameter

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "loader-flags"

_REASON = "the function is told which loader is for training"


def apply(job: Job) -> Iterable[Answer]:
    """A parameter, and what it is given."""
    for site in job.training_loaders():
        flag = new_flag(job, site.node) if others_of(job, site.node) else None
        if flag is None or makes_training(job, site.node) != flag.name:
            continue
        added = add_parameter(job.file_of(flag.function), flag.function, f"{flag.name}=False")
        yield job.change(NAME, _REASON, flag.function, added)
        for call in flag.calls:
            yield job.change(NAME, _REASON, call, add_keyword(job.file_of(call), call, flag.name, "True"))
