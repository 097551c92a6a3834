"""The conclusion in words, and the chart."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench_support import design, rows, speed
from corro.bench.analysis import analysed
from corro.bench.charts import draw, points
from corro.bench.design import Treatment
from corro.bench.intervals import Interval
from corro.bench.store import Row
from corro.bench.words import caution, conclusions, named, times

TWO = design(target=("ddp", "horovod"), processes=("1", "2"))


def test_faster_by_how_much() -> None:
    said = conclusions(analysed(TWO, rows(TWO, 5, noise=0.005)))
    assert re.match(
        r"2 processes \(ddp, 1 thread each\) are 1\.6 \(95 % interval 1\.\d+ to 1\.\d+\) times as fast as 1\.", said[0]
    )
    assert any("are faster than one process with 2 threads: 1.0" in each for each in said)
    assert any(each.startswith("The exchange between processes") and "20%" in each for each in said)
    assert any("What makes the difference" in each and "processes" in each for each in said)


def test_slower_than_one_process_with_all_threads() -> None:
    def truth(each: Treatment) -> float:
        return 400.0 if each.target == "sequential" and each.threads == 2 else speed(each)

    said = conclusions(analysed(TWO, rows(TWO, 5, truth, noise=0.005)))
    assert "slower than one process with 2 threads here" in said[1]
    assert "OMP_NUM_THREADS=2 python SCRIPT" in said[1]


def test_slower_than_one() -> None:
    made = design()
    said = conclusions(analysed(made, rows(made, 5, lambda each: 50.0 if each.distributed else 100.0, noise=0.005)))
    assert said[0].startswith("2 processes (ddp, 1 thread each) are slower than 1: 0.50")


def test_one_process_of_an_engine_is_compared_with_the_script() -> None:
    made = design(processes=("1",))
    said = conclusions(analysed(made, rows(made, 5, lambda each: 50.0 if each.distributed else 100.0, noise=0.005)))
    assert said[0].startswith("1 process (ddp, 1 thread each) is slower than the sequential run: 0.50")


def test_what_is_not_shown_is_not_claimed() -> None:
    made = design()
    said = conclusions(analysed(made, rows(made, 3, lambda each: 100.0, noise=0.1)))
    assert said[0].startswith("It is not shown that 2 processes")


def test_wide_intervals_are_pointed_at() -> None:
    made = design()
    wide, narrow = (caution(analysed(made, rows(made, 3, noise=noise))) for noise in (0.2, 0.002))
    assert any("Intervals are wide" in each for each in wide)
    assert not any("Intervals are wide" in each for each in narrow)


def test_one_replication_is_said_to_be_one() -> None:
    made = design()
    done = analysed(made, rows(made, 1))
    assert "this may be chance" in conclusions(done)[0]
    assert "One replication: there are no intervals." in caution(done)[0]


def test_other_results_are_pointed_at() -> None:
    made = design()
    found = [
        Row(row.block, row.treatment, "", row.responses, {"loss": 2.0 if row.treatment.distributed else 0.5})
        for row in rows(made, 3)
    ]
    assert "reports loss 2, the sequential run 0.5" in conclusions(analysed(made, found))[-1]


def test_nothing_to_conclude() -> None:
    assert conclusions(analysed(design(), [])) == ()


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (Interval(1.62, 1.5, 1.71), "1.6 (95 % interval 1.5 to 1.7)"),
        (Interval(0.975, 0.9, 1.04), "0.97 (95 % interval 0.90 to 1.04)"),
        (Interval(12.2), "12"),
    ],
)
def test_ratios(ratio: Interval, said: str) -> None:
    assert times(ratio) == said


def test_names() -> None:
    own = Treatment("ddp", 1, 2, "strong", (("batch-size", "64"),))
    assert named(own) == "ddp, 1 process, 2 threads each, strong, batch-size 64"


@pytest.mark.parametrize("name", ["chart.html", "chart.svg", "chart.png"])
def test_charts_need_nothing_from_the_net(tmp_path: Path, name: str) -> None:
    draw(analysed(TWO, rows(TWO, 3, noise=0.01)), tmp_path / name, "corro bench train.py")
    content = (tmp_path / name).read_bytes()
    assert len(content) > 5000
    assert re.search(rb"<(?:script|link|img)[^>]*(?:src|href)=[\"']?https?:", content) is None


def test_what_a_chart_shows() -> None:
    drawn = points(analysed(TWO, rows(TWO, 5, noise=0.005)))
    kinds = {each["configuration"]: each["kind"] for each in drawn}
    assert kinds["ddp, 2 processes, 1 thread each, strong"] == "faster"
    assert kinds["horovod, 1 process, 1 thread each, strong"] == "slower"
    assert kinds["unconnected, 2 processes, 1 thread each"] == "limit"
