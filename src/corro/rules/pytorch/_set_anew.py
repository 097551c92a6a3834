"""Shared by rules: names that every round of a loop sets before it reads them, under a condition that stays as it is.

``if args.mixup: x, other = mix(x)`` and later ``if args.mixup: loss += criterion(output, other)``: no round sees what
the one before has left, for the condition holds in all of them or in none, and nothing else sets the name.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.pytorch._job import Job

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PLAIN = (ast.If, ast.With)
_ASKING = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.List,
           ast.Tuple, ast.Set, ast.expr_context, ast.cmpop, ast.boolop, ast.unaryop)  # fmt: skip


def is_set_anew(job: Job, node: ast.expr, loop: ast.AST) -> bool:
    """Whether a name that a round of a loop reads is set in each round before, or in none at all."""
    names = job.names_of(node)
    if not isinstance(node, ast.Name) or loop not in job.ancestors(node):
        return False
    if names.binding(node) is None or names.binding(node) is not names.scope(loop):
        return False
    every = names.uses(node.id, names.binding(node))
    stores = [use for use in every if not isinstance(use.ctx, ast.Load)]
    arms = {store: _arms(job, store, loop) for store in stores}
    here = job.span(node).start
    first = [store for store in stores if job.span(store).end <= here and node not in walk(job.statement(store))]
    return bool(first) and all(
        arm is not None and (store in first or any(_is_within(arm, arms[each]) for each in first))
        for store, arm in arms.items()
    )


def is_given(job: Job, node: ast.expr, loops: Iterable[ast.AST]) -> bool:
    """Whether this is a parameter of a function that rounds of loops call, and is given anew by each call.

    What it is given is read in front of the call, and judged there; a function that changes it in place may keep it.
    """
    names = job.names_of(node)
    scope = names.binding(node) if isinstance(node, ast.Name) else None
    if scope is None or not isinstance(node, ast.Name) or not isinstance(scope.node, (ast.FunctionDef, ast.Lambda)):
        return False
    given = scope.node.args
    required = [*given.posonlyargs, *given.args]
    parameters = {each.arg for each in required[: len(required) - len(given.defaults)]}  # a default may be kept
    inside = any(scope.node in job.ancestors(loop) for loop in loops)
    return node.id in parameters and not inside and not any(_is_changed(job, u) for u in names.uses(node.id, scope))


def _is_changed(job: Job, use: ast.Name) -> bool:
    """Whether what a name stands for is changed in place where it is used."""
    inner: ast.AST = use
    for above in job.ancestors(use):
        if isinstance(above, ast.AugAssign):
            return True
        if isinstance(above, ast.Call) and above.func is inner:
            inner = above
            continue
        if not isinstance(above, (ast.Attribute, ast.Subscript)) or above.value is not inner:
            return False
        if not isinstance(above.ctx, ast.Load) or (isinstance(above, ast.Attribute) and above.attr.endswith("_")):
            return True
        inner = above
    return False


Arms = frozenset[tuple[ast.AST, bool]]
"""The conditions around a statement, each with whether it holds there."""


def _is_within(arm: Arms, other: Arms | None) -> bool:
    """Whether what stands under some conditions is done only where what stands under others is."""
    return other is not None and other <= arm


def _arms(job: Job, store: ast.Name, loop: ast.AST) -> Arms | None:
    """The conditions under which each round sets a name; ``None`` where it is not known to be all rounds or none."""
    inner: ast.AST = job.statement(store)
    if not isinstance(store.ctx, ast.Store) or not isinstance(inner, ast.Assign):
        return None
    found: set[tuple[ast.AST, bool]] = set()
    for above in job.ancestors(inner):
        if above is loop:
            return frozenset(found) if inner in loop.body else None  # type: ignore[attr-defined]
        if not isinstance(above, _PLAIN) or (isinstance(above, ast.If) and not _stays(job, above.test, loop)):
            return None
        if isinstance(above, ast.If):
            found.add((above, inner in above.body))
        inner = above
    return None


def _stays(job: Job, test: ast.expr, loop: ast.AST) -> bool:
    """Whether a condition is the same in all rounds of a loop, and of those around it in its function."""
    around = [loop]
    for above in job.ancestors(loop):
        if isinstance(above, _FUNCTIONS):
            break
        around += [above] if isinstance(above, _LOOPS) else []
    inside = set(walk(around[-1]))
    for part in ast.walk(test):
        if not isinstance(part, _ASKING):
            return False
        if isinstance(part, ast.Name):
            names = job.names_of(part)
            where = names.binding(part)
            every = names.uses(part.id, where) if where is not None else ()
            if where is None or any(not isinstance(use.ctx, ast.Load) and _may_run(job, use, inside) for use in every):
                return False
        if isinstance(part, ast.Attribute) and _is_stored(job, part):
            return False
        if isinstance(part, ast.Subscript) and not _is_fixed_item(job, part):
            return False
    return not any(fact.name in ("setattr", "delattr") and fact.context.loops for fact in job.calls)


def _may_run(job: Job, use: ast.Name, inside: set[ast.AST]) -> bool:
    """Whether a name may be set while a loop runs: within it, or by a function that declares it as another's."""
    names = job.names_of(use)
    return use in inside or names.scope(use) is not names.binding(use)


def _is_stored(job: Job, attribute: ast.Attribute) -> bool:
    """Whether an attribute is set anywhere but where an object is made, or may be another one each time."""
    if job.value(attribute.value).kind not in (Kind.NAMESPACE, Kind.INSTANCE):
        return True
    if any(each.name == attribute.attr for each in job.nodes.of(ast.FunctionDef)):
        return True
    for other in job.nodes.of(ast.Attribute):
        if other.attr == attribute.attr and not isinstance(other.ctx, ast.Load):
            function = next((each for each in job.ancestors(other) if isinstance(each, _FUNCTIONS)), None)
            if getattr(function, "name", "") != "__init__":
                return True
    return False


def _is_fixed_item(job: Job, item: ast.Subscript) -> bool:
    """Whether an item has a literal key, under which nothing is put anywhere."""
    if not isinstance(item.slice, ast.Constant):
        return False
    stored = (each for each in job.nodes.of(ast.Subscript) if not isinstance(each.ctx, ast.Load))
    return not any(not isinstance(each.slice, ast.Constant) or each.slice.value == item.slice.value for each in stored)
