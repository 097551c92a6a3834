"""A forecast in sentences, and as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.classes import replace
from corro.forecast.charts import draw, points
from corro.forecast.outlook import Limit, Outlook, Range
from corro.forecast.profile import Gradient, Profile, Share
from corro.forecast.words import lasting, ranged, said, will_not_pay

PROFILE = Profile("train.py", (Gradient("w", 4),), (Share(64, 0.01, (0.01, 0.0)), Share(32, 0.01, (0.01, 0.0), 2)))


def outlook(processes: int, batch: int = 32, exposed: float = 0.0, slowest: float = 0.0) -> Outlook:
    one = Range(1.0, 0.9, 1.1)
    return Outlook(processes, "strong", batch, one, one, one, exposed, slowest, one, None)


def lines(limit: Limit, *found: Outlook, scaling: str = "strong") -> list[str]:
    return list(said(PROFILE, found, limit, scaling))


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (Limit(8), "With strong scaling all of 8 processes pay."),
        (Limit(1), "With strong scaling only one process was looked at."),
        (
            Limit(4, 8, 0.31),
            "With strong scaling it pays up to 4 processes: the next 4 bring 31% of what they would with nobody to "
            "wait for.",
        ),
        (Limit(1, 2, -0.2), "With strong scaling more than one process does not pay: 2 bring nothing."),
    ],
)
def test_where_it_stops_paying(limit: Limit, expected: str) -> None:
    assert lines(limit, outlook(8)) == [expected]


def test_what_is_waited_for() -> None:
    found = lines(Limit(8), outlook(2, exposed=0.3), outlook(8, exposed=0.4, slowest=0.2))
    assert found[1].startswith("On 8 processes 40% of a step is waiting for gradients. A larger batch")
    assert found[2].startswith("On 8 processes 20% of a step is waiting for the slowest")


def test_shares_that_were_not_measured() -> None:
    assert lines(Limit(8), outlook(8, batch=8))[1] == (
        "Shares of fewer than 32 samples were not measured; they are taken on the straight line of larger ones."
    )
    alone = replace(PROFILE, shares=PROFILE.shares[:1])
    assert list(said(alone, [outlook(8, batch=8)], Limit(8), "strong"))[1].endswith("they are taken in parts.")
    assert lines(Limit(8), outlook(8, batch=8), scaling="weak") == ["With weak scaling all of 8 processes pay."]


def test_nothing_is_said_of_nothing() -> None:
    assert lines(Limit(1)) == []


def test_processes_that_will_not_pay() -> None:
    assert will_not_pay(PROFILE, 100.0, 90.0, 2, "f.json") == ""
    assert will_not_pay(PROFILE, 45.0, 90.0, 2, "f.json") == (
        "by f.json, 2 processes of this machine will not pay: 0.5 times as fast as one with 1 thread."
    )


@pytest.mark.parametrize(
    ("seconds", "expected"), [(3.21, "3.21 s"), (150, "2.5 min"), (9000, "2.5 h"), (864_000, "10 d"), (0.5, "0.5 s")]
)
def test_times_have_a_unit_of_their_own(seconds: float, expected: str) -> None:
    assert lasting(Range(seconds, seconds, seconds)) == expected


def test_numbers_with_their_interval() -> None:
    assert ranged(Range(0.9, 0.85, 0.95), ".0%") == "90% (85%–95%)"
    assert ranged(Range(0.9, 0.9, 0.9), ".0%") == "90%"
    assert lasting(Range(150, 120, 180)) == "2.5 (2–3) min"


def test_what_is_drawn() -> None:
    drawn = points({"strong": [outlook(2)], "weak": [outlook(4)]})
    assert {(each["scaling"], each["what"], each["processes"]) for each in drawn} >= {
        ("strong", "samples/s", 2),
        ("weak", "efficiency", 4),
        ("nobody to wait for", "samples/s", 2),
    }


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.png"])
def test_a_picture(name: str, tmp_path: Path) -> None:
    draw({"strong": [outlook(2), outlook(4)], "weak": []}, tmp_path / name, "corro forecast train.py")
    assert (tmp_path / name).stat().st_size > 5_000
