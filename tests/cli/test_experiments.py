"""The experiments of the examples, from their data to the page, with a few steps of each run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from corro.bench import kept
from corro.bench.store import Row

_PARAMETERS = 169_538
"""Of the dense network; the other one has more."""
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the experiment is made: the examples, with small data."""
    home = tmp_path_factory.mktemp("home")
    shutil.copytree(EXAMPLES, home / "examples")
    folder = home / "examples" / "experiments"
    done([sys.executable, "../data/make_small.py", "--data", "data"], folder)
    return folder


def done(command: list[str], folder: Path) -> str:
    """What a command says, which has to end well."""
    environment = {**os.environ, "PYTHONWARNINGS": "default"}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def corro(folder: Path, *arguments: str) -> str:
    return done([sys.executable, "-m", "corro", *arguments], folder)


@pytest.mark.slow
def test_horovod_and_ddp(folder: Path) -> None:
    """The plan's goals need whole runs: they are of one epoch here."""
    plan = folder / "horovod_vs_ddp.toml"
    text = plan.read_text(encoding="utf-8")
    assert text.count('"--epochs", "4"') == 1
    plan.write_text(text.replace('"--epochs", "4"', '"--epochs", "1"'), encoding="utf-8")
    few = ("-n", "2", "--replications", "1", "--seeds", "seed=1", "--no-limits")
    corro(folder, "bench", "--plan", "horovod_vs_ddp.toml", *few)
    stores = [folder / f"{name}_bench.sqlite" for name in ("dense_500", "fashion_mnist_cnn")]
    for store in stores:
        (experiment,) = kept.read(store)
        assert not [row.failed for row in experiment.rows if row.failed]
        assert {each.target for each in experiment.design.cells} == {"ddp", "horovod"}
        assert all("test accuracy" in row.numbers for row in experiment.rows)
        assert all(_exchanged(row) for row in experiment.rows if row.treatment.distributed)
    corro(folder, "report", *(each.name for each in stores), "-o", "report.html")
    page = (folder / "report.html").read_text(encoding="utf-8")
    for name in ("dense_500.py", "fashion_mnist_cnn.py"):
        assert f">{name}</h1>" in page
    assert page.count("What is changed for horovod") == 2 * 2  # with the list of sections


def _exchanged(row: Row) -> bool:
    """Whether more was sent than both processes send of gradients: to each other, all of them, in each step."""
    return row.responses["sent_bytes"] > 2 * 4 * _PARAMETERS * row.responses["steps"]


@pytest.mark.slow
def test_the_other_convolutional_network(folder: Path) -> None:
    short = ("-n", "2", "--to", "ddp", "--steps", "6", "--warm-up", "1", "--replications", "1", "--no-limits")
    assert "samples/s" in corro(folder, "bench", "../pytorch/cifar10_cnn.py", *short)
