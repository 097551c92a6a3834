"""Say that samples are paired by chance within a shard, where they were within the batch.

Why
---
Mixup and CutMix combine each sample with another one of its batch, which a random permutation picks. Each process
permutes its shard, which is a random part of the batch, so the partner is still one of the batch by chance; but a
sample is its own partner once in B/N times instead of once in B. Distributed training that was written by hand does
the same, and draws the weight of the mixture on each process, too.

Before
------
::

    index = torch.randperm(x.size(0))
    mixed = weight * x + (1 - weight) * x[index]

After
-----
::

    index = torch.randperm(x.size(0))  # of this process's shard
    mixed = weight * x + (1 - weight) * x[index]

Source
------
Zhang et al., "mixup: Beyond Empirical Risk Minimization", 2018; timm, ``timm/data/mixup.py``, which mixes the batch of
each process.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.tensors import is_exchanged

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "exchanged-samples"


def apply(job: Job) -> Iterable[Answer]:
    """Name the first place where samples of a training batch are exchanged."""
    for node in job.nodes.of(ast.Subscript):
        if isinstance(node.ctx, ast.Load) and _is_exchanged(job, node):
            message = "samples of the batch are mixed at random here; each process mixes those of its own shard."
            yield job.review(NAME, message, node)
            return


def _is_exchanged(job: Job, node: ast.Subscript) -> bool:
    owner = job.value(node.value)
    trained = job.value(node).form is Form.SHARDED and owner.kind is Kind.TENSOR
    return trained and is_exchanged(owner, job.value(node.slice))
