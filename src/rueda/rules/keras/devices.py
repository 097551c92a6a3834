"""Refuse devices that the script chooses by number.

Why
---
Under Horovod each process takes the GPU with its local rank, and a strategy takes all that there are. A script that
names GPUs for itself would put all processes on one, or keep a strategy from the others.

Before
------
::

    os.environ["CUDA_VISIBLE_DEVICES"] = "0"

After
-----
::

    refused: the script names the GPUs it runs on

Source
------
Horovod documentation, "Horovod with Keras", step 2; TensorFlow guide, "Use a GPU".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.frontends.keras.names import canonical

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-devices"

_CHOOSES = ("tensorflow.config.set_visible_devices", "tensorflow.config.experimental.set_visible_devices")
_ON_CPU = ("-1", "")


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal."""
    return answers(job, NAME)


def answers(job: Job, rule: str) -> Iterator[Answer]:
    """The same in the name of another rule."""
    node = next(_chosen(job), None)
    if node is not None:
        yield job.refuse(
            rule,
            "the script names the devices it runs on.",
            node,
            "Leave the choice of devices to the engine: take this out.",
        )


def _chosen(job: Job) -> Iterator[ast.AST]:
    for node in job.source.nodes if "CUDA_VISIBLE_DEVICES" in job.source.text else ():
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        key = target.slice if isinstance(target, ast.Subscript) else None
        named = isinstance(key, ast.Constant) and key.value == "CUDA_VISIBLE_DEVICES"
        if named and isinstance(node, ast.Assign):
            value = node.value
            if not (isinstance(value, ast.Constant) and value.value in _ON_CPU):
                yield node
    for fact in job.calls:
        name = canonical(fact.name) if fact.receiver is None else ""
        if name in _CHOOSES:
            first = fact.node.args[0] if fact.node.args else None
            if not (isinstance(first, ast.List) and not first.elts):  # an empty list means the CPU
                yield fact.node
        if name == "tensorflow.device":
            device = fact.args[0].const if fact.args else ""
            on_gpu = isinstance(device, str) and "gpu" in device.lower()
            if on_gpu and (job.target.scope is not None or not str(device).endswith(":0")):
                yield fact.node
