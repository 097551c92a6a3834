"""Operators: arithmetic carries placements on by linearity."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, add, combine, divide, elementwise, multiply
from corro.flow import depths, python, ratios
from corro.flow.loops import ACCUMULATED, carrying
from corro.flow.settled import told
from corro.flow.state import FIELDS, Flow
from corro.flow.values import (
    ALTERED,
    AVERAGED,
    MAYBE_NONE,
    NONE_BY_CHANCE,
    NOT_YET,
    OPTION,
    UNSET,
    Common,
    RatioOf,
    Value,
    joined,
    put_together,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.flow.values import Root

_METHODS: dict[type[ast.operator], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul",
}  # fmt: skip
_MOST_TIMES = 16
_SUMS = frozenset({Form.SUM, Form.COUNT})
_LINEAR = frozenset({Form.SUM, Form.MEAN})
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne", ast.In: "contains",
    ast.NotIn: "contains",
}  # fmt: skip


class Operators(Flow):
    """Arithmetic, comparison and logic."""

    def _eval_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.eval(node.left), self.eval(node.right)
        if python.is_set_operation(node.op, left, right):
            return python.united(self, node, (left, right), less=isinstance(node.op, ast.Sub))
        name = _METHODS.get(type(node.op), "")
        if isinstance(node.op, ast.Mult) and Kind.LIST in (left.kind, right.kind):
            return self._repeated(node, *((left, right) if left.kind is Kind.LIST else (right, left)))
        known = self.special(left, f"__{name}__", right) or self.special(right, f"__r{name}__", left)
        return known if known is not None else self.binary(node.op, left, right)

    def _repeated(self, node: ast.BinOp, items: Value, times: Value) -> Value:
        """``[0] * n``: a list of its own."""
        result = self.new_object(node, Kind.LIST)
        self.put_element(result, self.element(items))
        self.resize(result, self.size(items), times.placement)
        return result

    def binary(self, op: ast.operator, left: Value, right: Value) -> Value:
        """The value of a binary operation."""
        if left.kind is Kind.LIST and right.kind is Kind.LIST and isinstance(op, ast.Add):
            return joined(self.element(left), self.element(right)).but(kind=Kind.LIST)
        put_together = _of_tuples(op, left, right)
        if put_together is not None:
            return put_together
        product = self.semantics.product(left, right) if isinstance(op, ast.MatMult) else None
        if product is not None:
            return product
        if Kind.TEXT in (left.kind, right.kind):
            placement = combine((self.shown(left), self.shown(right)))
            return carrying(Value(Kind.TEXT, placement, name=_text(op, left, right)), (left, right))
        placement = _arithmetic(op, left, right)
        if NOT_YET in left.tags | right.tags:
            return Value(placement=placement, tags=frozenset({NOT_YET}))
        held = [*self.held(left), *self.held(right)]
        if any(each.data_dependent or not each.is_equal for each in held):
            placement = combine((placement, *held))
        tensors = [v for v in (left, right) if v.kind is Kind.TENSOR]
        const = _folded(op, left, right) if placement.is_equal else UNSET
        integer = (left.integer and right.integer) if not isinstance(op, ast.Div) else False
        by_option = isinstance(op, ast.Div) and right.name == OPTION and left.kind in (Kind.NUMBER, Kind.TENSOR)
        right = right.but(kind=Kind.NUMBER, scalar=True) if by_option else right
        kind = Kind.TENSOR if tensors else _number_kind(left, right)
        kind = Kind.TABLE if Kind.TABLE in (left.kind, right.kind) else kind
        # A part of a sum by the same part of a count is an average over this process's part, no fraction of the whole.
        by_part = isinstance(op, ast.Div) and bool(right.sources) and right.form is not Form.STEP
        of_whole = left.placement.is_equal and left.placement.data_dependent
        averaged, apart = by_part and not of_whole, by_part and of_whole and right.form in _SUMS
        made = Value(
            kind=kind,
            name=PER_SAMPLE if _is_per_sample(op, left, right) else "",
            origins=left.origins | right.origins,
            placement=placement,
            const=const,
            integer=integer,
            scalar=left.scalar and right.scalar,
            batch_dim=next((v.batch_dim for v in tensors if v.form is Form.SHARDED), None)
            if isinstance(op, ast.MatMult)
            else depths.place_of_samples(tensors),
            depth=depths.product(left, right) if isinstance(op, ast.MatMult) else depths.together((left, right)),
            width=frozenset() if isinstance(op, ast.MatMult) else depths.wide((left, right)),
            carry=_summed(op, left, right),
            mixed=left.mixed | right.mixed | _mixed(op, left, right),
            tags=(left.tags | right.tags) & self.semantics.kept_tags
            | {t for t in left.tags | right.tags if isinstance(t, Common) and all(t in v.tags for v in tensors)}
            | ({t for t in left.tags | right.tags if t == ACCUMULATED and not averaged})
            | ({ACCUMULATED} if apart else set())
            | {t for t in left.tags | right.tags if isinstance(t, RatioOf)}
            | ({depths.FRACTION} if isinstance(op, (ast.Div, ast.FloorDiv)) and _is_fraction(left, right) else set())
            | ({depths.GROUPS} if isinstance(op, ast.FloorDiv) and left.form is Form.COUNT else set())
            | ({AVERAGED} if placement.form is Form.UNKNOWN and _is_averaged(op, left, right) else set())
            | ({ALTERED} if left.origins or right.origins else set())
            | (ratios.of_tensors(op, left, right) if tensors and placement.form is Form.UNKNOWN else frozenset()),
        )
        return made if tensors else ratios.of_numbers(op, left, right, made)

    def _eval_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.eval(node.operand)
        if isinstance(node.op, (ast.USub, ast.UAdd)):
            const = -value.const if value.is_const and isinstance(value.const, (int, float)) else UNSET
            return value.but(const=const, pending=frozenset(), origins=frozenset())
        made = Value(Kind.NUMBER, combine([self.size(value)]), integer=True, tags=value.tags & {"file system"})
        return told(self, node) or made

    def _eval_BoolOp(self, node: ast.BoolOp) -> Value:
        values = [self.eval(v) for v in node.values]
        result = self.either(self._outcomes(node, values))
        if isinstance(node.op, ast.Or) and not values[-1].may_be_none:
            result = result.but(tags=result.tags - {MAYBE_NONE})
        return result.but(placement=combine(self.size(v) for v in values), pending=frozenset(), const=UNSET)

    def _outcomes(self, node: ast.BoolOp, values: list[Value]) -> list[Value]:
        """What a combination may be; ``a and b or c`` is b or c, and never a."""
        if isinstance(node.op, ast.And):
            return values
        tried = zip(node.values[:-1], values, strict=False)
        return [*(self._if_true(each, value) for each, value in tried), values[-1]]

    def _if_true(self, node: ast.expr, value: Value) -> Value:
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return self._if_true(node.values[-1], self.now(node.values[-1]))
        return value

    def _eval_Compare(self, node: ast.Compare) -> Value:
        values = [self.eval(node.left), *(self.eval(c) for c in node.comparators)]
        answer = told(self, node)
        if answer is not None:
            return answer
        if all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
            parts = [v.placement for v in values if not (v.placement.is_partial or v.form is Form.SHARDED)]
            chance = [Placement(Form.LOCAL)] if any(NONE_BY_CHANCE in v.tags for v in values) else []
            return Value(Kind.NUMBER, combine([*parts, *chance]), integer=True)
        known = self._own_comparison(node, values)
        if known is not None:
            return known
        if any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            looked = (
                self.size(v) if v.kind is Kind.DICT else self.whole(v)
                for v in values
                if v.kind is not Kind.MODULE and v.name != FIELDS
            )
            return Value(Kind.NUMBER, combine(looked), integer=True)
        if any(value.kind is Kind.TABLE for value in values):
            return Value(Kind.TABLE, combine(v.placement for v in values))
        tensor = next((v for v in values if v.kind is Kind.TENSOR), None)
        if tensor is not None:
            sharded = next((v for v in values if v.form is Form.SHARDED), tensor)
            return sharded.but(
                kind=Kind.TENSOR,
                placement=_compared(values),
                integer=True,
                tags=sharded.tags - {AVERAGED, *ratios.OF_PARTS} | {depths.TRUTH} | ratios.compared(values),
                depth=depths.together(values),
                const=UNSET,
                carry=frozenset(),
                pending=frozenset(),
            )
        if self._are_as_long(values):
            return Value(Kind.NUMBER, integer=True)
        return Value(Kind.NUMBER, combine(self.whole(v) for v in values), integer=True)

    def _are_as_long(self, values: Sequence[Value]) -> bool:
        """Whether values are shapes of parts of one batch, which differ in what is equal on all processes if at all."""
        parts = [part for value in values if value.kind is Kind.SHAPE for part in value.items[:1]]
        first = parts[0] if len(parts) == len(values) else Value()
        return first.batch_dim is not None and all(
            part.form is Form.SHARDED
            and (part.batch_dim, part.sources) == (first.batch_dim, first.sources)
            and self.semantics.picked_tags.isdisjoint(part.tags)
            for part in parts
        )

    def _own_comparison(self, node: ast.Compare, values: list[Value]) -> Value | None:
        """What a special method of an object of the script's own says of it and another value."""
        name = _COMPARISONS.get(type(node.ops[0]), "") if len(node.ops) == 1 else ""
        if name == "contains":
            return self.special(values[1], "__contains__", values[0])
        return self.special(values[0], f"__{name}__", values[1]) if name else None


