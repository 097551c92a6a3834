"""Programs that rest on what the text does not show: compiled when asked to, put to the test, started if it holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS

SCRIPT = """\
import sys
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
x, y = torch.randn(48, 6), torch.randn(48, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = {loss}
        loss.backward()
        optimizer.step()
    print("end of epoch", epoch)
"""
SUM = 'torch.einsum("bi,bi->", model(a) - b, model(a) - b)'
MEAN = 'torch.einsum("bi,bi->", model(a) - b, model(a) - b) / len(a)'
ASKED = "this loss is assumed to be a mean over the samples of the batch"


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


def write(folder: Path, loss: str) -> None:
    (folder / "train.py").write_text(SCRIPT.format(loss=loss))


def test_it_is_not_written_untested(tmp_path: Path) -> None:
    write(tmp_path, MEAN)
    done = corro("compile", "train.py", folder=tmp_path)
    assert done.returncode == 1
    assert f"train.py:13:16: assumes: {ASKED}" in done.stderr
    assert "corro verify train.py -n 2" in done.stderr
    assert not list(tmp_path.glob("*ddp*"))


def test_it_is_written_untested_when_asked_to(tmp_path: Path) -> None:
    write(tmp_path, MEAN)
    done = corro("compile", "train.py", "--assume", folder=tmp_path)
    assert done.returncode == 0
    assert f"assumes: {ASKED}" in done.stderr
    assert "DistributedDataParallel" in (tmp_path / "train_ddp.py").read_text()


def test_the_plan_says_what_shows_it(tmp_path: Path) -> None:
    write(tmp_path, MEAN)
    plan = json.loads(corro("compile", "train.py", "--json", folder=tmp_path).stdout)
    assert plan["outcome"] == "to be verified"
    assert plan["text"] is None
    assert [each["shown_by"] for each in plan["findings"] if each["level"] == "assumes"] == ["gradient"]


@pytest.mark.slow
def test_what_held_counts_until_the_script_changes(tmp_path: Path) -> None:
    write(tmp_path, MEAN)
    verified = corro("verify", "train.py", "-n", "2", "--steps", "3", folder=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert f"train.py:13:16: holds: {ASKED}" in verified.stdout
    written = corro("compile", "train.py", folder=tmp_path)
    assert written.returncode == 0
    assert "held when it was verified: train.py" in written.stderr
    write(tmp_path, MEAN + " + 0.5 * torch.einsum('bi,ci->', model(a), b)")
    assert corro("compile", "train.py", "--force", folder=tmp_path).returncode == 1


@pytest.mark.slow
def test_a_run_starts_only_if_it_holds(tmp_path: Path) -> None:
    write(tmp_path, SUM)
    stopped = corro("run", "train.py", "-n", "2", folder=tmp_path)
    assert stopped.returncode == 1
    assert "Nothing was started." in stopped.stderr
    assert "end of epoch" not in stopped.stdout
    write(tmp_path, MEAN)
    done = corro("run", "train.py", "-n", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["end of epoch 0", "end of epoch 1"]
    again = corro("run", "train.py", "-n", "2", folder=tmp_path)
    assert again.returncode == 0
    assert "verified before it starts" in done.stderr
    assert "verified before it starts" not in again.stderr
