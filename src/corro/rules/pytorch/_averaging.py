"""Shared by rules: what the optimizers hold, which of it a wrapper averages, and how the rest is averaged by hand."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.pytorch.parameters import is_loose
from corro.frontends.pytorch.steps import loss_of
from corro.source import Before

CLIPPING = frozenset(
    f"torch.nn.utils.{module}{name}"
    for module in ("", "clip_grad.")
    for name in ("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_")
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import ModelSite
    from corro.anatomy.steps import OptimizerSite, Update
    from corro.rules.pytorch._job import Job
    from corro.targets.base import Code
    from corro.targets.pytorch._base import TorchTarget


def loose(job: Job, optimizers: Iterable[OptimizerSite]) -> tuple[ast.expr, ...]:
    """Single tensors that optimizers hold, and modules that are not called in the training step."""
    called = frozenset().union(*(site.numbers for site in job.anatomy.models))
    found: dict[str, ast.expr] = {}
    for held in (each.held for each in optimizers):
        modules = (m for m in held.modules if not job.value(m).sites & called and is_loose(job.facts, m))
        found |= {ast.dump(node): node for node in (*modules, *held.tensors)}
    return tuple(found.values())


def equal_models(job: Job) -> tuple[ModelSite, ...]:
    """The models that are made equal: DDP takes no model without gradients, and it needs none."""
    return tuple(site for site in job.anatomy.models if site.optimizers or not job.target.wraps_model)


def is_wrapped(job: Job, site: ModelSite) -> bool:
    """Whether a model gets a wrapper: it is trained, by gradients that all come to it through its forward pass."""
    return job.target.wraps_model and bool(site.optimizers) and not site.bypassed and job.anatomy.is_plain


def wrapped_models(job: Job) -> tuple[ModelSite, ...]:
    """The models that get a wrapper."""
    return tuple(site for site in job.anatomy.models if is_wrapped(job, site))


def wrapper_name(job: Job, site: ModelSite) -> str:
    """The name of a model's wrapper; where that is an attribute, one that is free wherever the model is used."""
    _, dot, last = site.name.rpartition(".")
    taken = frozenset().union(*(job.names_of(use).all_names for use in site.uses if dot))
    return job.names.fresh(f"{job.target.name}_{last}", taken)


def leaves_bare(target: type[TorchTarget]) -> bool:
    """Whether a target needs no wrapper around a model, so that nothing depends on how its forward pass is called."""
    return not target.wraps_model


def wraps_optimizers(job: Job) -> bool:
    """Whether the optimizers get a wrapper that averages: Horovod's, which expects steps that are all alike.

    It takes a gradient that is missing for zero, by which weights decay and momentum goes on; it makes each update
    after as many backward passes; and its sum counts what is left of an earlier step once for each process.
    """
    if job.target.averages_in_backward or not job.anatomy.is_plain:
        return False
    missing = any(site.unused or site.bypassed for site in job.anatomy.models if site.optimizers)
    return not missing and not any(each.governed or _adds_up(job, each) for each in job.anatomy.updates)


def is_summed(job: Job, update: Update) -> bool:
    """Whether an update is fed by a loss that is a sum over the samples."""
    return any(loss_of(fact).form is Form.SUM for each in update.backwards for fact in job.calls_of(each.node))


def _adds_up(job: Job, update: Update) -> bool:
    """Whether gradients of a sum are added to those of an earlier step, as they are not set to zero for each update."""
    made = job.calls_of(update.node)
    asked = {test.node for fact in made for test in fact.context.tests}
    zeroed = (
        fact
        for fact in job.calls
        if fact.name == "zero_grad" and any(fact.context.loops[-1:] == each.context.loops[-1:] for each in made)
    )
    return is_summed(job, update) and all(any(t.node not in asked for t in each.context.tests) for each in zeroed)


def bypassed(job: Job, optimizers: Iterable[OptimizerSite]) -> bool:
    """Whether optimizers may step a model whose gradients no wrapper averages, of it or of the optimizer.

    Gradients of several backward passes add up in the same tensors, some to be set to zero before their update: what is
    averaged in front of each update is right whichever they are.
    """
    if not job.anatomy.is_plain or not job.target.averages_in_backward:
        return not wraps_optimizers(job)
    numbers = {each.number for each in optimizers}
    past = (site for site in job.anatomy.models if site.bypassed)
    return any(each.number in numbers for site in past for each in site.optimizers)


def by_hand(job: Job, update: Update) -> bool:
    """Whether some of the gradients that an update steps by are averaged by hand."""
    loosely = job.target.averages_in_backward and bool(loose(job, update.optimizers))
    return bypassed(job, update.optimizers) or loosely


def averaging_place(job: Job, update: Update) -> ast.stmt | None:
    """The statement in front of which gradients are averaged by hand: the update, or what clips them before it.

    ``None`` where they are clipped in another block of statements than that of the update.
    """
    statement = job.statement(update.node)
    block = _block(job, statement)
    places = [block.index(statement)]
    for clipping in _between(job, update):
        around = [block.index(each) for each in (clipping, *job.ancestors(clipping)) if each in block]
        if not around:
            return None
        places += around
    return block[min(places)]


def _between(job: Job, update: Update) -> Iterator[ast.Call]:
    """What clips gradients between the backward passes that an update collects and the update."""
    behind = max((fact.order for each in update.backwards for fact in job.calls_of(each.node)), default=0)
    before = max(fact.order for fact in job.calls_of(update.node))
    yield from (fact.node for fact in job.calls if fact.name in CLIPPING and behind < fact.order < before)


def average(job: Job, update: Update, place: ast.stmt) -> tuple[Before, Code]:
    """Average by hand, at a place, all gradients that an update steps by.

    What is averaged already stays as it is: it is equal on all processes.
    """
    assert isinstance(update.node.func, ast.Attribute)
    name, group, each = (job.names.fresh(word) for word in ("parameter", "group", "p"))
    code = job.target.average_stepped(job.segment(update.node.func.value), group, each, name)
    return Before(place, code.text, order=-5), code


def _block(job: Job, statement: ast.stmt) -> list[ast.stmt]:
    """The statements that one stands among."""
    parent = job.parent(statement)
    blocks = (getattr(parent, name, []) for name in ("body", "orelse", "finalbody"))
    return next((list(block) for block in blocks if isinstance(block, list) and statement in block), [statement])
