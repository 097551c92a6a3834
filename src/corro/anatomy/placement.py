"""Placements: what a value will be on the ranks once the program is distributed.

The vocabulary is that of DTensor and GSPMD, for the program as it will be: sharding the loaders makes ranks differ,
everything else follows. Every partial or sharded value says which loaders' data it comes from (``sources``), so the
one analysis serves whatever way a loader will be sharded in the end.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from corro.classes import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterable


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

    __hash__ = object.__hash__  # that of Enum is a call of Python's, and forms are looked up all the time


_EQUAL = frozenset({Form.REPLICATED, Form.STEP})
_SUMS = frozenset({Form.SUM, Form.COUNT})
_WHOLE = _EQUAL | {Form.LOCAL}
PARTIAL = frozenset({Form.SUM, Form.COUNT, Form.MEAN})
_NOWHERE: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Placement:
    """A form, the loaders (site numbers) whose data make it differ, and whether it is data-dependent at all.

    ``sources`` is empty for a replicated value; ``data_dependent`` stays on it when it was reduced: it says that the
    value is a metric, so that a decision on it is a decision on the course of training. ``separate`` says that each
    process has computed it for itself, on the whole data: its last digits may differ. ``causes`` are the calls (numbers
    of their nodes) by which it differs without meaning: the clock, the process id, a temporary folder. ``whole`` says
    of an equal value that it holds something for each sample of the global batch, so that it never meets a shard.
    ``counted`` are those of the sources of which nothing but the number of a batch is in it: none where that is the
    form, which says so of all of them.
    """

    form: Form = Form.REPLICATED
    sources: frozenset[int] = frozenset()
    data_dependent: bool = False
    separate: bool = False
    causes: frozenset[int] = frozenset()
    whole: bool = False
    counted: frozenset[int] = frozenset()

    @property
    def is_equal(self) -> bool:
        """Equal on all ranks in training (a batch number counts as equal)."""
        return self.form in _EQUAL

    @property
    def is_array(self) -> bool:
        """No part of a batch: what is equal, and what differs without meaning, has no dimension that counts samples."""
        return self.is_equal or (self.form is Form.LOCAL and not self.sources)

    @property
    def is_chance(self) -> bool:
        """Drawn by each process for itself, and of nothing else: neither of its data nor of the clock."""
        return self.form is Form.LOCAL and not self.sources and not self.causes

    @property
    def is_partial(self) -> bool:
        """One all-reduce makes it the whole."""
        return self.form in PARTIAL

    def with_form(self, form: Form) -> Placement:
        """The same sources in another form."""
        return replace(self, form=form, whole=self.whole and form in _WHOLE)


REPLICATED = Placement()
WHOLE = Placement(Form.REPLICATED, frozenset(), True)
"""A metric after its reduction."""
GLOBAL_BATCH = Placement(Form.REPLICATED, frozenset(), True, whole=True)
"""What all processes have of each sample of the global batch."""


def sharded(loaders: frozenset[int]) -> Placement:
    """A batch of some loaders."""
    return Placement(Form.SHARDED, loaders, True)


def _of(form: Form, parts: Iterable[Placement]) -> Placement:
    """A form with all that its parts come from."""
    sources = causes = seen = _NOWHERE
    dependent = separate = whole = False
    for p in parts:  # one loop for all: this is asked of everything that is computed
        sources |= p.sources
        if p.form is not Form.STEP:
            seen |= p.sources - p.counted if p.counted else p.sources
        causes |= p.causes
        dependent |= p.data_dependent
        separate |= p.separate
        whole |= p.whole
    if whole and form is Form.SHARDED:
        form = Form.UNKNOWN
    if form is Form.REPLICATED:
        if not (dependent or separate or whole):
            return REPLICATED
        sources = causes = seen = _NOWHERE
    counted = sources - seen if form is not Form.STEP and len(seen) < len(sources) else _NOWHERE
    return Placement(form, sources, dependent, separate, causes, whole and form in _WHOLE, counted)


def join(a: Placement, b: Placement, *, a_is_zero: bool = False, b_is_zero: bool = False) -> Placement:
    """What is known where two paths meet.

    Zero is a sum over no samples, so it joins any partial value; any replicated value is its own mean over ranks.
    """
    if a is b or a == b:
        return a
    if a_is_zero and b.form in PARTIAL:
        return _of(b.form, (a, b))
    if b_is_zero and a.form in PARTIAL:
        return _of(a.form, (a, b))
    return _of(_joined({a.form, b.form}), (a, b))


def _joined(forms: set[Form]) -> Form:
    if len(forms) == 1:
        return next(iter(forms))
    if forms == _EQUAL:
        return Form.STEP
    if forms == _SUMS:
        return Form.SUM
    for form in (Form.MEAN, Form.SHARDED, Form.LOCAL):
        if forms <= _EQUAL | {form}:
            return form
    return Form.UNKNOWN


def add(a: Placement, b: Placement, *, a_is_zero: bool = False, b_is_zero: bool = False) -> Placement:
    """The placement of ``a + b`` and ``a - b``, by linearity of the sum and the mean over ranks."""
    forms = {a.form, b.form}
    if a_is_zero and not b.is_equal:
        return _of(b.form, (a, b))
    if b_is_zero and not a.is_equal:
        return _of(a.form, (a, b))
    if forms <= _EQUAL:
        return _of(Form.STEP if Form.STEP in forms else Form.REPLICATED, (a, b))
    if forms <= _SUMS:
        return _of(a.form if len(forms) == 1 else Form.SUM, (a, b))
    if forms <= _EQUAL | {Form.MEAN}:
        return _of(Form.MEAN, (a, b))
    return elementwise((a, b))


def multiply(a: Placement, b: Placement) -> Placement:
    """The placement of ``a * b``: a batch mean times the local batch size is a sum over samples."""
    forms = {a.form, b.form}
    if forms <= _EQUAL:
        return add(a, b)
    if forms == {Form.MEAN, Form.COUNT}:
        return _of(Form.SUM, (a, b))
    partial = forms & PARTIAL
    if len(partial) == 1 and (a.is_equal or b.is_equal):
        return _of(partial.pop(), (a, b))
    return elementwise((a, b))


def divide(a: Placement, b: Placement) -> Placement:
    """The placement of ``a / b``: a sum over the local samples by their number is a batch mean."""
    if a.is_equal and b.is_equal:
        return add(a, b)
    if b.is_equal:
        return _of(a.form, (a, b))
    if a.form in _SUMS and b.form is Form.COUNT:
        return _of(Form.MEAN, (a, b))
    return elementwise((a, b))


def combine(placements: Iterable[Placement]) -> Placement:
    """The placement of a result about which nothing is known but its arguments."""
    found = tuple(placements)
    forms = {p.form for p in found if p is not REPLICATED}
    if not forms:
        return REPLICATED
    if forms <= _EQUAL:
        return _of(Form.STEP if Form.STEP in forms else Form.REPLICATED, found)
    return _of(Form.LOCAL if forms <= _EQUAL | {Form.LOCAL} else Form.UNKNOWN, found)


def elementwise(placements: Iterable[Placement]) -> Placement:
    """The placement of an operation on each sample by itself (comparison, activation, indexing of features).

    A sample mixed with a value of its whole batch (a mean, a count) depends on the other samples: unknown.
    """
    found = tuple(placements)
    forms = {p.form for p in found}
    if Form.SHARDED in forms and forms <= _EQUAL | {Form.SHARDED, Form.LOCAL}:
        return _of(Form.SHARDED, found)
    return combine(found)
