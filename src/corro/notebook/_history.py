"""Which of the cells that a kernel has run make the program: as after *Restart* and *Run All* up to the current one."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corro.notebook._bindings import bound_names, names_read
from corro.notebook._text import python_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Executed:
    """A cell as it was run.

    Args:
        number: that of ``In [number]``.
        text: of the cell, as it was typed.
        cell: by what the frontend tells the cell from others; empty where it does not.
        failed: it ended with an error.
    """

    number: int
    text: str
    cell: str = ""
    failed: bool = False


@dataclass(frozen=True)
class Selection:
    """The cells of a program, in their order, and what there is to be said about those that are left out."""

    cells: tuple[Executed, ...]
    told: tuple[str, ...]


def selected(earlier: Sequence[Executed], current: Executed) -> Selection:
    """The cells before the current one.

    A cell that was run again counts once, as it was run last, in the place where it was run first; in its last place
    where it needs names that are bound between the two. A cell that failed does not count.
    """
    same = [each for each in earlier if _is_run_again(each, current)]
    others = [each for each in earlier if each not in same and each.text.strip()]
    succeeded = [each for each in others if not each.failed]
    last = {each.cell: each for each in succeeded if each.cell}
    first: dict[str, Executed] = {}
    for each in succeeded:
        first.setdefault(each.cell or f"In [{each.number}]", each)
    placed = [(_place(first, key, last.get(each.cell, each)), last.get(each.cell, each)) for key, each in first.items()]
    cells = tuple(each for _, each in sorted(placed, key=lambda each: each[0]))
    return Selection(cells, tuple(_told(earlier, cells, same)))


def _is_run_again(each: Executed, current: Executed) -> bool:
    """Whether a cell is an earlier run of the current one: the same cell, or, where nobody tells, the same text."""
    if each.cell and current.cell:
        return each.cell == current.cell
    return _body(each.text) == _body(current.text)


def _body(text: str) -> str:
    lines = text.strip().split("\n")
    return "\n".join(lines[1:] if lines[0].startswith("%%distribute") else lines).strip()


def _place(first: dict[str, Executed], key: str, last: Executed) -> tuple[int, int]:
    """Where a cell stands in the program, which is where it was run first unless it could not be run there."""
    start = first[key].number
    if last.number == start:
        return start, start
    before = {name for each in first.values() if each.number < start for name in _bound(each)}
    between = {name for each in first.values() if start < each.number < last.number for name in _bound(each)}
    needed = _read(last) - _bound(last) - before - set(dir(builtins))
    place = last.number if needed & between else start
    return place, last.number


def _told(earlier: Iterable[Executed], cells: Sequence[Executed], same: Sequence[Executed]) -> Iterable[str]:
    chosen = {each.number for each in cells}
    by_cell = {each.cell: each for each in cells if each.cell}
    for each in earlier:
        if each.number in chosen:
            if _distributes(each):
                yield f"In [{each.number}] is distributed, too, and runs again before this cell."
        elif each in same:
            if not each.failed:
                yield f"In [{each.number}] is an earlier run of this cell and does not count."
        elif each.failed:
            if each.text.strip() and each.cell not in by_cell and not _distributes(each):
                yield f"In [{each.number}] failed and is left out."
        elif each.text.strip():
            yield f"In [{each.number}] counts as it was run last, as In [{by_cell[each.cell].number}]."


def _distributes(each: Executed) -> bool:
    return each.text.lstrip().startswith("%%distribute") or "launch(" in each.text


def _bound(each: Executed) -> set[str]:
    tree = python_of(each.text)
    return set(bound_names(tree.body)) if tree is not None else set()


def _read(each: Executed) -> set[str]:
    tree: ast.Module | None = python_of(each.text)
    return names_read(tree.body) if tree is not None else set()
