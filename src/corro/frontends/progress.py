"""Progress bars: what loops pass over when they are wrapped in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import combine
from corro.flow.values import Value

if TYPE_CHECKING:
    from corro.flow.semantics import Call

_RANGES = frozenset({"tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange"})
PROGRESS_BARS = _RANGES | {"tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.tqdm_notebook", "tqdm.std.tqdm",
                           "tqdm.autonotebook.tqdm"}  # fmt: skip


def progress(name: str, call: Call, site: frozenset[int]) -> Value:
    """The bar that a call makes, with what it goes over."""
    inner = call.argument(0, "iterable")
    if name in _RANGES:
        inner = Value(Kind.RANGE, combine(v.placement for v in call.values))
    if inner is not None and inner.kind is Kind.PROGRESS:
        return inner.but(sites=site)
    return Value(Kind.PROGRESS, sites=site, items=(inner,) if inner is not None else ())
