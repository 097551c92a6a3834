"""Latency and bandwidth are found again in times that were made with them."""

from __future__ import annotations

from math import nan

import pytest

from corro.bench.device import Timing
from corro.errors import ExecutionError
from corro.forecast import exchange as measuring
from corro.forecast.allreduce import Link, ring
from corro.forecast.exchange import copied, fitted

SIZES = tuple(2**power for power in range(12, 25, 2))


def timing(size: int, seconds: float, cpu: float = 1e-3) -> Timing:
    return Timing("all-reduce", size, "float32", "cpu, gloo", seconds=seconds, cpu_seconds=cpu)


@pytest.mark.parametrize("processes", [2, 4])
def test_what_made_the_times_is_found(processes: int) -> None:
    link = Link(1e-4, 5e8)
    cpu = Link(2e-5, 1e9)
    found = fitted([timing(m, ring(m, processes, link), ring(m, processes, cpu)) for m in SIZES], processes)
    assert (found.latency, found.bandwidth) == pytest.approx((1e-4, 5e8))
    assert (found.cpu_latency, found.cpu_per_byte) == pytest.approx((2e-5, 1e-9))
    assert found.spread == pytest.approx(0, abs=1e-9)


def test_times_that_differ_are_a_spread() -> None:
    times = [ring(m, 2, Link(1e-4, 5e8)) * (1.2 if number % 2 else 0.8) for number, m in enumerate(SIZES)]
    assert 0.1 < fitted([timing(*each) for each in zip(SIZES, times, strict=True)], 2).spread < 0.3


def test_without_times_it_cannot_be_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Timing("all-reduce", 4096, "float32", "cpu", seconds=nan, problem="it did not fit into the budget")
    monkeypatch.setattr(measuring, "measured", lambda asked, report: iter([failed, timing(8192, 1e-3)]))
    with pytest.raises(ExecutionError, match="could not be measured"):
        measuring.exchange("cpu", lambda text: None)


def test_a_copy_takes_some_time_of_a_core() -> None:
    assert 1e-12 < copied() < 1e-7
