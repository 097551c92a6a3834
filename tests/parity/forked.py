"""Carries out observed runs in forked processes with a launcher's environment: fast, and judged like all others."""

from __future__ import annotations

import copy
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from corro.verify.evidence import Ending
from corro.verify.processes import Clock, Run, Watchdog, place
from corro.verify.settings import VARIABLE

HERE = Path(__file__).resolve().parent
COMMON = ("numpy", "sklearn.datasets", "sklearn.model_selection", "sklearn.preprocessing")
PRELOADS = {
    "pytorch": (
        *COMMON,
        "torch",
        "torch._dynamo",
        "torch.nn.functional",
        "torch.utils.data",
        "matplotlib.pyplot",
        "tensorboard_alone",
        "tracker_alone",
        "tqdm",
        "corro.verify.probe.pytorch",
    ),
    "keras": (*COMMON, "tensorflow", "keras", "corro.verify.probe.keras"),
    "keras3": (*COMMON, "jax", "keras", "corro.verify.probe.keras3"),
}
"""TensorFlow and JAX may be forked as long as they have been imported only, and were not used."""

OF_ENGINES = {("keras", "horovodrun"): ("horovod.tensorflow.keras",)}
"""Those of PyTorch's engines are imported in no time."""

KILLED = 137
_COMPILED = "JAX_COMPILATION_CACHE_DIR"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "TF_NUM_INTRAOP_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
_AT_THE_START = {"CUDA_VISIBLE_DEVICES": "", "KERAS_BACKEND": "jax", "PYTHONDONTWRITEBYTECODE": "1"}
"""What a run's environment says too late for a forked process; the backend is Keras 3's."""


class Server:
    """Forks processes that have already imported what they need."""

    def __init__(self, frontend: str, launcher: str, scratch: str) -> None:
        preload = (*PRELOADS[frontend], *OF_ENGINES.get((frontend, launcher), ()))
        command = [sys.executable, str(HERE / "server.py"), *preload]
        environment = {**os.environ, **ONE_THREAD, **_AT_THE_START, "TMPDIR": scratch}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.changed = threading.Condition()
        self.ended: dict[int, tuple[int, float]] = {}
        self.jobs = 0
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.reader.join()
        self.process.stdout.close()

    def run(self, jobs: Sequence[dict[str, Any]], watchdog: Watchdog, grace: float = 5, limit: float = 300) -> int:
        """Run jobs at the same time; the answer is the exit status of the one that failed first."""
        numbers = [self._start(job) for job in jobs]
        clock = Clock()
        deadline = limit
        while not all(number in self.ended for number in numbers):
            with self.changed:
                self.changed.wait(0.2)
            failed = [number for number in numbers if self.ended.get(number, (0, 0))[0]]
            deadline = min(deadline, clock() + grace) if failed else deadline
            if watchdog.gives_up() or clock() > deadline:
                for number in numbers:
                    self._send({"kill": number})
                deadline = clock() + 10
        endings = sorted((when, status) for status, when in (self.ended[number] for number in numbers) if status)
        return endings[0][1] if endings else 0

    def _start(self, job: dict[str, Any]) -> int:
        with self.changed:
            self.jobs += 1
            number = self.jobs
        self._send({**job, "number": number})
        return number

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with self.changed:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            if "number" in answer:
                status = answer["status"] if answer["status"] >= 0 else 128 - answer["status"]
                with self.changed:
                    self.ended[answer["number"]] = (status, answer["time"])
                    self.changed.notify_all()


