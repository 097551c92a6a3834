"""Starts an observed run with the engine's own launcher, and gives it up when its processes wait for ever."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from corro.errors import ExecutionError
from corro.launch import LAUNCHERS, LaunchPlan, Task, alone, launcher_named, run
from corro.launch.launchers import share_of_cores
from corro.verify.evidence import Ending, Stuck
from corro.verify.progress import NOBODY, Progress
from corro.verify.records import ASKED, RECORD
from corro.verify.settings import VARIABLE, Settings

PATIENCE_SECONDS = 60.0
_BUSY = 0.05
_LEAST = 0.05
_LAST_SECONDS, _LOOK_SECONDS = 5.0, 0.1
_FRAME = re.compile(r'  File "(?P<file>.*)", line (?P<line>\d+) in (?P<name>.*)')
_ENGINES = tuple(f"/{name.replace('.', '/')}/" for launcher in LAUNCHERS for name in launcher.engines)
"""The folders of the engines' modules."""
_BENEATH = ("/tensorflow/python/", "<string>")
"""Where TensorFlow calls an engine's operation."""


@dataclass(frozen=True)
class Run:
    """One run of a program under observation, as a value.

    Args:
        program: the file whose text is run.
        script: what it believes to be, in its room.
        arguments: of the script.
        directory: the working directory.
        settings: how it is observed.
        processes: how many.
        launcher: the name of the engine's command; empty for a sequential run.
        share: among how many processes the cores are shared out: equal for all runs that are compared.
        beside: the launcher of the runs that a sequential one is compared with, whose variables it needs too.
        package: the package that the script is a module of.
    """

    program: Path
    script: Path
    arguments: tuple[str, ...]
    directory: Path
    settings: Settings
    processes: int = 1
    launcher: str = ""
    share: int = 1
    beside: str = ""
    package: str = ""

    def plan(self) -> LaunchPlan:
        """The launch, with what makes runs repeatable in its environment."""
        task = Task(self.program, str(self.script), self.arguments, self.processes, self.package)
        launch = launcher_named(self.launcher).plan(task) if self.launcher else alone(task)
        beside = launcher_named(self.launcher or self.beside) if self.launcher or self.beside else None
        fixed = {
            **(beside.variables(self.share) if beside else {}),  # such as threads, for all runs that are compared
            **(beside.variables(self.processes) if beside else {}),
            **launch.environment,
            **share_of_cores(self.share),
            VARIABLE: str(self.told),
            "CUDA_VISIBLE_DEVICES": "",
            "JAX_PLATFORMS": "cpu",
            **self._compiled(),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0"),
        }
        return replace(launch, environment=fixed, directory=self.directory)

    def _compiled(self) -> dict[str, str]:
        """Where JAX keeps what it compiles, for the next run: those with one seed come one after the other."""
        return {
            "JAX_COMPILATION_CACHE_DIR": str(Path(self.settings.folder).with_name(f"compiled.{self.settings.seed}")),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }

    @property
    def told(self) -> Path:
        """The file that tells the probe its settings."""
        return Path(self.settings.folder, "settings.json")


class Runner(Protocol):
    """Whatever can carry out a run."""

    def __call__(self, observed: Run) -> Ending:
        """Carry it out to its end, or until it waits for ever."""


