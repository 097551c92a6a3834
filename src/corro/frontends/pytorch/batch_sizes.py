"""The batch size of a loader as the number of rows of a tensor, in a pass over that loader: noise, labels, a view.

``torch.randn(batch_size, 64)`` makes as many rows as a batch has, as ``torch.randn(x.size(0), 64)`` does. So a process
needs its share of them, and they are judged as rows of the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine
from corro.flow.semantics import Call
from corro.flow.values import number
from corro.frontends import arrays

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact, Facts
    from corro.flow.state import Flow
    from corro.flow.values import Value

_DRAWN = frozenset({"torch.randint", "torch.normal", "numpy.random.randint", "numpy.random.normal", "numpy.random.rand",
                    "numpy.random.uniform", "numpy.random.randn", "numpy.random.random"})  # fmt: skip
"""What is given bounds, too: the number of rows is in the shape."""
_MAKING = _DRAWN | {"torch.zeros", "torch.ones", "torch.randn", "torch.rand", "torch.full", "torch.empty",
                    "torch.arange", "torch.randperm", "torch.eye", "torch.linspace", "numpy.zeros", "numpy.ones",
                    "numpy.full", "numpy.empty"}  # fmt: skip
_SHAPING = frozenset({"view", "reshape", "expand", "new_zeros", "new_ones", "repeat", "resize_", "new_full", "chunk"})
_ROWS = _DRAWN | {"torch.zeros", "torch.ones", "torch.randn", "torch.rand", "torch.full", "torch.empty", "view",
                  "reshape", "new_zeros", "new_ones", "new_full", "numpy.zeros", "numpy.ones", "numpy.full",
                  "numpy.empty"}  # fmt: skip
"""What takes the number of rows as one of several sizes, and nothing else."""

_LAYING_OUT = frozenset({"view", "reshape"})
"""What lays a tensor out anew: its first dimension is that of the samples."""


def is_shaping(fact: CallFact) -> bool:
    """Whether a call is given a shape."""
    if fact.receiver is not None:
        return fact.name in _SHAPING and fact.receiver.kind in (Kind.TENSOR, Kind.BATCH, Kind.UNKNOWN)
    return fact.name in _MAKING or _is_type(fact.name)


def is_of_rows(fact: CallFact) -> bool:
    """Whether a call is given numbers of rows that a process may have a share of."""
    return _takes_rows(fact.name)


def _takes_rows(name: str) -> bool:
    return name in _ROWS or _is_type(name)


def _is_type(name: str) -> bool:
    """``torch.FloatTensor(batch_size, 1)`` and its like."""
    return name.startswith("torch.") and name.endswith("Tensor")


def of_loaders(facts: Facts, loaders: Iterable[int]) -> frozenset[int]:
    """Where the batch sizes of loaders come from: the origins of the numbers that they were given."""
    made = (facts.values.get(facts.nodes[number]) for number in loaders)
    return frozenset().union(*(v.items[1].origins for v in made if v is not None and len(v.items) > 1))


def counted(flow: Flow, name: str, call: Call) -> Call:
    """A call in which the batch size of the loader that a pass goes over is the number of samples of its batches."""
    loaders = frozenset().union(*(loop.loaders for loop in flow.context.passes)) if _takes_rows(name) else frozenset()
    origins = of_loaders(flow.facts, loaders) if loaders else loaders
    if not origins:
        return call
    count = number(Placement(Form.COUNT, loaders), integer=True).but(origins=origins)

    def seen(value: Value) -> Value:
        if value.kind is Kind.TUPLE:
            items = tuple(map(seen, value.items))
            return value.but(items=items, placement=combine(v.placement for v in (value, *items)))
        return count if _is_size(value, origins) else value

    sizes = [size for value in call.values for size in (value, *value.items)]
    places = [place for place, size in enumerate(sizes) if _is_size(size, origins)]
    tuples = sum(size.kind is Kind.TUPLE for size in sizes[:1])
    if len(places) != 1 or (name in _LAYING_OUT and places[0] != tuples):
        return call
    shape = arrays.shape_of(name.rpartition(".")[2], call.args, call) if name in _DRAWN else None
    if name in _DRAWN and (shape is None or not any(_is_size(size, origins) for size in (shape, *shape.items))):
        return call
    return Call(call.node, tuple(map(seen, call.args)), {key: seen(value) for key, value in call.keywords.items()})


def _is_size(value: Value, origins: frozenset[int]) -> bool:
    """Whether this is the batch size itself, and nothing that is computed from it; an argument may be any number."""
    known = value.kind in (Kind.NUMBER, Kind.UNKNOWN) and value.form is Form.REPLICATED
    return known and len(origins) == 1 and value.origins == origins
