"""Join the processes, or choose the devices, before anything is made.

Why
---
Under Horovod the processes have to find each other first, and each takes the GPU with its local rank before TensorFlow
takes them all; memory growth lets processes share what is there. A strategy of TensorFlow and a distribution of Keras
have to be there before the first variable.

Before
------
::

    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

After
-----
::

    import tensorflow as tf
    import horovod.tensorflow.keras as hvd

    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_keras_mnist.py``; TensorFlow guide, "Distributed training with Keras".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.places import at_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-startup"
FRONTENDS = ("keras", "tensorflow")


def apply(job: Job) -> Iterator[Answer]:
    """One change: the start."""
    start = job.target.start()
    first = job.first_statement
    yield job.change(NAME, "the engine comes first", first, [at_start(job, start.text, order=-100)], start)
    if job.target.caution:
        yield job.review(NAME, job.target.caution, first, "Choose sizes that the number of devices divides.")
    if job.target.needs:
        yield job.note(NAME, job.target.needs, first)
