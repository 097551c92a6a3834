"""``corro bench device`` as a user meets it: real times of small operations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corro.bench import device
from corro.cli import main

SMALL = ("--threads", "1", "--dtypes", "float32", "--device", "cpu", "--budget", "2m")


def bench(*arguments: str) -> int:
    """The exit status of ``corro bench device``, in this process."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", "device", *arguments])
    return int(ended.value.code or 0)


@pytest.mark.slow
def test_products_of_matrices(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    chart = tmp_path / "device.html"
    assert bench("--operations", "matmul", "--sizes", "50,100", *SMALL, "--plot", str(chart)) == 0
    shown = capsys.readouterr().out
    assert "matmul, float32: time, and GFLOP/s" in shown
    assert "1 thread" in shown
    assert chart.stat().st_size > 10_000


@pytest.mark.slow
def test_convolutions_and_processes_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--operations", "conv", "--sizes", "2", *SMALL, "--json") == 0
    (convolution,) = json.loads(capsys.readouterr().out)
    assert (convolution["operation"], convolution["size"], convolution["threads"]) == ("conv", 2, 1)
    assert convolution["GFLOP/s"] > 0
    assert bench("--operations", "all-reduce", "--sizes", "1024", *SMALL, "--json", "-n", "2") == 0
    (message,) = json.loads(capsys.readouterr().out)
    assert message["device"] == "cpu, gloo"
    assert message["GB/s"] > 0
    assert message["runs"] >= 5


@pytest.mark.slow
def test_what_does_not_fit_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--operations", "matmul", "--sizes", "200,100000", *SMALL[:-2], "--budget", "10s")
    assert bench(*arguments) == 0
    shown = capsys.readouterr().out
    assert "matmul on the CPU, 100000 (n): it did not fit into the budget." in shown


@pytest.mark.slow
def test_what_fails_is_said_and_the_rest_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    """More memory than there is, which is asked for at once where no time of another size says what it would take."""
    assert bench("--operations", "matmul", "--sizes", "3000000", *SMALL) == 1
    shown = capsys.readouterr().out
    assert "matmul on the CPU, 3000000 (n)" in shown
    assert "memory" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--operations", "sorting"), "--operations sorting: it can be matmul, conv or all-reduce"),
        (("--sizes", "100"), "--sizes is for one operation"),
        (("--operations", "conv", "--sizes", "many"), "--sizes many: whole numbers from 1 on are needed"),
        (("--threads", "0"), "--threads 0: whole numbers"),
        (("--budget", "soon"), "--budget soon: that is no time"),
        (("--plot", "device.pdf"), "--plot device.pdf: it can be .html, .png or .svg"),
        (("-n", "1"), "1 is not in the range"),
        (("train.py",), "unexpected extra argument"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench(*arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_a_device_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--operations", "matmul", "--sizes", "50", *SMALL[:4], "--device", "cuda:7") == 1
    assert "matmul failed" in capsys.readouterr().err


def test_without_pytorch(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(device, "_FIND", "import no_such_torch")
    assert bench("--operations", "matmul") == 1
    error = capsys.readouterr().err
    assert "PyTorch cannot be used here" in error
    assert "pip install torch" in error