PER_SAMPLE = "by the number of samples"
"""The name of a number that was divided by how many samples there are."""


def _is_per_sample(op: ast.operator, left: Value, right: Value) -> bool:
    """``100 / len(x)``: a number by how many samples there are."""
    return isinstance(op, ast.Div) and left.placement.is_equal and right.form is Form.COUNT


def _of_tuples(op: ast.operator, left: Value, right: Value) -> Value | None:
    """Tuples one after another, ``(len(x),) + (1, 1)``, or one several times: ``(1,) * (x.ndim - 1)``."""
    if isinstance(op, ast.Add) and left.kind is right.kind is Kind.TUPLE:
        items = left.items + right.items
        return Value(Kind.TUPLE, combine((left.placement, right.placement)), items=items)
    if not isinstance(op, ast.Mult) or Kind.TUPLE not in (left.kind, right.kind):
        return None
    repeated, times = (left, right) if left.kind is Kind.TUPLE else (right, left)
    placement = combine((repeated.placement, times.placement))
    if isinstance(times.const, int) and 0 <= times.const < _MOST_TIMES:
        return Value(Kind.TUPLE, placement, items=repeated.items * times.const)
    several = Value(placement=placement, items=repeated.items[:1], tags=frozenset({python.STARRED}))
    known = times.placement.is_equal and len(repeated.items) == 1
    return Value(Kind.TUPLE, placement, items=(several,)) if known else None


