"""Programs that are made for the defaults of a command line: they train, and stop where something else is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from waiting import LIMIT_SECONDS

SCRIPT = """\
import argparse
import torch
from torch.utils.data import DataLoader, TensorDataset
parser = argparse.ArgumentParser()
parser.add_argument("--penalty", default="none")
args = parser.parse_args()
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 6), torch.randn(48, 1)), batch_size=12, shuffle=True)
model = torch.nn.Linear(6, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    for a, b in loader:
        optimizer.zero_grad()
        loss = ((model(a) - b) ** 2).mean()
        if args.penalty != "none":
            loss = loss + eval(args.penalty)
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
    return tmp_path


@pytest.mark.slow
def test_it_trains_with_the_defaults(folder: Path) -> None:
    done = corro("verify", "train.py", "-n", "2", folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAIL" not in done.stdout


@pytest.mark.slow
def test_it_stops_where_something_else_is_asked_for(folder: Path) -> None:
    assert corro("compile", "train.py", folder=folder).returncode == 0
    done = corro("run", "train_ddp.py", "-n", "2", "--", "--penalty", "loss", folder=folder)
    assert done.returncode == 1
    assert "this program is for the default of --penalty only" in done.stderr
    assert "end of epoch" not in done.stdout


@pytest.mark.slow
def test_what_is_asked_for_is_refused_with_its_reason(folder: Path) -> None:
    done = corro("run", "train.py", "-n", "2", "--", "--penalty=loss", folder=folder)
    assert done.returncode == 1
    assert "code in a string cannot be followed" in done.stderr
    assert "end of epoch" not in done.stdout
