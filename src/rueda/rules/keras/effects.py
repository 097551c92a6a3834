"""Let effects happen once: prints, saved models, files, plots.

Why
---
Under Horovod every process runs the whole script. What is printed, drawn or written happens on rank 0; a file opened
for writing is the null device elsewhere. A strategy within one process changes nothing here.

Before
------
::

    model.summary()
    model.save("model.h5")

After
-----
::

    if hvd.rank() == 0:
        model.summary()
        model.save("model.h5")

Source
------
Horovod documentation, "Horovod with Keras", step 6 (save checkpoints only on worker 0).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.rules import once
from rueda.targets.base import RankedTarget

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-effects"


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each statement with an effect."""
    return once.answers(job, NAME) if isinstance(job.target, RankedTarget) else ()