def _is_averaged(op: ast.operator, left: Value, right: Value) -> bool:
    """Whether a sum of something of each sample and an average of all, or a multiple of it, is linear in both."""
    if isinstance(op, (ast.Mult, ast.Div)):
        known = left.placement.is_equal and isinstance(op, ast.Mult)
        return (AVERAGED in left.tags and right.placement.is_equal) or (AVERAGED in right.tags and known)
    apart = [v.but(placement=v.placement.with_form(Form.SHARDED)) if AVERAGED in v.tags else v for v in (left, right)]
    linear = all(v.placement.is_equal or v.form in (Form.SHARDED, Form.MEAN) for v in apart)
    return isinstance(op, (ast.Add, ast.Sub)) and linear and not depths.cross(apart)


def _text(op: ast.operator, left: Value, right: Value) -> str:
    """What a text is like that was put together."""
    if isinstance(op, ast.Mod) and isinstance(left.const, str):
        return python.filled_in(left.const)
    return put_together((left, right)) if isinstance(op, ast.Add) else ""


def _summed(op: ast.operator, left: Value, right: Value) -> frozenset[Root]:
    """The variables of which a result is a plain sum."""
    if not isinstance(op, (ast.Add, ast.Sub)):
        return frozenset()
    return left.carry | right.carry if isinstance(op, ast.Add) else left.carry


