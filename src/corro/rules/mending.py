"""Blocks that read a file back and write it anew where that fails: rank 0 alone runs them, and has written the file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.effects import EffectKind
from corro.frontends.purity import is_pure
from corro.rules.file_tests import stood_in, texts
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from corro.frontends.effects import Effect
    from corro.rules.base import Job

_WRITING = frozenset({EffectKind.OPEN, EffectKind.SAVE})
_INSIDE = _WRITING | {EffectKind.FILE_WRITE, EffectKind.PRINT, EffectKind.LOG}
_READING = frozenset({"open", "json.load", "json.loads", "json_tricks.load", "json_tricks.loads", "numpy.load",
                      "numpy.loadtxt", "yaml.safe_load", "csv.reader"})  # fmt: skip
_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Raise, ast.FunctionDef, ast.AsyncFunctionDef,
            ast.ClassDef, ast.Lambda, ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom, ast.Delete,
            ast.NamedExpr)  # fmt: skip
"""What leaves a block, or makes something that others may use."""
_FRESH = (ast.List, ast.Dict, ast.ListComp, ast.DictComp, ast.Constant, ast.JoinedStr)


def blocks(job: Job) -> frozenset[ast.Try]:
    """The ``try`` statements whose handlers write the file that could not be read, where nobody needs anything else."""
    if not job.has_ranks:
        return frozenset()
    writing = [effect for effect in job.all_effects if effect.kind in _WRITING]
    found = {
        tried
        for effect in writing
        for tried in stood_in(job, effect)
        if _is_written_before(job, effect, writing, tried)
    }
    return frozenset(tried for tried in found if _is_alone(job, tried))


def holds(job: Job, node: ast.AST) -> bool:
    """Whether something stands in such a block."""
    return not job.mended_files.isdisjoint(job.ancestors(node))


def _is_written_before(job: Job, effect: Effect, writing: Collection[Effect], tried: ast.Try) -> bool:
    """Whether the script itself has written a file, and so rank 0 has, before it is looked at in a block."""
    inside, path = set(walk(tried)), texts(job, [effect.node])
    before = (each for each in writing if each.fact.order < effect.fact.order and each.node not in inside)
    same = (each for each in before if each.fact.context.frame is effect.fact.context.frame)
    return any(not path.isdisjoint(texts(job, [each.node])) for each in same)


def _is_alone(job: Job, tried: ast.Try) -> bool:
    """Whether a block only reads and writes files, and keeps in names of its own what it needs for that."""
    inside = set(walk(tried))
    if any(isinstance(node, _LEAVING) for node in inside) or job.reduced(tried):
        return False
    own = {node.id for node in inside if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    names = [node for node in inside if isinstance(node, ast.Name) and node.id in own]
    local = all(_is_local(job, name, tried) for name in names)
    changed = [node for node in inside if isinstance(node, (ast.Attribute, ast.Subscript)) and _is_stored(node)]
    kept = {each for each in own if _is_fresh(tried, each)}
    done = {effect.node for effect in job.all_effects if effect.kind in _INSIDE}
    calls = [node for node in inside if isinstance(node, ast.Call) and node not in done]
    return (
        local
        and all(isinstance(node, ast.Subscript) and _owner(node) in kept for node in changed)
        and all(_is_harmless(job, call, kept) for call in calls)
        and inside.isdisjoint(job.joining)
    )


def _is_stored(node: ast.Attribute | ast.Subscript) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _owner(node: ast.Attribute | ast.Subscript) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _is_local(job: Job, name: ast.Name, tried: ast.Try) -> bool:
    """Whether no statement of a function but the block, or one that gives the name another value, uses a name of it."""
    scope, inside = job.names_of(name).binding(name), set(walk(tried))
    if scope is None or not isinstance(scope.node, ast.FunctionDef):
        return False
    outside = (use for use in job.names_of(name).uses(name.id, scope) if use not in inside)
    around = set(job.ancestors(tried))
    return all(any(name.id in _binds(above) for above in job.ancestors(use) if above not in around) for use in outside)


def _binds(node: ast.AST) -> Iterator[str]:
    """The names that ``with`` or ``for`` give a value for their body."""
    targets: list[ast.AST | None] = []
    if isinstance(node, ast.With):
        targets += [item.optional_vars for item in node.items]
    elif isinstance(node, ast.For):
        targets.append(node.target)
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_fresh(tried: ast.Try, name: str) -> bool:
    """Whether all that a name stands for in a block is made there: what is changed of it is nobody else's."""
    given: list[ast.AST | None] = []
    for node in walk(tried):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            given.append(node.value)
        elif isinstance(node, ast.withitem) and getattr(node.optional_vars, "id", "") == name:
            opened = isinstance(node.context_expr, ast.Call) and getattr(node.context_expr.func, "id", "") == "open"
            given.append(ast.Constant("") if opened else None)
        elif isinstance(node, (ast.For, ast.AugAssign, ast.AnnAssign, ast.comprehension, ast.ExceptHandler)):
            named = node.name == name if isinstance(node, ast.ExceptHandler) else _mentions(node.target, name)
            given += [None] if named else []
    stores = [n for n in walk(tried) if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    return bool(given) and len(given) == len(stores) and all(isinstance(each, _FRESH) for each in given)


def _mentions(target: ast.AST, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in walk(target))


def _is_harmless(job: Job, call: ast.Call, kept: Collection[str]) -> bool:
    """Whether a call computes, reads a file, or changes what was made in the block."""
    if isinstance(call.func, ast.Attribute) and _owner(call.func) in kept:
        return True
    facts = job.calls_of(call)
    return bool(facts) and (all(fact.name in _READING for fact in facts) or is_pure(job.facts, call))
