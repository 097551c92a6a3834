"""What may be taken to hold where the text does not say it: that a loss is a mean over the samples of its batch.

The expression that gives the loss is read as such a mean, so all that is computed from it is judged as usual. A run
shows in its first steps whether it is one: the gradients of the shards then average to that of the global batch. What
another step may compute otherwise than the first ones is not taken for anything.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.depths import UNKNOWN
from corro.frontends import operations
from corro.frontends.pytorch import pretrained
from corro.frontends.pytorch.steps import losses
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import Facts, TestFact
    from corro.flow.state import Flow
    from corro.flow.values import Value


def unknown_losses(facts: Facts) -> Iterator[ast.expr]:
    """The expressions that give losses of which it is not known what they are of the samples of a batch."""
    found = [
        node
        for loss in losses(facts)
        if loss.call.context.passes and loss.node is not None and _is_unknown(loss.value)
        for node in _written(facts, loss.node)
        if _is_unknown(facts.values.get(node))
    ]
    lost = tuple(_lost_at(facts)) if found else ()
    if lost and all(_is_call_of_unknown(facts, node) for node in lost) and not _may_turn(facts):
        yield from found


def as_mean(flow: Flow, value: Value) -> Value:
    """What one of these expressions gives in training: a mean over the samples."""
    if not _is_unknown(value) or "no_grad" in flow.context.modes or not flow.context.passes:
        return value
    mean = value.placement.with_form(Form.MEAN)
    return value.but(kind=Kind.TENSOR, placement=mean, scalar=True, integer=False, batch_dim=None, depth=UNKNOWN)


def _is_unknown(value: Value | None) -> bool:
    """A value that is computed from a batch, and could not be followed."""
    if value is None or value.form is not Form.UNKNOWN or not value.sources:
        return False
    return value.kind in (Kind.TENSOR, Kind.NUMBER, Kind.UNKNOWN)


def _written(facts: Facts, node: ast.expr) -> Iterator[ast.expr]:
    """The expressions that a loss is given by: its own, or those that its name was given."""
    if not isinstance(node, ast.Name):
        yield node
        return
    unit = facts.units.get(node)
    if unit is None:
        return
    for use in unit.names.uses(node.id, unit.names.binding(node)):
        statement = unit.source.parent(use)
        if isinstance(statement, ast.Assign) and statement.targets == [use]:
            yield statement.value


def _lost_at(facts: Facts) -> Iterator[ast.expr]:
    """Where what is known of the samples of a batch is lost: an expression of which no part was lost before."""
    for node, value in facts.values.items():
        if isinstance(node, ast.expr) and value.form is Form.UNKNOWN and value.sources:
            parts = [facts.values.get(part) for part in ast.iter_child_nodes(node)]
            parts += [facts.values.get(each.value) for each in getattr(node, "keywords", ())]
            lost = any(part is not None and part.form is Form.UNKNOWN and part.sources for part in parts)
            copied = isinstance(node, ast.Name) and node not in facts.carried
            if not lost and not copied and not _is_followed(facts, node):
                yield node


def _is_followed(facts: Facts, node: ast.expr) -> bool:
    """A call of a function of the script's own, whose statements tell more."""
    called = facts.values.get(node.func) if isinstance(node, ast.Call) else None
    return called is not None and called.kind in (Kind.FUNCTION, Kind.CLASS)


def _is_call_of_unknown(facts: Facts, node: ast.expr) -> bool:
    if node in facts.opaque:
        return True
    called = facts.values.get(node.func) if isinstance(node, ast.Call) else None
    if called is not None and pretrained.is_model(called):
        return True
    last = called.name.rpartition(".")[2].rstrip("_") if called is not None and called.kind in _CALLED else ""
    return bool(last) and not operations.is_known(last)


def _may_turn(facts: Facts) -> bool:
    """Whether later steps may compute the loss otherwise than the first ones."""
    return any(_steers(facts, test) and _may_change(facts, test) for test in facts.tests.values())


def _steers(facts: Facts, test: TestFact) -> bool:
    """Whether a condition in training says what is computed of the batch, and not only what is shown or kept."""
    if not test.context.passes or "no_grad" in test.context.modes:
        return False
    unit = facts.units.get(test.node)
    branches = unit.source.parent(test.node) if unit is not None else None
    if branches is None:
        return True
    given = (node.value for node in walk(branches) if isinstance(node, _GIVING) and node.value is not None)
    found = (facts.values.get(node) for node in given)
    return isinstance(branches, ast.IfExp) or any(v is not None and v.sources and v.kind in _ARRAYS for v in found)


def _may_change(facts: Facts, test: TestFact) -> bool:
    """Whether a condition may come out otherwise in later steps, as one on the number of the epoch."""
    if not test.value.placement.is_equal or test.value.form is Form.STEP or test.value.placement.data_dependent:
        return True
    if test.value.is_const:
        return False
    parts = (facts.values.get(node) for node in walk(test.node) if isinstance(node, (ast.Name, ast.Attribute)))
    return any(part is None or (part.kind in _FIGURES and not part.is_const and not part.origins) for part in parts)


_GIVING = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Yield, ast.NamedExpr)
_ARRAYS = frozenset({Kind.TENSOR, Kind.UNKNOWN, Kind.TUPLE, Kind.LIST, Kind.DICT})
_CALLED = frozenset({Kind.LIBRARY, Kind.METHOD})
_FIGURES = frozenset({Kind.NUMBER, Kind.UNKNOWN, Kind.TENSOR})
