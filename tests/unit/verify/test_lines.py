"""Learning rates among printed numbers, which weak scaling changes."""

from __future__ import annotations

import pytest

from rueda.verify.evidence import Evidence
from rueda.verify.promises._lines import is_rate
from rueda.verify.records import Record, Step


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
