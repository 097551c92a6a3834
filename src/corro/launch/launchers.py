"""The launchers of the engines, behind one interface: a :class:`Task` in, a :class:`LaunchPlan` out.

Those that start several processes are called through a small driver (``drivers/``) that keeps them quiet and hands on
the exit status of the rank that failed. Everything is bound to the loopback interface: no name is looked up, no port
is fixed. Engines that train on several devices from one process are given the devices, and need no driver.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from corro.classes import dataclass
from corro.errors import ExecutionError, UsageError
from corro.launch.plan import LaunchPlan

LOOPBACK = "127.0.0.1"
PACKAGE = "CORRO_PACKAGE"
PLACE = "CORRO_PLACE"
"""The environment variable that names two others: where a process finds its rank, and where their number."""
_DRIVERS = Path(__file__).parent / "drivers"


@dataclass(frozen=True)
class Task:
    """What is to be run.

    Args:
        program: the file whose text is run.
        script: the user's script as typed; the program believes to be it.
        arguments: the script's own arguments.
        processes: how many ranks, 1 or more; devices, where one process has several.
        package: the package that the script is a module of, as if started by ``python -m``.
    """

    program: Path
    script: str
    arguments: tuple[str, ...]
    processes: int
    package: str = ""

    @property
    def variables(self) -> dict[str, str]:
        """What the program is told by its environment; ``drivers/_corro_program.py`` reads it."""
        return {PACKAGE: self.package} if self.package else {}


@dataclass(frozen=True)
class Launcher:
    """One engine's way to start ranks on this machine.

    Args:
        name: of the engine's command or its way, and of the driver file.
        needs: modules that have to be installed.
        advice: what to do when they are not.
        options: the driver's command line for a number of processes, without the program; absent where the program
            is the one process there is.
        variables: environment variables that the engine needs for a number of processes.
        places: those in which it tells each process its place among all, beginning with its rank and the number of
            processes. They are taken away where a launcher further up, such as that of a cluster, has set them: an
            engine would believe them.
        by_hand: the command of a shell that starts a program: ``{program}`` on so many ``{processes}``.
        remark: what there is to know about that command.
        engines: whose programs it starts, by how the names of their modules or classes begin.
        hooks: the folder of ``verify.probe`` for programs that it starts; that of their framework where empty.
    """

    name: str
    needs: tuple[str, ...]
    advice: str
    options: Callable[[int], tuple[str, ...]] | None = None
    variables: Callable[[int], Mapping[str, str]] = lambda processes: {}
    places: tuple[str, ...] = ()
    by_hand: str = "python {program}"
    remark: str = ""
    engines: tuple[str, ...] = ()
    hooks: str = ""

    def missing(self) -> tuple[str, ...]:
        """The needed modules that are not installed here (looked for, not imported)."""
        return tuple(module for module in self.needs if importlib.util.find_spec(module) is None)

    def plan(self, task: Task) -> LaunchPlan:
        """The launch of a task, as a value.

        Raises:
            ExecutionError: the engine is not installed.
        """
        if missing := self.missing():
            raise ExecutionError(f"{self.name} needs {' and '.join(missing)}, not installed here.", advice=self.advice)
        variables = {**task.variables, **self.variables(task.processes)}
        if self.options is None:
            return LaunchPlan(program(task), variables, without=_strange())
        driver = (sys.executable, str(_DRIVERS / f"{self.name.replace('-', '_')}.py"), *self.options(task.processes))
        variables = {**share_of_cores(task.processes), **variables, PLACE: " ".join(self.places[:2])}
        return LaunchPlan(driver + program(task), variables, without=_strange())

    def command(self, program: str, processes: int = 2) -> str:
        """The command of a shell that starts a program, with what there is to know about it."""
        remark = f"  # {self.remark}" if self.remark else ""
        return self.by_hand.format(program=program, processes=processes) + remark


def program(task: Task) -> tuple[str, ...]:
    """The command of one process: the program, with the surroundings of the script."""
    return (sys.executable, str(_DRIVERS / "bootstrap.py"), str(task.program), task.script, *task.arguments)


def alone(task: Task) -> LaunchPlan:
    """A launch without any launcher, of one process, as ``python SCRIPT`` would be."""
    return LaunchPlan(program(task), task.variables, without=_strange())


def _strange() -> tuple[str, ...]:
    """Variables of the caller's environment that speak of another launch."""
    names = (PACKAGE, PLACE, *(name for launcher in LAUNCHERS for name in launcher.places))
    return tuple(name for name in names if name in os.environ)


