"""What goes into expressions as they are written, where it need not be followed by value."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def sources(function: ast.AST, given: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Some expressions in a function, or a script, and what the names in them were assigned, with all parts."""
    assigned = [n for n in ast.walk(function) if isinstance(n, (ast.Assign, ast.AugAssign))]
    pending, seen = list(given), set[ast.AST]()
    while pending:
        expression = pending.pop()
        if expression in seen:
            continue
        seen.add(expression)
        parts = [n for n in ast.walk(expression) if isinstance(n, ast.expr)]
        yield from parts
        names = {_variable(n) for n in parts} - {""}
        for node in assigned:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_variable(p) in names for target in targets for p in ast.walk(target)):
                pending.append(node.value)


def _variable(node: ast.AST) -> str:
    """A name, an attribute of the same object as ``self.name``, an item as ``state["name"]``; empty for all else."""
    owner = getattr(getattr(node, "value", None), "id", "")
    if isinstance(node, ast.Attribute) and owner == "self":
        return f"self.{node.attr}"
    if isinstance(node, ast.Subscript) and owner and isinstance(node.slice, ast.Constant):
        return f"{owner}[{node.slice.value!r}]"
    return getattr(node, "id", "")
