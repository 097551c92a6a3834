"""Metric objects of torchmetrics: what they are fed with, and what they give.

Such an object keeps sums, or all it was given. Its ``compute()`` gathers them from all processes wherever
``torch.distributed`` runs, unless it was made not to; what it gives for one batch is that batch's. So an object that is
fed by all processes with the same must not gather, and one that is fed with shards must: in both cases ``compute()``
gives the whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine
from corro.flow.values import NONE, Value

if TYPE_CHECKING:
    from corro.flow.facts import CallFact
    from corro.flow.semantics import Call

LIBRARY = "torchmetrics."
FEEDING = frozenset({"update", "forward", "__call__"})
"""Methods that are given samples, like the object that is called itself."""
_ITSELF = frozenset({"to", "cuda", "cpu", "train", "eval", "double", "float", "half", "type", "set_dtype", "clone"})
COLLECTION = "torchmetrics.MetricCollection"
_WHOLE = Placement(data_dependent=True, separate=True)


def made(name: str, call: Call, site: frozenset[int]) -> Value | None:
    """A metric, or a collection of some."""
    last = name.rpartition(".")[2]
    if not name.startswith(LIBRARY) or not last[:1].isupper():
        return None
    if last == COLLECTION.rpartition(".")[2]:
        return Value(Kind.METRIC, name=COLLECTION, sites=site, items=call.args[:1])
    return Value(Kind.METRIC, name=last, sites=site)


def method(receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of a metric gives."""
    if receiver.kind is not Kind.METRIC:
        return None
    if name in _ITSELF:
        return receiver
    if name == "compute":
        return Value(Kind.UNKNOWN if receiver.name == COLLECTION else Kind.TENSOR, _WHOLE)
    return invoked(call) if name in ("forward", "__call__") else NONE


def invoked(call: Call) -> Value:
    """What a metric gives for one batch."""
    given = combine(value.placement for value in call.values)
    return Value(Kind.TENSOR, given if given.is_equal else given.with_form(Form.UNKNOWN))


def item(owner: Value) -> Value | None:
    """A metric of a collection."""
    return owner if owner.kind is Kind.METRIC else None


def is_fed(fact: CallFact) -> bool:
    """Whether a call gives samples to a metric."""
    receiver = fact.receiver
    return receiver is not None and receiver.kind is Kind.METRIC and (not fact.name or fact.name in FEEDING)
