"""Leave the choice of a GPU to the engine where a script has a loop of its own; refuse devices named otherwise.

Why
---
Each process takes the GPU with its local rank. A script that names GPUs for itself would put all processes on one: the
choice of one GPU is taken out, the placing of operations refused.

Before
------
::

    with tf.device("/GPU:1"):

After
-----
::

    refused: the script names the devices it runs on

Source
------
Horovod documentation, "Horovod with TensorFlow", step 2; TensorFlow guide, "Use a GPU".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.keras import devices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-devices"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each choice of one GPU; at most one refusal."""
    return devices.answers(job, NAME)
