"""How many dimensions tensors have after that of their samples: their depth, as far as it is known.

Broadcasting aligns dimensions from the last, so the samples of two tensors stay by themselves if both have the same
depth. In ``[B] - [B, 1]`` each sample meets all the others. Seldom is a depth known as a number, but often by how much
it differs from another one: a mean over the last dimension of ``x`` has one dimension less than ``x`` has.

Where rows are made anew, the size of the last dimension counts, too: its *width*. ``reshape(z, [-1, 2, 16])`` puts two
samples into one row if 16 numbers are all that a sample has.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import Common

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.flow.values import Value

Depth = frozenset[tuple[tuple[int, ...], int]]
"""Equal depths: so many dimensions more than something has, or than none, ``()``."""

Width = frozenset[int | tuple[str, int]]
"""Equal sizes: a number, where one was copied from (``"copied"``), what has it as its last dimension (``"of"``)."""

FEATURES = "has features"
"""The tag of a tensor that has a dimension besides that of the samples."""
DEEP = "has several dimensions of features"
"""The tag of a tensor of three dimensions or more."""
PER_SAMPLE = "one number a sample"
"""The tag of a tensor that has only the dimension of the samples."""
APART = "rows that may be parts of samples"
"""The tag of a tensor whose rows may be others than one a sample: samples were cut up or put one after another."""
LENGTH = "batch length"
"""The tag of the number of samples of a batch, and of their numbers in a row, as ``arange(len(x))`` gives them."""
LENGTH_APART = "number of rows that may be parts of samples"
"""The tag of the same of a tensor that is ``APART``: not a number of samples, if samples were cut up."""
COUNTED = frozenset({LENGTH, LENGTH_APART})
BLOCKS = Common("one row of each sample after another")
"""The tag of rows of which the first are of all samples, and so are those that follow.

