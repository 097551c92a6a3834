"""Where a reading of a script was, and what was known there: another reading goes on from there.

A script is read again when something was learned that changes what some of its expressions are. What comes before the
first of these is read alike: in a large project, the import of all its modules, which is half of the work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corro.classes import dataclass, replace
from corro.flow.facts import Facts, deeper
from corro.flow.state import Exits, Flow
from corro.flow.store import Store

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterator

    from corro.flow.facts import Unit
    from corro.flow.semantics import Semantics

STEPS_APART = 4_000
"""What takes fewer is read again sooner than it is copied."""
GROWTH = 1.25
"""A bookmark is set when so many times the steps were taken that lay before the last one."""
_MOST = 4
"""So many are kept: copies of all that is known take memory."""
_OF_ONE_READING = frozenset({"semantics", "_observations", "_find", "_like", "_continued", "_budget", "_bookmarks",
                             "_begun_with", "_earlier", "_read"})  # fmt: skip
"""What a reading is given, or makes again from the rest."""


@dataclass(frozen=True, eq=False)
class Bookmark:
    """A place between two statements of the script.

    Args:
        position: the number of the statement after it.
        steps: what was taken to get there.
        semantics: what the script was read with.
        continued: the accumulators that were known to go on in the next pass.
        visited: the statements and expressions before it that were read, those of functions included.
        state: what was known.
    """

    position: int
    steps: int
    semantics: Semantics
    continued: frozenset[tuple[ast.stmt, str]]
    visited: Collection[ast.AST]
    state: dict[str, Any]


class Bookmarks(Flow):
    """The statements of the script itself, from the last bookmark before which nothing is read in another way."""

    def _script(self, unit: Unit) -> None:
        self._block(unit.source.tree.body, self._go_on(), self._set_bookmark)

    def _go_on(self) -> int:
        """Take up what was known at a bookmark; gives the number of the statement after it."""
        found = max(self._usable(), key=lambda each: each.steps, default=None)
        self._begun_with = self._budget.left
        if found is None:
            return 0
        self._budget.look_up(found.steps)
        self._begun_with = self._budget.left + found.steps
        self._bookmarks[:] = [each for each in self._bookmarks if each.steps <= found.steps]
        vars(self).update(_copied(found.state))
        return found.position

    def _usable(self) -> Iterator[Bookmark]:
        for each in self._bookmarks:
            otherwise = {loop for loop, _ in each.continued ^ self._continued}
            if otherwise.isdisjoint(each.visited) and self.semantics.reads_alike(each.semantics, each.visited):
                yield each

    def _set_bookmark(self, position: int) -> None:
        """Set a bookmark in front of a statement, where enough was read since the last one."""
        steps = self._begun_with - self._budget.left
        last = max((each.steps for each in self._bookmarks), default=0)
        if steps < max(last + STEPS_APART, GROWTH * last):
            return
        state = _copied({name: value for name, value in vars(self).items() if name not in _OF_ONE_READING})
        continued, visited = frozenset(self._continued), state["_visited"]
        self._bookmarks.append(Bookmark(position, steps, self.semantics, continued, visited, state))
        del self._bookmarks[1:-_MOST]


def _copied(state: dict[str, Any]) -> dict[str, Any]:
    """The same, to be changed apart: values and what was seen never change, what holds them does."""
    return {name: _apart(value) for name, value in state.items()}


def _apart(value: Any) -> Any:
    if isinstance(value, Facts):
        return value.copied()
    if isinstance(value, Store):
        return value.copy()
    if isinstance(value, Exits):
        return replace(value, **_copied(vars(value)))
    if isinstance(value, list):
        return [_apart(each) for each in value]
    return deeper(value) if isinstance(value, (dict, set)) else value