class Launched:
    """Carries out runs by the engines' launchers.

    Args:
        patience: seconds without a sign of life, and without work, after which a run is given up.
        progress: told of their steps.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS, progress: Progress = NOBODY) -> None:
        self.patience = patience
        self.progress = progress
        self.cancelled = threading.Event()

    def __call__(self, observed: Run) -> Ending:
        """See ``Runner``.

        Raises:
            ExecutionError: the runs were cancelled.
        """
        if self.cancelled.is_set():
            raise ExecutionError("the verification was interrupted.")
        observed.settings.write(observed.told)
        folder = Path(observed.settings.folder)
        watchdog = Watchdog(folder, self.patience, self.cancelled)

        def gives_up() -> bool:
            self.progress.made(folder.name, steps_made(folder))
            return watchdog.gives_up()

        status = run(observed.plan(), folder / "output.txt", gives_up, to_the_last=True)
        self.progress.ended(folder.name)
        text = (folder / "output.txt").read_text(errors="replace").strip().splitlines()
        stuck = tuple(place(observed, rank, stack) for rank, stack in watchdog.stacks) if watchdog.gave_up else ()
        return Ending(status, stuck, text[-1] if text and status else "")


class Clock:
    """Seconds in which each process that was to work had a core: on a busy machine fewer than have passed."""

    def __init__(self) -> None:
        self._seconds, self._asked_at = 0.0, time.monotonic()

    def __call__(self) -> float:
        """The seconds until now, by the load of the machine since the last call."""
        passed = time.monotonic() - self._asked_at
        self._asked_at += passed
        self._seconds += passed * min(1.0, max(_LEAST, (os.cpu_count() or 1) / max(os.getloadavg()[0], 1.0)))
        return self._seconds


class Watchdog:
    """Looks after the processes of a run by the signs of life that they leave in their folders.

    Patience is counted in seconds of ``Clock``: where many wait for a core, no sign of life comes for longer.
    """

    def __init__(self, folder: Path, patience: float, cancelled: threading.Event) -> None:
        self._folder = folder
        self._patience = patience
        self._cancelled = cancelled
        self._clock = Clock()
        self._beaten_at = self._quiet_since = self._looked_at = self._clock()
        self._beaten = 0.0
        self._worked = 0.0
        self.gave_up = False
        self.stacks: list[tuple[int, str]] = []

    def gives_up(self) -> bool:
        """Whether all processes have been waiting for too long: without work, or each within a call of its engine.

        Some engines work while they wait: Horovod asks all the time whether the others have come.
        """
        if self._cancelled.is_set():
            return True
        now, ranks = self._clock(), sorted(self._folder.glob("rank*"))
        beaten, worked = max(map(_beaten, ranks), default=0.0), sum(map(_worked, ranks))
        elapsed = now - self._quiet_since
        if beaten != self._beaten:
            self._beaten, self._beaten_at, self._looked_at = beaten, now, now
        if self._beaten_at == now or worked - self._worked > _BUSY * max(elapsed, 1.0) * max(len(ranks), 1):
            self._worked, self._quiet_since = worked, now
        if not ranks or now - self._looked_at < self._patience:
            return False
        self._looked_at = now
        stacks = [(int(rank.name[4:]), _stack(rank)) for rank in ranks if not (rank / RECORD).exists()]
        if now - self._quiet_since < self._patience and not (stacks and all(waits(stack) for _, stack in stacks)):
            return False
        self.gave_up, self.stacks = True, stacks
        _ask_for_records(ranks)
        return True


def waits(stack: str) -> bool:
    """Whether a process is within a call of its engine, by what Python says of its stack."""
    files = (Path(frame["file"]).as_posix() for frame in _FRAME.finditer(stack))
    innermost = next((file for file in files if not any(each in file for each in _BENEATH)), "")
    return any(each in innermost for each in _ENGINES)


def place(observed: Run, rank: int, stack: str) -> Stuck:
    """Where a process waits, by what Python says of its stack, innermost call first."""
    call = "a call that does not return"
    for frame in _FRAME.finditer(stack):
        file = frame["file"]
        if name := observed.settings.name_of(file):
            return Stuck(rank, call, f"{name}:{frame['line']}")
        if any(each in Path(file).as_posix() for each in _ENGINES) and not frame["name"].startswith(("_", "wrapper")):
            call = frame["name"]
    return Stuck(rank, call, "")


def _ask_for_records(ranks: Sequence[Path]) -> None:
    """Have waiting processes leave what they did until then; one whose library holds Python's lock cannot."""
    asked = [rank for rank in ranks if not (rank / RECORD).exists()]
    for rank in asked:
        (rank / ASKED).touch()
    clock = Clock()
    while clock() < _LAST_SECONDS and not all((rank / RECORD).exists() for rank in asked):
        time.sleep(_LOOK_SECONDS)


def steps_made(folder: Path) -> int:
    """How many optimizer steps the processes of a run have made, by their signs of life."""
    made = []
    for rank in folder.glob("rank*"):
        with contextlib.suppress(OSError, ValueError):
            made.append(int((rank / "beat").read_text()))
    return min(made, default=0)


def _beaten(rank: Path) -> float:
    with contextlib.suppress(OSError):
        return (rank / "beat").stat().st_mtime
    return 0.0


def _worked(rank: Path) -> float:
    """Seconds of processor time of a process's main thread (Linux; elsewhere none is seen)."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pid = (rank / "pid").read_text()
        fields = Path("/proc", pid, "task", pid, "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _stack(rank: Path) -> str:
    """What a process is doing, asked by a signal that works even while a library holds Python's lock."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        file, clock = rank / "stack.txt", Clock()
        seen = file.stat().st_size
        os.kill(int((rank / "pid").read_text()), signal.SIGUSR1)
        while clock() < _LAST_SECONDS and file.stat().st_size == seen:
            time.sleep(_LOOK_SECONDS)
        time.sleep(_LOOK_SECONDS)  # it is written line by line
        return file.read_bytes()[seen:].decode(errors="replace")
    return ""


def commands(runs: Sequence[Run]) -> list[str]:
    """The launches as lines that a shell takes."""
    return [each.plan().describe() for each in runs]
