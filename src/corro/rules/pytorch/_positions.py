"""Samples that are read by their place in a training batch, of which each process has only its share."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.sites import Role
from corro.classes import dataclass
from corro.frontends.tensors import LISTED, POSITIONED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

_ARANGE = frozenset({"numpy.arange", "torch.arange"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.Module)


@dataclass(frozen=True)
class Position:
    """A sample that is read by its place.

    Args:
        node: the expression that reads it.
        sources: the loaders that its batch may come from.
        needed: how many samples the batch must have at least, ``None`` where that is not known.
    """

    node: ast.Subscript
    sources: frozenset[int]
    needed: int | None


def positions(job: Job) -> Iterator[Position]:
    """Places where a batch of training data is indexed by what does not come from its own length."""
    trained = frozenset(site.number for site in job.anatomy.loaders if site.role is Role.TRAINING)
    for node, _ in list(job.facts.values.items()):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            owner, index = job.value(node.value), _first(node.slice)
            if owner.sources & trained and _is_batch(owner) and _is_number(job, index):
                needed = _needed(job, index, owner)
                if needed != 1:
                    yield Position(node, owner.sources & trained, needed)


def _first(index: ast.expr) -> ast.expr:
    return index.elts[0] if isinstance(index, ast.Tuple) and index.elts else index


def _is_batch(value: Value) -> bool:
    """Whether the first dimension is that of the samples."""
    rows = (value.kind is Kind.TENSOR and value.batch_dim == 0) or LISTED in value.tags
    return value.form is Form.SHARDED and rows and not _is_one(value)


def _is_one(value: Value) -> bool:
    """Whether this is a sample that was picked, or some."""
    return POSITIONED in value.tags


def _is_number(job: Job, index: ast.expr) -> bool:
    """Whether this is a number, or one of the elements of an ``arange``, that does not come from a batch."""
    value = job.value(index)
    bound = _bound(job, index) if isinstance(index, ast.Name) and value.kind is Kind.TENSOR else None
    counts = bound is not None and any(fact.name in _ARANGE for fact in job.calls_of(bound))
    return (value.kind is Kind.NUMBER or counts) and not value.sources


def _needed(job: Job, index: ast.expr, owner: Value) -> int | None:
    const = job.value(index).const
    if isinstance(const, int):
        return const + 1 if const >= 0 else -const
    bound = _bound(job, index) if isinstance(index, ast.Name) else None
    if bound is None or not isinstance(bound, ast.Call):
        return None
    name = bound.func.id if isinstance(bound.func, ast.Name) else ""
    if name == "enumerate":
        return 1 if _go_along(job, bound, owner) else None
    ends = [job.value(argument).const for argument in bound.args[:2]]
    counts = name == "range" or any(fact.name in _ARANGE for fact in job.calls_of(bound))
    if counts and ends and isinstance(ends[-1], int):
        return max(ends[-1], 1)
    return None


def _bound(job: Job, name: ast.Name) -> ast.expr | None:
    """What the loop goes over whose variable this is."""
    for around in job.ancestors(name):
        generators = [around] if isinstance(around, ast.For) else getattr(around, "generators", [])
        for each in generators:
            if any(isinstance(n, ast.Name) and n.id == name.id for n in ast.walk(each.target)):
                iterable: ast.expr = each.iter
                return iterable
        if isinstance(around, _SCOPES):
            return None
    return None


def _go_along(job: Job, call: ast.Call, owner: Value) -> bool:
    """Whether a loop with a counter goes over samples of the same batch."""
    given = [node for argument in call.args[:1] for node in ast.walk(argument) if isinstance(node, ast.expr)]
    return any(job.value(node).sources & owner.sources for node in given)
