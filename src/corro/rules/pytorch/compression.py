"""Send gradients in 16 bits where that is asked for.

Why
---
Where processes wait for their gradients to be exchanged, half as many bytes take half the time. The numbers are
rounded on the way, so it is done only where it is asked for, by ``--compression``. ``bf16`` has the range of single
precision and 8 bits of it; ``fp16`` has 11 bits, and what is larger than 65,504 overflows: losses that are sums over
many samples may. What the engine's wrapper does not average is averaged as it is, and is not rounded.

Before
------
::

    model = Net()
    for epoch in range(epochs):
        train(model, loader, optimizer)

After
-----
::

    ddp_model = DistributedDataParallel(model)
    ddp_model.register_comm_hook(None, bf16_compress_hook)
    for epoch in range(epochs):
        train(ddp_model, loader, optimizer)

Source
------
PyTorch documentation, "DDP Communication Hooks"; Horovod documentation, ``hvd.Compression``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.pytorch._averaging import equal_models, is_wrapped, loose, wraps_optimizers

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "compression"


def apply(job: Job) -> Iterable[Answer]:
    """A note for each place whose gradients no wrapper averages; the wrappers are told by the target."""
    if job.target.exchange.compression:
        said = "these gradients are averaged without the engine's wrapper, and are sent as they are."
        yield from (job.note(NAME, said, place) for place in _by_hand(job))


def _by_hand(job: Job) -> Iterator[ast.AST]:
    """The models and parameters, or else the updates, whose gradients no wrapper averages."""
    if not job.target.wraps_model:
        yield from () if wraps_optimizers(job) else (each.node for each in job.anatomy.updates)
        return
    yield from (site.anchor for site in equal_models(job) if not is_wrapped(job, site))
    yield from loose(job, job.anatomy.optimizers)
