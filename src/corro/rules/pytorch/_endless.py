"""Shared by the rules for loaders: data sets that make samples without end, and say that they have very many."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.lineage import lineage
from corro.source import walk

if TYPE_CHECKING:
    from corro.rules.pytorch._job import Job

_MOST = 10**9
"""So many are hardly ever all taken, and a list of their numbers takes 36 GB."""
_LARGEST = frozenset({"sys.maxsize", "sys.maxint"})


def is_endless(job: Job, loader: int) -> bool:
    """Whether the data set of a loader in its own order has more samples than a list can have numbers."""
    for fact in job.calls_of(job.facts.nodes[loader]):
        data, shuffle = fact.argument(0, "dataset"), fact.argument(2, "shuffle")
        in_order = shuffle is None or shuffle.const is False
        classes = job.facts.classes_of(data) if data is not None else []
        if not in_order or not classes or not all(_has_many(job, each) for each in classes):
            return False
    return bool(job.calls_of(job.facts.nodes[loader]))


def _has_many(job: Job, node: ast.ClassDef) -> bool:
    methods = (part for each in lineage(job.facts, node) for part in each.body if isinstance(part, ast.FunctionDef))
    length = next((method for method in methods if method.name == "__len__"), None)
    returns = [part.value for part in walk(length) if isinstance(part, ast.Return)] if length is not None else []
    return bool(returns) and all(value is not None and _is_many(job, value) for value in returns)


def _is_many(job: Job, value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=int() | float() as number):
            return number >= _MOST
        case ast.Call(func=ast.Name(id="int"), args=[inner]):
            return _is_many(job, inner)
        case ast.BinOp(left=ast.Constant(value=int() as left), op=ast.Pow(), right=ast.Constant(value=int() as right)):
            return left > 1 and right < _MOST and left ** min(right, 99) >= _MOST
    return not _LARGEST.isdisjoint(job.names_of(value).qualified(value))
