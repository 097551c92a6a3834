"""Runs scripts in forked processes: sequentially, or as the ranks of one run."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
import signal
import socket
import time
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib

from fuzz.stage import REPORT, Report, play

_COMMON = (
    "argparse",
    "copy",
    "csv",
    "json",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_svg",
    "logging",
    "math",
    "pickle",
    "collections",
    "functools",
    "itertools",
    "numpy",
    "sklearn.datasets",
    "sklearn.model_selection",
    "sklearn.preprocessing",
    "sklearn.metrics",
    "corro.compiler",
)
PRELOADED = {
    "torch": (
        *_COMMON, "torch", "torch._dynamo", "torch.nn.functional", "torch.utils.data", "torch.nn.parallel",
        "torch.distributed", "torch.distributed.nn", "torch.utils.data.distributed", "torch.optim.lr_scheduler",
        "torch.optim.swa_utils", "torch.nn.utils.rnn", "fuzz.still_torch",
    ),
    "tensorflow": (*_COMMON, "tensorflow", "keras", "horovod.tensorflow.keras", "fuzz.still_tensorflow"),
}  # fmt: skip
"""What scripts import, by what they train with. TensorFlow may be forked as long as it was imported only."""

PATIENCE = 40.0
"""Seconds until a run counts as hanging, on a machine with nothing else to do."""
GRACE = 3.0
"""Seconds that the others have to end when one has failed."""


@dataclass(frozen=True)
class Ran:
    """What came of a run: its folder, and for each rank its output, its errors and its report."""

    folder: Path
    status: int
    hung: bool
    outputs: tuple[str, ...]
    errors: tuple[str, ...]
    reports: tuple[Report, ...]

    @property
    def room(self) -> Path:
        """The folder that the script ran in."""
        return self.folder / "room"

    @property
    def error(self) -> str:
        """The first thing that went wrong."""
        said = [report.error for report in self.reports if report.error]
        lost = [each for each in said if "Connection" in each or "gloo" in each]  # as another rank was gone
        return next((each for each in said if each not in lost), lost[0] if lost else f"status {self.status}")


def prepare(framework: str) -> None:
    """Import what scripts need, once: forked processes have it then."""
    os.environ.update(OMP_NUM_THREADS="1", TF_NUM_INTRAOP_THREADS="1", TF_NUM_INTEROP_THREADS="1")
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="", MPLBACKEND="svg", SOURCE_DATE_EPOCH="0")
    for name in PRELOADED[framework]:
        importlib.import_module(name)
    matplotlib.rcParams.update({"svg.hashsalt": "the same", "svg.fonttype": "none"})
    gc.collect()
    gc.freeze()
    for finalizer in weakref.finalize._registry:  # type: ignore[attr-defined]
        finalizer.atexit = False


def sequential(script: Path, folder: Path, framework: str, jitter: int = 0) -> Ran:
    """Run a script in one process."""
    return _run(script, folder, [{}], framework, jitter)


def distributed(script: Path, folder: Path, size: int, framework: str, target: str) -> Ran:
    """Run a converted script as several ranks, or with several devices."""
    if target == "mirrored":
        return _run(script, folder, [{"FUZZ_DEVICES": str(size)}], framework)
    if target == "ddp":
        shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port()), "WORLD_SIZE": str(size)}
        shared |= {"LOCAL_WORLD_SIZE": str(size), "GLOO_SOCKET_IFNAME": "lo"}
        return _run(script, folder, [{**shared, "RANK": str(r), "LOCAL_RANK": str(r)} for r in range(size)], framework)
    from forked import rank_environments

    with rank_environments("horovodrun", size) as environments:
        return _run(script, folder, environments, framework)


def _run(script: Path, folder: Path, environments: Sequence[dict[str, str]], framework: str, jitter: int = 0) -> Ran:
    folder.mkdir(parents=True)
    children: dict[int, int] = {}
    for rank, environment in enumerate(environments):
        child = os.fork()
        if not child:
            play(script, folder, str(rank), environment, framework, jitter)
        children[child] = rank
    statuses, hung = _wait(children)
    status = next((each for each in statuses.values() if each), 0)
    ranks = range(len(environments))
    ran = Ran(
        folder,
        status,
        hung,
        tuple((folder / f"{rank}.out").read_text(errors="replace") for rank in ranks),
        tuple((folder / f"{rank}.err").read_text(errors="replace") for rank in ranks),
        tuple(_report(folder / f"{rank}.{REPORT}") for rank in ranks),
    )
    return ran


def _report(path: Path) -> Report:
    return pickle.loads(path.read_bytes()) if path.exists() else Report()


def _wait(children: dict[int, int]) -> tuple[dict[int, int], bool]:
    statuses: dict[int, int] = {}
    slower = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # where more wait for a core than there are
    deadline, hung = time.monotonic() + PATIENCE * slower, False
    left = dict(children)
    pause = 0.002
    while left:
        for child in list(left):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                code = os.waitstatus_to_exitcode(status)
                statuses[left.pop(child)] = code
                if code:
                    deadline = min(deadline, time.monotonic() + GRACE * slower)
        if left and time.monotonic() > deadline:
            hung = hung or not any(statuses.values())
            for child in left:
                os.kill(child, signal.SIGKILL)
            deadline = time.monotonic() + 10
        time.sleep(pause)
    return statuses, hung


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
