"""``corro estimate``: from the text alone, and from a run where that is asked for."""

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
open("started", "w").close()
class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv2d(1, width, 3)
        self.norm = nn.BatchNorm2d(width)
        self.last = nn.Linear(width * 36, 4)
    def forward(self, x):
        return self.last(self.norm(self.first(x)).relu().flatten(1))
torch.manual_seed(0)
loader = DataLoader(TensorDataset(torch.randn(48, 1, 8, 8), torch.randint(0, 4, (48,))), batch_size=12)
model = Net(WIDTH)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.CrossEntropyLoss()
for epoch in range(2):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
"""
PARAMETERS = 5 * 10 + 2 * 5 + 5 * 36 * 4 + 4
BUFFERS = 2 * 5 * 4 + 8


def corro(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corro", "estimate", *arguments],
        cwd=folder,
        env=os.environ | {"CORRO_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.py").write_text(SCRIPT.replace("WIDTH", "5"))
    (tmp_path / "asked.py").write_text(SCRIPT.replace("WIDTH", "int(sys.argv[1])"))
    return tmp_path


def test_sizes_that_are_numbers_in_the_text(folder: Path) -> None:
    done = corro("train.py", "-n", "3", "--json", folder=folder)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    sizes = told["sizes"]
    assert (sizes["parameters"], sizes["buffer_bytes"], sizes["batch"]) == (PARAMETERS, BUFFERS, 12)
    assert sizes["optimizer_bytes"] == 2 * 4 * PARAMETERS
    assert sizes["saved_bytes"] is None
    assert [each["processes"] for each in told["shares"]] == [1, 2, 3, 4, 8]
    assert not (folder / "started").exists()


def test_the_table_fits_and_says_what_it_cannot_know(folder: Path) -> None:
    done = corro("train.py", folder=folder)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == f"{PARAMETERS} parameters (3.1 KiB), from the text"
    assert " ".join(lines[1].split()) == "processes batch model gradients optimizer saved memory sent a step"
    assert lines[-1] == "-: 12 samples cannot be shared out equally."
    assert max(map(len, lines)) <= 80
    assert "corro estimate train.py --observe" in done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("self.more = nn.ModuleList([nn.Linear(8, 8) for _ in range(3)])", "13: how often nn.Linear is made"),
        ("self.more = nn.Sequential(*[nn.Linear(8, 8) for _ in range(3)])", "13: how often nn.Linear is made"),
        ("self.more = nn.Linear(8, 8) if width > 5 else None", "13: how often nn.Linear is made"),
        ("self.more = nn.Linear(8, 8, dtype=torch.float64)", "13: the size of nn.Linear"),
        ("self.more = nn.Parameter(torch.zeros(3))", "13: the size of a parameter"),
        ("self.first.weight.requires_grad = False", "13: which parameters are trained"),
        ("self.norm.requires_grad_(False)", "13: which parameters are trained"),
        ("self.half()", "13: the type of the parameters"),
    ],
)
def test_what_changes_the_sizes_is_not_guessed(line: str, said: str, folder: Path) -> None:
    after = "        self.last = nn.Linear(5 * 36, 4)\n"
    text = (folder / "train.py").read_text().replace("width * 36", "5 * 36")
    assert after in text
    (folder / "train.py").write_text(text.replace(after, f"{after}        pass\n        {line}\n"))
    done = corro("train.py", folder=folder)
    assert done.returncode == 1
    assert f"train.py:{said} is not known from the text." in done.stderr


def test_a_size_that_the_text_does_not_say(folder: Path) -> None:
    done = corro("asked.py", "--", "5", folder=folder)
    assert done.returncode == 1
    assert "asked.py:9: the size of nn.Conv2d is not known from the text." in done.stderr
    assert "corro estimate asked.py --observe -- 5" in done.stderr
    told = corro("asked.py", "--json", folder=folder)
    assert json.loads(told.stdout)["unknown"][0]["where"] == "asked.py:9"
    assert not (folder / "started").exists()


@pytest.mark.slow
def test_a_run_measures_a_step(folder: Path) -> None:
    done = corro("asked.py", "--observe", "--json", "--", "5", folder=folder)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    sizes = told["sizes"]
    assert (sizes["parameters"], sizes["trained"], sizes["buffer_bytes"]) == (PARAMETERS, PARAMETERS, BUFFERS)
    assert sizes["gradient_bytes"] == 4 * PARAMETERS
    steps = 3 * 2  # Adam counts its steps, for each tensor, in a number of 4 bytes
    assert sizes["optimizer_bytes"] == 2 * 4 * PARAMETERS + 4 * steps
    batch = 12 * 64 * 4
    assert sizes["saved_bytes"] > batch
    assert (sizes["batch"], sizes["resident_bytes"] > 2**24) == (12, True)
    assert not (folder / "started").exists()  # it ran in a folder of its own


@pytest.mark.slow
def test_a_script_that_fails_says_where(folder: Path) -> None:
    done = corro("asked.py", "--observe", folder=folder)
    assert done.returncode == 1
    assert "asked.py was run to measure a step, and failed: asked.py:16: IndexError" in done.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print(1)\n", "no training with PyTorch was found"),
        ("import keras\nmodel = keras.Sequential([])\nmodel.fit([1], [2])\n", "no training with PyTorch was found"),
    ],
)
def test_what_trains_nothing_has_no_sizes(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(text)
    done = corro("other.py", folder=tmp_path)
    assert done.returncode == 1
    assert said in done.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = corro("none.py", folder=tmp_path)
    assert done.returncode == 2
    assert "none.py" in done.stderr
