"""Batches of which the parts are not known, made anew part by part or in part: on another device, of another type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import UNKNOWN, Value, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.semantics import Call
    from corro.flow.state import Flow


def of_each_part(flow: Flow, batch: Value, made: Value) -> Value | None:
    """What has as many parts as a batch, where each of them is ``made`` of one of the batch's: a batch again.

    ``[part.to(device) for part in batch]``, ``map(move, batch)``. ``None`` where parts are known one by one, and where
    what is made has not the rows of a part: an average, a number, some of the rows.
    """
    if batch.kind is not Kind.BATCH or batch.form is not Form.SHARDED or flow.each(batch) is not None:
        return None
    return as_batch(batch, made) if _is_like(made, flow.iterate(batch).element) else None


def again(flow: Flow, batch: Value) -> Value | None:
    """The parts of a batch in another container, in their order; ``None`` of what is no batch of unknown parts."""
    return of_each_part(flow, batch, flow.iterate(batch).element) if batch.kind is Kind.BATCH else None


def as_batch(batch: Value, part: Value) -> Value:
    """A batch of the same samples, of which no more is known than of such a part."""
    return Value(Kind.BATCH, batch.placement, batch_dim=batch.batch_dim, tags=part.tags)


def put(flow: Flow, name: str, call: Call) -> Iterator[tuple[Value, Value]]:
    """What a method of a list or a dict puts into it, with the key or the place where these are known."""
    args = call.args
    if name in ("append", "insert", "setdefault") and args:
        yield args[0] if name == "setdefault" else UNKNOWN, args[-1]
    elif name == "extend" and args:
        yield UNKNOWN, flow.iterate(args[0]).element
    elif name == "update":
        for other in args:
            pairs = flow.pairs(other)
            yield from [(UNKNOWN, Value(placement=flow.whole(other)))] if pairs is None else pairs
        for key, value in call.keywords.items():
            yield constant(key), value


def _is_like(made: Value, part: Value) -> bool:
    """Whether something is a tensor that holds the same of the samples of a batch as a part of it does."""
    alike = made.kind is part.kind is Kind.TENSOR and made.placement == part.placement and made.tags == part.tags
    return alike and (made.batch_dim, made.depth) == (part.batch_dim, part.depth)
