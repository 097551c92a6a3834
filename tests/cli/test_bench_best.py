"""``corro bench --best``: what it says, starts and writes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench_support import responses
from corro.bench.design import Treatment
from corro.bench.store import Row
from corro.cli import main
from corro.cli._settings import settings_of
from report_support import SCRIPT, TRAINING

pytestmark = pytest.mark.slow  # whether an engine works is asked of the engine


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / SCRIPT).write_text(TRAINING)
    return tmp_path


def best(*arguments: str) -> int:
    """The exit status of ``corro bench train.py --best``, in this process."""
    with pytest.raises(SystemExit) as ended:
        main(["bench", SCRIPT, "--best", *arguments])
    return int(ended.value.code or 0)


@pytest.fixture
def runs_at(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[tuple[str, int]]]:
    """Let each run have a rate that a rule says, without making it."""

    def so(rate: Callable[[Treatment], float]) -> list[tuple[str, int]]:
        made: list[tuple[str, int]] = []

        def measured(subject: Any, treatment: Treatment, block: int, **_: Any) -> Row:
            made.append((treatment.target, subject.steps))
            own = rate(treatment) * (1 + block / 1000)
            return Row(block, treatment, "", responses(own)) if own else Row(block, treatment, "out of memory")

        monkeypatch.setattr("corro.bench.runs.measured", measured)
        return made

    return so


def test_a_search_on_real_processes(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert best("-n", "2", "--to", "ddp", "--steps", "8", "--warm-up", "2") == 0
    shown = capsys.readouterr()
    assert "The fastest way here is" in shown.out
    start = shlex.split(shown.out.rpartition("Start it: ")[2])
    assert start[-1] == "ddp" or start[-2:] == ["python", SCRIPT]
    assert ("wrote target and processes" in shown.err) == (start[-1] == "ddp")


def test_several_processes_are_faster(
    home: Path, capsys: pytest.CaptureFixture[str], runs_at: Callable[..., list[tuple[str, int]]]
) -> None:
    made = runs_at(lambda each: 300.0 if each.distributed else 100.0 * each.threads)
    (home / "pyproject.toml").write_text('# mine\n[project]\nname = "x"\n')
    assert best("-n", "2", "--to", "ddp", "--", "--epochs", "3") == 0
    shown = capsys.readouterr()
    assert "The fastest way here is ddp, 2 processes" in shown.out
    assert "Start it: corro run train.py -n 2 --to ddp -- --epochs 3" in shown.out
    assert "wrote target and processes into [tool.corro] of pyproject.toml" in shown.err
    assert settings_of(SCRIPT).processes == 2
    assert (home / "pyproject.toml").read_text().startswith('# mine\n[project]\nname = "x"\n')
    assert {steps for _, steps in made} == {20, 40, 80}
    count = len(made)
    assert best("-n", "2", "--to", "ddp", "--json", "--", "--epochs", "3") == 0
    assert len(made) == count  # all were kept
    told = json.loads(capsys.readouterr().out)
    assert told["best"]["treatment"]["target"] == "ddp"
    assert [each["steps"] for each in told["rounds"]] == [20, 40, 80]


SEEDED = TRAINING.replace(
    "torch.manual_seed(0)",
    """parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int, default=0)
