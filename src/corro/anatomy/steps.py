"""Training as values: backward passes, the updates that they feed, and where the batches come from."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    PassLoop = ast.For | ast.While | ast.Expr | ast.Assign
    """A loop of which each round has a batch; or a statement that goes on by itself, on all data each time."""

PASS_LOOPS = (ast.For, ast.While, ast.Expr, ast.Assign)
"""The statements that may be such a loop."""


def head_of(loop: PassLoop) -> ast.expr:
    """The expression that says what a loop goes over, or how long; a statement that goes on by itself is one."""
    return loop.iter if isinstance(loop, ast.For) else loop.test if isinstance(loop, ast.While) else loop.value


def body_of(loop: PassLoop) -> Sequence[ast.stmt]:
    """The statements that are run for each batch, as far as they stand in the loop."""
    return loop.body if isinstance(loop, (ast.For, ast.While)) else (loop,)


class Batches(Enum):
    """Where batches come from.

    A ``LOADER`` hands them out; rows are ``CUT`` from an array; a ``CALL``, random numbers (``NOISE``) or the ``HEAD``
    of a loop give them; or each step takes the ``WHOLE`` data.
    """

    LOADER = "loader"
    CUT = "cut"
    CALL = "call"
    NOISE = "noise"
    HEAD = "head"
    WHOLE = "whole"

    @property
    def may_end_short(self) -> bool:
        """Whether the script makes them one after another, so that the last may have fewer samples."""
        return self in (Batches.CUT, Batches.HEAD)


@dataclass(frozen=True, eq=False)
class BatchSource:
    """A place that gives the batches of a loop.

    Args:
        node: the expression that makes the loader, or gives the batch.
        how: how it gives them.
        loops: the loops whose rounds get a batch each: more than one where they call a function that takes it.
        number: the site whose number is among the ``sources`` of what is computed from its batches.
        begins_elsewhere: a loader's batches are taken by ``next()``, or through something around the loader, so that
            the head of the loop does not say when an epoch begins.
        by_library: they are objects of a library that is no loader, and come one after another.
    """

    node: ast.AST
    how: Batches
    loops: tuple[PassLoop, ...]
    number: int
    begins_elsewhere: bool = False
    by_library: bool = False

    @property
    def may_end_short(self) -> bool:
        """Whether the last batch may have fewer samples."""
        return self.how.may_end_short or self.by_library

    @property
    def is_spread(self) -> bool:
        """Whether a process has every N-th row of a batch; else it has rows that follow one another."""
        return self.how is Batches.LOADER or self.may_end_short


@dataclass(frozen=True, eq=False)
class StepCall:
    """A call that a training step is made of.

    Args:
        node: the call.
        loop: the innermost pass over batches that it is made in.
        governed: conditions and loops inside the pass that decide whether, or how often, it is made for a batch.
    """

    node: ast.Call
    loop: PassLoop
    governed: tuple[ast.AST, ...]

    @property
    def is_repeated(self) -> bool:
        """Whether it is made in a loop within the pass."""
        return any(isinstance(node, (ast.For, ast.While)) for node in self.governed)


@dataclass(frozen=True, eq=False)
class Backward(StepCall):
    """A call that computes gradients of a loss."""


@dataclass(frozen=True)
class Condition:
    """What decides whether something is taken: an expression as text, and which way it must turn out."""

    text: str
    holds: bool

    @property
    def opposite(self) -> Condition:
        """What holds exactly where this one does not."""
        return Condition(self.text, not self.holds)


Ways = tuple[tuple[Condition, ...], ...]
"""The ways in which something can come about: in each, all of its conditions hold."""


@dataclass(frozen=True, eq=False)
class Chosen:
    """Parameters of a module: those for which all conditions hold."""

    module: ast.expr
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True, eq=False)
class Held:
    """The parameters of an optimizer: of modules, single tensors, and those whose origin is unknown."""

    chosen: tuple[Chosen, ...] = ()
    tensors: tuple[ast.expr, ...] = ()
    unknown: tuple[ast.expr, ...] = ()

    def __add__(self, other: Held) -> Held:
        return Held(self.chosen + other.chosen, self.tensors + other.tensors, self.unknown + other.unknown)

    @property
    def modules(self) -> tuple[ast.expr, ...]:
        """The modules of which it holds at least some parameters."""
        return tuple(each.module for each in self.chosen)

    def where(self, ways: Ways) -> Held:
        """Those of these parameters for which the conditions of one of several ways hold too."""
        chosen = (Chosen(each.module, each.conditions + more) for each in self.chosen for more in ways)
        return Held(tuple(chosen), self.tensors, self.unknown)


@dataclass(frozen=True, eq=False)
class OptimizerSite:
    """A call that makes an optimizer, with what it was given to update."""

    number: int
    node: ast.Call
    held: Held


@dataclass(frozen=True, eq=False)
class Update(StepCall):
    """A call that changes weights by the gradients that were collected.

    Args:
        optimizer: the expression that gives the optimizer.
        optimizers: where it was made; several where it depends on the path which one it is.
        backwards: the backward passes whose gradients it collects.
        closure: the function that it is given to compute loss and gradients with, where that is known.
    """

    optimizer: ast.expr
    optimizers: tuple[OptimizerSite, ...]
    backwards: tuple[Backward, ...]
    closure: ast.FunctionDef | None = None


@dataclass(frozen=True, eq=False)
class HandUpdate(StepCall):
    """A call of a function of the script's own that changes tensors by their gradients.

    Args:
        tensors: the expression that gives the list of them.
    """

    tensors: ast.expr


@dataclass(frozen=True, eq=False)
class Step:
    """What is done for each batch of a loop: its backward passes, its updates, and where the batch comes from.

    Args:
        loop: the pass over the batches.
        trainings: the loops over epochs around it, or the pass where there is none; several where a function is called
            by several of them.
        by_hand: the updates that no optimizer makes, where there is none that one makes.
    """

    loop: PassLoop
    trainings: tuple[PassLoop, ...]
    backwards: tuple[Backward, ...]
    updates: tuple[Update, ...]
    sources: tuple[BatchSource, ...]
    by_hand: tuple[HandUpdate, ...] = ()

    @property
    def epoch_loop(self) -> ast.For | ast.While | None:
        """The loop over epochs, where there is exactly one."""
        only = self.trainings[0] if len(self.trainings) == 1 and self.trainings[0] is not self.loop else None
        return only if isinstance(only, (ast.For, ast.While)) else None

    @property
    def loops(self) -> frozenset[ast.AST]:
        """The pass, and the loops over epochs."""
        return frozenset({self.loop, *self.trainings})

    @property
    def loaders(self) -> frozenset[int]:
        """The numbers of the places that its batches come from."""
        return frozenset(source.number for source in self.sources)

    def has_backward(self, node: ast.AST) -> bool:
        """Whether a node is one of its backward passes."""
        return any(each.node is node for each in self.backwards)
