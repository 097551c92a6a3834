"""Scripts of which a run shows what their text does not: observed when that is asked for, and never otherwise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS

SCRIPT = """\
import importlib
import json
import sys
import torch
from torch.utils.data import DataLoader, TensorDataset
open("started", "w").close()
with open(sys.argv[1]) as file:
    config = json.load(file)
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=12, shuffle=True)
model = getattr(importlib.import_module("torch.nn"), config["model"])(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(config["epochs"]):
    for a, b in loader:
        optimizer.zero_grad()
        loss = ((model(a) - b) ** 2).mean()
        loss.backward()
        optimizer.step()
    print("end of epoch", epoch)
"""


def corro(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corro", *arguments],
        cwd=folder,
        env=os.environ | {"CORRO_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "plain.json").write_text(json.dumps({"model": "Linear", "epochs": 2}))
    (tmp_path / "idle.json").write_text(json.dumps({"model": "Linear", "epochs": 0}))
    return tmp_path


def test_nothing_is_run_unless_it_is_asked_for(folder: Path) -> None:
    done = corro("compile", "train.py", folder=folder)
    assert done.returncode == 1
    assert "the model of the training step could not be recognised" in done.stderr
    assert not (folder / "started").exists()


def test_arguments_are_for_a_run(folder: Path) -> None:
    done = corro("compile", "train.py", "--", "plain.json", folder=folder)
    assert done.returncode == 2
    assert "--observe" in done.stderr


@pytest.mark.slow
def test_it_is_converted_with_what_was_seen(folder: Path) -> None:
    done = corro("compile", "train.py", "--observe", "--", "plain.json", folder=folder)
    assert done.returncode == 0, done.stderr
    assert "for 3 steps, to see what its text does not say" in done.stderr
    assert "torch.nn.modules.linear.Linear was seen here in the run" in done.stderr
    assert "<class 'torch.nn.modules.linear.Linear'>" in (folder / "train_ddp.py").read_text()
    assert not (folder / "started").exists()
    again = corro("compile", "train.py", "--observe", "--", "plain.json", folder=folder)
    assert again.returncode == 0
    assert "for 3 steps" not in again.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "said"), [("idle.json", "has trained nothing"), ("missing.json", "train.py:7: FileNotFoundError")]
)
def test_a_run_that_shows_nothing_says_so(config: str, said: str, folder: Path) -> None:
    done = corro("compile", "train.py", "--observe", "--", config, folder=folder)
    assert done.returncode == 1
    assert "was run to see what its text does not say" in done.stderr
    assert said in done.stderr


@pytest.mark.slow
def test_a_run_observes_by_itself(folder: Path) -> None:
    done = corro("run", "train.py", "-n", "2", "--", "plain.json", folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["end of epoch 0", "end of epoch 1"]
    assert "its text alone does not show how to convert it" in done.stderr
    (folder / "started").unlink()
    failed = corro("run", "train.py", "-n", "2", "--", "missing.json", folder=folder)
    assert failed.returncode == 1
    assert "the model of the training step could not be recognised" in failed.stderr
    assert not (folder / "started").exists()
