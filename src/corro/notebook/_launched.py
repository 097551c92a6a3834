"""Calls of ``launch`` in the text of a cell, as the plain calls that several processes make of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corro.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OWN = ("processes", "to", "scaling", "assume")
"""The arguments of ``launch`` itself."""


@dataclass(frozen=True)
class Call:
    """A statement that calls ``launch``: its lines, from 1, what it assigns to, and the call it stands for."""

    first: int
    last: int
    target: str
    call: str


def spellings(texts: Iterable[str]) -> frozenset[str]:
    """How some cells call ``launch``."""
    found = {"corro.notebook.launch"}
    for node in (node for text in texts for node in ast.walk(_parsed(text))):
        if isinstance(node, ast.ImportFrom) and node.module in ("corro", "corro.notebook"):
            ending = "" if node.module == "corro.notebook" else ".launch"
            wanted = "launch" if node.module == "corro.notebook" else "notebook"
            found |= {f"{each.asname or each.name}{ending}" for each in node.names if each.name == wanted}
        elif isinstance(node, ast.Import):
            for each in node.names:
                if each.asname and each.name in ("corro", "corro.notebook"):
                    found.add(f"{each.asname}{'.notebook' * (each.name == 'corro')}.launch")
    return frozenset(found)


def calls(text: str, spelt: frozenset[str]) -> Iterator[Call]:
    """The statements of a cell that call ``launch``.

    Raises:
        UsageError: a call stands within a function, a loop or another expression.
    """
    for statement in _parsed(text).body:
        found = [n for n in ast.walk(statement) if isinstance(n, ast.Call) and ast.unparse(n.func) in spelt]
        if not found:
            continue
        if len(found) > 1 or getattr(statement, "value", None) is not found[0] or not found[0].args:
            raise UsageError(
                "corro.notebook.launch is called within something else.",
                advice="Call it by itself, in a line of the cell: result = launch(function, ..., processes=2)",
            )
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        target = "".join(f"{ast.unparse(each)} = " for each in targets)
        yield Call(statement.lineno, statement.end_lineno or statement.lineno, target, _plain(found[0]))


def plainly(text: str, spelt: frozenset[str]) -> str:
    """A cell with plain calls in the place of ``launch``, on the same lines; calls within something else stay."""
    lines = text.split("\n")
    try:
        found = list(calls(text, spelt))
    except UsageError:
        return text
    for each in found:
        lines[each.first - 1 : each.last] = [each.target + each.call, *[""] * (each.last - each.first)]
    return "\n".join(lines)


def _parsed(text: str) -> ast.Module:
    """The tree of a cell; empty for one with magics, which is not looked through."""
    try:
        return ast.parse(text)
    except SyntaxError:
        return ast.Module([], [])


def _plain(node: ast.Call) -> str:
    """The call that processes make: the function, with the arguments that are not those of ``launch``."""
    function, *arguments = [ast.unparse(each) for each in node.args]
    arguments += [
        f"{each.arg}={ast.unparse(each.value)}" if each.arg else f"**{ast.unparse(each.value)}"
        for each in node.keywords
        if each.arg not in OWN
    ]
    return f"{function}({', '.join(arguments)})"
