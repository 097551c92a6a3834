"""Loops that take one sample after the other: ``for i in range(len(labels)): table[i, labels[i]] = 1``.

What such a loop sets is set of each sample by itself: ``table[range(len(labels)), labels] = 1`` does it at once. That
is seen where each round does it, whatever the sample is, so the statements of the loop are plain ones.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.flow import depths
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.flow.facts import Frame, Loop

_PLAIN = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Pass)
_NUMBERS = frozenset({"item", "long", "int"})
"""Methods that give the number a tensor holds."""


@dataclass(frozen=True)
class Turn:
    """What is set in the turn of each sample: in which tensor, and in which parts behind that of the sample."""

    owner: ast.expr
    parts: tuple[ast.expr, ...]
    loop: Loop


def in_turn(target: ast.Subscript, loops: Sequence[Loop], frame: Frame) -> Turn | None:
    """What an assignment sets of the sample whose turn it is; ``None`` where it may set something else."""
    loop = loops[-1] if loops else None
    if loop is None or loop.frame is not frame or loop.loaders or not isinstance(loop.node, ast.For):
        return None
    counts = loop.iterable.kind is Kind.RANGE and depths.LENGTH in loop.iterable.tags
    plain = all(isinstance(each, _PLAIN) for each in loop.node.body)
    if not counts or not plain or not isinstance(loop.node.target, ast.Name):
        return None
    number, owner, index = loop.node.target.id, target.value, target.slice
    parts = list(index.elts) if isinstance(index, ast.Tuple) else [index]
    if isinstance(owner, ast.Subscript):  # table[i][labels[i]]
        parts = [owner.slice, *parts]
        owner = owner.value
    of_number = len(parts) > 1 and _is(parts[0], number) and _is_set_once(loop.node, number)
    if not of_number or not isinstance(owner, ast.Name):
        return None
    found = [_of_sample(part, number) for part in parts[1:]]
    known = [each for each in found if each is not None]
    return Turn(owner, tuple(each for some in known for each in some), loop) if len(known) == len(found) else None


def _is_set_once(loop: ast.For, name: str) -> bool:
    """Whether nothing but the loop itself sets its variable."""
    named = [each for each in walk(loop) if isinstance(each, ast.Name) and each.id == name]
    return sum(not isinstance(each.ctx, ast.Load) for each in named) == 1


def _of_sample(node: ast.expr, number: str) -> list[ast.expr] | None:
    """What an index takes the parts of a sample of: ``labels`` of ``labels[i].item()``, ``lengths`` of ``:lengths[i]``.

    What is the same of each stays; ``None`` for anything else.
    """
    if isinstance(node, ast.Slice):
        bounds = [_of_sample(each, number) for each in (node.lower, node.upper, node.step) if each is not None]
        known = [each for each in bounds if each is not None]
        return [each for some in known for each in some] if 0 < len(known) == len(bounds) else None
    if isinstance(node, ast.Call) and not node.keywords:
        if isinstance(node.func, ast.Attribute) and node.func.attr in _NUMBERS and not node.args:
            return _of_sample(node.func.value, number)
        of_int = isinstance(node.func, ast.Name) and node.func.id == "int" and len(node.args) == 1
        return _of_sample(node.args[0], number) if of_int else None
    if isinstance(node, ast.Subscript) and _is(node.slice, number) and isinstance(node.value, ast.Name):
        return [node.value]
    return [node] if isinstance(node, ast.Constant) else None


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
