"""``corro trace`` on real processes: known slow-downs are named, with the line of the script."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import otf2
import pytest

from corro.cli import main
from corro.trace.summary import watched

SEEN = watched(20, 5)
"""Steps that other tracers see."""
SCRIPT = """\
import os
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

RANK = os.environ.get("RANK", os.environ.get("HOROVOD_RANK"))


class Points(Dataset):
    def __len__(self):
        return 256

    def __getitem__(self, i):
        {reading}
        return torch.full((16,), i / 256), torch.tensor([1.0])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, {width}), nn.ReLU(), nn.Linear({width}, 1))

    def forward(self, x):
        {computing}
        return self.layers(x)


torch.manual_seed(0)
loader = DataLoader(Points(), batch_size=16)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
for epoch in range(3):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    {evaluating}
"""
PLAIN = {"reading": "pass", "width": "32", "computing": "pass", "evaluating": "pass"}
EVALUATION = """model.eval()
    with torch.no_grad():
        for _ in range(30):
            model(torch.ones(8, 16))"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trace(*arguments: str) -> int:
    """The exit status of ``corro trace train.py``, in this process."""
    with pytest.raises(SystemExit) as ended:
        main(["trace", "train.py", *arguments])
    return int(ended.value.code or 0)


def summary(home: Path, capsys: pytest.CaptureFixture[str], *arguments: str, **changes: str) -> dict[str, Any]:
    """What a trace of the script, changed so, shows."""
    (home / "train.py").write_text(SCRIPT.format(**(PLAIN | changes)), encoding="utf-8")
    assert trace("-n", "2", "--json", *arguments) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def line(home: Path, text: str) -> str:
    """The place of a line of the script."""
    lines = (home / "train.py").read_text(encoding="utf-8").split("\n")
    return f"train.py:{next(n for n, each in enumerate(lines, 1) if text in each)}"


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_a_slow_data_set(target: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = summary(home, capsys, "--to", target, reading="time.sleep(0.02)")
    assert found["said"][0].startswith(f"Data loading ({line(home, 'in loader')}) takes")
    assert all(value > 0.05 for value in found["seconds"]["data loading"])


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_a_process_that_is_slower(target: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = summary(home, capsys, "--to", target, computing="time.sleep(0.06 if RANK == '1' else 0)")
    assert found["said"][0].startswith(f"Rank 1 is waited for: its forward ({line(home, 'loss = ')}) takes")
    assert found["seconds"]["waiting for others"][0] > found["seconds"]["waiting for others"][1]


@pytest.mark.slow
@pytest.mark.parametrize("compression", ["none", "fp16"])
def test_a_small_batch_for_many_weights(compression: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two megabytes and more are exchanged for a step that computes next to nothing."""
    (home / "pyproject.toml").write_text(f'[tool.corro]\ncompression = "{compression}"\n', encoding="utf-8")
    found = summary(home, capsys, "--steps", "20", width="200_000")
    assert any(said.startswith("Waiting for gradients and other processes") for said in found["said"]), found["said"]
    events = json.loads((home / "train_trace.json").read_text(encoding="utf-8"))["traceEvents"]
    buckets = [event for event in events if event["name"] == "all-reduce of a bucket" and event["ph"] == "X"]
    assert sum(event["args"]["bytes"] for event in buckets if event["args"]["step"] == 6 and event["pid"] == 0) == (
        4 * (200_000 * 18 + 1)
    )


@pytest.mark.slow
def test_an_evaluation_on_each_process(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = summary(home, capsys, computing="time.sleep(0 if self.training else 0.02)", evaluating=EVALUATION)
    assert found["said"][0].startswith(f"Evaluation ({line(home, 'torch.ones(8')}) takes")


@pytest.mark.slow
def test_the_trace_of_a_plain_run(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "train.py").write_text(SCRIPT.format(**PLAIN), encoding="utf-8")
    assert trace("-n", "2", "--steps", "20", "-o", "out.json", "--otf2", "archive") == 0
    shown = capsys.readouterr().out
    assert "rank 0" in shown
    assert "Tracing itself took" in shown
    events = json.loads((home / "out.json").read_text(encoding="utf-8"))["traceEvents"]
    by_rank = {rank: [event for event in events if event["pid"] == rank and event["ph"] == "X"] for rank in (0, 1)}
    for own in by_rank.values():
        assert {"data loading", "forward", "backward", "optimizer"} <= {event["name"] for event in own}
        for track in {event["tid"] for event in own}:
            there = [(event["ts"], event["ts"] + event["dur"]) for event in own if event["tid"] == track]
            assert all(end <= begin + 1 for (_, end), (begin, _) in pairwise(there))
    assert not (home / "train_trace.json").exists()
    with otf2.reader.open(str(home / "archive" / "traces.otf2")) as archive:
        read = [(place.group.name, place.name, type(event).__name__) for place, event in archive.events]
    for rank in (0, 1):
        backward = [kind for group, name, kind in read if (group, name) == (f"rank {rank}", "backward")]
        assert backward == ["Enter", "Leave"] * 20


@pytest.mark.slow
def test_the_timeline_of_horovod_stands_beside_the_work_of_rank_0(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each all-reduce lies between when its gradients are there and when they were waited for."""
    found = summary(home, capsys, "--to", "horovod", "--steps", "20", "--otf2", "archive", width="2000")
    assert found["hidden"] is not None
    assert found["notes"][0].startswith("Horovod's own timeline is merged into rank 0")
    events = json.loads((home / "train_trace.json").read_text(encoding="utf-8"))["traceEvents"]
    tracks = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["name"] == "thread_name"}
    shown = [each for each in events if each["ph"] == "X"]
    assert {pid for (pid, _), name in tracks.items() if name.startswith("Horovod")} == {0}
    sums = [each for each in shown if each["name"] == "GLOO_ALLREDUCE" and each["ts"] > 0]
    waits = [
        each
        for each in shown
        if (each["pid"], each["name"]) == (0, "waiting for others") and 0 < each["args"]["step"] < SEEN - 1
    ]
    slack = 5000  # in microseconds: as well as the clock has to be known
    for wait in waits:
        ended = wait["ts"] + wait["dur"]
        assert any(each["ts"] + each["dur"] <= ended + slack for each in sums)
    buckets = [each for each in shown if each["name"] == "all-reduce of a bucket"]
    for step in range(1, SEEN - 1):
        own = [each for each in buckets if each["args"]["step"] == step]
        assert sum(each["args"]["bytes"] for each in own) == 4 * (2000 * 18 + 1)
    with otf2.reader.open(str(home / "archive" / "traces.otf2")) as archive:
        read = {event.region.name for place, event in archive.events if place.name == "Horovod: exchange"}
    assert {"ALLREDUCE", "MEMCPY_IN_FUSION_BUFFER", "GLOO_ALLREDUCE"} <= read


HASHED = """\
import hashlib
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(96, 16)
loader = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), batch_size=12)
model = nn.Sequential(nn.Linear(16, 33), nn.Tanh(), nn.Linear(33, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for epoch in range(3):
    for a, b in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(a), b).backward()
        optimizer.step()
weights = b"".join(p.detach().numpy().tobytes() for p in model.parameters())
if epoch == 2:
    raise RuntimeError("weights " + hashlib.sha256(weights).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.parametrize("compression", ["none", "fp16"])
def test_what_is_trained_is_the_same_in_every_bit(compression: str, home: Path) -> None:
    """On three processes, where 1/N is rounded; a failure is what both commands tell of a program."""
    (home / "train.py").write_text(HASHED, encoding="utf-8")
    (home / "pyproject.toml").write_text(f'[tool.corro]\ncompression = "{compression}"\n', encoding="utf-8")
    found = []
    for command in (["run"], ["trace", "--steps", "1000"]):
        asked = [sys.executable, "-m", "corro", *command, "train.py", "-n", "3", "--to", "ddp"]
        said = subprocess.run(asked, capture_output=True, text=True, check=False).stderr
        found.append(set(re.findall(r"weights ([0-9a-f]{64})", said)))
    assert found[0] == found[1]
    assert len(found[0]) == 1


@pytest.mark.slow
def test_a_script_that_fails(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "train.py").write_text(SCRIPT.format(**(PLAIN | {"computing": "x.no_such_thing"})), encoding="utf-8")
    assert trace("-n", "2") == 1
    assert "the traced run failed" in capsys.readouterr().err
    assert not (home / "train_trace.json").exists()


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("import torch\n", 1, "no training was found"),
        ("import torch.distributed as dist\ndist.init_process_group('gloo')\n" + SCRIPT.format(**PLAIN), 1, "already"),
    ],
)
def test_what_is_not_traced(text: str, status: int, said: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "train.py").write_text(text, encoding="utf-8")
    assert trace("-n", "2") == status
    assert said in capsys.readouterr().err


def test_wrong_usage(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "train.py").write_text(SCRIPT.format(**PLAIN), encoding="utf-8")
    assert trace("-n", "2", "--steps", "5", "--warm-up", "4") == 2
    assert "at least two have to be left" in capsys.readouterr().err
    (home / "there").mkdir()
    assert trace("-n", "2", "--otf2", "there") == 2
    assert "there is there already" in capsys.readouterr().err
    assert trace("-n", "3") == 2
    assert "16" in capsys.readouterr().err
