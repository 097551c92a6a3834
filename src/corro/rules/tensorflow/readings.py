"""Read a variable that has a copy on each device as a number, by its ``numpy()``, beside training loops.

Why
---
See ``keras-readings``. In a step, which every replica makes, no variable gives its value to Python.

Before
------
::

    temperature = tf.Variable(1.5)
    ...
    print(float(temperature))

After
-----
::

    with strategy.scope():
        temperature = tf.Variable(1.5)
    ...
    print(float(temperature.numpy()))

Source
------
Measured with TensorFlow 2.15, see ``keras-readings``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.tensorflow.semantics import VARIABLE
from corro.rules.keras import readings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-readings"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each variable that is read as a number; a refusal in a step."""
    on_replicas: set[ast.AST] = set()
    for step in job.replicated.steps:
        on_replicas |= step.nodes.union(*(ast.walk(function) for function in step.functions))
    return readings.answers(job, NAME, lambda node: VARIABLE in job.value(node).tags, on_replicas)
