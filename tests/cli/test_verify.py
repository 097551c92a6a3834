"""``corro verify`` as a user meets it: wrong usage, scripts that fail, and interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from corro.cli._verdict import Fraction, conclusion
from corro.errors import CompilationError
from corro.verify import _must_be_observable
from corro.verify.processes import Launched, Run
from corro.verify.settings import Settings
from corro.verify.verdict import Fault, Result, Seen, Unknown, Verdict
from waiting import LIMIT_SECONDS, until

SCRIPT = """\
import time
import torch, torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
data = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
loader = DataLoader(data, batch_size=32, shuffle=True, num_workers={workers})
net = nn.Linear({features}, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range({epochs}):
    for x, y in loader:
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        time.sleep({pause})
torch.save(net.state_dict(), {path!r})
"""


HANGING = """\
import time
import torch, torch.distributed as dist
from torch.utils.data import DataLoader, TensorDataset
dist.init_process_group("gloo")
for number, (x,) in enumerate(DataLoader(TensorDataset(torch.zeros(64, 6)), batch_size=4, num_workers=2)):
    if number == 3 and dist.get_rank() == 1:
        time.sleep(1000)
    dist.all_reduce(x)
"""


DRAWING = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, RandomSampler
class Scale(nn.Module):
    def forward(self, x):
        return (x - 0.5) / 0.5
class Rows(Dataset):
    def __init__(self, scale):
        self.x, self.scale = torch.rand(64, 6), scale
    def __len__(self):
        return 64
    def __getitem__(self, i):
        return self.scale(self.x[i]), i % 3
torch.manual_seed(0)
rows = Rows(Scale())
loader = DataLoader(rows, batch_size=16, {sampler})
net = nn.Linear(6, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
batches = iter(loader)
for step in range(4):
    x, y = next(batches)
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss.item())
"""


def script(
    folder: Path, *, features: int = 6, epochs: int = 1, pause: float = 0.0, path: str = "net.pt", workers: int = 0
) -> Path:
    file = folder / "train it.py"
    file.write_text(SCRIPT.format(features=features, epochs=epochs, pause=pause, path=path, workers=workers))
    return file


def verify(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "corro", "verify", *arguments]
    environment = os.environ | {"CORRO_CACHE": str(folder / "cache"), "TMPDIR": str(folder / "tmp")}
    (folder / "tmp").mkdir(exist_ok=True)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, start_new_session=True, **pipes)  # type: ignore[call-overload,no-any-return]


def said(process: subprocess.Popen[str]) -> tuple[int, str]:
    text, _ = process.communicate(timeout=LIMIT_SECONDS)
    return process.returncode, text


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("none.py", "-n", "2"), 2, "none.py"),
        (("train it.py",), 2, "Add -n 2, or -n auto"),
        (("train it.py", "-n", "2", "--steps", "2", "--epochs", "1"), 2, "exclude each other"),
        (("train it.py", "-n", "2", "--launcher", "torchrun"), 2, "--reference"),
        (("by hand.py", "-n", "2", "--reference", "none.py"), 2, "there is no file"),
    ],
)
def test_wrong_usage_is_told(tmp_path: Path, arguments: tuple[str, ...], status: int, words: str) -> None:
    script(tmp_path)
    found, text = said(verify(*arguments, folder=tmp_path))
    assert (found, words in text) == (status, True), text


def test_a_refused_script_is_not_run(tmp_path: Path) -> None:
    file = script(tmp_path)
    file.write_text(file.read_text().replace("mse_loss(net(x), y)", "mse_loss(net(x.cumsum(0)), y)"))
    status, text = said(verify(file.name, "-n", "2", folder=tmp_path))
    assert status == 1
    assert "train it.py:10:43: refused" in text
    assert "there is nothing to verify" in text


def test_a_framework_that_is_not_watched_is_named() -> None:
    with pytest.raises(CompilationError, match="trains with other, whose programs cannot be observed yet"):
        _must_be_observable(Path("train.py"), "other")


def test_weak_scaling_of_a_session_is_not_watched_and_that_is_said(tmp_path: Path) -> None:
    session = """\
import numpy as np
import tensorflow.compat.v1 as tf
x = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(1.0)
train = tf.train.AdamOptimizer().minimize(tf.reduce_mean(tf.square(w * x)))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(train, {x: np.ones([4, 1])})
"""
    (tmp_path / "session.py").write_text(session)
    (tmp_path / "other.py").write_text(session)
    by_hand = ("other.py", "--reference", "session.py", "--launcher", "horovodrun", "--scaling", "weak")
    status, text = said(verify(*by_hand, "-n", "2", folder=tmp_path))
    assert status == 2
    assert "weak scaling of sessions cannot be observed yet" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "sampler", ["shuffle=True", "sampler=RandomSampler(rows, replacement=True, num_samples=10**10)"]
)
def test_transforms_are_no_models_and_samplers_need_no_end(tmp_path: Path, sampler: str) -> None:
    file = tmp_path / "train.py"
    file.write_text(DRAWING.format(sampler=sampler))
    status, text = said(verify(file.name, "-n", "2", folder=tmp_path))
    assert status == 0, text
    assert "ABSTAIN" not in text


