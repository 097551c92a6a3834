"""``corro run``: from a script to processes."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from corro.frontends import engine
from corro.launch import launcher_of
from corro.source import SourceFile
from waiting import LIMIT_SECONDS

HEADERS = {
    "torchrun": """
        import os, sys
        import torch
        import torch.distributed as dist
        dist.init_process_group("gloo")
        rank, size = dist.get_rank(), dist.get_world_size()
    """,
    "horovodrun": """
        import os, sys
        import torch
        import horovod.torch as hvd
        hvd.init()
        rank, size = hvd.rank(), hvd.size()
    """,
}


def corro(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "corro", *arguments],
        cwd=folder,
        env=os.environ | {"CORRO_CACHE": str(folder / "cache")} | environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )


def write(folder: Path, launcher: str, text: str) -> None:
    """Writes a script that is distributed already."""
    (folder / "train.py").write_text(textwrap.dedent(HEADERS[launcher]) + textwrap.dedent(text))


@pytest.mark.slow
@pytest.mark.parametrize("launcher", HEADERS)
@pytest.mark.parametrize("processes", [1, 2])
def test_a_distributed_script_runs_unchanged_with_its_own_launcher(
    tmp_path: Path, launcher: str, processes: int
) -> None:
    write(tmp_path, launcher, "print(f'{rank} of {size}', __file__, sys.argv)\n")
    done = corro("run", "train.py", "-n", str(processes), "--", "--lr", "-1", folder=tmp_path)
    said = [f"{rank} of {processes} {tmp_path / 'train.py'} ['train.py', '--lr', '-1']" for rank in range(processes)]
    assert sorted(done.stdout.splitlines()) == said
    assert done.returncode == 0
    assert "corro: train.py (distributed already, unchanged) starts on" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("launcher", HEADERS)
def test_the_exit_status_is_the_scripts(tmp_path: Path, launcher: str) -> None:
    write(tmp_path, launcher, "sys.exit(7 if rank == 1 else 0)\n")
    assert corro("run", "train.py", "-n", "2", folder=tmp_path).returncode == 7


@pytest.mark.slow
@pytest.mark.parametrize("launcher", HEADERS)
def test_a_machine_without_gpu(tmp_path: Path, launcher: str) -> None:
    write(tmp_path, launcher, "print(torch.cuda.is_available())\n")
    done = corro("run", "train.py", "-n", "2", folder=tmp_path, CUDA_VISIBLE_DEVICES="")
    assert (done.stdout, done.returncode) == ("False\nFalse\n", 0)


@pytest.mark.parametrize(("launcher", "target"), [("torchrun", "ddp"), ("horovodrun", "horovod")])
def test_a_dry_run_shows_a_command_that_a_shell_takes(tmp_path: Path, launcher: str, target: str) -> None:
    write(tmp_path, launcher, "raise SystemExit('started')\n")
    done = corro("run", "train.py", "-n", "3", "--to", target, "--dry-run", "--", "--name", "a b", folder=tmp_path)
    assert (done.stderr, done.returncode) == ("", 0)
    words = shlex.split(done.stdout)
    assert any(word.endswith(f"{launcher}.py") for word in words)
    assert words[-3:] == ["train.py", "--name", "a b"]
    assert any(word.startswith("OMP_NUM_THREADS=") for word in words)


@pytest.mark.parametrize(
    ("used", "launcher"),
    [
        ("keras.distribution.DataParallel; keras.distribution.initialize()", "keras-processes"),
        ("import torch.distributed as dist; dist.barrier()", "torchrun"),
        ("import horovod.tensorflow.keras as hvd; hvd.init()", "horovodrun"),
        ("from fastai.vision.all import *", ""),
        ("tf.distribute.experimental.ParameterServerStrategy", ""),
        ("x = 'horovod'", ""),
        ("tf.distribute.MirroredStrategy", "mirrored"),
        ("from tensorflow.distribute import MultiWorkerMirroredStrategy", "multiworker"),
        ("keras.distribution.DataParallel", "keras-distribution"),
    ],
)
def test_a_distributed_script_has_the_launcher_of_what_it_uses(used: str, launcher: str) -> None:
    found = launcher_of(engine([SourceFile.from_text(used)]))
    assert (found.name if found is not None else "") == launcher


def test_what_no_launcher_starts_is_not_started_twice(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("from ray.train import report\nreport({})\n")
    done = corro("run", "train.py", "-n", "2", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "python train.py" in done.stderr


def test_a_script_that_trains_nothing_is_not_started(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("open('started', 'w')\n")
    done = corro("run", "train.py", "-n", "2", folder=tmp_path)
    assert done.returncode == 1
    assert "Nothing was started." in done.stderr
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    "arguments",
    [("train.py",), ("train.py", "-n", "0"), ("train.py", "-n", "many"), ("train.py", "-n", "2", "--to", "x"),
     ("missing.py", "-n", "2"),     ("train.py", "-n", "2", "--epochs", "3")],
)  # fmt: skip
def test_wrong_usage(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write(tmp_path, "torchrun", "")
    done = corro("run", *arguments, folder=tmp_path)
    assert ("put it after --: corro run train.py -n 2 -- --epochs 3" in done.stderr) == ("--epochs" in arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


SCRIPT = """\
import sys
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

