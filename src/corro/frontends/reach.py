"""Which parts of a project its script can get to, by their names: not all that a helper module offers is used."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.flow.python import asks_for_main
from corro.source import Nodes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.source import SourceFile

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def reached(files: Sequence[SourceFile]) -> list[Nodes]:
    """The nodes of each file that may run: all of the script, which is the first, and of its modules what is named.

    A module runs but for its definitions and for what it does as a program; a definition runs where what runs names it.
    """
    first, *others = files
    words = {word for node in first.nodes for word in _words(node)} if others else set[str]()
    found = [list[ast.AST]() for _ in others]
    waiting: list[tuple[int, ast.AST]] = [(number, file.tree) for number, file in enumerate(others)]
    while waiting:
        runs, left = list[tuple[int, ast.AST]](), list[tuple[int, ast.AST]]()
        for number, node in waiting:
            now = not isinstance(node, _DEFINITIONS) or _runs(node, words)
            (runs if now else left).append((number, node))
        if not runs:
            break
        waiting = left
        for number, node in runs:
            for part in _parts(node):
                if isinstance(part, _DEFINITIONS):
                    waiting.append((number, part))
                else:
                    found[number].append(part)
                    words.update(_words(part))
    return [first.nodes, *map(Nodes, found)]


def _runs(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, words: Iterable[str]) -> bool:
    return node.name in words or (node.name.startswith("__") and node.name.endswith("__"))


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes within a node; of definitions in it only themselves, and nothing of what a program does."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, _DEFINITIONS) and not (isinstance(child, ast.If) and asks_for_main(child.test)):
            yield from _parts(child)


def _words(node: ast.AST) -> Iterator[str]:
    """The names that a node mentions."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.alias):
        yield node.name.rpartition(".")[2]