def share_of_cores(processes: int, user: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Environment variables by which each of several processes takes its share, where the user has not set them."""
    if processes == 1:
        return {}
    share = str(max(1, usable_cores() // processes))
    return {name: share for name in ("OMP_NUM_THREADS", "TF_NUM_INTRAOP_THREADS") if name not in user}


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def loopback_interface() -> str:
    """The name of the loopback interface: ``lo`` on Linux, ``lo0`` on macOS and the BSDs."""
    import socket  # noqa: PLC0415 - not to say how a program is started

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
            f"programs for the launcher {name!r} are not started by `corro run` yet.",
            advice="Write the program with `corro compile`, and start it yourself.",
        )
    return found


def launcher_of(engine: str) -> Launcher | None:
    """What starts the programs of an engine: the launcher that says most of its name; ``None`` where there is none."""
    known = [(len(start), launcher) for launcher in LAUNCHERS for start in launcher.engines if engine.startswith(start)]
    return max(known, key=lambda each: each[0])[1] if known else None


def _torchrun_options(processes: int) -> tuple[str, ...]:
    rendezvous = ("--rdzv-backend", "c10d", "--rdzv-endpoint", f"{LOOPBACK}:0", "--local-addr", LOOPBACK)
    return ("--nnodes", "1", "--nproc-per-node", str(processes), *rendezvous, "--")


def _horovodrun_options(processes: int) -> tuple[str, ...]:
    hosts = ("-np", str(processes), "-H", f"{LOOPBACK}:{processes}")
    return ("--gloo", *hosts, "--network-interfaces", loopback_interface(), "--")


def _gloo_variables(_: int, user: Mapping[str, str] = os.environ) -> dict[str, str]:
    return {} if "GLOO_SOCKET_IFNAME" in user else {"GLOO_SOCKET_IFNAME": loopback_interface()}


def _horovodrun_variables(processes: int, user: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Gloo gives up where a process comes half a minute after another: on a busy machine one of them does."""
    patience = {} if _GLOO_TIMEOUT in user else {_GLOO_TIMEOUT: "600"}
    return {**_gloo_variables(processes, user), **patience}


def _torchrun_variables(processes: int, user: Mapping[str, str] = os.environ) -> dict[str, str]:
    """A process that ended as soon as it has its group would fail those that still connect: all wait for each other."""
    barrier = {} if _INIT_BARRIER in user else {_INIT_BARRIER: "1"}
    return {**_gloo_variables(processes, user), **barrier}


def _device_variables(devices: int) -> dict[str, str]:
    """For TensorFlow; ``drivers/_corro_devices.py`` reads it."""
    return {"CORRO_DEVICES": f"0:{devices}"}


def _jax_variables(devices: int, user: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Keras on JAX, with the first GPUs, or with as many devices made of the CPU; other flags of XLA stay."""
    flags = [flag for flag in user.get("XLA_FLAGS", "").split() if not flag.startswith(_HOST_DEVICES)]
    return {
        "KERAS_BACKEND": "jax",
        "JAX_CUDA_VISIBLE_DEVICES": ",".join(map(str, range(devices))),
        "XLA_FLAGS": " ".join([*flags, f"{_HOST_DEVICES}={devices}"]),
        **_xla_threads(devices, user),
    }


def _xla_threads(devices: int, user: Mapping[str, str]) -> dict[str, str]:
    """Two threads for each device of the CPU, where XLA would start fewer: as many as there are cores, or devices.

    XLA runs on one pool what a device computes, which waits for the other devices in each all-reduce, and the launch of
    its next computation, which waits while 32 of them are on their way (``CpuPjRtRawLoadedExecutable::Execute``). With
    one thread a device these can keep the computation of another device from ever beginning: after some hundred steps
    XLA ends the program, as its rendezvous timed out.
    """
    needed = 2 * devices
    there = user.get("NPROC", "")
    enough = (int(there) if there.isdecimal() else usable_cores()) >= needed
    return {} if devices == 1 or enough or _XLA_THREADS in user else {_XLA_THREADS: str(needed)}


_GLOO_TIMEOUT = "HOROVOD_GLOO_TIMEOUT_SECONDS"
_INIT_BARRIER = "TORCH_DIST_INIT_BARRIER"
_XLA_THREADS = "PJRT_NPROC"
_HOST_DEVICES = "--xla_force_host_platform_device_count"
_GET_TENSORFLOW = "Install TensorFlow: pip install tensorflow"
_GET_KERAS = 'Install Keras 3 and JAX: pip install "keras>=3" jax'

_WORKER = ("CORRO_RANK", "CORRO_SIZE")
"""What ``drivers/_corro_workers.py`` sets, for engines that have no launcher of their own."""

LAUNCHERS = (
    Launcher(
        name="torchrun",
        needs=("torch",),
        advice="Install PyTorch: pip install torch",
        options=_torchrun_options,
        variables=_torchrun_variables,
        places=("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"),
        by_hand="torchrun --nproc-per-node={processes} {program}",
        engines=("torch.distributed", "torch.nn.parallel"),
    ),
    Launcher(
        name="horovodrun",
        needs=("horovod",),
        advice="Build it for this environment: corro setup horovod",
        options=_horovodrun_options,
        variables=_horovodrun_variables,
        places=(
            "HOROVOD_RANK",
            "HOROVOD_SIZE",
            "HOROVOD_LOCAL_RANK",
            "HOROVOD_LOCAL_SIZE",
            "HOROVOD_CROSS_RANK",
            "HOROVOD_CROSS_SIZE",
        ),
        by_hand="horovodrun -np {processes} python {program}",
        engines=("horovod",),
    ),
    Launcher(
        name="multiworker",
        needs=("tensorflow",),
        advice=_GET_TENSORFLOW,
        options=lambda processes: (str(processes),),
        places=(*_WORKER, "TF_CONFIG"),
        by_hand="corro run {program} -n {processes}",
        remark="without Corro: python for each worker, with its TF_CONFIG",
        engines=("tensorflow.distribute.MultiWorkerMirroredStrategy",),
    ),
    Launcher(
        name="mirrored",
        needs=("tensorflow",),
        advice=_GET_TENSORFLOW,
        variables=_device_variables,
        remark="one process, on all GPUs of this machine",
        engines=("tensorflow.distribute.MirroredStrategy",),
    ),
    Launcher(
        name="keras-distribution",
        needs=("keras", "jax"),
        advice=_GET_KERAS,
        variables=_jax_variables,
        by_hand="KERAS_BACKEND=jax python {program}",
        remark="one process, on all devices of this machine",
        engines=("keras.distribution",),
        hooks="keras3",
    ),
    Launcher(
        name="keras-processes",
        needs=("keras", "jax"),
        advice=_GET_KERAS,
        options=lambda processes: (str(processes),),
        variables=lambda processes: {"KERAS_BACKEND": "jax"},
        places=(
            *_WORKER,
            "KERAS_DISTRIBUTION_JOB_ADDRESSES",
            "KERAS_DISTRIBUTION_NUM_PROCESSES",
            "KERAS_DISTRIBUTION_PROCESS_ID",
        ),
        by_hand="corro run {program} -n {processes}",
        engines=("keras.distribution.initialize",),
        hooks="keras3",
    ),
)
