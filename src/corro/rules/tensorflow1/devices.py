"""Refuse devices that the script of a graph chooses by number.

Why
---
Each process takes the GPU with its local rank, which is the only one that its sessions see. A script that names GPUs
for itself would put all processes on one, or find none.

Before
------
::

    with tf.device("/gpu:1"):

After
-----
::

    refused: the script names the devices it runs on

Source
------
Horovod documentation, "Horovod with TensorFlow", step 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.tensorflow1.names import plain
from corro.rules.common.tensorflow import devices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-devices"

_FIRST = ("gpu:0", "cpu:0", "gpu", "cpu")


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal."""
    yield from devices.answers(job, NAME)
    for fact in job.calls:
        device = fact.args[0].const if fact.args and plain(fact.name) == "tensorflow.device" else None
        if device is None and plain(fact.name) != "tensorflow.device":
            continue
        if not isinstance(device, str) or not device.lower().endswith(_FIRST) or "job:" in device:
            yield job.refuse(
                NAME,
                "the script names the devices it runs on.",
                fact.node,
                "Remove this: the engine chooses the devices.",
                effort="one line",
            )
            return