class Forked:
    """A ``Runner`` (see ``corro.verify.processes``) without the engines' launchers."""

    def __init__(self, patience: float = 20) -> None:
        self.servers: dict[tuple[str, str], Server] = {}
        self.patience = patience
        self.lock = threading.Lock()
        self.scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)  # each room has links to all in /tmp

    def waiting(self, patience: float) -> Forked:
        """The same processes, with another patience."""
        other = copy.copy(self)
        other.patience = patience
        return other

    def __call__(self, job: Run) -> Ending:
        job.settings.write(job.told)
        folder = Path(job.settings.folder)
        watchdog = Watchdog(folder, self.patience, threading.Event())
        status = self._carry_out(job, job.plan().environment, watchdog)
        stuck = tuple(place(job, rank, stack) for rank, stack in watchdog.stacks) if watchdog.gave_up else ()
        return Ending(status, stuck, _last_words(folder) if status else "")

    def unobserved(self, job: Run) -> list[str]:
        """The lines that all processes print together in a run without the probe."""
        folder = Path(job.settings.folder)
        folder.mkdir()
        environment = {name: value for name, value in job.plan().environment.items() if name != VARIABLE}
        status = self._carry_out(job, environment, Watchdog(folder, self.patience, threading.Event()))
        assert status == 0, _last_words(folder)
        return [line for path in sorted(folder.glob("output*.stdout")) for line in path.read_text().splitlines()]

    def _carry_out(self, job: Run, environment: Mapping[str, str], watchdog: Watchdog) -> int:
        plan = job.plan()
        command = list(plan.command[plan.command.index(str(job.program)) - 1 :])
        compiled = {_COMPILED: str(Path(self.scratch.name, Path(environment[_COMPILED]).name))}
        with rank_environments(job.launcher, job.processes) as environments:
            return self._server(job.settings.hooks, job.launcher).run(
                [
                    {
                        "command": command,
                        "cwd": str(job.directory),
                        "environment": {**environment, **own, **ONE_THREAD, **compiled},
                        "streams": f"{job.settings.folder}/output{rank}.std",
                    }
                    for rank, own in enumerate(environments)
                ],
                watchdog,
            )

    def close(self) -> None:
        for server in self.servers.values():
            server.close()
        self.scratch.cleanup()

    def _server(self, frontend: str, launcher: str) -> Server:
        frontend = "keras" if frontend.startswith("tensorflow") else frontend  # the same packages
        key = (frontend, launcher if (frontend, launcher) in OF_ENGINES else "")
        with self.lock:
            if key not in self.servers:
                self.servers[key] = Server(*key, self.scratch.name)
            return self.servers[key]


def _last_words(folder: Path) -> str:
    texts = [path.read_text(errors="replace").strip() for path in sorted(folder.glob("output*.stderr"))]
    return next((text.splitlines()[-1] for text in texts if text), "")


@contextmanager
def rank_environments(launcher: str, size: int) -> Iterator[list[dict[str, str]]]:
    """What the engine's launcher tells each process."""
    if launcher in ("", "mirrored", "keras-distribution"):
        yield [{}]
        return
    if launcher == "multiworker":
        workers = [f"127.0.0.1:{free_port()}" for _ in range(size)]
        tasks = [{"type": "worker", "index": number} for number in range(size)]
        yield [
            {
                "TF_CONFIG": json.dumps({"cluster": {"worker": workers}, "task": task}),
                "CORRO_DEVICES": f"{number}:{number + 1}",
                "CORRO_RANK": str(number),
                "CORRO_SIZE": str(size),
            }
            for number, task in enumerate(tasks)
        ]
        return
    if launcher == "torchrun":
        shared = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(free_port()), "WORLD_SIZE": str(size)}
        yield [
            {**shared, "RANK": str(rank), "LOCAL_RANK": str(rank), "LOCAL_WORLD_SIZE": str(size)}
            for rank in range(size)
        ]
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from horovod.runner.common.util.hosts import get_host_assignments, parse_hosts
        from horovod.runner.gloo_run import create_slot_env_vars
        from horovod.runner.http.http_server import RendezvousServer
    slots = get_host_assignments(parse_hosts(f"localhost:{size}"), size)
    rendezvous = RendezvousServer(0)
    port = rendezvous.start()
    rendezvous.init(slots)
    shared = {
        "HOROVOD_GLOO_RENDEZVOUS_ADDR": "127.0.0.1",
        "HOROVOD_GLOO_RENDEZVOUS_PORT": str(port),
        "HOROVOD_CONTROLLER": "gloo",
        "HOROVOD_CPU_OPERATIONS": "gloo",
        "HOROVOD_GLOO_IFACE": "lo",
    }
    try:
        yield [{**shared, **create_slot_env_vars(slot)} for slot in slots]
    finally:
        rendezvous.stop()
        rendezvous._httpd.server_close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
