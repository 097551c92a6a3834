"""Loops that take one sample after the other: ``for i in range(len(labels)): table[i, labels[i]] = 1``.

What such a loop sets is set of each sample by itself: ``table[range(len(labels)), labels] = 1`` does it at once. That
is seen where each round does it, whatever the sample is, so the statements of the loop are plain ones. What such a loop
counts, of what is asked of one sample only, is a sum over the samples.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.flow import depths
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import Frame, Loop

_PLAIN = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.Pass)
_NUMBERS = frozenset({"item", "long", "int"})
"""Methods that give the number a tensor holds."""
_PURE = frozenset({"item", "argmax", "argmin", "max", "min", "abs", "round", "sigmoid", "sum", "mean", "norm", "eq",
                   "ne", "equal", "all", "any", "int", "long", "float", "numpy", "cpu", "detach"})  # fmt: skip
"""Functions and methods that compute something of what they are given, and nothing else."""


@dataclass(frozen=True)
class Turn:
    """What is set in the turn of each sample: in which tensor, and in which parts behind that of the sample."""

    owner: ast.expr
    parts: tuple[ast.expr, ...]
    loop: Loop


@dataclass(frozen=True)
class Counting:
    """What a loop over the numbers of samples counts, by how much, and the names that are asked on the way.

    ``samples`` are those of which one is asked in its turn, ``equal`` those that must be the same in each turn.
    """

    counted: tuple[tuple[ast.Name, int | float], ...]
    samples: tuple[ast.Name, ...]
    equal: tuple[ast.Name, ...]


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


def counting(loop: ast.For) -> Counting | None:
    """What a loop counts of its samples, where it does nothing else: ``if predicted[i] == labels[i]: right += 1``."""
    if not isinstance(loop.target, ast.Name) or loop.orelse or not any(isinstance(each, ast.If) for each in loop.body):
        return None
    asked = _Asked(loop.target.id)
    counted = list(_counted(loop.body, asked))
    known = [found for each in counted if (found := _count(each)) is not None]
    names = {name.id for name, _ in known}
    others = {name.id for name in (*asked.samples, *asked.equal)} | {asked.number}
    if asked.others or len(known) != len(counted) or names & others or not asked.samples:
        return None
    return Counting(tuple(known), tuple(asked.samples), tuple(asked.equal))


def _count(node: ast.AugAssign) -> tuple[ast.Name, int | float] | None:
    by = node.value.value if isinstance(node.value, ast.Constant) else None
    known = isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add)
    return (node.target, by) if known and isinstance(by, (int, float)) and isinstance(node.target, ast.Name) else None


def _counted(body: Sequence[ast.stmt], asked: _Asked) -> Iterator[ast.AugAssign]:
    for statement in body:
        if isinstance(statement, ast.AugAssign):
            yield statement
        elif isinstance(statement, ast.If):
            asked.ask(statement.test)
            yield from _counted(statement.body, asked)
            yield from _counted(statement.orelse, asked)
        elif not isinstance(statement, ast.Pass):
            asked.others = True


class _Asked:
    """What conditions ask of the sample whose turn it is; ``others``: they may ask something else."""

    def __init__(self, number: str) -> None:
        self.number = number
        self.samples: list[ast.Name] = []
        self.equal: list[ast.Name] = []
        self.others = False

    def ask(self, node: ast.expr) -> None:
        """Note what an expression asks."""
        match node:
            case ast.Constant():
                return
            case ast.Name(id=name) if name != self.number:
                self.equal.append(node)
            case ast.Subscript(value=ast.Name() as name, slice=ast.Name(id=self.number)):
                self.samples.append(name)
            case ast.Subscript(value=inner, slice=ast.Constant()):
                self.ask(inner)
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp() | ast.BinOp():
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.expr):
                        self.ask(part)
            case ast.Call(func=ast.Attribute(value=inner, attr=name), keywords=[]) if name in _PURE:
                self._ask_all([inner, *node.args])
            case ast.Call(func=ast.Name(id="int" | "float" | "bool" | "abs" | "round"), keywords=[]):
                self._ask_all(node.args)
            case _:
                self.others = True

    def _ask_all(self, nodes: Sequence[ast.expr]) -> None:
        for each in nodes:
            self.ask(each)
