"""Shared by the rules for Keras: the moving averages of batch normalisation, and which fits validate with them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.semantics import BATCHNORM
from corro.rules.keras._arguments import Given

if TYPE_CHECKING:
    from corro.anatomy.fits import FitSite
    from corro.flow.facts import CallFact
    from corro.rules.keras._job import Job
    from corro.targets.base import Code

_COMPUTES = frozenset({"evaluate", "predict", "test_on_batch", "predict_on_batch", "evaluate_generator",
                       "predict_generator"})  # fmt: skip


def batch_normalisation(job: Job) -> CallFact | None:
    """A layer that keeps moving averages, or a model that has one."""
    made = (f for f in job.calls if f.receiver is None and f.result.kind in (Kind.LAYER, Kind.MODULE))
    return next((fact for fact in made if BATCHNORM in fact.result.tags), None)


def validates(job: Job, site: FitSite) -> bool:
    """Whether a call of fit may validate."""
    given = Given.of_fit(job, site)
    values = [given.value(name) for name in ("validation_data", "validation_split")]
    return given.is_open or any(v is not None and v.kind is not Kind.NONE and not v.is_zero for v in values)


def computes(node: ast.AST) -> bool:
    """Whether this is a call of a model that computes with its moving averages, after an epoch or within it."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _COMPUTES


def same_statistics(job: Job, site: FitSite) -> Code | None:
    """The callback that makes moving averages equal before a call of fit validates, and after each epoch.

    ``None`` where the script never computes with them. ``None`` too where the model has no name that could be written
    once more: see ``unequal``.
    """
    if job.sharing is None or batch_normalisation(job) is None:
        return None
    methods = {"on_test_begin": "logs"} if validates(job, site) else {}
    if any(map(computes, job.nodes.of(ast.Call))):
        methods["on_epoch_end"] = "epoch, logs"
    name = _name(job, site)
    return job.sharing.same_statistics(name, methods) if methods and name else None


def unequal(job: Job) -> FitSite | None:
    """A call of fit whose model keeps moving averages of each process's own."""
    if job.sharing is None or batch_normalisation(job) is None:
        return None
    return next((site for site in job.anatomy.fits if not _name(job, site)), None)


def _name(job: Job, site: FitSite) -> str:
    """The model's name in the call; empty where it is made there."""
    model = site.node.func.value if isinstance(site.node.func, ast.Attribute) else None
    part: ast.AST | None = model
    while isinstance(part, ast.Attribute):
        part = part.value
    return job.segment(model) if model is not None and isinstance(part, ast.Name) else ""
