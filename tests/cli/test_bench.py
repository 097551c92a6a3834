"""``corro bench`` as a user meets it: from the script to the conclusion, and what is said when something is wrong."""

from __future__ import annotations

import json
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import corro.bench
from corro.bench import kept
from corro.cli import main
from waiting import until

pytestmark = pytest.mark.reads("tests/cases/pytorch/refused/attention_over_the_samples/before.py")

ROOT = Path(__file__).parents[2]
SCRIPT = """\
import argparse
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()
torch.manual_seed(0)
x = torch.randn(320, 8)
data = TensorDataset(x, x.sum(1, keepdim=True))
loader = DataLoader(data, batch_size=args.batch_size, shuffle=True)
model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(args.epochs):
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
    print(f"epoch {epoch + 1}: loss {total / len(loader.dataset):.4f}")
torch.save(model.state_dict(), "model.pt")
"""
DISTRIBUTED = f"import torch.distributed\ntorch.distributed.init_process_group()\n{SCRIPT}"
SEEDED = SCRIPT.replace("args = parser", 'parser.add_argument("--seed", type=int, default=0)\nargs = parser').replace(
    "manual_seed(0)", "manual_seed(args.seed)"
)
FAILING = SCRIPT.replace("model = nn.Linear(8, 1)", "model = nn.Linear(8, 1)\ndata.tensors[2]")
REFUSED = (ROOT / "tests/cases/pytorch/refused/attention_over_the_samples/before.py").read_text(encoding="utf-8")


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(SCRIPT, encoding="utf-8")
    return tmp_path / "train.py"


def bench(*arguments: str) -> int:
    """The exit status of ``corro bench train.py``, in this process."""
    try:
        main(["bench", "train.py", *arguments])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "corro", "bench", "train.py", "--to", "ddp", *arguments]


