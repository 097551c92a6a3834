"""Numbers in lines: learning rates, which weak scaling changes, and counts of batches that were filled up."""

from __future__ import annotations

import pytest

from corro.verify.evidence import Evidence
from corro.verify.numbers import times
from corro.verify.properties._lines import is_rate, other_numbers
from corro.verify.records import DataSet, Pass, Printed, Record, Step


def evidence(weak: bool) -> Evidence:
    ranks = [Record(size=2, steps=[Step(0, "", [0.0283123], [0.0283123], [], [], [], [])], last_rates=[0.02])]
    reference = Record(steps=[Step(0, "", [0.0283123], [0.01415615], [], [], [], [])], last_rates=[0.01])
    return Evidence(2, ranks, reference=reference, weak=weak, growth=2.0)


@pytest.mark.parametrize(("own", "wanted"), [("0.02831", "0.01416"), ("2.831e-02", "1.416e-02"), ("0.020", "0.010")])
def test_a_rate_may_be_rounded(own: str, wanted: str) -> None:
    assert is_rate(evidence(weak=True), own, wanted)
    assert not is_rate(evidence(weak=False), own, wanted)


@pytest.mark.parametrize(("own", "wanted"), [("0.02831", "0.0175"), ("0.0295", "0.01416"), ("loss", "0.01416")])
def test_another_number_is_none(own: str, wanted: str) -> None:
    assert not is_rate(evidence(weak=True), own, wanted)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Time:0.0 s", {0}),
        ("epoch 3, loss 0.25, 1.5s", {2}),
        ("epoch 3 took 12 ms, loss 0.25", {1}),
        ("Finished. Total elapsed time (h:m:s): 0:00:05", {0, 1, 2}),
        ("step 5 | 00:12 | loss 0.1", {1, 2}),
        ("ETA: 12", {0}),
        ("samples/s 120.5, 3 steps/s", set()),
        ("time-averaged loss: 0.25", set()),
        ("0.5 standard deviations, 7 m/s", set()),
        ("loss 0.5 of 10 samples", set()),
    ],
)
def test_numbers_that_a_line_calls_times_are_known(text: str, places: set[int]) -> None:
    assert times(text) == places


def test_times_are_no_numbers_that_have_to_agree() -> None:
    lines = [[Printed(f"loss 0.25, elapsed: {each} s")] for each in ("0.1", "0.0")]
    assert not list(other_numbers(evidence(weak=False), *lines))
    lines = [[Printed(f"loss {each}, elapsed: 0.1 s")] for each in ("0.35", "0.25")]
    assert len(list(other_numbers(evidence(weak=False), *lines))) == 1


def padded() -> Evidence:
    """Three samples in batches of two, on two processes: one is repeated to fill up the last batch."""
    passes = [[Pass(0, 0, 2, 1, False, False, "", batches, 2)] for batches in ([[0], [2]], [[1], [0]])]
    ranks = [Record(rank=rank, size=2, data_sets=[DataSet(33)], passes=each) for rank, each in enumerate(passes)]
    for record in ranks:
        record.passes[0].batches = [[number] for number in range(record.rank, 33, 2)]
    ranks[1].passes[0].batches.append([0])
    return Evidence(2, ranks)


@pytest.mark.parametrize(
    ("own", "filled", "once", "right"),
    [
        ("103.03%", "103.03%", "100.00%", False),
        ("1.0303", "1.0303", "1.0000", False),
        ("34 right", "34 right", "33 right", False),
        ("100.00%", "103.03%", "100.00%", True),
        ("97.06%", "100.00%", "96.97%", True),  # 33 of 34
        ("34 of 34", "34 of 34", "33 of 33", True),
        ("0.51234", "0.51234", "0.49876", True),  # a loss, of which one sample more is a part
        ("0.49727", "0.51234", "0.49876", True),
        ("0.50", "0.50", "0.52", True),  # too few digits to tell
        ("0.55", "0.51234", "0.49876", False),
        ("2.0", "nan", "2.0", True),
    ],
)
def test_counts_are_held_against_the_run_without_what_fills_up_batches(
    own: str, filled: str, once: str, right: bool
) -> None:
    assert padded().repeated == {(33, 1)}
    lines = [[Printed(f"got {each}")] for each in (own, filled, once)]
    faults = list(other_numbers(padded(), lines[0], lines[1], lines[2]))
    assert bool(faults) != right


def test_samples_that_come_more_than_once_by_themselves_fill_up_nothing() -> None:
    found = padded()
    found.ranks[0].passes[0].batches[1] = [0]
    assert not Evidence(2, found.ranks).repeated
    found.ranks[0].passes[0].data = -1
    assert not Evidence(2, found.ranks).repeated
