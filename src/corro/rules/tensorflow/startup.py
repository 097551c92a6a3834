"""Join the processes, and take this process's GPU, before anything is made.

Why
---
The processes have to find each other first, and each takes the GPU with its local rank before TensorFlow takes them
all; memory growth lets processes share what is there.

Before
------
::

    import tensorflow as tf

    model = make_model()

After
-----
::

    import tensorflow as tf
    import horovod.tensorflow as hvd

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = make_model()

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.keras import startup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-startup"


def apply(job: Job) -> Iterable[Answer]:
    """One change: the start."""
    return startup.answers(job, NAME)
