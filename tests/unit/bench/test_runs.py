"""What the times of steps say, and the numbers that a script reports."""

from __future__ import annotations

import os
import subprocess
import sys
from math import isnan
from pathlib import Path
from typing import Any

import pytest

from corro.bench.design import Treatment
from corro.bench.options import Option
from corro.bench.runs import Subject, reported, responses, sent_bytes, tidy
from corro.verify.records import Printed


def rank(ends: list[float], samples: int = 32, breaks: tuple[int, ...] = (0,)) -> dict[str, Any]:
    whole = [number not in breaks for number in range(len(ends))]
    return {"ends": ends, "samples": [samples] * len(ends), "whole": whole, "peak_bytes": 1000}


def test_a_steady_run() -> None:
    found = responses([rank([2.0 + 0.1 * n for n in range(30)])], began=1.0, warm_up=5)
    assert found["startup_seconds"] == pytest.approx(1.0)
    assert found["training_seconds"] == pytest.approx(2.9)
    assert found["samples_per_second"] == pytest.approx(320)
    assert found["steps_per_second"] == pytest.approx(10)
    assert found["step_median_seconds"] == pytest.approx(0.1)
    assert found["steps"] == 30


def test_the_first_steps_and_what_is_between_epochs_do_not_count() -> None:
    ends, now = [], 0.0
    for number in range(40):
        now += 3.0 if number < 5 or number in (20, 30) else 0.1
        ends.append(now)
    found = responses([rank(ends, breaks=(0, 20, 30))], began=0.0, warm_up=5)
    assert found["step_p95_seconds"] == pytest.approx(0.1)
    assert found["samples_per_second"] == pytest.approx(320)


def test_processes_share_their_steps_and_add_their_samples() -> None:
    two = [rank([0.1 * n for n in range(30)]), rank([0.1 * n for n in range(30)])]
    together = responses(two, began=0.0, warm_up=5)
    assert together["samples_per_second"] == pytest.approx(640)
    assert together["steps_per_second"] == pytest.approx(10)
    assert responses(two, 0.0, 5, unconnected=True)["steps_per_second"] == pytest.approx(20)


def test_processes_are_as_fast_together_as_the_slowest() -> None:
    found = responses([rank([0.1 * n for n in range(30)]), rank([0.2 * n for n in range(30)])], began=0.0, warm_up=5)
    assert found["steps_per_second"] == pytest.approx(5)
    assert found["samples_per_second"] == pytest.approx(320)


def test_where_one_process_evaluates_the_others_wait_in_no_step() -> None:
    ends = [0.1 * n + (5.0 if n >= 20 else 0.0) for n in range(30)]
    found = responses([rank(ends, breaks=(0, 20)), rank(ends)], began=0.0, warm_up=5)
    assert found["samples_per_second"] == pytest.approx(640)
    assert responses([rank(ends, breaks=(0, 20)), rank(ends)], 0.0, 5, unconnected=True)["samples_per_second"] < 560


def test_a_process_may_have_no_sample_in_a_step() -> None:
    first, second = (rank([0.1 * n for n in range(30)], samples=each) for each in (1, 1))
    second["samples"][20] = 0
    assert responses([first, second], 0.0, 5)["samples_per_second"] == pytest.approx(20 * 49 / 50, abs=0.1)
    second["samples"][20] = -1
    assert "samples_per_second" not in responses([first, second], 0.0, 5)


def test_what_is_not_seen_is_not_there() -> None:
    assert responses([], 0.0, 5) == {}
    assert set(responses([rank([])], 0.0, 5)) == {"peak_bytes"}
    assert "samples_per_second" not in responses([rank([0.1 * n for n in range(30)], samples=0)], 0.0, 5)
    assert "step_median_seconds" not in responses([rank([0.1, 0.2, 0.3])], 0.0, 5)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["epoch  1  train loss 0.5  test acc 0.9", "saved to digits_cnn.pt"], {"train loss": 0.5, "test acc": 0.9}),
        (["epoch 1: loss 0.5", "epoch 2: loss 0.25"], {"loss": 0.25}),
        (["loss=1.5e-3, acc: 97.5%"], {"loss": 0.0015, "acc": 97.5}),
        (["23/23 - 1s - loss: 0.08 - accuracy: 0.99 - 812ms/epoch - 35ms/step"], {"loss": 0.08, "accuracy": 0.99}),
        (["took 12.5 seconds", "elapsed time: 3.4", "lr 0.1", "42 of 100 right"], {}),
        ([], {}),
    ],
)  # fmt: skip
def test_numbers_that_a_script_reports(lines: list[str], found: dict[str, float]) -> None:
    series = reported([Printed(line, at=10.0 + place) for place, line in enumerate(lines)], began=8.0)
    assert {name: own[-1][1] for name, own in series.items()} == found


def test_when_each_was_reported() -> None:
    lines = [Printed(f"loss {1 / n}.  acc {n / 10}", at=100.0 + n) for n in (1, 2, 4)]
    assert reported(lines, began=99.0) == {
        "loss": [(2.0, 1.0), (3.0, 0.5), (5.0, 0.25)],
        "acc": [(2.0, 0.1), (3.0, 0.2), (5.0, 0.4)],
    }


def test_levels_come_after_the_arguments_of_the_script() -> None:
    subject = Subject(Path("train.py"), {}, {"batch-size": Option("--batch-size")}, ("--epochs", "2"))
    given = subject.given(Treatment("ddp", 2, 1, "strong", (("batch-size", "64"),)))
    assert given == ("--epochs", "2", "--batch-size", "64")


def test_each_replication_has_the_next_seed() -> None:
    subject = Subject(Path("train.py"), {}, seeds=(("--seed", "3"), ("--seed", "5")))
    own = Treatment("ddp", 2, 1, "strong")
    assert [subject.given(own, block)[-1] for block in (1, 2, 3)] == ["3", "5", "3"]


def test_what_a_killed_experiment_left_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = [f"corro-bench-{ended.pid}-a", f"corro-bench-{os.getpid()}-b", "corro-bench-c", "other"]
    for name in names:
        (tmp_path / name).mkdir()
    tidy()
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted(names[1:])


def test_the_bytes_that_all_interfaces_have_sent(tmp_path: Path) -> None:
    (tmp_path / "dev").write_text(
        "Inter-|   Receive                                                |  Transmit\n"
        " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls\n"
        "    lo: 100 1 0 0 0 0 0 0 250 1 0 0 0 0 0 0\n"
        "  eth0:7 1 0 0 0 0 0 0 50 1 0 0 0 0 0 0\n"
    )
    assert sent_bytes(tmp_path / "dev") == 300
    assert isnan(sent_bytes(tmp_path / "nothing"))
