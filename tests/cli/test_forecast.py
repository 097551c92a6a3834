"""``corro forecast`` as a user meets it: a real run of one process, and what is said where there is none."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from corro.classes import replace
from corro.cli import main
from corro.cli._profiling import chosen
from corro.cli._profiling import text_of as text_of_script
from corro.forecast.measure import Way
from corro.forecast.profile import Exchange, Gradient, Profile, Share, text_of
from corro.source import read_source

SCRIPT = """\
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(128, 16)
train_loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=16, shuffle=True)
test_loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=64)
model = nn.Sequential(nn.Linear(16, 33), nn.BatchNorm1d(33), nn.Linear(33, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(4):
    model.train()
    for a, b in train_loader:
        {computing}
        optimizer.zero_grad()
        nn.functional.mse_loss(model(a), b).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        loss = sum(nn.functional.mse_loss(model(a), b, reduction="sum").item() for a, b in test_loader)
    print(f"loss {{loss / 128:.3f}}")
    torch.save(model.state_dict(), "model.pt")
"""
PLAIN = SCRIPT.format(computing="pass")
PROFILE = Profile(
    name="train.py",
    gradients=(Gradient("head", 400), Gradient("body", 4000)),
    shares=(
        Share(64, 0.02, (0.01, 0.02, 0.0), steps=(0.05, 0.05, 0.051)),
        Share(64, 0.02, (0.01, 0.02, 0.0), steps=(0.05, 0.05, 0.051), engine=True),
        Share(32, 0.011, (0.006, 0.011, 0.0), processes=2, copies=2, steps=(0.028, 0.028, 0.03), engine=True),
    ),
    samples=6400,
    cores=2,
    device="cpu",
    exchange=Exchange(1e-4, 5e8, 0.05, 5e-5, 1e-9),
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def forecast(*arguments: str) -> int:
    """The exit status of ``corro forecast``, in this process; without an end of its own 0."""
    with pytest.raises(SystemExit) as ended:
        main(["forecast", *arguments])
    return int(ended.value.code or 0)


def profile(home: Path, **changes: Any) -> str:
    (home / "known.json").write_text(text_of(replace(PROFILE, **changes)), encoding="utf-8")
    return "known.json"


@pytest.mark.slow
def test_a_script_is_measured_and_forecast(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each step takes 10 ms at least; nothing that it writes is there afterwards; its profile can be used."""
    (home / "train.py").write_text(SCRIPT.format(computing="time.sleep(0.01)"), encoding="utf-8")
    assert forecast("train.py", "--to", "2", "--json", "--steps", "28", "--device", "cpu") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["gradient_bytes"] == 4 * (16 * 33 + 33 + 66 + 34)
    assert found["batch"] == 16
    assert found["step"] > 0.01
    assert [each["processes"] for each in found["forecast"]["strong"]] == [2]
    written = json.loads((home / "train_forecast.json").read_text(encoding="utf-8"))
    assert [(each["processes"], each["copies"], each["batch"]) for each in written["shares"]] == [
        (1, 1, 16),
        (1, 2, 16),
        (2, 2, 8),
    ]
    assert written["gradients"][0][0].startswith("2.")
    assert written["buffer_bytes"] == 33 * 4 * 2 + 8
    assert written["shares"][0]["checkpoint"] > 0
    assert written["exchange"]["bandwidth"] > 0
    assert not (home / "model.pt").exists()
    assert forecast("train_forecast.json", "--to", "4,8", "--network", "10gbit:50us", "--epochs", "10") == 0
    shown = capsys.readouterr().out
    assert "10gbit:50us: " in shown
    assert "training" in shown


def test_a_profile_is_forecast_without_a_run(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert forecast(profile(home), "--to", "2,4,24", "--network", "1gbit", "--price", "1.5", "--plot", "a.svg") == 0
    shown = capsys.readouterr()
    assert "train.py: 0.0044 MB of gradients, 64 samples a step, 50 ms on one process, 1 thread" in shown.out
    assert "strong: 64 samples cannot be shared out equally over 24 processes." in shown.out
    assert "cost" in shown.out
    assert (home / "a.svg").stat().st_size > 5_000
    assert "wrote a.svg" in shown.err


def test_both_scalings_or_one(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert forecast(profile(home), "--to", "2", "--scaling", "weak", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["forecast"]) == ["weak"]
    assert found["cluster"]["algorithm"] == "ring"
    assert found["pays_up_to"]["weak"]["last"] in (1, 2)


def test_a_published_training(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path(__file__).parents[2] / "examples" / "forecast" / "vgg_16.json"
    network = ("--network", "horovod-2018", "--per-machine", "4", "--within", "pcie3")
    assert forecast(str(file), "--to", "512", *network, "--engine", "horovod", "--scaling", "weak", "--json") == 0
    found = json.loads(capsys.readouterr().out)["forecast"]["weak"][0]
    assert 0.6 < found["efficiency"]["value"] < 0.95


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "many"), "--to many: whole numbers from 1 on are needed"),
        (("--to", "0"), "whole numbers from 1 on"),
        (("--to", "2,-4"), "whole numbers from 1 on"),
        ((), "missing option '--to'"),
        (("--to", "2", "--network", "fast"), "--network fast: that is no network"),
        (("--to", "2", "--within", "fast"), "--within fast: that is no network"),
        (("--to", "2", "--steps", "6", "--warm-up", "4"), "at least three have to be left"),
        (("--to", "2", "--plot", "a.pdf"), "--plot a.pdf"),
        (("--to", "2", "--engine", "mpi"), "mpi"),
        (("--to", "2", "-o", "a.json"), "a profile is not run"),
        (("--to", "2", "--", "--epochs", "3"), "a profile is not run"),
        (("--to", "2", "--servers", "2"), "--servers N and --all-reduce servers belong together"),
        (("--to", "2", "--all-reduce", "servers"), "--servers N and --all-reduce servers belong together"),
        (("--to", "2", "--epochs", "0"), "epochs"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], said: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert forecast(profile(home), *arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--to", "2"), "the exchange of this machine was not measured for train.py"),
        (("--to", "8", "--network", "25gbit", "--per-machine", "4"), "the processes of one machine are connected by"),
    ],
)
def test_what_a_profile_does_not_say(
    arguments: tuple[str, ...], said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert forecast(profile(home, exchange=None, device=""), *arguments) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "status", "said"),
    [
        ("bad.json", "{}", 2, "bad.json is no profile of a training"),
        ("none.json", None, 2, "none.json cannot be read"),
        ("none.py", None, 2, "none.py"),
        ("train.py", "import torch\n", 1, "no training was found"),
        ("train.py", "import torch.distributed as dist\ndist.init_process_group('gloo')\n" + PLAIN, 1, "already"),
        (
            "train.py",
            "import keras\nmodel = keras.Sequential([keras.layers.Dense(1)])\n"
            "model.compile(optimizer=keras.optimizers.SGD(0.1), loss='mse')\n"
            "import numpy as np\nmodel.fit(np.ones((8, 2)), np.ones((8, 1)), batch_size=4)\n",
            1,
            "trains with keras, and only PyTorch is forecast. Measure whole steps: corro bench train.py -n 2",
        ),
    ],
)
def test_what_is_not_forecast(
    name: str, text: str | None, status: int, said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (home / name).write_text(text, encoding="utf-8")
    assert forecast(name, "--to", "2") == status
    assert said in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SCRIPT.format(computing="a.no_such_thing"), "the run to be profiled failed (the script as it is)"),
        (PLAIN.replace("range(4)", "range(1)"), "too few steps were seen"),
    ],
)
def test_a_run_that_shows_nothing(text: str, said: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "train.py").write_text(text, encoding="utf-8")
    assert forecast("train.py", "--to", "2", "--warm-up", "6", "--device", "cpu") == 1
    assert said in capsys.readouterr().err
    assert not (home / "train_forecast.json").exists()


