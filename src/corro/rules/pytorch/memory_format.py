"""Leave a model contiguous for an engine that averages contiguous tensors only.

Why
---
``channels_last`` lays the same numbers out in another order, for speed. Horovod refuses parameters and gradients that
are laid out so. Gradients are laid out as their parameters, so batches may stay ``channels_last``.

Before
------
::

    model = model.to(memory_format=torch.channels_last)

After
-----
::

    model = model.to(memory_format=torch.contiguous_format)

Source
------
Horovod, ``horovod/torch/mpi_ops.py``, ``_check_function``: "Tensor is required to be contiguous."; PyTorch,
``torch/csrc/autograd/functions/accumulate_grad.h``, "Gradient Layout Contract".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.source import replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "memory-format"

_KEPT = ("contiguous_format", "preserve_format")


def apply(job: Job) -> Iterable[Answer]:
    """A change for each model that is laid out otherwise."""
    if job.target.exchanges_any_layout:
        return
    nodes = dict.fromkeys(
        keyword.value
        for fact in job.calls
        if fact.receiver is not None and fact.receiver.kind is Kind.MODULE
        for keyword in fact.node.keywords
        if keyword.arg == "memory_format" and not job.segment(keyword.value).endswith(_KEPT)
    )
    for node in nodes:
        spelt = f"{job.at(node).target.torch}.contiguous_format"
        edits = replace_node(job.file_of(node), node, spelt)
        engine = job.target.title
        yield job.change(NAME, f"{engine} averages contiguous tensors only", node, edits)
        yield job.review(
            NAME,
            f"{engine} averages contiguous tensors only, so the model stays contiguous: results may differ from those "
            "of this memory format by rounding, and convolutions may be slower.",
            node,
            job.or_target("", lambda target: target.exchanges_any_layout),
            differs=("alone",),
        )
