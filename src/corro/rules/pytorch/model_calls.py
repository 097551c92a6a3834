"""Refuse compiled models, dynamic code and losses computed by the model, for now.

Why
---
``DistributedDataParallel`` synchronises in its own ``forward``: a loss computed by another method of the model never
passes it, and gradients are never averaged. Where the model is called in each step as well, its methods and parts may
be called beside that: DDP averages a gradient when it is complete. A compiled model must be compiled after wrapping.
Code in strings cannot be followed.

Before
------
::

    loss = model.loss(x, y)

After
-----
::

    refused: the model's method 'loss' is called in the training step

Source
------
PyTorch documentation, ``DistributedDataParallel`` (the forward pass is the point of synchronisation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.forwards import TRANSPARENT, inside_module, training_forwards
from corro.frontends.pytorch.parts import goes_along

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "model-calls"
GATE = 1

_HARMLESS = TRANSPARENT | {"state_dict", "load_state_dict", "forward", "", "__call__", "children", "named_modules",
                           "named_children", "size", "register_buffer", "__init__", "add_module"}  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first call that goes past the model's forward."""
    loops = {step.loop for step in job.anatomy.steps}
    for fact in job.calls:
        if fact.name in ("exec", "eval") and fact.receiver is None:
            yield job.refuse(NAME, "code in a string cannot be followed.", fact.node, "Write it as a statement.")
            return
        if "compiled" in fact.result.tags and fact.name == "torch.compile":
            yield job.refuse(
                NAME, "the model is compiled, which is not converted yet.", fact.node, "Remove torch.compile for now."
            )
            return
        receiver = fact.receiver
        if receiver is None or receiver.kind is not Kind.MODULE or not fact.result.sources:
            continue
        called = getattr(fact.node.func, "attr", "")
        is_method = called and job.value(fact.node.func).kind is Kind.FUNCTION
        in_step = any(loop.node in loops for loop in fact.context.loops) and not inside_module(job.facts, fact.context)
        if is_method and in_step and called not in _HARMLESS and "no_grad" not in fact.context.modes:
            if _goes_along(job, receiver):
                continue
            yield job.refuse(
                NAME,
                f"the model's method {called!r} is called in the training step, which bypasses the forward pass "
                "where gradients are synchronised.",
                fact.node,
                "Compute the loss from the output of model(...).",
            )
            return


def _goes_along(job: Job, model: Value) -> bool:
    """Whether the model is called as well: its wrapper averages a gradient when it is complete, whoever computed it."""
    return any(
        goes_along(job.facts, step, list(training_forwards(job.facts, step)), model) for step in job.anatomy.steps
    )