def _measured_process(scratch: Path) -> int:
    """The process that a forecast measures: once it has written its number, which takes two steps."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for file in scratch.glob("corro-forecast-*/0/rank0/pid"):
            if number := file.read_text():
                return int(number)
        time.sleep(0.1)
    raise AssertionError("no process was measured")


@pytest.mark.slow
def test_ctrl_c_leaves_nothing_behind(home: Path) -> None:
    (home / "train.py").write_text(SCRIPT.format(computing="time.sleep(5)"), encoding="utf-8")
    command = [sys.executable, "-m", "corro", "forecast", "train.py", "--to", "2", "--device", "cpu"]
    scratch = home / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        child = _measured_process(scratch)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in said
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    assert not list(scratch.glob("corro-forecast-*"))


def test_a_gpu_that_is_not_here(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    (home / "train.py").write_text(PLAIN, encoding="utf-8")
    assert forecast("train.py", "--to", "2", "--device", "cuda") == 2
    assert "no GPU was found here" in capsys.readouterr().err


def test_which_shares_are_measured() -> None:
    """Whole batches, and at most three parts; on one machine each with as many at once as it would have."""
    assert chosen((2, 4), 4)(64) == [Way(1, 2), Way(1, 4), Way(2, 2), Way(4, 4)]
    assert chosen((2, 4, 8, 16, 64, 512), 1)(64) == [Way(1), Way(2), Way(8), Way(64)]
    assert chosen((3,), 1)(64) == [Way(1)]
    assert chosen((1,), 1)(64) == [Way(1), Way(2)]


def known_script(home: Path, **changes: Any) -> None:
    """A script with a profile beside it."""
    (home / "train.py").write_text(PLAIN, encoding="utf-8")
    own = replace(PROFILE, text=text_of_script(read_source("train.py")), **changes)
    (home / "train_forecast.json").write_text(text_of(own), encoding="utf-8")


SLOW = Exchange(0.1, 1e6)


@pytest.mark.parametrize(
    ("changes", "number", "told"),
    [
        ({"exchange": SLOW}, "2", True),
        ({}, "2", False),
        ({"exchange": SLOW}, "1", False),
        ({"exchange": None}, "2", False),
        ({"exchange": SLOW, "cores": 0}, "2", False),
    ],
)
def test_run_says_beforehand_that_processes_will_not_pay(
    changes: dict[str, Any], number: str, told: bool, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known_script(home, **changes)
    main_of_run("run", "train.py", "-n", number, "--dry-run")
    expected = "corro: by train_forecast.json, 2 processes of this machine will not pay: "
    assert (expected in capsys.readouterr().err) is told


def test_run_says_it_before_anything_is_started(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known_script(home, exchange=SLOW)

    def start(*_: Any, **__: Any) -> int:
        print("started", file=sys.stderr)
        return 0

    monkeypatch.setattr("corro.cli.run.run", start)
    main_of_run("run", "train.py", "-n", "2", "--to", "horovod")
    said = capsys.readouterr().err
    assert 0 <= said.find("2 processes of this machine will not pay: ") < said.find("started")


@pytest.mark.slow
def test_bench_says_it_beside_its_design(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of each number of processes that will not pay, once."""
    known_script(home, exchange=SLOW, cores=4)
    main_of_run("bench", "train.py", "--to", "ddp", "-n", "1,2,4", "--threads", "1", "--dry-run")
    found = re.findall(
        r"by train_forecast.json, (\d) processes of this machine will not pay: ", capsys.readouterr().err
    )
    assert found == ["2", "4"]


@pytest.mark.parametrize("file", ["train.py", "train_forecast.json"])
def test_of_another_text_nothing_is_said(file: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known_script(home, exchange=SLOW)
    with (home / file).open("a", encoding="utf-8") as stream:
        stream.write("# changed\n")
    main_of_run("run", "train.py", "-n", "2", "--dry-run")
    assert "will not pay" not in capsys.readouterr().err


def main_of_run(*arguments: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert not ended.value.code
