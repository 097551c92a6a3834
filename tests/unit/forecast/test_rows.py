"""Steps that are made up, as a share of a profile."""

from __future__ import annotations

from typing import Any

import pytest

from corro.errors import ExecutionError
from corro.forecast.rows import Run, batch_of, gradients, share_of

PARAMETERS = [["body.weight", 400], ["head.weight", 40]]


def row(slower: float = 1.0, **changes: Any) -> dict[str, Any]:
    """20 ms: 2 of loading, 6 until the backward pass of 9, of which the head has 3, and 2 for the optimizer."""
    moments = {"backward": 0.008, "end": 0.017, "optimizer": 0.0175, "stepped": 0.0195}
    own = {key: value * slower for key, value in moments.items()}
    ready = {"0": 0.016 * slower, "1": 0.011 * slower}
    return {
        **own,
        "loading": 0.002 * slower,
        "saving": 0.0,
        "messages": 0,
        "message_bytes": 0,
        "ready": ready,
    } | changes


def run(rows: list[dict[str, Any]], begins: tuple[int, ...] = (0,), seconds: float = 0.02, samples: int = 32) -> Run:
    """Steps of 20 ms; those that begin a pass have what is between passes in them, 0.1 s."""
    ends, now = [], 0.0
    for number in range(len(rows)):
        now += seconds + 0.1 * (number in begins)
        ends.append(now)
    whole = [number not in begins for number in range(len(rows))]
    times = {"ends": ends, "samples": [samples] * len(rows), "whole": whole}
    told = {"rows": rows, "parameters": PARAMETERS, "passes": 10, "buffer_bytes": 0, "device": "cpu"}
    return Run(told, times, 1.0, whole=False)


def test_the_gradients_are_in_the_order_in_which_they_are_there() -> None:
    found = gradients([run([row()] * 10)], 2)
    assert [(number, each.name, each.bytes) for number, each in found] == [
        ("1", "head.weight", 40),
        ("0", "body.weight", 400),
    ]


def test_a_share_has_medians_of_each_part() -> None:
    rows = [row()] * 6 + [row(slower=9.0)] * 2 + [row(messages=2, message_bytes=64)] * 6
    found = share_of([run(rows, begins=(0, 7))], ("1", "0"), 2, engine=True, warm_up=2)
    assert (found.batch, found.processes, found.copies, found.engine) == (32, 2, 1, True)
    parts = (found.loading, found.forward, found.optimizer, *found.backward)
    assert parts == pytest.approx((0.002, 0.006, 0.002, 0.003, 0.005, 0.001))
    assert found.seconds == pytest.approx(0.02)
    assert len(found.steps) == 11
    assert found.passes == pytest.approx(0.1)
    assert found.messages in (0.0, 2.0)


def test_what_is_saved_is_told_from_what_is_evaluated() -> None:
    rows = [row()] * 5 + [row(saving=0.03)] + [row()] * 5
    found = share_of([run(rows, begins=(0, 5))], ("1", "0"), 1, engine=False, warm_up=1)
    assert (found.checkpoint, found.passes) == pytest.approx((0.03, 0.07))


def test_all_copies_are_counted() -> None:
    found = share_of([run([row()] * 8), run([row()] * 8)], ("1", "0"), 2, engine=True, warm_up=2)
    assert (found.copies, len(found.steps)) == (2, 12)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([row()] * 4, "too few steps"),
        ([row()] * 5 + [row(ready={"0": 0.01})] * 5, "not all of its steps give the same gradients"),
        ([row(ready={})] * 10, "not all of its steps give the same gradients"),
    ],
)
def test_what_cannot_be_forecast(rows: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(ExecutionError, match=said):
        gradients([run(rows)], 2)


def test_samples_that_no_loader_gives() -> None:
    assert batch_of(run([row()] * 10), 2) == 32
    with pytest.raises(ExecutionError, match="from no loader"):
        batch_of(run([row()] * 10, samples=0), 2)
