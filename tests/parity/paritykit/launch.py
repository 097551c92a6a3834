"""Start programs: forked processes with a launcher's environment (fast), or the engine's own launcher (honest)."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .records import Record, read_ranks

PACKAGE = Path(__file__).resolve().parent
COMMON = (
    "torch",
    "torch._dynamo",
    "torch.nn.functional",
    "torch.utils.data",
    "torch.utils.tensorboard",
    "numpy",
    "sklearn.datasets",
    "sklearn.model_selection",
    "sklearn.preprocessing",
    "matplotlib.pyplot",
    "tqdm",
    "paritykit.probe",
)
PRELOADS = {
    "sequential": COMMON,
    "ddp": (*COMMON, "torch.distributed", "torch.nn.parallel"),
    "horovod": (*COMMON, "horovod.torch"),
}


class RunFailed(AssertionError):
    """A process ended with an error, or did not end."""


def environment() -> dict[str, str]:
    """Of every process that is started: one thread each, the kit importable, no bytecode beside the scripts."""
    path = os.pathsep.join([str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    fixed = {"OMP_NUM_THREADS": "1", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "CUDA_VISIBLE_DEVICES": ""}
    return {**os.environ, **fixed}


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@dataclass
class Job:
    """One process of a run."""

    script: str
    arguments: list[str]
    cwd: str
    folder: str
    rank: int = 0
    size: int = 1
    environment: dict[str, str] = field(default_factory=dict)
    replay: dict[str, Any] | None = None

    @property
    def streams(self) -> str:
        return f"{self.folder}/rank{self.rank}.std"


class Server:
    """Forks processes that have already imported what they need; one server for each target."""

    def __init__(self, target: str) -> None:
        command = [sys.executable, "-m", "paritykit.server", *PRELOADS[target]]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
        self.target = target
        self.jobs = 0
        self.text = b""
        deadline = time.monotonic() + 120
        while not self._answers(1):
            if time.monotonic() > deadline:
                raise RunFailed(f"the server for {target} did not start")

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()

    def run(self, jobs: Sequence[Job], timeout: float = 60, grace: float = 5) -> None:
        """Run the jobs at the same time; processes that outlive a failed one for long are ended."""
        numbers = {}
        for job in jobs:
            self.jobs += 1
            numbers[self.jobs] = job
            Path(job.folder).mkdir(parents=True, exist_ok=True)
            self._send({**asdict(job), "streams": job.streams, "number": self.jobs})
        open_jobs, failed, deadline = set(numbers), [], time.monotonic() + timeout
        while open_jobs:
            for answer in self._answers(0.5):
                number, status = answer["number"], answer["status"]
                open_jobs.discard(number)
                if status:
                    failed.append(number)
                    deadline = min(deadline, time.monotonic() + grace)
            if open_jobs and time.monotonic() > deadline:
                failed += sorted(open_jobs)
                for number in open_jobs:
                    self._send({"kill": number})
                deadline = time.monotonic() + 10
        if failed:
            raise RunFailed("\n".join(self._explain(numbers[number]) for number in dict.fromkeys(failed)))

    def _explain(self, job: Job) -> str:
        errors = Path(job.streams + "err").read_text(errors="replace").splitlines()
        return f"rank {job.rank} of {job.size} of {job.script} failed or hung:\n" + "\n".join(errors[-15:])

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _answers(self, timeout: float) -> list[dict[str, Any]]:
        assert self.process.stdout is not None
        readable, _, _ = select.select([self.process.stdout], [], [], timeout)
        if not readable:
            return []
        text = os.read(self.process.stdout.fileno(), 1 << 16)
        if not text:
            raise RunFailed(f"the server for {self.target} ended")
        *lines, self.text = (self.text + text).split(b"\n")
        return [json.loads(line) for line in lines]


@contextmanager
def rank_environments(target: str, size: int) -> Iterator[list[dict[str, str]]]:
    """What the engine's launcher tells each process."""
    if target == "ddp":
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


def run_distributed(
    server: Server, size: int, script: Path, arguments: Sequence[str], cwd: Path, folder: Path
) -> list[Record]:
    """Run a converted program on ``size`` processes; returns what each of them did."""
    with rank_environments(server.target, size) as environments:
        server.run(
            [
                Job(str(script), list(arguments), str(cwd), str(folder), rank, size, environments[rank])
                for rank in range(size)
            ]
        )
    return read_ranks(folder, size)


def launch_command(target: str, size: int, program: Sequence[str]) -> list[str]:
    """The engine's own launcher. ``program`` is what follows ``python``."""
    if target == "ddp":
        return [sys.executable, "-m", "torch.distributed.run", f"--nproc_per_node={size}", "--standalone", *program]
    horovodrun = Path(sys.executable).with_name("horovodrun")
    return [str(horovodrun), "--gloo", "-np", str(size), sys.executable, *program]


def launch(
    target: str, size: int, program: Sequence[str], cwd: Path, timeout: float = 180
) -> subprocess.CompletedProcess[str]:
    """Start a program with the engine's own launcher and wait; rank prefixes are taken off the output's lines."""
    bin_first = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    ended = subprocess.run(
        launch_command(target, size, program),
        cwd=cwd,
        env={**environment(), "PATH": bin_first},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    ended.stdout = re.sub(r"(?m)^\[\d+\]<std(out|err)>:", "", ended.stdout)
    return ended
