r"""Edits as values: what is to be written where. Rules return them; ``apply`` alone writes text.

Texts are written with ``\n`` and steps of four spaces; they come out with the file's own line end and indentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    import ast

    from corro.source.span import Span


class EditError(ValueError):
    """Edits that contradict each other, or that have no place in the source: a fault of the rules that made them."""


def indented(text: str, step: str = "    ") -> str:
    """A text with a step in front of each line that is not blank. ``textwrap`` has that, and is slow to load."""
    return "".join(step + line if line.strip() else line for line in text.splitlines(keepends=True))


@dataclass(frozen=True)
class Replace:
    """Put ``text`` in the place of ``span``, which lies within one statement."""

    span: Span
    text: str


@dataclass(frozen=True)
class Insert:
    """Put ``text`` at ``offset``, within one statement."""

    offset: int
    text: str


@dataclass(frozen=True)
class Wrap:
    """Put ``before`` and ``after`` around ``span``. Wraps nest: the larger span outside, the later edit outside."""

    span: Span
    before: str
    after: str


@dataclass(frozen=True)
class Before:
    """Whole lines in front of ``stmt`` and its decorators; the smaller ``order`` comes first.

    The text may have expressions of the script, which other edits replace, as they are written: the ``quoted`` ones.
    Edits within these are made in the text.
    """

    stmt: ast.stmt
    text: str
    order: int = 0
    quoted: tuple[ast.expr, ...] = ()


@dataclass(frozen=True)
class After:
    """Whole lines after all of ``stmt`` and the comment on its last line; the smaller ``order`` comes first."""

    stmt: ast.stmt
    text: str
    order: int = 0


@dataclass(frozen=True)
class Guard:
    """Put ``stmt`` under ``if test:``. Neighbours with an equal test share one ``if``."""

    stmt: ast.stmt
    test: str

    @property
    def head(self) -> str:
        """The line above ``stmt``."""
        return f"if {self.test}:"


@dataclass(frozen=True)
class Under:
    """Put ``stmt`` under another head, such as ``with scope():``. Neighbours with an equal head share it."""

    stmt: ast.stmt
    head: str


@dataclass(frozen=True)
class Remove:
    """Take ``stmt`` out, with the comment on its line. ``pass`` stands in where a block would be left empty."""

    stmt: ast.stmt


@dataclass(frozen=True)
class Import:
    """An import statement that the module needs; written once, and not at all when the module already has it.

    A ``late`` one stands after what the script sets in the environment before its own imports.
    """

    text: str
    order: int = 0
    late: bool = False


@dataclass(frozen=True)
class AddArgument:
    """One more argument of ``call``, such as ``sampler=sampler``: the last one, but in front of any ``**`` mapping."""

    call: ast.Call
    text: str


@dataclass(frozen=True)
class RemoveArgument:
    """Take an argument or keyword out of ``call``, with its comma."""

    call: ast.Call
    argument: ast.expr | ast.keyword


@dataclass(frozen=True)
class Lift:
    """Compute ``node`` just in front of ``stmt`` and leave ``name`` in its place; edits within it move along."""

    node: ast.expr
    stmt: ast.stmt
    name: str

    @property
    def head(self) -> str:
        """How the line in front of ``stmt`` begins."""
        return f"{self.name} = "


Edit = Replace | Insert | Wrap | Before | After | Guard | Under | Remove | Import | AddArgument | RemoveArgument | Lift
