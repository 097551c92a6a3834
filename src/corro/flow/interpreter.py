"""The abstract interpreter: follows values through a script without running it.

It knows Python, and no framework: what a library call means comes from a frontend's ``Semantics``. Functions of the
script are followed at each call with the arguments of that call; branches are joined; loops run to a fixed point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.observations import Observations
from corro.flow.absence import Absence
from corro.flow.attributes import Attributes
from corro.flow.bookmarks import Bookmark, Bookmarks
from corro.flow.budget import Budget
from corro.flow.calls import Calls
from corro.flow.conditions import Conditions
from corro.flow.expressions import Expressions
from corro.flow.imports import Imports
from corro.flow.loops import Loops, Restart
from corro.flow.observing import Observing
from corro.flow.operators import Operators
from corro.flow.statements import Statements

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from corro.flow.facts import Facts, Unit
    from corro.flow.semantics import Semantics

__all__ = ["Interpreter", "interpret"]


class Interpreter(
    Statements, Conditions, Loops, Imports, Expressions, Attributes, Operators, Calls, Absence, Observing, Bookmarks
):
    """One interpretation of a script. Frontends use the methods without an underscore."""


def interpret(
    script: Unit,
    semantics: Semantics,
    find: Callable[[Unit, str], Unit | None],
    budget: Budget | None = None,
    observations: Observations | None = None,
    like: Callable[[str], tuple[str, ...]] = lambda pattern: (),
    bookmarks: list[Bookmark] | None = None,
) -> Facts:
    """Interpret a script from its first statement.

    Args:
        script: the entry file.
        semantics: what library calls mean.
        find: gives the file of a project module, or ``None`` for a library.
        budget: the steps that may be taken, shared by interpretations of the same script; one of its own by default.
        observations: what a run has shown.
        like: gives the names of the project modules that are like a text, or none where they are not all known.
        bookmarks: those of earlier interpretations of the same script, to which this one adds its own.

    Raises:
        TooLarge: they do not suffice, or the script is nested too deeply.
    """
    budget = budget if budget is not None else Budget()
    bookmarks = bookmarks if bookmarks is not None else []
    continued: set[tuple[ast.stmt, str]] = set()
    while True:
        flow = Interpreter(semantics, find, continued, budget, observations or Observations(), like, bookmarks)
        budget.begin()
        try:
            flow.run(script)
        except Restart:
            continue
        except RecursionError as error:
            too_deep = budget.too_deep()
            raise too_deep if too_deep is not None else error from None
        flow.facts.settle()
        return flow.facts
