"""What a run of a script has shown of places where its text does not say what a value is.

What an arm of a condition needs to be taken may be said by the command line too: by an option that is off by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable
    from pathlib import Path

Where = tuple[int, int, int, int]
"""Line and column of the first character, and of the end, as ``ast`` counts them."""
DEFINITION, INSTANCE, UNTAKEN = "definition", "instance", "untaken"
"""A function or class; an object of a class; an arm of a condition that was not taken."""
BODY, ORELSE, HANDLER = "body", "orelse", "handler"


def where(node: ast.expr) -> Where:
    """The place of an expression."""
    return node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0


@dataclass(frozen=True)
class Observation:
    """What was always the same at one place, as often as the run came there.

    Args:
        file: the path of the file.
        where: the expression in it; of an arm, its condition.
        form: ``DEFINITION``, ``INSTANCE`` or ``UNTAKEN``.
        module: the module of the function or class, or of the object's class.
        name: its name there; of an arm, which one: ``BODY`` or ``ORELSE``; ``HANDLER`` of an exception.
        own: the path of the file that defines it; empty for a library's.
        bases: the class, or that of the object, and all that it derives from, with their modules.
        attributes: the plain attributes of an object, with ``...`` for what is not plain.
        options: of an arm that no run was asked for, the options of the command line whose defaults leave it out.
        why: what is refused in such an arm.
    """

    file: str
    where: Where
    form: str
    module: str = ""
    name: str = ""
    own: str = ""
    bases: tuple[str, ...] = ()
    attributes: tuple[tuple[str, object], ...] = ()
    options: tuple[str, ...] = ()
    why: str = ""

    @property
    def dotted(self) -> str:
        """The name with its module."""
        return f"{self.module}.{self.name}"


def path_of(file: Path) -> str:
    """A file as observations name it."""
    return str(file.resolve())


@dataclass(frozen=True)
class Questions:
    """The places of which a run could show more than the text, each with its file.

    Args:
        values: expressions of which it is not known what they give.
        tests: conditions that come out alike in the whole run.
    """

    values: frozenset[tuple[str, Where]] = frozenset()
    tests: frozenset[tuple[str, Where]] = frozenset()

    def __or__(self, other: Questions) -> Questions:
        return Questions(self.values | other.values, self.tests | other.tests)


class Observations:
    """What is observed, by its place."""

    def __init__(self, observed: Iterable[Observation] = ()) -> None:
        self._by_place = {(each.file, each.where, each.form == UNTAKEN): each for each in observed}
        self._files: dict[Path, str] = {}

    def __bool__(self) -> bool:
        return bool(self._by_place)

    def value(self, file: Path, node: ast.expr) -> Observation | None:
        """What an expression gave."""
        return self._by_place.get((self._named(file), where(node), False))

    def untaken(self, file: Path, test: ast.expr) -> Observation | None:
        """The arm of a condition that was not taken."""
        return self._by_place.get((self._named(file), where(test), True))

    def _named(self, file: Path) -> str:
        if file not in self._files:
            self._files[file] = path_of(file)
        return self._files[file]
