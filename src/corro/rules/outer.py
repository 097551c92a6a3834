"""Where samples of a batch meet because of the shapes of tensors: shared by the rules for losses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.classes import dataclass
from corro.flow import depths
from corro.frontends.tensors import ELEMENTWISE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Job

_MATRIX = 2
_FACTORS = frozenset({"matmul", "dot", "mm", "tensordot"})
_ROWS = frozenset({"reshape", "view"})


@dataclass(frozen=True)
class Meeting:
    """An operation that combines samples, why, and what to do."""

    node: ast.expr
    message: str
    hint: str


def meeting(job: Job) -> Meeting | None:
    """The first operation of a script that combines samples."""
    return next(meetings(job), None)


def meetings(job: Job) -> Iterator[Meeting]:
    """The operations of a script that combine samples: by broadcasting, in a product, or in one row."""
    calls: dict[ast.AST, list[CallFact]] = {}
    for fact in job.calls:
        calls.setdefault(fact.node, []).append(fact)
    for node in job.nodes.of(ast.BinOp, ast.Compare, ast.Call):
        if isinstance(node, (ast.BinOp, ast.Compare)):
            found = _of_operator(job, node)
        else:
            found = next((met for fact in calls.get(node, ()) if (met := _of_call(job, fact)) is not None), None)
        if found is not None:
            yield found


def _of_operator(job: Job, node: ast.BinOp | ast.Compare) -> Meeting | None:
    given = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
    values = [job.value(part) for part in given]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _product(node) if _multiplies(values) else None
    return _broadcast(node) if depths.cross(values) else None


def _of_call(job: Job, fact: CallFact) -> Meeting | None:
    """What a call brings together; a method's receiver comes first."""
    last, operands = fact.name.rpartition(".")[2], (*_receiver(fact), *fact.args)
    if fact.result.form is Form.UNKNOWN and _compares(fact) and depths.cross(operands):
        return _broadcast(fact.node)
    if last in _FACTORS and _multiplies(operands[:2]):
        return _product(fact.node)
    if last in _ROWS and operands[1:] and depths.unites(operands[0], _shape(job, fact, operands[1:])):
        return _united(fact.node)
    return None


def _shape(job: Job, fact: CallFact, given: tuple[Value, ...]) -> Sequence[Value]:
    """The dimensions that a call is given, one by one or in a list."""
    written = fact.node.args[-1]
    if isinstance(written, (ast.List, ast.Tuple)):
        return [job.value(each) for each in written.elts]
    return given[0].items if given[0].kind is Kind.TUPLE else given


def _multiplies(factors: tuple[Value, ...] | list[Value]) -> bool:
    """Whether both factors are matrices with a sample in each row, or in each column."""
    return len(factors) == _MATRIX and all(v.form is Form.SHARDED and depths.dimensions(v) == _MATRIX for v in factors)


def _receiver(fact: CallFact) -> tuple[Value, ...]:
    return (fact.receiver,) if fact.receiver is not None else ()


def _compares(fact: CallFact) -> bool:
    """Whether a call computes with each element: an operation, or a loss that is not one of classes."""
    last = fact.name.rpartition(".")[2]
    if any(_of_classes(name) for name in (last, *(v.name for v in _receiver(fact)))):
        return False
    is_loss = last.endswith("_loss") or ".losses." in fact.name
    return last in ELEMENTWISE or is_loss or any(v.kind is Kind.LOSS for v in _receiver(fact))


def _of_classes(loss: str) -> bool:
    """Whether a loss is given numbers of classes, which have a dimension less than the scores."""
    plain = loss.lower().replace("_", "")
    return plain.startswith(("crossentropy", "nllloss")) or ("sparse" in plain and "crossentropy" in plain)


def _broadcast(node: ast.expr) -> Meeting:
    return Meeting(
        node,
        "[B] and [B, 1] broadcast to [B, B]: every sample is combined with every other, but each process holds only "
        "its shard.",
        "Give both the same shape if that was not meant: y[:, None], or squeeze(-1) on the predictions.",
    )


def _product(node: ast.expr) -> Meeting:
    return Meeting(
        node,
        "this product multiplies every sample of the batch with every other, but each process holds only its shard.",
        "Compare within each sample, or train this model on one process.",
    )


def _united(node: ast.expr) -> Meeting:
    return Meeting(
        node,
        "this reshape packs several samples into one row; after sharding the neighbours differ.",
        "Keep one row a sample: let the data hold pairs, and give the shape a dimension for them.",
    )
