"""How many dimensions tensors have behind that of their samples: their depth, as far as it is known.

Broadcasting aligns dimensions from the last, so the samples of two tensors stay by themselves if both have the same
depth. In ``[B] - [B, 1]`` each sample meets all the others. Seldom is a depth known as a number, but often by how much
it differs from another one: a mean over the last dimension of ``x`` has one dimension less than ``x`` has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.flow.values import Value

Depth = frozenset[tuple[tuple[int, ...], int]]
"""Equal depths: so many dimensions more than something has, or than none, ``()``."""

FEATURES = "has features"
"""The tag of a tensor that has a dimension besides that of the samples."""
DEEP = "has several dimensions of features"
"""The tag of a tensor of three dimensions or more."""
PER_SAMPLE = "one number a sample"
"""The tag of a tensor that has only the dimension of the samples."""


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


def together(values: Iterable[Value]) -> Depth:
    """The depth of an operation on each element: that of all the batches in it, as samples do not meet."""
    given = tuple(values)
    batches = tuple(v for v in given if v.form is Form.SHARDED)
    return frozenset().union(*(v.depth for v in batches or given))


def cross(values: Iterable[Value]) -> bool:
    """Whether samples meet other samples: batches along different dimensions in an operation on each element."""
    batches = [v for v in values if v.form is Form.SHARDED and v.kind is Kind.TENSOR]
    if len({v.batch_dim for v in batches if v.batch_dim is not None}) > 1:
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
