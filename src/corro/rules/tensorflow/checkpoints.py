"""Wait for rank 0's file before other processes of a script with a loop of its own read it.

Why
---
Checkpoints and weights are saved on rank 0 only. A process that loads them right after may look for a file that is not
there yet, or read half of it. So all wait for rank 0 before they load.

Before
------
::

    model.save_weights("best.h5")
    model.load_weights("best.h5")

After
-----
::

    if hvd.rank() == 0:
        model.save_weights("best.h5")
    hvd.allreduce(tf.constant(0.0))
    model.load_weights("best.h5")

Source
------
Horovod documentation, "Horovod with TensorFlow", step 6.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.effects import EffectKind
from corro.rules.keras import checkpoints

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-checkpoints"


def apply(job: Job) -> Iterable[Answer]:
    """One barrier before each statement that may read what rank 0 has written."""
    yield from checkpoints.answers(job, NAME)
    saved = min((e.fact.order for e in job.effects if e.kind is EffectKind.SAVE), default=None)
    saved = min((f.order for f in job.calls if f.node in job.named_checkpoints), default=saved)
    for fact in job.calls:
        path = fact.node.args[0] if fact.node.args and fact.name == "restore" else None
        if saved is None or path is None or fact.order < saved:
            continue
        if isinstance(path, ast.Attribute) and path.attr == "latest_checkpoint":
            yield job.refuse(
                NAME,
                "only rank 0's manager knows of the checkpoints that were saved meanwhile.",
                fact.node,
                "Take the path from tf.train.latest_checkpoint(directory).",
            )
            return
