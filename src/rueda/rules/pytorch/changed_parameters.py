"""Refuse parameters that change what is trained during training, and weights that are searched over.

Why
---
DDP and Horovod take note of the trainable parameters when the model or the optimizer is wrapped. Parameters frozen, thawed or
added later are averaged wrongly or waited for in vain.

Before
------
::

    if epoch == 5:
        for p in model.backbone.parameters():
            p.requires_grad = True

After
-----
::

    refused: parameters are frozen or thawed in the training loop

Source
------
PyTorch documentation, ``DistributedDataParallel`` (never change parameters after wrapping).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.rules.base import Answer, Job

NAME = "changed-parameters"
GATE = 1

_CHANGES = frozenset({"add_param_group", "requires_grad_", "register_parameter"})


def apply(job: Job) -> Iterable[Answer]:
    """Refuse changes of ``requires_grad`` and of parameter groups in the training loop."""
    for step in job.anatomy.steps:
        loop = step.epoch_loop or step.loop
        for node in ast.walk(loop):
            stored = (
                isinstance(node, ast.Attribute) and node.attr == "requires_grad" and isinstance(node.ctx, ast.Store)
            )
            called = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _CHANGES
            if stored or (called and any(fact.context.loops for fact in job.calls_of(node))):
                yield job.refuse(
                    NAME, "parameters are frozen, thawed or added in the training loop.", node,
                    "Decide before training which parameters are trained.",
                )  # fmt: skip
                return