@pytest.mark.slow
def test_a_script_that_fails_by_itself_is_told_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    script(tmp_path, features=5)
    (tmp_path / "net.pt").write_text("of an earlier run")
    status, text = said(verify("../train it.py", "-n", "2", folder=tmp_path / "elsewhere"))
    assert status == 1
    assert "the sequential script itself fails: train it.py:10: RuntimeError" in text
    assert (tmp_path / "net.pt").read_text() == "of an earlier run"


@pytest.mark.slow
def test_writing_outside_is_stopped_and_told_as_that(tmp_path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=Path.home()) as outside:
        script(tmp_path, path=f"{outside}/net.pt")
        status, text = said(verify("train it.py", "-n", "2", folder=tmp_path))
        assert list(Path(outside).iterdir()) == []
    assert status == 1
    assert "train it.py:15: corro verify lets a script write below" in text


@pytest.mark.slow
def test_data_may_lie_above_and_what_is_written_there_is_taken_back(tmp_path: Path) -> None:
    for name in ("proj", "input"):
        (tmp_path / name).mkdir()
    (tmp_path / "input" / "rate.txt").write_text("0.1")
    file = script(tmp_path / "proj", path="../input/net.pt")
    above = "os.path.join(os.path.dirname(__file__), '..', 'input', 'rate.txt')"
    text = (
        f"import os\nrate = float(open({above}).read()) * float(open('../input/rate.txt').read())\n{file.read_text()}"
    )
    file.write_text(text.replace("lr=0.1", "lr=rate"))
    status, text = said(verify("train it.py", "-n", "2", folder=tmp_path / "proj"))
    assert status == 0, text
    assert "1 file" in text
    assert sorted(path.name for path in (tmp_path / "input").iterdir()) == ["rate.txt"]


@pytest.mark.slow
@pytest.mark.parametrize(("number", "workers"), [(signal.SIGINT, 2), (signal.SIGTERM, 0)])
def test_an_interrupted_verification_leaves_nothing(tmp_path: Path, number: signal.Signals, workers: int) -> None:
    script(tmp_path, epochs=10_000, pause=0.05, workers=workers)
    process = verify("train it.py", "-n", "2", folder=tmp_path)
    assert until(lambda: any((tmp_path / "tmp").glob("corro-verify-*/ranks/rank1/beat")))
    process.send_signal(number)
    status, _ = said(process)
    assert status != 0
    assert list((tmp_path / "tmp").glob("corro-*")) == []
    assert _left(tmp_path) == []


@pytest.mark.slow
def test_workers_of_loaders_do_not_outlive_a_run_that_hangs(tmp_path: Path) -> None:
    file = tmp_path / "hangs.py"
    file.write_text(HANGING)
    settings = Settings(str(tmp_path / "run"), "pytorch", str(file), str(file))
    ending = Launched(patience=2.0)(Run(file, file, (), tmp_path, settings, processes=2, launcher="torchrun"))
    assert [(each.rank, each.line) for each in ending.stuck] == [(0, "hangs.py:8"), (1, "hangs.py:7")]
    assert _left(tmp_path) == []


def _left(folder: Path) -> list[bytes]:
    """What runs of the programs in a folder, workers of loaders included: they are forked from these."""
    return [line for line in map(_command, Path("/proc").glob("[0-9]*")) if str(folder).encode() in line]


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def test_the_conclusion_is_in_words() -> None:
    held, broken, open_ = (
        Result.of(name, name, seen)
        for name, seen in (("start", [Seen("x")]), ("update", [Fault("y")]), ("metrics", [Unknown("z")]))
    )
    assert conclusion(Verdict((held, held))).endswith("all 2 properties that were compared hold.")
    assert "; metrics could not be compared" in conclusion(Verdict((held, open_)))
    assert conclusion(Verdict((held, broken, open_))).startswith("It does not train the same model: update does not ho")
    assert conclusion(Verdict((open_,))).startswith("Nothing could be compared")


def test_how_far_a_verification_is() -> None:
    far = Fraction()
    assert (far.done, far.left(10)) == (0, None)
    for run in ("ranks", "reference"):
        far.expects(run, 20)
    far.made("ranks", 10)
    assert far.steps == "step 10/20"
    assert 0 < far.done < 0.5
    far.ended("ranks")
    assert (far.done, far.left(10)) == (0.5, 10)
    far.made("reference", 25)
    assert (far.done, far.steps) == (1.0, "step 20/20")