batch = int(sys.argv[1])
data = TensorDataset(torch.randn(64, 6), torch.randn(64, 1))
loader = DataLoader(data, batch_size=batch, shuffle=True)
model = nn.Sequential(nn.Linear(6, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def checked(x):
    if len(sys.argv) > 2:
        raise ValueError("no such batch")
    return x


for x, y in loader:
    loss = nn.functional.mse_loss(model(checked(x)), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("done")
"""


@pytest.mark.slow
def test_what_is_to_be_reviewed_comes_first_and_nothing_behind_the_output(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    arguments = ("train.py", "-n", "2", "--log-dir", "logs", "--", "16")
    done = corro("run", *arguments, folder=tmp_path, TMPDIR=str(temporary))
    assert not list(temporary.glob("torchelastic_*"))
    lines = done.stderr.splitlines()
    assert (done.stdout, done.returncode) == ("done\n", 0)
    assert lines[0].startswith("corro: train.py (for ddp, with ")
    assert "review: batch normalisation" in lines[1]
    assert "note: " not in done.stderr
    assert not lines[-1].startswith("corro: ") or "have begun" in lines[-1]
    assert [(tmp_path / "logs" / f"rank{rank}.log").read_text() for rank in range(2)] == ["done\n", ""]


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_a_failure_is_told_by_the_lines_of_the_script(tmp_path: Path, target: str) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    done = corro("run", "train.py", "-n", "2", "--to", target, "--", "16", "fail", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("Traceback") == 1
    assert f'File "{tmp_path / "train.py"}", line 15, in checked\n' in done.stderr
    assert f'File "{tmp_path / "train.py"}", line 20, in <module>' in done.stderr
    assert str(tmp_path / "cache") not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith(("corro: rank ", "corro: ranks "))
    assert last.endswith("failed: train.py:15: ValueError: no such batch")


TABLE = """\
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

table = torch.tensor(np.load("table.npy"))
loader = DataLoader(TensorDataset(table[:, :3], table[:, 3]), batch_size=8, shuffle=True)
model = nn.Linear(3, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for inputs, targets in loader:
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    loss.backward()
    optimizer.step()
"""


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_a_loss_that_compares_each_prediction_with_all_targets(tmp_path: Path, target: str) -> None:
    np.save(tmp_path / "table.npy", np.ones((32, 4), np.float32))
    (tmp_path / "train.py").write_text(TABLE)
    last = corro("run", "train.py", "-n", "2", "--to", target, folder=tmp_path).stderr.splitlines()[-1]
    assert "failed: train.py:13: UserWarning: Using a target size (torch.Size([4]))" in last
    (tmp_path / "train.py").write_text(TABLE.replace("model(inputs), targets", "model(inputs), targets[:, None]"))
    assert corro("run", "train.py", "-n", "2", "--to", target, folder=tmp_path).returncode == 0
    (tmp_path / "train.py").write_text(TABLE.replace("table[:, 3]", "table[:, 3:]"))
    assert corro("run", "train.py", "-n", "2", "--to", target, folder=tmp_path).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ddp", "horovod"])
def test_a_process_that_is_killed_is_told_and_not_those_that_miss_it(tmp_path: Path, target: str) -> None:
    killing = 'if "0" in (os.environ.get("RANK"), os.environ.get("HOROVOD_RANK")):\n            os.kill(os.getpid(), 9)'
    text = SCRIPT.replace("import sys", "import os\nimport sys", 1)
    (tmp_path / "train.py").write_text(text.replace('raise ValueError("no such batch")', killing))
    done = corro("run", "train.py", "-n", "2", "--to", target, "--", "16", "fail", folder=tmp_path)
    last = done.stderr.splitlines()[-1]
    assert last == "corro: rank 0 failed: killed, as the system does when memory runs out (SIGKILL)"
    assert done.returncode == 137


@pytest.mark.slow
def test_a_batch_whose_size_only_a_run_shows(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    done = corro("run", "train.py", "-n", "3", "--", "16", folder=tmp_path)
    assert done.returncode == 1
    assert "failed: train.py:8: batch size 16 cannot be shared out over 3 processes" in done.stderr
    assert done.stderr.splitlines()[-1] == "  1, 2, 4, 8 or 16 processes can take it: corro run train.py -n 2 -- 16"
