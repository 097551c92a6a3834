"""Let rank 0 fetch data first, in scripts with sessions.

Why
---
Processes that start together would write the same file at the same time, and read each other's half of it.

Before
------
::

    mnist = input_data.read_data_sets("data", one_hot=True)

After
-----
::

    if hvd.rank() == 0:
        input_data.read_data_sets("data", one_hot=True)
    with tf.Graph().as_default(), tf.Session(config=config):
        hvd.allreduce(tf.constant(0.0)).eval()
    mnist = input_data.read_data_sets("data", one_hot=True)

Source
------
horovod issue 1035 (downloads that collide); Horovod, ``examples/tensorflow/tensorflow_mnist.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.tensorflow1.semantics import reads_images
from corro.rules.keras import download

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-download"


def apply(job: Job) -> Iterable[Answer]:
    """One guarded call and one barrier before each statement that fetches."""
    return download.answers(job, NAME, fetches)


def fetches(fact: CallFact) -> bool:
    """Whether a call fetches data unless it is there."""
    return download.fetches(fact) or reads_images(fact)
