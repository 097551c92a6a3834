"""Placements: what a value will be on the ranks once the program is distributed.

The vocabulary is that of DTensor and GSPMD, for the program as it will be: sharding the loaders makes ranks differ,
everything else follows. Every partial or sharded value says which loaders' data it comes from (``sources``), so the
one analysis serves whatever way a loader will be sharded in the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum


class Form(Enum):
    """How the values on the ranks make up the whole.

    * ``REPLICATED``: equal on all ranks.
    * ``STEP``: the number of a batch: equal on all ranks in a training pass, not in a sharded evaluation.
    * ``COUNT``: a number of samples; the whole is the sum, and in a training step all ranks have equal parts.
    * ``SUM``: partial(sum), the whole is the sum over ranks.
    * ``MEAN``: partial(mean), the average over a batch: the whole is the mean over ranks with equal parts.
    * ``SHARDED``: another part of the data on each rank.
    * ``LOCAL``: differs without meaning (time, process id, unseeded random numbers after the start).
    * ``UNKNOWN``: depends on sharded data in a way that no collective mends.
    """

    REPLICATED = "replicated"
    STEP = "step"
    COUNT = "count"
    SUM = "partial(sum)"
    MEAN = "partial(mean)"
    SHARDED = "sharded"
    LOCAL = "local"
    UNKNOWN = "unknown"


_EQUAL = frozenset({Form.REPLICATED, Form.STEP})
_SUMS = frozenset({Form.SUM, Form.COUNT})
PARTIAL = frozenset({Form.SUM, Form.COUNT, Form.MEAN})


@dataclass(frozen=True)
class Placement:
    """A form and the loaders (site numbers) whose data the value comes from.

    ``sources`` stays on a replicated value that was reduced: it says that the value is a metric.
    """

    form: Form = Form.REPLICATED
    sources: frozenset[int] = frozenset()

    @property
    def is_equal(self) -> bool:
        """Equal on all ranks in training (a batch number counts as equal)."""
        return self.form in _EQUAL

    @property
    def is_partial(self) -> bool:
        """One all-reduce makes it the whole."""
        return self.form in PARTIAL

    def with_form(self, form: Form) -> Placement:
        """The same sources in another form."""
        return replace(self, form=form)


REPLICATED = Placement()


def join(a: Placement, b: Placement, *, a_is_zero: bool = False, b_is_zero: bool = False) -> Placement:
    """What is known where two paths meet.

    Zero is a sum over no samples, so it joins any partial value; any replicated value is its own mean over ranks.
    """
    if a == b:
        return a
    sources = a.sources | b.sources
    if a_is_zero and b.form in PARTIAL:
        return Placement(b.form, sources)
    if b_is_zero and a.form in PARTIAL:
        return Placement(a.form, sources)
    forms = {a.form, b.form}
    if len(forms) == 1:
        return Placement(a.form, sources)
    if forms == _EQUAL:
        return Placement(Form.STEP, sources)
    if forms <= _EQUAL | {Form.MEAN}:
        return Placement(Form.MEAN, sources)
    if forms == _SUMS:
        return Placement(Form.SUM, sources)
    if forms <= _EQUAL | {Form.SHARDED}:
        return Placement(Form.SHARDED, sources)
    if forms <= _EQUAL | {Form.LOCAL}:
        return Placement(Form.LOCAL, sources)
    return Placement(Form.UNKNOWN, sources)


def add(a: Placement, b: Placement, *, a_is_zero: bool = False, b_is_zero: bool = False) -> Placement:
    """The placement of ``a + b`` and ``a - b``, by linearity of the sum and the mean over ranks."""
    sources = a.sources | b.sources
    forms = {a.form, b.form}
    if a_is_zero and not b.is_equal:
        return Placement(b.form, sources)
    if b_is_zero and not a.is_equal:
        return Placement(a.form, sources)
    if forms <= _EQUAL:
        return Placement(Form.STEP if Form.STEP in forms else Form.REPLICATED, sources)
    if forms <= _SUMS:
        return Placement(a.form if len(forms) == 1 else Form.SUM, sources)
    if forms <= _EQUAL | {Form.MEAN}:
        return Placement(Form.MEAN, sources)
    return _elementwise(forms, sources)


def multiply(a: Placement, b: Placement) -> Placement:
    """The placement of ``a * b``: a batch mean times the local batch size is a sum over samples."""
    sources = a.sources | b.sources
    forms = {a.form, b.form}
    if forms <= _EQUAL:
        return Placement(Form.STEP if Form.STEP in forms else Form.REPLICATED, sources)
    if forms == {Form.MEAN, Form.COUNT}:
        return Placement(Form.SUM, sources)
    partial = forms & PARTIAL
    if len(partial) == 1 and len(forms - _EQUAL) == 1 and (a.is_equal or b.is_equal):
        return Placement(partial.pop(), sources)
    return _elementwise(forms, sources)


def divide(a: Placement, b: Placement) -> Placement:
    """The placement of ``a / b``: a sum over the local samples by their number is a batch mean."""
    sources = a.sources | b.sources
    if a.is_equal and b.is_equal:
        return add(a, b)
    if b.is_equal:
        return Placement(a.form, sources)
    if a.form in _SUMS and b.form is Form.COUNT:
        return Placement(Form.MEAN, sources)
    return _elementwise({a.form, b.form}, sources)


def combine(placements: Iterable[Placement]) -> Placement:
    """The placement of a result about which nothing is known but its arguments."""
    forms: set[Form] = set()
    sources: frozenset[int] = frozenset()
    for placement in placements:
        forms.add(placement.form)
        sources |= placement.sources
    if forms <= _EQUAL:
        return Placement(Form.STEP if Form.STEP in forms else Form.REPLICATED, sources)
    if forms <= _EQUAL | {Form.LOCAL}:
        return Placement(Form.LOCAL, sources)
    return Placement(Form.UNKNOWN, sources)


def elementwise(placements: Iterable[Placement]) -> Placement:
    """The placement of an operation on each sample by itself (comparison, activation, indexing of features)."""
    found = tuple(placements)
    sources = frozenset().union(*(p.sources for p in found)) if found else frozenset()
    return _elementwise({p.form for p in found}, sources)


def _elementwise(forms: set[Form], sources: frozenset[int]) -> Placement:
    if forms <= _EQUAL:
        return Placement(Form.STEP if Form.STEP in forms else Form.REPLICATED, sources)
    if Form.SHARDED in forms and not forms & {Form.UNKNOWN, Form.SUM}:
        return Placement(Form.SHARDED, sources)
    if forms <= _EQUAL | {Form.LOCAL}:
        return Placement(Form.LOCAL, sources)
    return Placement(Form.UNKNOWN, sources)