Spread out over processes they stay so: what is computed row by row has them in the order of the whole batch.
"""
NEXT = "rows of each sample next to each other"
"""The tag of the copies that ``repeat_interleave`` makes, and of a table that is there once for each sample."""
"""The tags of a number of rows of a tensor, and of the numbers of all its rows."""
PERMUTATION = "the numbers of the samples in a random order"
"""The tag of a random permutation of the samples of a batch: each process makes one of its shard."""
PLACES = frozenset({*COUNTED, PERMUTATION})
"""The tags that say which numbers of samples a tensor holds: not those of a part of it, or once it was changed."""
TRUTH = "of truth values"
"""The tag of a tensor that a comparison has given: as an index it chooses, where numbers look up."""
FRACTION = "a fraction of the number of samples"
"""The tag of a number of samples that was divided."""

GROUPS = "a number of groups of rows"
"""The tag of a number of rows that was divided without a rest."""

_MATRIX = 2
_GROUPS = ([2], [3])
"""Rows of two or three: of pairs, and of triplets."""

UNKNOWN: Depth = frozenset()
"""The depth of which nothing is known."""


def known(depth: int) -> Depth:
    """A depth that is known as a number."""
    return frozenset({((), depth)})


def of(*source: int) -> Depth:
    """A depth about which nothing is known yet; equal numbers stand for the same one."""
    return frozenset({(source, 0)})


def changed(depth: Depth, by: int) -> Depth:
    """The depth of something that has more or fewer dimensions."""
    return frozenset((source, more + by) for source, more in depth)


def is_flat(value: Value) -> bool:
    """Whether a tensor is known to have no dimension but that of its samples."""
    return PER_SAMPLE in value.tags or ((), 0) in value.depth


def together(values: Iterable[Value]) -> Depth:
    """The depth of an operation on each element: that of all the batches in it, as samples do not meet.

    Arrays that are no batches may have fewer dimensions than others that they are broadcast to.
    """
    given = tuple(values)
    batches = tuple(v for v in given if v.form is Form.SHARDED)
    found: Depth = frozenset().union(*(v.depth for v in batches or given))
    if batches:
        return found
    most: dict[tuple[int, ...], int] = {}
    for source, depth in found:
        most[source] = max(depth, most.get(source, depth))
    return frozenset(most.items())


def place_of_samples(values: Iterable[Value]) -> int | None:
    """Where the samples are after an operation on each element: behind the dimensions that an array has more.

    In ``centres[:, None] - x`` each centre meets each sample: ``[K, 1, C] - [B, C]`` is ``[K, B, C]``.
    """
    given = tuple(values)
    batch = next((v for v in given if v.form is Form.SHARDED), None)
    own = None if batch is None else dimensions(batch)
    if batch is None or batch.batch_dim is None or own is None:
        return None if batch is None else batch.batch_dim
    arrays = (v for v in given if v.kind is Kind.TENSOR and v.form is not Form.SHARDED)
    most = max((depth + 1 for v in arrays for source, depth in v.depth if not source), default=own)
    return batch.batch_dim + max(most - own, 0)


def product(left: Value, right: Value) -> Depth:
    """The depth of a product of matrices: of a batch by an array of two dimensions, or of one, or of two batches."""
    if left.form is right.form is Form.SHARDED and left.batch_dim == right.batch_dim == 0:
        both = [{depth for source, depth in value.depth if not source} for value in (left, right)]
        alike = both[0] == both[1] and len(both[0]) == 1
        return left.depth if alike and min(both[0]) >= _MATRIX else UNKNOWN
    if left.form is not Form.SHARDED or right.form is Form.SHARDED:
        return UNKNOWN
    behind = next((depth for source, depth in right.depth if not source), None)
    return left.depth if behind == 1 else changed(left.depth, -1) if behind == 0 else UNKNOWN


def cross(values: Iterable[Value]) -> bool:
    """Whether samples are combined: batches along different dimensions in an operation on each element."""
    batches = [v for v in values if v.form is Form.SHARDED and v.kind is Kind.TENSOR]
    if len({v.batch_dim for v in batches if v.batch_dim is not None}) > 1:
        return True
    if {BLOCKS, NEXT} <= frozenset().union(*(v.tags for v in batches)):
        return True
    found = together(batches)
    if differ(found):
        return True
    at_least = max((least(v) for v in batches), default=0)
    if at_least and any(PER_SAMPLE in v.tags and not least(v) for v in batches):
        return True
    return any(not source and depth < at_least for source, depth in found)


def differ(depth: Depth) -> bool:
    """Whether depths that should be equal are not."""
    return len({source for source, _ in depth}) < len(depth)


def least(value: Value) -> int:
    """The least depth that a tensor may have."""
    return 2 if DEEP in value.tags else int(FEATURES in value.tags)


def tags(at_least: int) -> frozenset[str]:
    """The tags of a tensor of some depth or more."""
    return frozenset({FEATURES} if at_least == 1 else {FEATURES, DEEP} if at_least > 1 else ())


def dimensions(value: Value) -> int | None:
    """How many dimensions a tensor has, that of the samples included; ``None`` where that is not known."""
    behind = next((depth for source, depth in value.depth if not source), None)
    return None if behind is None or value.batch_dim is None else value.batch_dim + 1 + behind


def place(value: Value, dimension: object) -> object:
    """A dimension counted from the first, where that of a tensor's last is known."""
    known = dimensions(value)
    return dimension + known if isinstance(dimension, int) and dimension < 0 and known is not None else dimension


def size(number: Value) -> Width:
    """What is known of a number that is the size of a dimension."""
    copied = frozenset(("copied", origin) for origin in number.origins) if len(number.origins) == 1 else frozenset()
    given = frozenset({number.const}) if type(number.const) is int and number.const > 0 else frozenset[int]()
    return number.width | copied | given


def wide(values: Iterable[Value]) -> Width:
    """The width of an operation on each element, in which a dimension of one is repeated."""
    found = [v.width for v in values if v.form is Form.SHARDED]
    common = frozenset.intersection(*found) if found else frozenset[int]()
    numbers = {each for width in found for each in width if isinstance(each, int)} - {1}
    return common or (frozenset(numbers) if len(numbers) == 1 and all(found) else frozenset())


def unites(value: Value, shape: Sequence[Value]) -> bool:
    """Whether rows of this shape, that of the samples first, hold several samples each: ``[-1, 2, 16]`` of ``[B, 16]``.

    Where the dimensions of a tensor are not known, two or three rows of its width are taken for samples.
    """
    if value.form is not Form.SHARDED or value.batch_dim != 0 or APART in value.tags or not shape:
        return False
    head, *rest = shape
    if FRACTION in head.tags or not rest:
        return FRACTION in head.tags
    known, between = dimensions(value), [each.const for each in rest[:-1]]
    if head.form is Form.COUNT or known not in (None, _MATRIX):
        return False
    if size(rest[-1]) & value.width:
        return between in _GROUPS if known is None else any(each not in (1, -1) for each in between)
    whole = next((each for each in value.width if isinstance(each, int)), None)
    numbers = [each.const for each in rest if isinstance(each.const, int) and each.const > 0]
    return known == _MATRIX and whole is not None and len(numbers) == len(rest) and bool(whole % prod(numbers))
