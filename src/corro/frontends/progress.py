"""Progress bars: what loops pass over when they are wrapped in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import combine
from corro.flow.values import Value

if TYPE_CHECKING:
    from corro.flow.semantics import Call

_RANGES = frozenset({"tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange"})
_OF_TQDM = _RANGES | {"tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "tqdm.tqdm_notebook", "tqdm.std.tqdm",
                      "tqdm.autonotebook.tqdm"}  # fmt: skip
_AROUND = {"rich.progress.track": "sequence", "alive_progress.alive_it": "it", "progressbar.progressbar": "iterator"}
"""Functions of other libraries, and what they call that which they go over."""
_COUNTING = frozenset({"alive_progress.alive_bar", "progressbar.ProgressBar", "progressbar.FormatCustomText"})
"""Bars, and parts of them, that are told how far it is, and what to show."""
PROGRESS_BARS = _OF_TQDM | {*_AROUND, *_COUNTING}
SILENT = _COUNTING & {"progressbar.FormatCustomText"}
"""What shows nothing by itself."""
PRINTING = frozenset(f"{bar}.write" for bar in _OF_TQDM)
"""Functions of bars that print a line."""


def writes_to_file(name: str) -> bool:
    """Whether a bar is given the file that it is shown in, and no word that switches it off."""
    return name.startswith("progressbar.")


def progress(name: str, call: Call, site: frozenset[int]) -> Value:
    """The bar that a call makes, with what it goes over."""
    inner = None if name in _COUNTING else call.argument(0, _AROUND.get(name, "iterable"))
    if name in _RANGES:
        inner = Value(Kind.RANGE, combine(v.placement for v in call.values))
    if inner is not None and inner.kind is Kind.PROGRESS:
        return inner.but(sites=site)
    return Value(Kind.PROGRESS, sites=site, items=(inner,) if inner is not None else ())
