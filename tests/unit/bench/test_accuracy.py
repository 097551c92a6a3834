"""Whether the same accuracy is reached in parallel, and how soon; against experiments whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf, isnan

import pytest
from scipy import stats

from bench_support import design, responses
from corro.bench.accuracy import Equality, Goals, Reached, equalities, first_time, must_be_reported, times_to_reach
from corro.bench.analysis import analysed
from corro.bench.design import Treatment
from corro.bench.store import Row, Series
from corro.bench.words import conclusions
from corro.errors import UsageError

MADE = design()
DDP = Treatment("ddp", 2, 1, "strong")
SEQUENTIAL = DDP.sequential
MARGIN = 0.01


def ends(own: Sequence[float], others: Sequence[float]) -> list[Row]:
    """Runs that end with these accuracies, block by block."""
    return [
        Row(block, treatment, "", responses(100.0), {"accuracy": value})
        for treatment, values in ((DDP, own), (SEQUENTIAL, others))
        for block, value in enumerate(values, 1)
    ]


def equality(own: Sequence[float], others: Sequence[float], margin: float = MARGIN) -> Equality:
    (found,) = equalities(MADE, ends(own, others), Goals({"accuracy": margin}))
    return found


def said(rows: list[Row], goals: Goals) -> str:
    return "\n".join(conclusions(analysed(MADE, rows, goals=goals)))


def normal(count: int, seed: int, apart: float = 0.0) -> tuple[list[float], list[float]]:
    """Accuracies of both sides; those of a block share its seed."""
    chance = random.Random(seed)
    shared = [0.95 + chance.gauss(0, 0.02) for _ in range(count)]
    return [each + apart + chance.gauss(0, 0.003) for each in shared], shared


# ---------------------------------------------------------------------- equal


def test_two_one_sided_tests() -> None:
    own, others = [0.951, 0.962, 0.954, 0.948], [0.950, 0.960, 0.957, 0.949]
    differences = [a - b for a, b in zip(own, others, strict=True)]
    found = equality(own, others)
    below = stats.ttest_1samp(differences, -MARGIN, alternative="greater").pvalue
    above = stats.ttest_1samp(differences, MARGIN, alternative="less").pvalue
    assert found.p_value == pytest.approx(max(below, above))
    low, high = stats.ttest_1samp(differences, 0).confidence_interval(0.9)
    assert (found.difference.low, found.difference.high) == pytest.approx((low, high))
    assert found.shown
    assert not found.differs


def test_at_the_margin_equality_is_claimed_5_times_in_100() -> None:
    claimed = sum(equality(*normal(5, seed, MARGIN)).shown for seed in range(1000))
    assert 0.03 <= claimed / 1000 <= 0.07


@pytest.mark.parametrize(
    ("apart", "shown", "differs", "words"),
    [
        (0.0, True, False, "accuracy is that of the sequential run within 0.01 (difference "),
        (-0.03, False, True, "accuracy is not that of the sequential run: it differs by more than 0.01"),
        (0.0095, False, False, "it is not shown that it is that of the sequential run within 0.01"),
    ],
)
def test_what_is_said(apart: float, shown: bool, differs: bool, words: str) -> None:
    own, others = normal(6, 1, apart)
    found = equality(own, others)
    assert (found.shown, found.differs) == (shown, differs)
    assert words in said(ends(own, others), Goals({"accuracy": MARGIN}))


def test_one_seed_tests_nothing() -> None:
    found = equality([0.9] * 5, [0.9] * 5)
    assert found.alike
    assert not found.shown
    assert "had the same seed, which tests nothing" in said(ends([0.9] * 5, [0.9] * 5), Goals({"accuracy": MARGIN}))


@pytest.mark.parametrize(("apart", "shown"), [(0.0, True), (0.5, False)])
def test_a_difference_without_chance_in_it(apart: float, shown: bool) -> None:
    others = [0.25, 0.5, 0.75]
    found = equality([each + apart for each in others], others)
    assert (found.shown, found.differs) == (shown, not shown)


def test_few_seeds_are_not_enough() -> None:
    assert not equality([0.9, 0.91], [0.9, 0.92]).tested
    rows = ends([0.9, 0.91], [0.9, 0.92])
    assert "was not tested: 2 runs of both sides, of 3 at least" in said(rows, Goals({"accuracy": MARGIN}))


def test_runs_are_compared_with_those_of_their_block() -> None:
    rows = ends(*normal(6, 2))
    failed = [Row(1, DDP, "killed") if row.block == 1 and row.treatment == DDP else row for row in rows]
    (found,) = equalities(MADE, failed, Goals({"accuracy": MARGIN}))
    assert found.seeds == 5


def test_the_number_has_to_be_reported() -> None:
    first = Row(0, SEQUENTIAL, "", {}, {"test accuracy": 0.9, "loss": 0.1})
    must_be_reported(Goals({"loss": 0.1}), first)
    with pytest.raises(UsageError, match=r"reports no number 'accuracy'\. It reports: test accuracy, loss\."):
        must_be_reported(Goals({"accuracy": 0.1}), first)
    with pytest.raises(UsageError, match=r"It reports none with a decimal point\."):
        must_be_reported(Goals({}, {"loss": 0.1}), Row(0, SEQUENTIAL))


# ---------------------------------------------------------------------- reached


@pytest.mark.parametrize(
    ("series", "value", "at"),
    [
        ([(1, 0.5), (2, 0.8), (3, 0.9)], 0.8, 2),
        ([(1, 2.0), (2, 0.8), (3, 0.3)], 0.5, 3),  # a loss falls
        ([(1, 0.5), (2, 0.8)], 0.9, inf),
        ([(1, 0.5), (2, 0.95), (3, 0.9)], 0.92, 2),  # it falls again afterwards
    ],
)
def test_when_a_value_is_first_reached(series: Series, value: float, at: float) -> None:
    assert first_time(series, value) == at


def over_time(treatment: Treatment, block: int, seconds: float) -> Row:
    series = [(seconds / 2, 0.5), (seconds, 0.9)]
    return Row(block, treatment, "", responses(100.0), {"accuracy": 0.9}, {"accuracy": series})


def reached(rows: Sequence[Row], value: float) -> dict[Treatment, Reached]:
    return {each.treatment: each for each in times_to_reach(MADE, rows, Goals({}, {"accuracy": value}))}


def test_how_much_sooner() -> None:
    rows = [
        over_time(each, block, seconds * (1 + block / 10))
        for block in (1, 2, 3)
        for each, seconds in ((DDP, 5.0), (SEQUENTIAL, 10.0))
    ]
    found = reached(rows, 0.85)
    own, faster = found[DDP], found[DDP].faster
    assert own.seconds == pytest.approx(6)
    assert (own.reached, own.runs) == (3, 3)
    assert faster is not None
    assert faster.estimate == pytest.approx(2)
    assert found[SEQUENTIAL].faster is None
    assert "2.0 times as soon as the sequential run" in said(rows, Goals({}, {"accuracy": 0.85})).replace(
        " (95 % interval 2.0 to 2.0)", ""
    )


def test_what_is_never_reached() -> None:
    rows = [over_time(each, 1, 5.0) for each in (DDP, SEQUENTIAL)]
    found = reached(rows, 0.95)[DDP]
    assert isnan(found.seconds)
    assert (found.reached, found.runs, found.faster) == (0, 1, None)
    assert "accuracy 0.95 was never reached (1 run)." in said(rows, Goals({}, {"accuracy": 0.95}))