def _mixed(op: ast.operator, left: Value, right: Value) -> frozenset[Root]:
    """The variables that an operation scales, subtracts or takes twice."""
    if isinstance(op, ast.Add):
        return left.carry & right.carry
    return right.carry if isinstance(op, ast.Sub) else left.carry | right.carry


def _compared(values: list[Value]) -> Placement:
    placement = elementwise(v.placement for v in values)
    return placement.with_form(Form.UNKNOWN) if depths.cross(values) else placement


def _arithmetic(op: ast.operator, left: Value, right: Value) -> Placement:
    a, b = left.placement, right.placement
    if not isinstance(op, ast.MatMult) and depths.cross((left, right)):
        return combine((a, b)).with_form(Form.UNKNOWN)
    if isinstance(op, (ast.Add, ast.Sub)):
        return add(a, b, a_is_zero=left.is_zero, b_is_zero=right.is_zero)
    if isinstance(op, ast.Mult):
        return multiplied(left, right)
    if isinstance(op, ast.Div):
        return divide(a, b)
    if isinstance(op, ast.MatMult):
        return _matmul(left, right)
    return elementwise((a, b)) if Kind.TENSOR in (left.kind, right.kind) else combine((a, b))


def multiplied(left: Value, right: Value) -> Placement:
    """The placement of a product; a sum times ``100 / n``, where n is the number of samples, is an average."""
    for a, b in ((left, right), (right, left)):
        if b.name == PER_SAMPLE and a.placement.is_partial:
            return divide(a.placement, b.placement.with_form(Form.COUNT))
        by_chance = b.placement.is_chance
        if a.kind is Kind.TENSOR and a.form in _LINEAR and by_chance:  # each process has a weight of its own
            return elementwise((a.placement, b.placement)).with_form(a.form)
    return multiply(left.placement, right.placement)


def _matmul(left: Value, right: Value) -> Placement:
    placement = elementwise((left.placement, right.placement))
    contracts_batch = right.form is Form.SHARDED and right.batch_dim == 1
    return placement.with_form(Form.UNKNOWN) if contracts_batch or _crosses(left, right) else placement


def _crosses(left: Value, right: Value) -> bool:
    """Whether two batches lie along different dimensions, so that a product adds up over samples."""
    both = left.form is right.form is Form.SHARDED
    return both and None not in (left.batch_dim, right.batch_dim) and left.batch_dim != right.batch_dim


def _is_fraction(left: Value, right: Value) -> bool:
    """Whether a number of samples is divided by a number that is none."""
    return depths.LENGTH in left.tags and right.placement.is_equal and right.const != 1


def _number_kind(left: Value, right: Value) -> Kind:
    return Kind.NUMBER if left.kind is right.kind is Kind.NUMBER else Kind.UNKNOWN


_LARGEST = 2**63
"""Larger numbers are not computed with."""


def _folded(op: ast.operator, left: Value, right: Value) -> object:
    """Arithmetic on small known numbers, so that ``64 * 2`` stays a known batch size."""
    a, b = left.const, right.const
    if not (isinstance(a, (int, float)) and isinstance(b, (int, float))):
        return UNSET
    if abs(a) > _LARGEST or abs(b) > _LARGEST:  # squares of squares grow beyond all bounds
        return UNSET
    if isinstance(op, ast.Add):
        return a + b
    if isinstance(op, ast.Sub):
        return a - b
    if isinstance(op, ast.Mult):
        return a * b
    if isinstance(op, ast.Div) and b:
        return a / b
    if isinstance(op, ast.FloorDiv) and b:
        return a // b
    return UNSET