def rows(folder: Path) -> list[tuple[object, ...]]:
    file = folder / "train_bench.sqlite"
    if not file.exists():
        return []
    with closing(sqlite3.connect(file)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'runs'").fetchone():
            return []  # the file is there a moment earlier
        return connection.execute("SELECT block, target, processes, failed FROM runs ORDER BY rowid").fetchall()


# ---------------------------------------------------------------------- wrong before anything is run


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--factor", "batch=1,2"], 2, "no option --batch. Did you mean batch-size?"),
        (["--factor", "batch-size"], 2, "it has no levels"),
        (["--factor", "batch-size=8", "--factor", "batch-size=16"], 2, "given twice"),
        (["--factor", "processes=1,2", "-n", "2"], 2, "processes is given twice"),
        (["--factor", "batch-size=8,8", "--to", "mirrored"], 2, "for keras and tensorflow scripts"),
        (["--factor", "batch-size=8", "--", "--batch-size", "4"], 2, "among the arguments of the script, too"),
        (["--seeds", "seed=1,2"], 2, "no option --seed."),
        (["--seeds", "batch-size"], 2, "Write such as --seeds seed=1,2,3,4,5."),
        (["--seeds", "batch-size=8,16", "--", "--batch-size", "4"], 2, "among the arguments of the script, too"),
        (["--equal", "loss"], 2, "--equal loss: that is no number. Write such as --equal accuracy=0.01."),
        (["--reach", "loss=low"], 2, "--reach loss=low: that is no number"),
        (["--reach", "loss=0.1", "--steps", "20"], 2, "need whole runs, and --steps ends them early"),
        (["--to", "sequential"], 2, "names no engine"),
        (["--to", "dpp"], 2, "Did you mean ddp?"),
        (["-n", "two"], 2, "'two' is no number of processes"),
        (["--threads", "0"], 2, "'0' is no number of threads"),
        (["--scaling", "week"], 2, "there is no scaling 'week'. Did you mean weak?"),
        (["--budget", "soon"], 2, "that is no time"),
        (["--plot", "chart.pdf"], 2, "it can be .html, .png or .svg"),
        (["--epochs", "3"], 2, "put it after --"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_run(
    script: Path, arguments: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench(*arguments) == status
    assert said in " ".join(capsys.readouterr().err.split())
    assert rows(script.parent) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('no training')\n", "no training was found"),
        ("def f(:\n", "syntax error"),
        (DISTRIBUTED, "is distributed already. Give the sequential script"),
        (REFUSED, "train.py cannot be converted for ddp: "),
    ],
)
def test_what_cannot_be_measured_is_refused(
    script: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script.write_text(text, encoding="utf-8")
    assert bench("--to", "ddp") == 1
    assert said in capsys.readouterr().err


def test_there_is_no_such_file(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script.unlink()
    assert bench() == 2
    assert "train.py" in capsys.readouterr().err


def test_what_it_needs_is_not_installed(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(corro.bench, "NEEDS", ("pandas", "no_such_module"))
    assert bench() == 2
    assert 'needs no_such_module, not installed here. pip install "corro[bench]"' in capsys.readouterr().err


def test_what_analyses_is_loaded_when_there_is_something_to_analyse() -> None:
    code = (
        "import sys\n"
        "import corro.cli.bench, corro.cli._bench, corro.bench.analysis, corro.bench.words, corro.bench.charts\n"
        "import corro.bench.prepare, corro.bench.experiment\n"
        "print(sorted({'pandas', 'scipy', 'statsmodels', 'numpy', 'matplotlib', 'altair'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "arguments", "status", "said"),
    [
        (FAILING, [], 1, "the sequential script itself fails: train.py:15: IndexError"),
        (SCRIPT, ["--", "--no-such-option"], 1, "the sequential script itself fails: exit status 2: "),
        (SCRIPT, ["--dry-run", "--", "--epochs", "0"], 0, "no optimizer step was seen in the first run"),
        (SCRIPT, ["--equal", "accuracy=0.01"], 2, "the script reports no number 'accuracy'. It reports: loss."),
        (SCRIPT, ["--budget", "1s"], 2, "--budget 1s is too small: not even one sequential run"),
    ],
)
def test_what_the_first_run_shows(
    script: Path, text: str, arguments: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script.write_text(text, encoding="utf-8")
    assert bench("--to", "ddp", *arguments) == status
    assert said in " ".join(capsys.readouterr().err.split())
    assert [row for row in rows(script.parent) if row[0] != 0] == []


# ---------------------------------------------------------------------- to the end


@pytest.mark.slow
def test_from_the_script_to_the_conclusion(script: Path) -> None:
    """On 1 and 2 processes, with a factor of the script, killed on the way, as JSON and as a page."""
    asked = command("-n", "1,2", "--factor", "batch-size=16,32", "--replications", "2", "--no-limits")
    dry = subprocess.run([*asked, "--dry-run"], capture_output=True, text=True, check=True)
    assert "6 configurations × 2 = 12 runs; about" in dry.stdout
    assert [row[:3] for row in rows(script.parent)] == [(0, "sequential", 1)]

    killed = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert until(lambda: len(rows(script.parent)) >= 3)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = rows(script.parent)
    done = subprocess.run(asked, capture_output=True, text=True, check=True)
    assert rows(script.parent)[: len(before)] == before
    assert len(rows(script.parent)) == 1 + 12
    assert all(not row[3] for row in rows(script.parent))
    assert "2 processes (ddp, 1 thread each" in done.stdout
    assert "speed-up" in done.stdout
    (experiment,) = kept.read(script.parent / "train_bench.sqlite")
    assert shlex.split(experiment.described["command"]) == ["corro", *asked[3:]]  # without --dry-run

    again = subprocess.run([*asked, "--json", "--plot", "page.html"], capture_output=True, text=True, check=True)
    told = json.loads(again.stdout)
    assert len(rows(script.parent)) == 1 + 12
    assert told["balanced"]
    assert told["measure"]["unit"] == "samples/s"
    assert {each["runs"] for each in told["configurations"]} == {2}
    assert all(each["numbers"]["loss"] for each in told["configurations"])
    assert all(each["responses"]["peak_bytes"] > 1e7 for each in told["configurations"])
    assert {tuple(each["source"]) for each in told["effects"]} >= {("processes",), ("batch-size",), ("error",)}
    assert (script.parent / "page.html").stat().st_size > 10_000
    names = {each.name for each in script.parent.iterdir()}
    assert names == {"page.html", "train.py", "train_bench.sqlite"}  # and no model.pt


@pytest.mark.slow
def test_the_same_loss_is_reached_over_seeds(script: Path) -> None:
    """Each replication has a seed of its own, on both sides."""
    script.write_text(SEEDED, encoding="utf-8")
    asked = command("-n", "2", "--seeds", "seed=1,2,3", "--equal", "loss=0.5", "--reach", "loss=5", "--no-limits")
    done = subprocess.run([*asked, "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    (equal,) = told["equal"]
    assert (equal["seeds"], equal["shown"], equal["alike"]) == (3, True, False)
    assert {each["runs"] for each in told["configurations"]} == {3}  # one a seed
    own, others = (each for each in told["reached"] if each["treatment"]["processes"] == 2), told["reached"]
    assert next(own)["faster"]["estimate"] > 0
    assert all(each["reached"] == 3 and each["seconds"] > 0 for each in others)
    assert any("is that of the sequential run within 0.5" in each for each in told["conclusions"])


@pytest.mark.slow
def test_a_configuration_that_fails_is_a_row_and_the_rest_goes_on(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A batch of 15 cannot be shared out over 2 processes, which only a run shows."""
    assert bench("--to", "ddp", "-n", "2", "--factor", "batch-size=16,15", "--replications", "1", "--no-limits") == 1
    shown = capsys.readouterr()
    assert "batch size 15 cannot be shared out over 2 processes" in shown.out
    assert sorted(bool(row[3]) for row in rows(script.parent)) == [False, False, False, False, True]


@pytest.mark.slow
def test_steps_end_each_run_early_and_ctrl_c_loses_nothing(script: Path) -> None:
    asked = command("-n", "2", "--steps", "12", "--scaling", "strong,weak", "--replications", "1")
    interrupted = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert until(lambda: len(rows(script.parent)) >= 2)
    interrupted.send_signal(signal.SIGINT)
    assert "the same command goes on" in interrupted.communicate()[1]
    assert interrupted.returncode == 130
    done = subprocess.run([*asked, "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert {each["responses"]["steps"] for each in told["configurations"]} == {12}
    assert {each["treatment"]["scaling"] for each in told["comparisons"]} == {"", "strong", "weak"}
