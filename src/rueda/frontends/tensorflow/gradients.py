"""Which calls compute gradients, what for, and which pipelines a loop passes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.anatomy.tapes import Wanted
from rueda.frontends.tensorflow.semantics import TAPE

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from rueda.flow.facts import CallFact
    from rueda.flow.values import Value

_COMPUTES = frozenset({"gradient", "jacobian", "batch_jacobian"})


def pipelines(value: Value) -> Iterator[Value]:
    """The pipelines that a loop passes over, through ``enumerate``, ``zip`` and progress bars."""
    if value.kind is Kind.DATASET:
        yield value
    elif value.kind in (Kind.ITERATOR, Kind.PROGRESS):
        for item in value.items:
            yield from pipelines(item)


def computes(fact: CallFact) -> bool:
    """Whether a call computes gradients, with a tape or with one of its own."""
    of_tape = fact.receiver is not None and fact.receiver.name == TAPE and fact.name in _COMPUTES
    return of_tape or minimizes(fact)


def minimizes(fact: CallFact) -> bool:
    """Whether a call computes gradients of a function and applies them: ``optimizer.minimize(loss, variables)``."""
    return fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER and fact.name == "minimize"


def sources_of(fact: CallFact) -> ast.expr | None:
    """The expression for what gradients are computed for."""
    keyword = next((k.value for k in fact.node.keywords if k.arg in ("sources", "var_list")), None)
    return keyword if keyword is not None else fact.node.args[1] if len(fact.node.args) > 1 else None


def wanted(fact: CallFact) -> Wanted:
    """What a call computes gradients for."""
    sources = fact.argument(1, "var_list" if minimizes(fact) else "sources")
    if sources is None:
        return Wanted.UNKNOWN
    if minimizes(fact):
        loss = fact.argument(0, "loss")
        known = loss is not None and loss.kind is Kind.FUNCTION and sources.placement.is_equal
        return Wanted.VARIABLES if known and sources.kind is not Kind.TENSOR else Wanted.UNKNOWN
    result = fact.result
    if fact.name != "gradient" or result.form is Form.UNKNOWN or sources.kind is Kind.DICT:
        return Wanted.DATA if _of_data(fact, sources) and fact.name != "gradient" else Wanted.UNKNOWN
    if result.placement.sources:
        return Wanted.DATA
    return Wanted.ONE if result.kind is Kind.TENSOR else Wanted.VARIABLES


def _of_data(fact: CallFact, sources: Value) -> bool:
    return bool(sources.sources) or any(placement.form is Form.SHARDED for placement in fact.depends)
