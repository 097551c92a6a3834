"""Shared by rules: what the optimizers hold beside the models whose forward passes train."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.pytorch.parameters import is_loose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.anatomy.sites import ModelSite
    from corro.anatomy.steps import OptimizerSite
    from corro.rules.pytorch._job import Job


def loose(job: Job, optimizers: Iterable[OptimizerSite]) -> tuple[ast.expr, ...]:
    """Single tensors that optimizers hold, and modules that are not called in the training step."""
    called = frozenset().union(*(site.numbers for site in job.anatomy.models))
    found: dict[str, ast.expr] = {}
    for held in (each.held for each in optimizers):
        modules = (m for m in held.modules if not job.value(m).sites & called and is_loose(job.facts, m))
        found |= {ast.dump(node): node for node in (*modules, *held.tensors)}
    return tuple(found.values())


def wrapped_models(job: Job) -> tuple[ModelSite, ...]:
    """The models that are made equal, and wrapped: DDP takes no model without gradients, and it needs none."""
    return tuple(site for site in job.anatomy.models if site.optimizers or not job.target.wraps_model)
