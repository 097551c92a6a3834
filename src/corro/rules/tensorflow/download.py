"""Let one process fetch a data set before the others look for it, also in scripts with a loop of their own.

Why
---
N processes that fetch to the same place overwrite each other's half-written files. Rank 0 fetches, all wait for it
outside the condition, then all load what is there.

Before
------
::

    (x_train, y_train), _ = tf.keras.datasets.mnist.load_data()

After
-----
::

    if hvd.rank() == 0:
        tf.keras.datasets.mnist.load_data()
    hvd.allreduce(tf.constant(0.0))
    (x_train, y_train), _ = tf.keras.datasets.mnist.load_data()

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py`` (a file of its own for each process).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.keras import download

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-download"


def apply(job: Job) -> Iterable[Answer]:
    """One guarded call and one barrier before each statement that fetches."""
    return download.answers(job, NAME)
