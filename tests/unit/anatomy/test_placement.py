"""The algebra of placements: its laws, and its soundness against ranks that are simulated with numbers.

A simulated value is what each rank holds and what the sequential program holds; a form claims how the first make up
the second. Expressions at random: whatever the algebra claims has to be so.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import permutations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from corro.anatomy.placement import (
    PARTIAL,
    REPLICATED,
    WHOLE,
    Form,
    Placement,
    add,
    combine,
    divide,
    elementwise,
    join,
    multiply,
    sharded,
)

FORMS = list(Form)
ONE = frozenset({1})


def of(form: Form, sources: frozenset[int] = ONE) -> Placement:
    return Placement(form, frozenset() if form is Form.REPLICATED else sources, form is not Form.REPLICATED)


placements = st.builds(of, st.sampled_from(FORMS), st.sampled_from([ONE, frozenset({2}), frozenset({1, 2})]))
ALL = [of(form) for form in FORMS]


# ---------------------------------------------------------------------------------------------------------- laws


@given(placements, placements, st.booleans())
def test_join_and_arithmetic_are_commutative(a: Placement, b: Placement, zero: bool) -> None:
    assert join(a, b) == join(b, a)
    assert add(a, b) == add(b, a)
    assert multiply(a, b) == multiply(b, a)
    assert combine((a, b)) == combine((b, a))
    assert elementwise((a, b)) == elementwise((b, a))
    assert join(a, b, a_is_zero=zero) == join(b, a, b_is_zero=zero)
    assert add(a, b, a_is_zero=zero) == add(b, a, b_is_zero=zero)


@given(placements)
def test_join_is_idempotent_and_unknown_absorbs(a: Placement) -> None:
    assert join(a, a) == a
    unknown = of(Form.UNKNOWN)
    assert join(a, unknown).form is Form.UNKNOWN
    assert combine((a, unknown)).form is add(a, unknown).form is multiply(a, unknown).form is Form.UNKNOWN


@pytest.mark.parametrize("forms", list(product(FORMS, repeat=3)), ids=lambda forms: "-".join(f.name for f in forms))
def test_paths_may_meet_in_any_order(forms: tuple[Form, ...]) -> None:
    """A loop joins the same stores again and again: the order must not matter, or there is no fixed point."""
    assert len({reduce(join, order) for order in permutations(map(of, forms))}) == 1


def test_joins_only_go_up() -> None:
    def below(a: Placement, b: Placement) -> bool:
        return join(a, b).form is b.form

    for a, b, c in product(ALL, repeat=3):
        if below(a, b):
            assert below(join(a, c), join(b, c)) or join(b, c).form is Form.UNKNOWN
        assert below(a, join(a, b))


@given(placements, placements)
def test_zero_joins_what_it_is_the_empty_sum_of(a: Placement, b: Placement) -> None:
    assert join(REPLICATED, a, a_is_zero=True).form is (a.form if a.form in PARTIAL else join(REPLICATED, a).form)
    assert add(REPLICATED, a, a_is_zero=True).form is a.form
    assert add(a, REPLICATED, b_is_zero=True).form is a.form


@given(placements, placements, st.sampled_from([join, add, multiply, divide, lambda a, b: combine((a, b))]))
def test_sources_and_measures_are_never_lost(
    a: Placement, b: Placement, rule: Callable[[Placement, Placement], Placement]
) -> None:
    result = rule(a, b)
    assert result.data_dependent == (a.data_dependent or b.data_dependent)
    if result.form is not Form.REPLICATED:
        assert result.sources == a.sources | b.sources
    if result.is_equal:
        assert a.is_equal
        assert b.is_equal


@given(placements, placements, st.sampled_from([join, add, multiply, divide, lambda a, b: combine((a, b))]))
def test_loaders_are_counted_only_where_their_data_are_not_seen(
    a: Placement, b: Placement, rule: Callable[[Placement, Placement], Placement]
) -> None:
    seen = frozenset().union(*(part.sources for part in (a, b) if part.form is not Form.STEP))
    result = rule(a, b)
    assert not result.counted & seen
    if result.form not in (Form.REPLICATED, Form.STEP):
        assert result.counted == result.sources - seen
        assert combine((result, of(Form.UNKNOWN, result.counted))).counted == frozenset()


def test_what_is_counted_stays_so_beside_other_data() -> None:
    step, other = of(Form.STEP), of(Form.UNKNOWN, frozenset({2}))
    both = combine((step, other))
    assert (both.sources, both.counted) == (frozenset({1, 2}), ONE)
    assert combine((both, other)).counted == join(both, step).counted == ONE
    assert combine((both, of(Form.MEAN))).counted == frozenset()


def test_a_reduced_metric_stays_a_metric() -> None:
    assert add(WHOLE, REPLICATED).data_dependent
    assert divide(WHOLE, WHOLE) == WHOLE
    assert sharded(ONE).data_dependent


@pytest.mark.parametrize(
    ("rule", "a", "b", "result"),
    [
        (add, Form.SUM, Form.SUM, Form.SUM),
        (add, Form.SUM, Form.COUNT, Form.SUM),
        (add, Form.COUNT, Form.COUNT, Form.COUNT),
        (add, Form.MEAN, Form.MEAN, Form.MEAN),
        (add, Form.MEAN, Form.REPLICATED, Form.MEAN),  # the mean over ranks keeps what is equal on all
        (add, Form.SUM, Form.REPLICATED, Form.UNKNOWN),  # the sum over ranks does not
        (add, Form.COUNT, Form.REPLICATED, Form.UNKNOWN),
        (add, Form.SUM, Form.MEAN, Form.UNKNOWN),
        (add, Form.REPLICATED, Form.STEP, Form.STEP),
        (add, Form.SHARDED, Form.REPLICATED, Form.SHARDED),
        (add, Form.REPLICATED, Form.LOCAL, Form.LOCAL),
        (add, Form.SUM, Form.LOCAL, Form.UNKNOWN),
        (multiply, Form.SUM, Form.REPLICATED, Form.SUM),
        (multiply, Form.MEAN, Form.REPLICATED, Form.MEAN),
        (multiply, Form.MEAN, Form.COUNT, Form.SUM),
        (multiply, Form.SUM, Form.COUNT, Form.UNKNOWN),
        (multiply, Form.SUM, Form.SUM, Form.UNKNOWN),
        (multiply, Form.MEAN, Form.MEAN, Form.UNKNOWN),
        (multiply, Form.COUNT, Form.COUNT, Form.UNKNOWN),
        (divide, Form.SUM, Form.COUNT, Form.MEAN),
        (divide, Form.COUNT, Form.COUNT, Form.MEAN),
        (divide, Form.SUM, Form.REPLICATED, Form.SUM),
        (divide, Form.MEAN, Form.REPLICATED, Form.MEAN),
        (divide, Form.REPLICATED, Form.SUM, Form.UNKNOWN),
        (divide, Form.REPLICATED, Form.COUNT, Form.UNKNOWN),
        (divide, Form.REPLICATED, Form.MEAN, Form.UNKNOWN),
        (divide, Form.SUM, Form.SUM, Form.UNKNOWN),
        (divide, Form.MEAN, Form.COUNT, Form.UNKNOWN),
    ],
)
def test_linearity(rule: Callable[[Placement, Placement], Placement], a: Form, b: Form, result: Form) -> None:
    assert rule(of(a), of(b)).form is result


# ---------------------------------------------------------------------------------------------------------- soundness

Number = float | tuple[float, ...]


@dataclass(frozen=True)
class Simulated:
    """What the ranks hold, what the sequential program holds, and what the algebra says of it."""

    text: str
    ranks: tuple[Number, ...]
    whole: Number
    placement: Placement
    is_zero: bool = False

    def holds(self, *, training: bool) -> bool:
        form = self.placement.form
        if form is Form.SHARDED:
            parts = [part for part in self.ranks if isinstance(part, tuple)]
            whole = self.whole if isinstance(self.whole, tuple) else ()
            together = tuple(x for part in parts for x in part)
            return len(together) == len(whole) and all(map(close, together, whole))
        numbers = [part for part in self.ranks if not isinstance(part, tuple)]
        if len(numbers) < len(self.ranks) or isinstance(self.whole, tuple):
            return form is Form.UNKNOWN
        if form is Form.REPLICATED or (form is Form.STEP and training):
            return all(close(part, self.whole) for part in numbers)
        if form in (Form.SUM, Form.COUNT):
            return close(sum(numbers), self.whole)
        if form is Form.MEAN and training:
            return close(sum(numbers) / len(numbers), self.whole)
        return True  # nothing is claimed


def close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b))


class Step:
    """One batch, shared out to ranks: equal parts in a training step, any parts in an evaluation."""

    def __init__(self, parts: list[list[float]], step: int, *, training: bool) -> None:
        self.parts = [tuple(part) for part in parts]
        self.whole = tuple(x for part in parts for x in part)
        self.step, self.training = step, training

    def leaf(self, name: str) -> Simulated:
        data = (*self.parts, self.whole)
        if name == "x":
            return Simulated("x", tuple(self.parts), self.whole, of(Form.SHARDED))
        if name == "step":
            return self._simulated(name, [self.step] * len(data), Form.STEP)
        if name in ("0", "2", "-3.5"):
            value = self._simulated(name, [float(name)] * len(data), Form.REPLICATED)
            return Simulated(value.text, value.ranks, value.whole, REPLICATED, is_zero=name == "0")
        functions: dict[str, tuple[Callable[[tuple[float, ...]], float], Form]] = {
            "len(x)": (len, Form.COUNT),
            "x.sum()": (sum, Form.SUM),
            "(x > 0).sum()": (lambda part: sum(x > 0 for x in part), Form.SUM),
            "x.mean()": (lambda part: sum(part) / len(part), Form.MEAN),
            "loss(x)": (lambda part: sum(x * x for x in part) / len(part), Form.MEAN),
        }
        function, form = functions[name]
        return self._simulated(name, [function(part) for part in data], form)

    def _simulated(self, name: str, values: list[float], form: Form) -> Simulated:
        return Simulated(name, tuple(values[:-1]), values[-1], of(form))


Tree = str | tuple["Tree", str, "Tree"]
LEAVES = ("len(x)", "x.sum()", "(x > 0).sum()", "x.mean()", "loss(x)", "step", "0", "2", "-3.5")
ARITHMETIC: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


def trees(leaves: tuple[str, ...], most: int = 12) -> st.SearchStrategy[Tree]:
    leaf: st.SearchStrategy[Tree] = st.sampled_from(leaves)
    return st.recursive(leaf, lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner), max_leaves=most)


def evaluate(tree: Tree, step: Step) -> Simulated:
    """The value of an expression, on numbers and in the algebra, each operation checked."""
    if isinstance(tree, str):
        return step.leaf(tree)
    left, sign, right = evaluate(tree[0], step), tree[1], evaluate(tree[2], step)
    a, b = left.placement, right.placement
    if sign in "+-":
        placement = add(a, b, a_is_zero=left.is_zero, b_is_zero=right.is_zero)
    else:
        placement = multiply(a, b) if sign == "*" else divide(a, b)
    try:
        ranks = tuple(broadcast(ARITHMETIC[sign], x, y) for x, y in zip(left.ranks, right.ranks, strict=True))
        whole = broadcast(ARITHMETIC[sign], left.whole, right.whole)
    except ZeroDivisionError:
        assume(False)
    result = Simulated(f"({left.text} {sign} {right.text})", ranks, whole, placement)
    if not largest(result):
        assume(False)
    assert result.holds(training=step.training), f"{result.text} is said to be {placement.form.value}: {result}"
    return result


def broadcast(function: Callable[[float, float], float], a: Number, b: Number) -> Number:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple(map(function, a, b))
    if isinstance(a, tuple):
        return tuple(function(x, b) for x in a) if not isinstance(b, tuple) else ()
    return tuple(function(a, y) for y in b) if isinstance(b, tuple) else function(a, b)


def largest(value: Simulated) -> bool:
    """Whether all numbers are small enough for comparisons within rounding."""
    numbers = [x for part in (*value.ranks, value.whole) for x in (part if isinstance(part, tuple) else (part,))]
    return all(abs(x) < 1e4 for x in numbers)


samples = st.integers(-50, 50).map(lambda x: x / 8)
batches = st.builds(
    lambda rows, step: Step(rows, step, training=True),
    st.integers(1, 4).flatmap(
        lambda size: st.lists(st.lists(samples, min_size=size, max_size=size), min_size=1, max_size=4)
    ),
    st.integers(0, 9),
)
uneven = st.builds(
    lambda rows: Step(rows, 0, training=False),
    st.lists(st.lists(samples, min_size=1, max_size=5), min_size=1, max_size=4),
)
QUICK = settings(max_examples=400, deadline=None)


@QUICK
@given(trees(LEAVES), batches)
def test_what_is_said_of_numbers_in_a_training_step_is_so(tree: Tree, step: Step) -> None:
    evaluate(tree, step)


@QUICK
@given(trees(("len(x)", "x.sum()", "(x > 0).sum()", "0", "2", "-3.5")), uneven)
def test_sums_are_sums_over_unequal_parts_as_well(tree: Tree, step: Step) -> None:
    """An evaluation by sample has parts of any size: only sums and counts are claimed there."""
    evaluate(tree, step)


@QUICK
@given(trees(("x", "2", "-3.5", "0"), most=6), batches)
def test_operations_on_each_sample_stay_sharded(tree: Tree, step: Step) -> None:
    evaluate(tree, step)


@QUICK
@given(trees(("x", "x", "len(x)", "loss(x)", "x.mean()", "x.sum()", "2"), most=4), batches)
def test_sharded_values_that_mix_with_the_batch_are_not_sharded_any_more(tree: Tree, step: Step) -> None:
    """``(per_sample / len(x)).sum()`` is no sum over ranks, nor is ``((x - x.mean()) ** 2).mean()`` a mean."""
    evaluate(tree, step)


@QUICK
@given(
    st.lists(trees(("len(x)", "x.sum()", "(x > 0).sum()", "x.mean()", "loss(x)"), most=4), min_size=2, max_size=6),
    batches,
)
def test_accumulating_keeps_what_was_said(terms: list[Tree], step: Step) -> None:
    """``total = 0; total += term`` over batches: the algebra of the loop against the numbers."""
    tree: Tree = "0"
    for term in terms:
        tree = (tree, "+", term)
    evaluate(tree, step)


@QUICK
@given(trees(LEAVES, most=4), trees(LEAVES, most=4), batches)
def test_where_paths_meet_either_is_covered(one: Tree, other: Tree, step: Step) -> None:
    """What is said of a joined value holds of both values."""
    a, b = evaluate(one, step), evaluate(other, step)
    both = join(a.placement, b.placement, a_is_zero=a.is_zero, b_is_zero=b.is_zero)
    for value in (a, b):
        said = Simulated(value.text, value.ranks, value.whole, both)
        assert said.holds(training=True), f"{said.text} is said to be {both.form.value}"
