"""Let effects of scripts with sessions happen once: prints, logs, summaries, checkpoints, files, plots.

Why
---
Every process runs the whole script. What is printed, plotted or written happens on rank 0. A writer of summaries is
there on rank 0 only, and so is what a saver writes.

Before
------
::

    writer = tf.summary.FileWriter("logs")
    path = saver.save(session, "model.ckpt")

After
-----
::

    writer = tf.summary.FileWriter("logs") if hvd.rank() == 0 else None
    path = saver.save(session, "model.ckpt") if hvd.rank() == 0 else None

Source
------
Horovod documentation, "Horovod with TensorFlow", step 6 (checkpoints on worker 0 only).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules import once

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-effects"


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each statement with an effect, or the first obstacle."""
    lifted = {node for part in once.lifted_parts(job) for node in ast.walk(part)}
    inside = next((site.node for site in job.of_parts() if site.node in lifted), None)
    if inside is not None:
        made = "a batch is taken" if job.iterates else "the training step is made"
        yield job.refuse(
            NAME,
            f"{made} in a statement that happens on rank 0 only.",
            inside,
            "Assign what it gives to a name, and show that.",
            effort="one line",
        )
        return
    yield from once.answers(job, NAME)
