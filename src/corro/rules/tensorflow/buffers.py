"""Give all processes the same moving averages of batch normalisation before anything uses them.

Why
---
Batch normalisation keeps moving averages, each process those of its own shard of the data. An evaluation would then
test another model on each process, and decisions on it would differ. Rank 0's go to all after each pass over the
training data, as ``DistributedDataParallel`` does it. In training, each process normalises with the statistics of its
shard of the batch.

Before
------
::

    for x, y in train:
        train_step(x, y)
    test(model)

After
-----
::

    for x, y in train:
        train_step(x, y)
    hvd.broadcast_variables(model.non_trainable_variables, root_rank=0)
    test(model)

Source
------
PyTorch documentation, ``DistributedDataParallel``, ``broadcast_buffers``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.semantics import BATCHNORM
from corro.rules.tensorflow._starting import same_as, trained_models, visible_names
from corro.source import After
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-buffers"


def apply(job: Job) -> Iterable[Answer]:
    """A broadcast after each training loop."""
    layers = [f for f in job.calls if f.result.kind in (Kind.LAYER, Kind.MODULE) and BATCHNORM in f.result.tags]
    if not layers:
        return
    yield job.review(
        NAME,
        "batch normalisation uses the statistics of each process's shard of the batch.",
        layers[0].node,
        differs=("metrics",) if job.sharing is not None else ("gradient", "metrics"),
    )
    if job.sharing is None:  # a strategy averages them when they are read
        return
    for site in job.anatomy.passes:
        if not site.trains or not isinstance(site.loop, ast.For):
            continue
        models = trained_models(job, site.loop)
        names = [next(visible_names(job, site.loop, same_as(model)), None) for model in models]
        if not names or None in names:
            yield job.refuse(
                NAME,
                "the moving averages of batch normalisation cannot be made equal: the training loop has no name for "
                "the model.",
                site.loop,
                "Put the loop where the model has a name.",
            )
            return
        target = job.at(site.loop).sharing
        assert target is not None
        lines = [target.broadcast(f"{name}.non_trainable_variables") for name in names]
        code = Code("\n".join(lines), (target.engine,))
        reason = "all processes go on with the same model"
        yield job.change(NAME, reason, site.loop, [After(site.loop, code.text, order=-1)], code)
