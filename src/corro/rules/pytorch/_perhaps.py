"""Shared by rules: models that are made under one condition alone, so that there may be none where training begins."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.places import blocks
from corro.source import walk

if TYPE_CHECKING:
    from corro.anatomy.sites import ModelSite
    from corro.rules.pytorch._job import Job

_PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.expr_context, ast.cmpop,
          ast.boolop, ast.unaryop)  # fmt: skip
"""What asks options and constants, and changes nothing."""


def condition(job: Job, site: ModelSite) -> str | None:
    """What holds where a model is there: ``if args.aux: head = Head()``; ``None`` of a model that is always made."""
    names = job.names_of(site.anchor)
    scope = names.scope(site.anchor)
    if names.lookup(site.name, scope) is not scope:
        return None
    uses = [use for use in names.uses(site.name, scope) if isinstance(use.ctx, ast.Store)]
    stores = [use for use in uses if not _is_none(job, use)]
    branches = [each for each in _in_front(job, site.anchor) if isinstance(each, ast.If)]
    making = [each for each in branches if stores and all(use in _inside(each) for use in stores)]
    if not making or not _lasts(job, making[0].test):
        return None
    test = job.segment(making[0].test)
    return f"({test})" if "\n" in test else test


def _is_none(job: Job, use: ast.Name) -> bool:
    above = job.parent(use)
    return isinstance(above, ast.Assign) and isinstance(above.value, ast.Constant) and above.value.value is None


def _in_front(job: Job, anchor: ast.stmt) -> list[ast.stmt]:
    """The statements in front of one, in the blocks around it."""
    found: list[ast.stmt] = []
    for inner in (anchor, *job.ancestors(anchor)):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)) and inner is not anchor:
            break
        block = next((each for each in blocks(job.parent(inner)) if inner in each), [])
        found += block[: block.index(inner)] if isinstance(inner, ast.stmt) and block else []
    return found


def _inside(branch: ast.If) -> set[ast.AST]:
    return {part for statement in branch.body for part in walk(statement)}


def _lasts(job: Job, test: ast.expr) -> bool:
    """Whether a condition is the same later, and on all processes: what it asks is set once."""
    parts = [*walk(test)]
    if not all(isinstance(part, _PLAIN) for part in parts) or not job.value(test).placement.is_equal:
        return False
    attributes = {part.attr for part in parts if isinstance(part, ast.Attribute)}
    set_again = {part.attr for part in job.nodes.of(ast.Attribute) if isinstance(part.ctx, ast.Store)}
    names = job.names_of(test)
    bound = [names.binding(part) for part in parts if isinstance(part, ast.Name)]
    once = [
        scope is not None and len([u for u in names.uses(part.id, scope) if isinstance(u.ctx, ast.Store)]) < 2
        for scope, part in zip(bound, [part for part in parts if isinstance(part, ast.Name)], strict=True)
    ]
    return attributes.isdisjoint(set_again) and all(once)
