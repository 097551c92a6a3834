"""Blocks of a script that rank 0 alone can run: nobody else needs what they compute, or has to take part in it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.effects import EffectKind
from corro.frontends.purity import impure_parts, is_pure
from corro.rules.file_tests import looks_at_files

if TYPE_CHECKING:
    from corro.frontends.effects import Effect
    from corro.rules.base import Job

GUARDED = frozenset({EffectKind.PRINT, EffectKind.LOG, EffectKind.RECORD, EffectKind.SAVE, EffectKind.DIRECTORY,
                      EffectKind.DELETE, EffectKind.FETCH, EffectKind.PLOT, EffectKind.SEND})  # fmt: skip
"""What happens on rank 0 alone, in statements of their own."""

_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Break, ast.Continue, ast.Raise)
_MAKING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Global, ast.Nonlocal, ast.Import,
           ast.ImportFrom, ast.Delete)  # fmt: skip


def block_of(job: Job, effect: Effect) -> ast.With | None:
    """The ``with`` block of a file's writer, if it does nothing but fill that file from what is there without it."""
    block = job.file_of(effect.node).parent(job.parent(effect.node) or effect.node)
    if not isinstance(block, ast.With) or len(block.items) != 1 or block.items[0].context_expr is not effect.node:
        return None
    inside = set(ast.walk(block))
    names = [node for node in inside if isinstance(node, ast.Name)]
    if any(isinstance(node, (*_LEAVING, *_MAKING)) for node in inside):
        return None
    if any(isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load) for node in inside):
        return None
    if any(other.node in inside for other in job.effects if other.node is not effect.node):
        return None
    stored = [node for node in names if not isinstance(node.ctx, ast.Load)]
    if any(
        use not in inside
        for node in stored
        for use in job.names_of(node).uses(node.id, job.names_of(node).binding(node))
    ):
        return None
    calls = [node for node in inside if isinstance(node, ast.Call) and node is not effect.node]
    return block if all(is_pure(job.facts, call) for call in calls) else None


def around(job: Job, statement: ast.stmt) -> ast.stmt:
    """The block that rank 0 alone runs, for a statement in one; else the statement."""
    blocks = {block_of(job, effect) for effect in job.effects if effect.kind is EffectKind.CONTAINER}
    above = [node for node in job.ancestors(statement) if isinstance(node, ast.With) and node in blocks]
    return above[-1] if above else statement


def with_check(job: Job, statement: ast.stmt) -> ast.stmt:
    """``if not os.path.isdir(d): os.makedirs(d)`` as a whole, so that nobody sees the directory half made."""
    parent = job.parent(statement)
    if not isinstance(parent, ast.If) or not looks_at_files(job, parent.test) or not only_effects(job, parent):
        return statement
    outer = job.parent(parent)
    is_elif = isinstance(outer, ast.If) and parent in outer.orelse
    return statement if is_elif else parent


def only_effects(job: Job, branch: ast.If) -> bool:
    """Whether a branch does nothing but what happens on rank 0 anyway."""
    guarded = {effect.node for effect in job.effects if effect.kind in GUARDED}
    if branch.orelse or any(impure_parts(job.facts, s.value) for s in branch.body if isinstance(s, ast.Expr)):
        return False
    directories = {fact.node for fact in job.calls if fact.name == "os.makedirs"}  # with exist_ok, everybody may
    return all(isinstance(s, ast.Expr) and s.value in guarded | directories for s in branch.body)
