"""Let the optimizer average gradients over the processes (Horovod).

Why
---
Horovod's ``DistributedOptimizer`` all-reduces each gradient while the backward pass goes on, and waits for them in
``step()``. It is made right after the optimizer, before a scheduler or a loaded state refers to it: made later it
drops the state that is there. ``zero_grad`` of Horovod 0.28 takes no argument. When the loss is a sum over samples,
gradients are summed, not averaged.

Before
------
::

    optimizer = optim.SGD(model.parameters(), lr=0.01)

After
-----
::

    optimizer = optim.SGD(model.parameters(), lr=0.01)
    optimizer = hvd.DistributedOptimizer(optimizer, named_parameters=model.named_parameters())

Source
------
Horovod documentation, ``horovod.torch.DistributedOptimizer``; ``examples/pytorch/pytorch_mnist.py``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.pytorch._averaging import is_summed, loose, wraps_optimizers
from corro.rules.wrapping import wrapped
from corro.source import remove_argument, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import OptimizerSite
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "optimizer"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each call that makes the optimizer, and for each ``zero_grad`` with an argument."""
    if not wraps_optimizers(job):
        return
    for optimizer in job.anatomy.optimizers:
        kept = _kept(job, optimizer)
        if kept is not None:
            yield job.refuse(
                NAME,
                "Horovod makes the optimizer anew of its class and its groups of parameters, and what else it was "
                "given is lost.",
                kept,
                job.or_target(
                    "Keep all of it in the groups: super().__init__(params, defaults), give parameters of __init__ "
                    "defaults, and step a closure=None",
                    lambda target: target.averages_in_backward,
                ),
            )
            continue
        summed = any(is_summed(job, update) for update in job.anatomy.updates if optimizer in update.optimizers)
        yield from _optimizer(job, optimizer, summed=summed)
    yield from _zero_grads(job)


def _kept(job: Job, site: OptimizerSite) -> ast.AST | None:
    """Where an optimizer of the script's own class has more than its groups of parameters, if it has."""
    for own in (each for fact in job.calls_of(site.node) for each in job.facts.classes_of(fact.result)):
        methods = {each.name: each for each in own.body if isinstance(each, ast.FunctionDef)}
        step, init = methods.get("step"), methods.get("__init__")
        reset = any(isinstance(node, ast.Attribute) and node.attr == "defaults" for node in walk(own))
        if reset or any(job.value(base).kind is Kind.CLASS for base in own.bases):
            return own
        if step is not None and len(step.args.args) < _WITH_CLOSURE:
            return step
        if init is not None and (_asks_for_more(init.args) or _sets_fields(init)):
            return init
    return None


_WITH_CLOSURE = 2
"""Parameters of ``step(self, closure=None)``; ``__init__`` is given as many."""


def _asks_for_more(spec: ast.arguments) -> bool:
    """Whether a constructor cannot be called with the parameters alone."""
    without = len(spec.posonlyargs) + len(spec.args) - len(spec.defaults)
    return without > _WITH_CLOSURE or any(default is None for default in spec.kw_defaults)


def _sets_fields(init: ast.FunctionDef) -> bool:
    """Whether a constructor does something with the object itself, besides calling that of its base."""
    own = init.args.args[0].arg if init.args.args else ""
    given = [node for node in walk(init) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)]
    return any(node.value.id == own for node in given if isinstance(node.value, ast.Name))


def _optimizer(job: Job, site: OptimizerSite, *, summed: bool) -> Iterator[Answer]:
    job, node = job.at(site.node), site.node
    model = _model_name(job, site)

    edits = wrapped(job, node, lambda expression: job.target.wrap_optimizer(expression, model, summed=summed).text)
    code = Code("", (job.target.engine,))
    yield job.change(NAME, "gradients are averaged over the processes", node, edits, code)


def _model_name(job: Job, site: OptimizerSite) -> str | None:
    """The model whose parameters the optimizer was given, as it is written there; none where it is given more."""
    if loose(job, [site]):
        return None
    for part in ast.walk(site.node):
        if isinstance(part, ast.Attribute) and part.attr in ("parameters", "named_parameters"):
            value = job.value(part.value)
            if (
                value.kind is Kind.MODULE
                and isinstance(part.value, (ast.Name, ast.Attribute))
                and "part" not in value.tags
            ):
                whole = any(value.sites == each.numbers for each in job.anatomy.models)
                if whole and len(job.anatomy.models) == 1:
                    return job.segment(part.value)
    return None


def _zero_grads(job: Job) -> Iterator[Answer]:
    for fact in job.calls:
        receiver = fact.receiver
        if fact.name == "zero_grad" and receiver is not None and receiver.kind is Kind.OPTIMIZER:
            for keyword in fact.node.keywords:
                edits = remove_argument(job.file_of(fact.node), fact.node, keyword)
                yield job.change(NAME, "Horovod's zero_grad takes no argument", fact.node, edits)
