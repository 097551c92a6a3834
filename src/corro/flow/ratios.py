"""Ratios within a shard of a batch: what no collective mends, but of which the mean over the processes tells.

The Dice of a batch is a ratio of two sums over its samples. So is a precision, computed from truth values; whether an
element of a mask is true may itself hang on the largest element of the batch: then neither sum is one over all samples,
but their ratio is still that of the shard. What is computed from such ratios alone, such as an F1, is one, too.

A sum by itself is no such thing: that of a shard is 1/N of the batch's. So only a division makes a ratio.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow import depths
from corro.flow.values import BY_SHARD, OF_SHARD, RATIO, SUM_AND_MORE, RatioOf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.flow.values import Value

OF_PARTS = frozenset({OF_SHARD, BY_SHARD, SUM_AND_MORE})
"""The tags of sums and of what they are made of, which nothing has that is computed otherwise."""
_NONE: frozenset[str] = frozenset()
_ON_EACH = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_KEEPING = frozenset({"detach", "cpu", "cuda", "to", "float", "double", "clone"})
_WHOLE = frozenset({"long", "int", "bool", "view", "reshape", "flatten", "squeeze", "contiguous"})
_SUMS = frozenset({"sum"})
_MEANS = frozenset({"mean", "nanmean"})


def of_tensors(op: ast.operator, left: Value, right: Value) -> frozenset[str]:
    """The tags of what is computed from sums over the samples of a batch, or from ratios of them."""
    given = (left, right)
    if isinstance(op, _ON_EACH) and _are_by_shard(given):
        return frozenset({BY_SHARD})
    if _is_sum_and_number(op, left, right):
        return frozenset({SUM_AND_MORE})
    if _is_sum_and_more(op, left, right):
        return frozenset({SUM_AND_MORE})
    if isinstance(op, ast.Div) and _is_ratio(left, right):
        return frozenset({RATIO})
    known = all(value.placement.is_equal or RATIO in value.tags for value in given)
    return frozenset({RATIO} if known and not isinstance(op, ast.MatMult) else ())


def of_numbers(op: ast.operator, left: Value, right: Value, made: Value) -> Value:
    """A number that is a ratio within a shard, or is computed from such ratios: the mean over the processes stands.

    Sums that can be reduced are left as they are: their ratio is exact then. So is what is accumulated over the
    batches, which is reduced after them.
    """
    if made.form is not Form.UNKNOWN:
        return made
    given = (left, right)
    by_shard = {OF_SHARD} if any(OF_SHARD in value.tags for value in given) else set[str]()
    if _is_sum_and_more(op, left, right) or _is_sum_and_number(op, left, right):
        return made.but(tags=made.tags | {SUM_AND_MORE} | by_shard)
    if isinstance(op, ast.Div) and by_shard and _is_ratio(left, right):
        return averaged(made)
    rates = [value for value in given if not value.placement.is_equal]
    if all(value.form is Form.MEAN and _is_rate(value) and not value.carry | value.mixed for value in rates):
        return averaged(made)
    return made


def read(value: Value) -> frozenset[str]:
    """The tags of a number that is read out of a tensor: what was added to a sum cannot be taken apart any longer."""
    apart = {OF_SHARD} if SUM_AND_MORE in value.tags and value.kind is Kind.TENSOR else set[str]()
    return value.tags & {SUM_AND_MORE, OF_SHARD} | apart


def averaged(value: Value) -> Value:
    """A ratio within a shard, as a number of which the mean over the processes is taken."""
    of_batches = frozenset(map(RatioOf, value.sources))
    return value.but(placement=value.placement.with_form(Form.MEAN), tags=value.tags - {RATIO} | of_batches)


def compared(values: Sequence[Value]) -> frozenset[str]:
    """The tags of a comparison of samples, or of what is computed for each, with the largest of a shard."""
    return frozenset({BY_SHARD} if _are_by_shard(values) else ())


def reduced(name: str, value: Value, *, whole: bool) -> frozenset[str]:
    """The tags of what a method, or a function of one tensor, makes of what is tagged; ``whole``: of all elements."""
    if BY_SHARD in value.tags:
        if name in _SUMS | _MEANS and not whole:
            return _NONE
        if name in _SUMS:
            return frozenset({SUM_AND_MORE, OF_SHARD})
        if name in _MEANS:
            return frozenset({RATIO})
        return frozenset({BY_SHARD} if name in _KEEPING | _WHOLE else ())
    if name in _MEANS:
        return value.tags & {RATIO}
    return value.tags & {RATIO, SUM_AND_MORE, OF_SHARD} if name in _KEEPING else _NONE


def _are_by_shard(values: Sequence[Value]) -> bool:
    """Whether values are of each sample, the largest of a shard, or equal on all processes, not all equal."""
    shown = any(v.tags & {OF_SHARD, BY_SHARD} for v in values)
    of_each = any(v.form is Form.SHARDED or BY_SHARD in v.tags for v in values)
    known = all(v.placement.is_equal or v.form is Form.SHARDED or v.tags & {OF_SHARD, BY_SHARD} for v in values)
    apart = [v.but(placement=v.placement.with_form(Form.SHARDED)) if BY_SHARD in v.tags else v for v in values]
    return shown and of_each and known and not depths.cross(apart)


def _is_sum_and_number(op: ast.operator, left: Value, right: Value) -> bool:
    """Whether a number is added to a sum over samples."""
    forms = {left.form, right.form}
    return isinstance(op, (ast.Add, ast.Sub)) and forms <= {Form.SUM, Form.COUNT, Form.REPLICATED}


def _is_sum_and_more(op: ast.operator, left: Value, right: Value) -> bool:
    """Whether something is added to a sum over samples and more, or it is multiplied by what is equal."""
    given = (left, right)
    if not any(SUM_AND_MORE in value.tags for value in given):
        return False
    if isinstance(op, (ast.Add, ast.Sub)):
        return all(value.placement.is_equal or _is_sum(value) for value in given)
    return isinstance(op, ast.Mult) and any(value.placement.is_equal for value in given)


def _is_ratio(left: Value, right: Value) -> bool:
    """Whether a sum over samples is divided by another, or by how many there are."""
    return _is_sum(left) and (_is_sum(right) or (right.form is Form.COUNT and SUM_AND_MORE in left.tags))


def _is_sum(value: Value) -> bool:
    return value.form is Form.SUM or SUM_AND_MORE in value.tags


def _is_rate(value: Value) -> bool:
    return any(isinstance(tag, RatioOf) for tag in value.tags)
