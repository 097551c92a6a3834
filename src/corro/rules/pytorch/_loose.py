"""Shared by rules: what the optimizer steps beside the models whose forward passes train."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch.parameters import Stepped, is_loose, stepped
from corro.frontends.pytorch.parts import owners, whole_of

if TYPE_CHECKING:
    from corro.anatomy.sites import ModelSite
    from corro.rules.pytorch._job import Job


def loose(job: Job, optimizer: ast.Call) -> tuple[ast.expr, ...]:
    """Single tensors that an optimizer steps, and modules that are not called in the training step."""
    given = stepped(job.facts, optimizer)
    called = frozenset().union(*(site.numbers for site in job.anatomy.models))
    modules = (m for m in given.modules if not job.value(m).sites & called and is_loose(job.facts, m))
    found = {ast.dump(node): node for node in (*modules, *given.tensors)}
    return tuple(found.values())


def all_stepped(job: Job) -> Stepped:
    """What the optimizer of the training step steps."""
    found = Stepped()
    for number in sorted({n for fact in job.calls_of(job.step.update) if fact.receiver for n in fact.receiver.sites}):
        node = job.facts.nodes[number]
        if isinstance(node, ast.Call):
            found += stepped(job.facts, node)
    return found


def is_frozen(job: Job, site: ModelSite) -> bool:
    """Whether a model is known to have nothing that the optimizer steps."""
    given = all_stepped(job)
    others = frozenset().union(*(each.numbers for each in job.anatomy.models if each.numbers != site.numbers))
    if given.unknown or not (given.modules or given.tensors):
        return False
    wholes = whole_of(owners(job.facts), site.numbers)
    sites = [(module, job.value(module).sites) for module in given.modules]
    return all(
        not made & wholes and ((made and made <= others) or is_loose(job.facts, module)) for module, made in sites
    )


def wrapped_models(job: Job) -> tuple[ModelSite, ...]:
    """The models that are made equal, and wrapped: DDP takes no model without gradients, and it needs none."""
    return tuple(site for site in job.anatomy.models if not (job.target.wraps_model and is_frozen(job, site)))
