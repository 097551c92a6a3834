"""Shared by rules for shapes: tensors that are as long as a batch by chance, of which no batch meets the rows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow import depths
from corro.frontends import tensors

if TYPE_CHECKING:
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

_MATRIX = 2
_SQUARE = "torch.eye"
_FOLLOWED = frozenset({Kind.MODULE, Kind.LAYERS, Kind.LOSS, Kind.FUNCTION, Kind.CLASS, Kind.OPTIMIZER})
"""What may do more with a tensor than compute another one."""


def meets_no_batch(job: Job, call: ast.Call) -> bool:
    """Whether the rows of a tensor that a call makes are no samples of a batch, in all places that it gets to.

    It is shown, or a batch looks rows of it up, or is multiplied by it as a matrix; so is what is made of it.
    """
    return _stays_apart(job, call, frozenset(), matrix=_is_matrix(job, call))


def _is_matrix(job: Job, call: ast.Call) -> bool:
    given = [job.value(each) for each in call.args]
    shape = next((value.items for value in given if value.kind is Kind.TUPLE), given)
    square = any(fact.name == _SQUARE for fact in job.calls_of(call))
    return square or (len(shape) == _MATRIX and all(value.kind is Kind.NUMBER for value in shape))


def _stays_apart(job: Job, node: ast.expr, seen: frozenset[ast.expr], *, matrix: bool) -> bool:
    """Whether what an expression gives meets no batch on the way out of its statement, and behind it."""
    shown = {fact.node for fact in job.reports() if isinstance(job.parent(fact.node), ast.Expr)}
    parent = job.parent(node)
    while isinstance(parent, ast.expr):
        if parent in shown or _is_looked_up(job, parent, node) or (matrix and _multiplies(job, parent, node)):
            return True
        if not _computes(job, parent):
            return False
        node, parent, matrix = parent, job.parent(parent), False
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        return _name_stays_apart(job, parent.targets[0], seen | {node}, matrix=matrix)
    return False


def _computes(job: Job, node: ast.expr) -> bool:
    """Whether an expression makes a tensor, a number or a text of what is in it, and no batch is in it."""
    if isinstance(node, ast.Call) and job.value(node.func).kind in _FOLLOWED:
        return False
    apart = job.value(node).placement.is_array or job.value(node).kind is Kind.TEXT
    return apart and isinstance(node, _COMPUTING)


_COMPUTING = (ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Call, ast.Subscript, ast.JoinedStr, ast.FormattedValue)


def _name_stays_apart(job: Job, name: ast.Name, seen: frozenset[ast.expr], *, matrix: bool) -> bool:
    names = job.names_of(name)
    uses = names.uses(name.id, names.binding(name))
    read = [use for use in uses if isinstance(use.ctx, ast.Load) and use not in seen]
    alone = sum(not isinstance(use.ctx, ast.Load) for use in uses) == 1 and names.binding(name) is names.scope(name)
    return alone and all(_stays_apart(job, use, seen | {use}, matrix=matrix) for use in read)


def _is_looked_up(job: Job, user: ast.expr, node: ast.expr) -> bool:
    """``table[labels]``: rows of a table, as many as there are labels."""
    index = job.value(user.slice) if isinstance(user, ast.Subscript) and user.value is node else None
    return index is not None and _is_of_samples(index) and depths.TRUTH not in index.tags


def _multiplies(job: Job, user: ast.expr, node: ast.expr) -> bool:
    """``x @ matrix``: it is as long as a sample is wide."""
    if not (isinstance(user, ast.BinOp) and isinstance(user.op, ast.MatMult) and user.right is node):
        return False
    return _is_of_samples(job.value(user.left))


def _is_of_samples(value: Value) -> bool:
    return value.form is Form.SHARDED and value.batch_dim == 0 and tensors.TURNED not in value.tags
