"""Loops that end before training: all processes draw the same random numbers there, and find the same files.

Which loops these are is known when the script has been read. Until then they are guessed, by what is called in them: a
guess that turns out wrong costs another reading, as would one loop of a large project that is not guessed.
"""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.pytorch.steps import backward_calls
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corro.flow.facts import CallFact, Facts, Loop

_BACKWARD = "backward"


class Guess:
    """Which loops are taken for such loops while a script is read; ``loops``: what was said in an earlier reading."""

    def __init__(self, loops: Mapping[ast.AST, bool]) -> None:
        self.loops = dict(loops)
        """Those that were asked for, and what was said of them."""
        self._functions: dict[str, dict[ast.AST, None]] = {}
        self._seen = 0
        self._called: dict[ast.AST, frozenset[str]] = {}

    def prepares(self, facts: Facts, loop: Loop) -> bool:
        """Whether a loop runs before any gradients are computed, and leads to no function that computes them.

        A pass over a loader is never taken for one.
        """
        if loop.node not in self.loops:
            trains = bool(loop.loaders) or self._leads_to_training(facts, loop.node) or any(backward_calls(facts))
            self.loops[loop.node] = not trains
        return self.loops[loop.node]

    def is_wrong(self, facts: Facts) -> bool:
        """Whether a loop that was taken for one is none, or one that was not makes a difference."""
        found = preparing(facts)
        taken = {loop for loop, prepares in self.loops.items() if prepares}
        return not taken <= found or any(_differs(fact, found) for fact in facts.calls)

    def _leads_to_training(self, facts: Facts, loop: ast.AST) -> bool:
        self._index(facts)
        seen, pending = set[ast.AST](), [loop]
        while pending:
            names = self._calls(pending.pop())
            if _BACKWARD in names:
                return True
            further = [each for name in names for each in self._functions.get(name, ()) if each not in seen]
            seen.update(further)
            pending += further
        return False

    def _calls(self, node: ast.AST) -> frozenset[str]:
        """The names of the functions and methods that are called in a part of a file."""
        if node not in self._called:
            self._called[node] = frozenset(_called(node))
        return self._called[node]

    def _index(self, facts: Facts) -> None:
        for function in islice(facts.functions.values(), self._seen, None):
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._functions.setdefault(function.name, {})[function] = None
        self._seen = len(facts.functions)


def _called(node: ast.AST) -> Iterator[str]:
    for part in walk(node):
        if isinstance(part, ast.Call):
            yield part.func.attr if isinstance(part.func, ast.Attribute) else getattr(part.func, "id", "")


def preparing(facts: Facts) -> frozenset[ast.AST]:
    """The loops of which all calls come before the first backward pass; none where gradients are not computed."""
    backward = list(backward_calls(facts))
    start = min((fact.order for fact in backward), default=0)
    training = {loop.node for fact in backward for loop in fact.context.loops}
    early: set[ast.AST] = set()
    late: set[ast.AST] = set()
    for fact in facts.calls:
        (early if fact.order < start else late).update(loop.node for loop in fact.context.loops)
    return frozenset(early - late - training)


def _differs(fact: CallFact, found: frozenset[ast.AST]) -> bool:
    """Whether random numbers or files are taken to differ between processes, in loops where they do not."""
    local = fact.result.form is Form.LOCAL and not fact.result.tags.isdisjoint({"random", "file system"})
    return local and found.issuperset(loop.node for loop in fact.context.loops)
