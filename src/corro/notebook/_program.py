"""From cells to a program that several processes run, and to what of it can come back to the kernel.

What a later cell may look at is shown by the program, too: a line ``print("name", name)`` for each name. So it is
treated as everything that a script shows: sums are reduced, samples are evaluated by all, and where a value cannot be
made whole, it does not come back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corro.changes import Finding, Level
from corro.compiler import Options, Output, batch_loops, compile_source
from corro.notebook._bindings import DEFINITIONS, bound_names, definitions, names_mentioned
from corro.notebook._text import Part, notebook_of
from corro.plan import Outcome

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from corro.source.notebook import NotebookFile

LOADS_STATE = "state"
IN_PLACE = "in place"
NEW = "new"
SEEN = "seen"
_OF_BATCHES = "of single batches"
_SHOWN = (Level.REFUSED, Level.ASSUMES, Level.REVIEW)


@dataclass(frozen=True)
class Cells:
    """What is to be run: the cells before, and the one that is distributed.

    Args:
        parts: all of them, the distributed one last.
        path: the file they would be in; project modules are looked for beside it.
        taken_from_kernel: names of the kernel by the way in which they can take something over: ``state``,
            ``in place``; ``seen`` for objects that cannot.
    """

    parts: tuple[Part, ...]
    path: Path
    kernel: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Prepared:
    """A program that can be started.

    Args:
        output: what the compiler made of the cells.
        source: the cells as one text.
        names: the names that may come back, each with its way.
        left: names that do not, and why.
        known: names of objects with weights that the kernel has, too.
        definitions: imports, functions and classes of the cell, which the kernel makes itself.
    """

    output: Output
    source: NotebookFile
    names: Mapping[str, str]
    left: Mapping[str, str]
    known: tuple[str, ...]
    definitions: tuple[ast.stmt, ...]

    @property
    def text(self) -> str:
        """The text of the program: that of the cells where they are distributed already."""
        return self.source.text if self.output.text is None else self.output.text

    def line_of(self, part: int) -> int:
        """The line of the program where a part begins, counted from 1."""
        mark = re.search(rf"^{re.escape(self.source.mark)} {part}$", self.text, re.MULTILINE)
        assert mark is not None
        return self.text.count("\n", 0, mark.start()) + 1


def prepared(cells: Cells, options: Options) -> Prepared:
    """The program of some cells; where they are not converted, its output says why.

    Raises:
        SourceError: a cell is no Python.
    """
    plain = notebook_of(cells.parts, cells.path)
    output = compile_source(plain, options)
    scope = _Scope(plain, len(cells.parts))
    known = tuple(name for name, way in cells.kernel.items() if way == LOADS_STATE and name in scope.before)
    if not _runs(output):
        return Prepared(output, plain, {}, {}, known, ())
    names = scope.names(cells.kernel)
    if "print" in (scope.before | scope.bound):
        return Prepared(output, plain, {}, dict.fromkeys(names, "the cells have a print of their own"), known, ())
    left = dict.fromkeys(scope.of_batches(batch_loops(plain, output.plan), names), _OF_BATCHES)
    names = {name: way for name, way in names.items() if name not in left}
    found = _shown(cells, options, output, names)
    kept = {name: way for name, way in names.items() if name not in found.left}
    return Prepared(found.output, found.source, kept, {**found.left, **left}, known, scope.definitions)


def _runs(output: Output) -> bool:
    return output.text is not None or output.plan.outcome is Outcome.ALREADY_DISTRIBUTED


# ---------------------------------------------------------------------- which names


class _Scope:
    """The names of the cells: those before, and those of the last one."""

    def __init__(self, source: NotebookFile, last: int) -> None:
        def of_last(node: ast.stmt) -> bool:
            return source.part(source.span(node).start) == last

        self.source = source
        body = source.tree.body
        self.cell = [node for node in body if of_last(node)]
        earlier = [node for node in body if not of_last(node)]
        self.before = bound_names(earlier)
        self.bound = bound_names(self.cell)
        self.definitions = tuple(node for node in self.cell if isinstance(node, DEFINITIONS))
        self._mentioned = names_mentioned(self.cell) | names_mentioned(definitions(earlier))

    def names(self, kernel: Mapping[str, str]) -> dict[str, str]:
        """The names that may come back: those the cell binds, and what it may change of earlier cells."""
        found = {}
        for name, nodes in self.bound.items():
            if not name.startswith("_") and not any(isinstance(node, DEFINITIONS) for node in nodes):
                found[name] = NEW
        for name, nodes in self.before.items():
            way = kernel.get(name, "")
            defines = any(isinstance(node, DEFINITIONS) for node in nodes)
            if way and name not in self.bound and not defines and name in self._mentioned:
                found[name] = way
        return found

    def of_batches(self, loops: Sequence[ast.AST], names: Mapping[str, str]) -> list[str]:
        """Those of the cell's names that are only bound batch by batch."""
        spans = [self.source.span(loop) for loop in loops]

        def inside(node: ast.AST) -> bool:
            start = self.source.span(node).start
            return any(span.start <= start < span.end for span in spans)

        return [name for name, way in names.items() if way == NEW and all(map(inside, self.bound[name]))]


# ---------------------------------------------------------------------- which of them can be shown


@dataclass(frozen=True)
class _Shown:
    output: Output
    source: NotebookFile
    left: dict[str, str]


def _shown(cells: Cells, options: Options, plain: Output, names: Mapping[str, str]) -> _Shown:
    """The program that shows the names, without those for which it would not be what it is without them."""
    accepted = _findings(plain)
    asked = [name for name, way in names.items() if way != SEEN]
    left: dict[str, str] = {}
    while True:
        output, source = _showing(cells, options, asked)
        blamed = _blamed(output, source, asked, accepted)
        if not blamed and _runs(output) and _findings(output) <= accepted:
            return _Shown(output, source, left)
        if not blamed:  # something else is different: ask for each by itself
            blamed = {name: why for name in asked if (why := _difference(cells, options, name, accepted))}
            blamed = blamed or dict.fromkeys(asked, "it would change the program")
        left |= blamed
        asked = [name for name in asked if name not in blamed]


def _showing(cells: Cells, options: Options, names: Sequence[str]) -> tuple[Output, NotebookFile]:
    lines = "\n".join(f'print("{name}", {name})' for name in names)
    source = notebook_of([*cells.parts, Part(0, lines or "pass")], cells.path)
    return compile_source(source, options), source


def _difference(cells: Cells, options: Options, name: str, accepted: frozenset[Any]) -> str:
    output, source = _showing(cells, options, [name])
    blamed = _blamed(output, source, [name], accepted)
    if blamed:
        return blamed[name]
    new = [each for each in output.plan.findings if each.level in _SHOWN and _key(each) not in accepted]
    return new[0].message if new else "" if _runs(output) else "it would change the program"


def _blamed(output: Output, source: NotebookFile, names: Sequence[str], accepted: frozenset[Any]) -> dict[str, str]:
    """The names whose lines there is something to be said about."""
    found: dict[str, str] = {}
    for each in output.plan.findings:
        if each.file or each.level not in _SHOWN or _key(each) in accepted:
            continue
        place = source.place(each.span)
        if place.cell == len(source.cells) and place.line <= len(names):
            found.setdefault(names[place.line - 1], each.message)
    return found


def _findings(output: Output) -> frozenset[Any]:
    return frozenset(_key(each) for each in output.plan.findings if each.level in _SHOWN)


def _key(each: Finding) -> tuple[Any, ...]:
    return each.rule, each.level, each.file, each.span.start, each.message
