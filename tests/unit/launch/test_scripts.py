"""Small distributed scripts, written by hand, under the launcher of their engine: real devices, real training."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from waiting import LIMIT_SECONDS

if TYPE_CHECKING:
    from unit.launch.conftest import Program

SCRIPTS = Path(__file__).with_name("scripts")

only_workers = pytest.mark.parametrize("program", ["multiworker"], indirect=True)


def train(program: Program, processes: int) -> tuple[str, list[float]]:
    """Runs the script of a launcher for two epochs; the answer is its replicas, and the losses of the epochs."""
    text = (SCRIPTS / f"{program.launcher.replace('-', '_')}.py").read_text()
    done = program.run(text, "2", processes=processes, TF_CPP_MIN_LOG_LEVEL="2")
    assert done.returncode == 0, done.stderr
    # JAX's Gloo writes lines of its own into stdout, in pieces: what is ours may stand between them.
    (first,) = re.findall(r"replicas \d+\n", done.stdout)
    return first.rstrip(), [float(loss) for loss in re.findall(r"loss (\S+)\n", done.stdout)]


@pytest.mark.parametrize(
    "program",
    [
        "horovodrun",
        "mirrored",
        "multiworker",
        pytest.param("keras-distribution", marks=pytest.mark.keras3),
        pytest.param("keras-processes", marks=pytest.mark.keras3),
    ],
    indirect=True,
)
def test_replicas_train_what_one_trains(program: Program) -> None:
    alone, expected = train(program, 1)
    together, losses = train(program, 2)
    assert (alone, together) == ("replicas 1", "replicas 2")
    assert losses == pytest.approx(expected, abs=2e-5)
    assert losses[1] < losses[0]


def in_training(action: str) -> str:
    """The script of the workers, with something to do for each after the third epoch."""
    callback = f"""
class InTraining(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 2:
            {action}

history"""
    text = (SCRIPTS / "multiworker.py").read_text().replace("\nhistory", callback, 1)
    return "import os\n" + text.replace("verbose=0", "verbose=0, callbacks=[InTraining()]")


@only_workers
def test_a_worker_that_dies_ends_the_others_in_their_collective(program: Program) -> None:
    done = program.run(in_training("strategy.cluster_resolver.task_id and os._exit(3)"), "100000")
    assert "UnavailableError" not in done.stderr
    assert done.returncode == 3
    assert program.left_behind() == []


@only_workers
def test_interrupted_in_training_nothing_stays(program: Program) -> None:
    started = program.start(in_training("print('ready', flush=True)"), "100000")
    started.send_signal(signal.SIGINT)
    _, errors = started.communicate(timeout=LIMIT_SECONDS)
    assert errors.count("Traceback") <= 1
    assert started.returncode == 128 + signal.SIGINT
    assert program.left_behind() == []
