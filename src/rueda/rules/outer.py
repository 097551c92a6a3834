"""Where broadcasting brings each sample of a batch together with all the others: shared by the rules for losses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.flow import depths
from rueda.frontends.tensors import ELEMENTWISE

if TYPE_CHECKING:
    from rueda.flow.facts import CallFact
    from rueda.flow.values import Value
    from rueda.rules.base import Job

MESSAGE = (
    "here tensors of a batch meet that have their samples in different dimensions, as [B] and [B, 1] have: "
    "broadcasting brings each sample together with all the others, of which a process has a part."
)
HINT = "Give both the same shape if that was not meant: y[:, None], or squeeze(-1) on the predictions."


def product(job: Job) -> ast.expr | None:
    """The first operation of a script in which samples meet by broadcasting."""
    calls = {fact.node: fact for fact in job.calls if fact.result.form is Form.UNKNOWN}
    for node in job.source.nodes:
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            given = [node.left, node.right]
        elif isinstance(node, ast.Compare):
            given = [node.left, *node.comparators]
        else:
            fact = calls.get(node) if isinstance(node, ast.Call) else None
            if fact is not None and _compares(fact) and depths.cross((*_receiver(fact), *fact.args)):
                return fact.node
            continue
        if depths.cross([job.value(part) for part in given]):
            assert isinstance(node, ast.expr)
            return node
    return None


def _receiver(fact: CallFact) -> tuple[Value, ...]:
    return (fact.receiver,) if fact.receiver is not None else ()


def _compares(fact: CallFact) -> bool:
    """Whether a call computes with each element: an operation, or a loss."""
    last = fact.name.rpartition(".")[2]
    is_loss = last.endswith("_loss") or ".losses." in fact.name
    return last in ELEMENTWISE or is_loss or any(v.kind is Kind.LOSS for v in _receiver(fact))
