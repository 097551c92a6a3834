"""Shared by rules: how many rows data have that are written out in the script."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corro.rules.base import Job

_MAKING = frozenset(
    {"array", "asarray", "tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "DoubleTensor", "LongTensor",
     "IntTensor", "Variable", "constant"}
)  # fmt: skip
"""Functions that give as many rows as they are given, in their first argument."""
_KEEPING = frozenset(
    {"float", "double", "long", "int", "to", "cuda", "cpu", "type", "astype", "clone", "detach", "contiguous",
     "requires_grad_", "copy"}
)  # fmt: skip
"""Methods that give as many rows as there are."""


def literal_rows(job: Job, node: ast.expr) -> int | None:
    """How many rows an expression has, where the script writes them out; ``None`` where that cannot be seen."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return None if any(isinstance(each, ast.Starred) for each in node.elts) else len(node.elts)
    if isinstance(node, ast.Name):
        value = _only_value(job, node)
        return literal_rows(job, value) if value is not None else None
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in _KEEPING:
        return literal_rows(job, node.func.value)
    names = job.names_of(node.func).qualified(node.func)
    made = bool(names) and all("." in name and name.rpartition(".")[2] in _MAKING for name in names)
    return literal_rows(job, node.args[0]) if made and len(node.args) == 1 else None


def _only_value(job: Job, name: ast.Name) -> ast.expr | None:
    """What a variable is set to, where that is in one place and it is only read elsewhere."""
    names = job.names_of(name)
    scope = names.binding(name)
    uses = names.uses(name.id, scope) if scope is not None else ()
    stores = [use for use in uses if not isinstance(use.ctx, ast.Load)]
    statement = job.parent(stores[0]) if len(stores) == 1 else None
    if not isinstance(statement, ast.Assign) or statement.targets != stores:
        return None
    return statement.value if all(use in stores or _is_read(job, use, statement.value) for use in uses) else None


def _is_read(job: Job, use: ast.Name, value: ast.expr) -> bool:
    """Whether a use of a variable leaves it as long as it is: a list grows by its methods, in functions too."""
    parent = job.parent(use)
    if isinstance(value, (ast.List, ast.Tuple)) and isinstance(parent, ast.Call):
        return bool(job.names_of(parent.func).qualified(parent.func)) and not job.facts.calls_within(parent)
    if isinstance(parent, ast.Subscript):
        return isinstance(parent.ctx, ast.Load)
    return not (isinstance(value, (ast.List, ast.Tuple)) and isinstance(parent, ast.Attribute))
