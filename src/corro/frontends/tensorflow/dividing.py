"""Sums over samples that are divided by the batch size of the script, and then added to means.

Such a loss is neither: its sums have to be added up over the processes, and its means averaged. Divided by the size of
a process's share of the batch instead, the sum is a mean, too. So where a loss is not known, each division by the batch
size in a training pass is taken for one by that share, and the script is read once more; the rules then write it so.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.classes import dataclass
from corro.flow.values import Value
from corro.frontends.tensorflow.gradients import computes, minimizes, wanted
from corro.frontends.tensorflow.operations import is_batch_size

if TYPE_CHECKING:
    from collections.abc import Collection

    from corro.flow.facts import Facts
    from corro.flow.semantics import BatchSources, Iteration
    from corro.flow.state import Flow

SHARED = "divided by the size of a share"
"""The tag of a sum that is divided by the batch size, where it is to be divided by that of a process's share."""


@dataclass(frozen=True, eq=False)
class Divided:
    """Divisions that are to be made by the size of a share; what is ``known`` of batch sources stays."""

    divisions: frozenset[ast.AST]
    known: BatchSources | None

    @property
    def nodes(self) -> Collection[ast.AST]:
        """The divisions, and where batches are taken."""
        return self.divisions | frozenset(self.known.nodes if self.known is not None else ())

    def batch(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """A mean in place of a sum."""
        if node not in self.divisions:
            return self.known.batch(flow, node, value) if self.known is not None else value
        if value.form is not Form.SUM:
            return value
        return value.but(placement=value.placement.with_form(Form.MEAN), tags=value.tags | {SHARED})

    def passed(self, flow: Flow, loop: ast.stmt) -> Iteration | None:
        """What loops pass over that take their batches themselves."""
        return self.known.passed(flow, loop) if self.known is not None else None

    def are_alike(self, flow: Flow) -> bool:
        """Whether all processes draw the same random numbers."""
        return self.known is not None and self.known.are_alike(flow)


def divided(facts: Facts, known: BatchSources | None) -> Divided | None:
    """The divisions by the batch size in training passes; ``None`` where all losses are known, or there are none."""
    updates = [fact for fact in facts.calls if computes(fact) and wanted(fact) is not Wanted.DATA]
    losses = [fact.result if minimizes(fact) else fact.argument(0, "target") or Value() for fact in updates]
    if all(loss.form is not Form.UNKNOWN for loss in losses):
        return None
    passes = [loop for fact in updates for loop in fact.context.passes]
    loaders = frozenset().union(*(loop.loaders for loop in passes))
    found: set[ast.AST] = set()
    for node, value in facts.values.items():
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div) or value.form is not Form.SUM:
            continue
        above, below = facts.values.get(node.left), facts.values.get(node.right)
        if above is None or below is None or above.form is not Form.SUM or not above.sources <= loaders:
            continue
        if below.kind is Kind.NUMBER and any(is_batch_size(loop.iterable, below) for loop in passes):
            found.add(node)
    return Divided(frozenset(found), known) if found else None
