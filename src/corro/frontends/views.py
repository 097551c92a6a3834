"""Several rows of each sample in one tensor: the first of all samples, then the second, as of two views in one batch.

``torch.cat((first, second))`` makes it of two tensors that have a row for each sample, which may be of two loaders. A
model takes the rows one by one; then the tensor is cut where it was put together, and each part has a row for each
sample again: on each process, for its shard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.classes import replace
from corro.flow import depths
from corro.flow.depths import BLOCKS
from corro.flow.values import Common, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    Order = tuple[frozenset[int], ...]
    """The loaders whose samples have a row each, set after set."""

_ORDER = re.compile(r"rows of the samples of ([\d+|]+)")
_BY_SIZES = "split"
CUTTING = frozenset({_BY_SIZES, "chunk", "tensor_split"})
"""What cuts a tensor into parts."""


def put_together(parts: Sequence[Value]) -> frozenset[str]:
    """The tags of tensors that are put one after another, each with a row for each sample of a batch."""
    return _tags(tuple(part.sources for part in parts)) if all(part.sources for part in parts) else frozenset()


def of_all(values: Sequence[Value]) -> frozenset[str]:
    """The tags of what is computed row by row of these."""
    every = frozenset.intersection(*(value.tags for value in values)) if values else frozenset()
    return frozenset(tag for tag in every if tag == BLOCKS or _ORDER.fullmatch(tag))


def is_ordered(value: Value) -> bool:
    """Whether a tensor was put together of as many sets of rows as is known."""
    return bool(_order(value, 0))


def forgotten(value: Value) -> Value:
    """A tensor of which it is not known any more that its rows are so."""
    return value.but(tags=value.tags - of_all([value]))


def item(owner: Value, index: Value) -> Value | None:
    """``x[:n]`` and ``x[n:]``, where n is the number of samples that come first; ``None`` for anything else."""
    order = _order(owner, 1)
    if not order or owner.batch_dim != 0 or "slice" not in index.tags or "whole" in index.tags:
        return None
    lower, upper, step = index.items
    if step.kind is not Kind.NONE or {lower.kind, upper.kind} != {Kind.NONE, Kind.NUMBER}:
        return None
    if lower.kind is Kind.NONE:
        return _part(owner, order[:1]) if _counts(upper, order[0]) else None
    return _part(owner, order[1:]) if order[1:] and _counts(lower, order[0]) else None


def parted(owner: Value, name: str, given: Sequence[Value] | Value, dim: object) -> tuple[Value, ...] | None:
    """The parts into which ``chunk`` or ``split`` cut a tensor; ``None`` where they are something else.

    Args:
        owner: the tensor.
        name: the method.
        given: the number or the size of the parts, or their sizes.
        dim: the dimension.
    """
    order = _order(owner, 0 if isinstance(given, Value) else len(given))
    if not order or owner.batch_dim != 0 or dim != 0:
        return None
    if name == _BY_SIZES:
        sizes = (given,) * len(order) if isinstance(given, Value) else given
        known = len(sizes) == len(order) and all(map(_counts, sizes, order))
        return tuple(_part(owner, (each,)) for each in order) if known else None
    number = given.const if isinstance(given, Value) else None
    if not isinstance(number, int) or number < 1 or len(order) % number or len(set(order)) > 1:
        return None
    return (_part(owner, order[: len(order) // number]),) * number


def _counts(size: Value, loaders: frozenset[int]) -> bool:
    """Whether a number is that of the samples in a batch of some loaders."""
    counted = size.kind is Kind.NUMBER and size.form is Form.COUNT and depths.LENGTH in size.tags
    return counted and size.sources == loaders


def _part(owner: Value, order: Order) -> Value:
    tags = owner.tags - of_all([owner]) - (frozenset() if order[1:] else {depths.APART}) | _tags(order)
    placement = replace(owner.placement, sources=frozenset().union(*order))
    return owner.but(placement=placement, tags=tags, pending=frozenset(), carry=frozenset())


def _tags(order: Order) -> frozenset[str]:
    sets = "|".join("+".join(map(str, sorted(loaders))) for loaders in order)
    return frozenset({BLOCKS, Common(f"rows of the samples of {sets}")}) if order[1:] else frozenset()


def _order(value: Value, least: int) -> Order:
    """Whose rows come one after another: so many sets of them, at least, where their number is not known."""
    found = [known[1] for tag in value.tags if (known := _ORDER.fullmatch(tag))] if BLOCKS in value.tags else []
    if not found:
        return (value.sources,) * least if BLOCKS in value.tags else ()
    return tuple(frozenset(map(int, each.split("+"))) for each in found[0].split("|"))
