"""The launchers of the engines, behind one interface: a :class:`Job` in, a :class:`LaunchPlan` out.

Both are called through a small driver (``drivers/``) that keeps them quiet and hands on the exit status of the
rank that failed. Everything is bound to the loopback interface: no name is looked up, no port is fixed.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rueda.errors import ExecutionError, UsageError
from rueda.launch.plan import LaunchPlan

LOOPBACK = "127.0.0.1"
_DRIVERS = Path(__file__).parent / "drivers"


@dataclass(frozen=True)
class Job:
    """What is to be run.

    Args:
        program: the file whose text is run.
        script: the user's script as typed; the program believes to be it.
        arguments: the script's own arguments.
        processes: how many ranks, 1 or more.
    """

    program: Path
    script: str
    arguments: tuple[str, ...]
    processes: int


@dataclass(frozen=True)
class Launcher:
    """One engine's way to start ranks on this machine.

    Args:
        name: of the engine's command, and of the driver file.
        needs: modules that have to be installed.
        advice: what to do when they are not.
        options: its command line for a number of processes, without the program.
    """

    name: str
    needs: tuple[str, ...]
    advice: str
    options: Callable[[int], tuple[str, ...]]

    def missing(self) -> tuple[str, ...]:
        """The needed modules that are not installed here (looked for, not imported)."""
        return tuple(module for module in self.needs if importlib.util.find_spec(module) is None)

    def plan(self, job: Job) -> LaunchPlan:
        """The launch of a job, as a value.

        Raises:
            ExecutionError: the engine is not installed.
        """
        if missing := self.missing():
            raise ExecutionError(f"{self.name} needs {' and '.join(missing)}, not installed here.", advice=self.advice)
        driver = (sys.executable, str(_DRIVERS / f"{self.name}.py"), *self.options(job.processes))
        program = (sys.executable, str(_DRIVERS / "bootstrap.py"), str(job.program), job.script, *job.arguments)
        return LaunchPlan(driver + program, environment(job.processes))


def environment(processes: int, user: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the ranks need and the user has not set: a fair share of the cores, and Gloo on the loopback interface."""
    wanted = {"GLOO_SOCKET_IFNAME": loopback_interface()}
    if processes > 1:
        wanted["OMP_NUM_THREADS"] = str(max(1, usable_cores() // processes))
    return {name: value for name, value in wanted.items() if name not in user}


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def loopback_interface() -> str:
    """The name of the loopback interface: ``lo`` on Linux, ``lo0`` on macOS and the BSDs."""
    names = {name for _, name in socket.if_nameindex()}
    return "lo0" if "lo0" in names and "lo" not in names else "lo"


def launcher_named(name: str) -> Launcher:
    """The launcher with the name of the engine's command.

    Raises:
        UsageError: there is none yet.
    """
    found = next((launcher for launcher in LAUNCHERS if launcher.name == name), None)
    if found is None:
        raise UsageError(
            f"programs for the launcher {name!r} are not started by `rueda run` yet.",
            advice="Write the program with `rueda compile`, and start it yourself.",
        )
    return found


def _torchrun_options(processes: int) -> tuple[str, ...]:
    rendezvous = ("--rdzv-backend", "c10d", "--rdzv-endpoint", f"{LOOPBACK}:0", "--local-addr", LOOPBACK)
    return ("--nproc-per-node", str(processes), *rendezvous, "--no-python")


def _horovodrun_options(processes: int) -> tuple[str, ...]:
    hosts = ("-np", str(processes), "-H", f"{LOOPBACK}:{processes}")
    return ("--gloo", *hosts, "--network-interfaces", loopback_interface())


LAUNCHERS = (
    Launcher(
        name="torchrun",
        needs=("torch",),
        advice="Install PyTorch: pip install torch",
        options=_torchrun_options,
    ),
    Launcher(
        name="horovodrun",
        needs=("horovod", "torch"),
        advice="Build it for this environment: rueda setup horovod",
        options=_horovodrun_options,
    ),
)
