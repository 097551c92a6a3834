"""Let effects of scripts with a loop of their own happen once: prints, summaries, checkpoints, files, plots.

Why
---
Every process runs the whole script. What is printed, drawn or written happens on rank 0. A writer of summaries writes
nothing on the other ranks, so that the code around it stays as it is.

Before
------
::

    writer = tf.summary.create_file_writer("logs")
    checkpoint.save("ckpt")

After
-----
::

    writer = tf.summary.create_file_writer("logs") if hvd.rank() == 0 else tf.summary.create_noop_writer()
    if hvd.rank() == 0:
        checkpoint.save("ckpt")

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py`` (checkpoints on worker 0 only).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import once
from corro.rules.keras.effects import bars, writers
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-effects"


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each statement with an effect, one for each writer of summaries."""
    if not job.puts_under_conditions:
        return
    yield from once.answers(job, NAME)
    yield from writers(job, NAME)
    yield from bars(job, NAME)
    yield from _paths(job)


def _paths(job: Job) -> Iterator[Answer]:
    """Checkpoints whose path gets a name: nobody but rank 0 has one."""
    for node in job.named_checkpoints:
        edit = Wrap(job.span(node), "", f" if {job.ranked.is_first} else None")
        yield job.change(NAME, "writes a file once", node, [edit], Code("", (job.target.engine,)))
