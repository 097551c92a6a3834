"""Refuse parameters that change what is trained during training, and weights that are searched over.

Why
---
DDP and Horovod take note of the trainable parameters when the model or the optimizer is wrapped. Parameters frozen,
thawed or added later are averaged wrongly or waited for in vain.

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

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.frontends.in_place import is_in_place

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer
    from rueda.rules.pytorch._job import Job

NAME = "changed-parameters"
_CONSTANT = ("constant_", "zeros_", "ones_", "eye_", "dirac_")
_RANDOM = frozenset({"normal_", "uniform_", "random_", "bernoulli_", "exponential_", "log_normal_", "cauchy_"})
GATE = 1

_CHANGES = frozenset({"add_param_group", "requires_grad_", "register_parameter"})


def apply(job: Job) -> Iterable[Answer]:
    """Refuse changes of ``requires_grad`` and of parameter groups, and random changes of weights, while training."""
    for step in job.anatomy.steps:
        loop = step.epoch_loop or step.loop
        for node in ast.walk(loop):
            stored = (
                isinstance(node, ast.Attribute) and node.attr == "requires_grad" and isinstance(node.ctx, ast.Store)
            )
            called = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _CHANGES
            owner = getattr(node if stored else getattr(node, "func", None), "value", None)
            if isinstance(owner, ast.expr) and job.value(owner).sources:
                continue
            if stored or (called and any(fact.context.loops for fact in job.calls_of(node))):
                yield job.refuse(
                    NAME,
                    "parameters are frozen, thawed or added in the training loop.",
                    node,
                    "Decide before training which parameters are trained.",
                )
                return
        for fact in job.calls:
            reason = _wrong(fact)
            if reason is not None and _is_after_wrapping(job, fact):
                yield job.refuse(NAME, reason[0], fact.node, reason[1])
                return


def _is_after_wrapping(job: Job, fact: CallFact) -> bool:
    """Whether a call is made by the statement before which the model is wrapped."""
    anchors = {site.anchor for site in job.anatomy.models} | {
        step.epoch_loop or step.loop for step in job.anatomy.steps
    }
    called = [frame.call for frame in fact.context.frame.path() if frame.call is not None]
    return any(a in anchors for node in (fact.node, *called) for a in job.file_of(node).ancestors(node))


def _wrong(fact: CallFact) -> tuple[str, str] | None:
    """Why a call gives weights other values on each process, and what to do."""
    if _draws_weights(fact):
        return (
            "weights are changed at random in the training loop, on each process in another way.",
            "Initialise the model before training.",
        )
    if _changes_weights(fact) and any(not value.placement.is_equal for value in fact.args):
        return (
            "weights are changed by what differs between processes.",
            "Change them by gradients, or by values that are equal everywhere.",
        )
    return None


def _draws_weights(fact: CallFact) -> bool:
    if fact.receiver is None:
        return fact.name.startswith("torch.nn.init.") and not fact.name.endswith(_CONSTANT)
    if fact.receiver.kind is Kind.MODULE:
        return fact.name == "apply"
    random = fact.name in _RANDOM or any(value.form is Form.LOCAL for value in fact.args)
    return random and _changes_weights(fact)


def _changes_weights(fact: CallFact) -> bool:
    """Whether a method of a tensor changes a weight, or may."""
    owner = fact.node.func.value if isinstance(fact.node.func, ast.Attribute) else None
    while isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):  # weight.mul_(0.9).add_(x)
        owner = owner.func.value
    of_model = isinstance(owner, ast.Attribute) and owner.attr in ("data", "weight", "bias")
    weight = fact.receiver is not None and ("parameter" in fact.receiver.tags or of_model)
    return weight and is_in_place(fact.name)