torch.manual_seed(parser.parse_args().seed)""",
).replace("import torch\n", "import argparse\n\nimport torch\n", 1)
TRAINED = ["-n", "2", "--to", "ddp", "--seeds", "seed=1,2,3", "--equal", "loss=0.01"]


def rate(each: Treatment) -> float:
    return (200.0 + each.exchange.bucket_mb + 500 * bool(each.exchange.compression)) if each.distributed else 100.0


@pytest.fixture
def loss_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[Treatment, int], float]], list[Treatment]]:
    """Let each run have the rate above, and a whole one report a loss that a rule says, without making it."""

    def so(loss: Callable[[Treatment, int], float]) -> list[Treatment]:
        whole: list[Treatment] = []

        def measured(subject: Any, treatment: Treatment, block: int, **_: Any) -> Row:
            if subject.steps:
                return Row(block, treatment, "", responses(rate(treatment) * (1 + block / 1000)))
            whole.append(treatment)
            return Row(block, treatment, "", responses(rate(treatment)), {"loss": loss(treatment, block)})

        monkeypatch.setattr("corro.bench.runs.measured", measured)
        return whole

    return so


def test_rounded_gradients_are_sent_where_the_loss_stays_equal(
    home: Path, capsys: pytest.CaptureFixture[str], loss_of: Callable[..., list[Treatment]]
) -> None:
    (home / SCRIPT).write_text(SEEDED)
    whole = loss_of(lambda each, block: 0.5 + block / 100 + 0.001 * bool(each.exchange.compression) * (block % 2))
    assert best(*TRAINED) == 0
    shown = capsys.readouterr()
    assert "loss is that of the sequential run within 0.01" in shown.out
    assert "Start it: corro run train.py -n 2 --to ddp --compression fp16 --bucket-mb 100" in shown.out
    assert "wrote target, processes, compression and bucket-mb into [tool.corro]" in shown.err
    own = settings_of(SCRIPT)
    assert (own.compression, own.bucket_mb) == ("fp16", 100)
    assert len(whole) == 1 + 2 * 3  # a first one, and both of three seeds


def test_gradients_are_sent_as_they_are_where_the_loss_does_not_stay_equal(
    home: Path, capsys: pytest.CaptureFixture[str], loss_of: Callable[..., list[Treatment]]
) -> None:
    (home / SCRIPT).write_text(SEEDED)
    (home / "pyproject.toml").write_text('[tool.corro]\ncompression = "fp16"\nbucket-mb = 7\n')
    loss_of(lambda each, block: 0.5 + block / 100 + 0.1 * bool(each.exchange.compression) * block)
    assert best(*TRAINED) == 0
    shown = capsys.readouterr()
    assert "loss is not that of the sequential run" in shown.out or "it is not shown that it is" in shown.out
    assert "So gradients are sent as they are." in shown.out
    assert settings_of(SCRIPT).compression == ""
    assert "--compression" not in shown.out


def test_without_a_number_that_stays_equal_no_rounded_gradients_are_tried(
    home: Path, capsys: pytest.CaptureFixture[str], loss_of: Callable[..., list[Treatment]]
) -> None:
    whole = loss_of(lambda each, block: 0.5)
    assert best("-n", "2", "--to", "ddp", "--json") == 0
    ways = json.loads(capsys.readouterr().out)["rounds"][0]["rates"]
    assert {each["exchange"]["compression"] for each in ways} == {""}
    assert {each["exchange"]["bucket_mb"] for each in ways} == {0, 5, 100}
    assert not whole


def test_a_number_that_the_script_does_not_report(
    home: Path, capsys: pytest.CaptureFixture[str], loss_of: Callable[..., list[Treatment]]
) -> None:
    (home / SCRIPT).write_text(SEEDED)
    loss_of(lambda each, block: 0.5)
    assert best("-n", "2", "--to", "ddp", "--equal", "accuracy=0.01") == 2
    assert "the script reports no number 'accuracy'. It reports: loss." in capsys.readouterr().err


def test_one_process_is_faster(
    home: Path, capsys: pytest.CaptureFixture[str], runs_at: Callable[..., list[tuple[str, int]]]
) -> None:
    runs_at(lambda each: 50.0 if each.distributed else 100.0 / each.threads)
    assert best("-n", "2", "--to", "ddp") == 0
    shown = capsys.readouterr()
    assert "The fastest way here is one process with 1 thread: more are not faster." in shown.out
    assert "Start it: OMP_NUM_THREADS=1 python train.py" in shown.out
    assert not (home / "pyproject.toml").exists()


def test_a_way_that_fails_is_told_and_the_others_are_compared(
    home: Path, capsys: pytest.CaptureFixture[str], runs_at: Callable[..., list[tuple[str, int]]]
) -> None:
    runs_at(lambda each: 0.0 if each.distributed else 100.0)
    assert best("-n", "2", "--to", "ddp") == 1
    shown = capsys.readouterr()
    assert "failed: out of memory" in shown.err
    assert "The fastest way here is one process" in shown.out


def test_nothing_could_be_measured(
    home: Path, capsys: pytest.CaptureFixture[str], runs_at: Callable[..., list[tuple[str, int]]]
) -> None:
    runs_at(lambda each: 0.0)
    assert best("-n", "2", "--to", "ddp") == 1
    assert "no run of train.py could be measured: out of memory." in capsys.readouterr().err


def test_a_budget_that_is_used_up(
    home: Path, capsys: pytest.CaptureFixture[str], runs_at: Callable[..., list[tuple[str, int]]]
) -> None:
    made = runs_at(lambda each: 2.0)  # such a run takes 500 seconds
    assert best("-n", "2", "--to", "ddp", "--budget", "60s") == 0
    assert len(made) == 1
    assert "the budget is used up; the same command goes on" in capsys.readouterr().err


def test_a_dry_run_says_the_ways(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert best("-n", "2", "--to", "ddp", "--dry-run") == 0
    shown = capsys.readouterr().out
    assert "ddp, 2 processes, 1 thread each" in shown
    assert "Nothing was run." in shown
    assert [each.name for each in home.iterdir()] == [SCRIPT]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--factor", "lr=1,2"],
            "the fastest way to train a script as it is; --factor has no meaning for it",
        ),
        (["--replications", "3"], "--replications has no meaning without one"),
        (["--reach", "loss=0.1"], "--reach has no meaning for it"),
        (["--scaling", "weak"], "--best keeps what is trained"),
        (["--to", "nothing"], "there is no target 'nothing'"),
    ],
)
def test_wrong_usage(home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert best("-n", "2", *arguments) == 2
    assert message in capsys.readouterr().err
