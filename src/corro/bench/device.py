"""Time single operations of PyTorch: CPU threads against an accelerator, and processes that exchange numbers."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from corro.classes import dataclass, replace
from corro.errors import ExecutionError

SIZES: Mapping[str, tuple[int, ...]] = {
    "matmul": (50, 100, 200, 500, 1000, 2000, 5000, 10000),
    "conv": tuple(range(20, 201, 20)),
    "all-reduce": tuple(2**power for power in range(10, 27, 2)),
}
"""Rows of square matrices; images of 3 x 128 x 128, by 32 filters of 3 x 3; bytes."""
DTYPES = ("float32", "bfloat16")
TRANSFER, QUEUED = "with transfer", "unsynchronised"
_PROGRAM = Path(__file__).with_name("timing") / "operations.py"
_FILTER = 2 * 3 * 3 * 3 * 32 * 128 * 128
"""Floating point operations of a convolution for each image: 2 K^2 C_in C_out H W."""
_FIND = """
import torch
found = torch.accelerator.current_accelerator() if hasattr(torch, "accelerator") else None
if found is None and torch.cuda.is_available():
    found = torch.device("cuda")
print(found.type if found is not None and found.type != "meta" and getattr(torch, found.type).is_available() else "cpu")
"""


@dataclass(frozen=True)
class Asked:
    """What is to be timed.

    Args:
        sizes: of each operation.
        dtypes: types of numbers.
        threads: numbers of threads on the CPU.
        device: the accelerator, or ``cpu`` where only the CPU is timed.
        processes: of an all-reduce.
        seconds: for all of it, about.
        shortest: how long each operation is repeated at least, in seconds.
    """

    sizes: Mapping[str, tuple[int, ...]]
    dtypes: tuple[str, ...]
    threads: tuple[int, ...]
    device: str
    processes: int
    seconds: float
    shortest: float = 0.1


@dataclass(frozen=True)
class Timing:
    """How long one operation takes.

    Args:
        operation: ``matmul``, ``conv`` or ``all-reduce``.
        size: of it; see ``SIZES``.
        dtype: of the numbers.
        device: its name.
        threads: of the CPU; 0 on an accelerator, and for an all-reduce.
        how: ``synchronised``, ``with transfer`` or ``unsynchronised``.
        seconds: the median.
        spread: the range of the middle half, in seconds.
        runs: how often it was done.
        cpu_seconds: processor time that the process used for it, the median; of an all-reduce only.
        problem: why there is no time; empty where there is one.
    """

    operation: str
    size: int
    dtype: str
    device: str
    threads: int = 0
    how: str = "synchronised"
    seconds: float = float("nan")
    spread: float = float("nan")
    runs: int = 0
    cpu_seconds: float = float("nan")
    problem: str = ""

    @property
    def amount(self) -> float:
        """Floating point operations, 2 n^3 of a product of matrices; of an all-reduce the bytes of a message."""
        if self.operation == "matmul":
            return 2.0 * self.size**3
        return float(self.size * _FILTER) if self.operation == "conv" else float(self.size)


def accelerator() -> str:
    """The type of the accelerator that PyTorch sees, ``cpu`` where there is none.

    Raises:
        ExecutionError: PyTorch is not installed here, or cannot be imported.
    """
    done = subprocess.run((sys.executable, "-c", _FIND), capture_output=True, text=True, check=False)
    if done.returncode:
        why = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        raise ExecutionError(f"PyTorch cannot be used here: {why}.", advice="pip install torch")
    return done.stdout.strip()


def bandwidth(timing: Timing, processes: int) -> float:
    """The bus bandwidth of an all-reduce in bytes per second: 2 (N - 1) / N of the bytes, by its time.

    Source: NVIDIA, nccl-tests, ``doc/PERFORMANCE.md``.
    """
    return timing.amount / timing.seconds * 2 * (processes - 1) / processes


def measured(asked: Asked, report: Callable[[str], None]) -> Iterator[Timing]:
    """All times, one after the other; each device is timed in a process of its own.

    Raises:
        ExecutionError: a process failed.
    """
    devices = [("cpu", asked.threads), *([(asked.device, (1,))] if asked.device != "cpu" else [])]
    computed = [name for name in asked.sizes if name != "all-reduce"]
    parts = len(computed) * len(devices) + ("all-reduce" in asked.sizes)
    for name in computed:
        for device, threads in devices:
            report(f"{name} on {device}")
            yield from _alone(asked, name, device, threads, asked.seconds / parts)
    if "all-reduce" in asked.sizes:
        report(f"all-reduce of {asked.processes} processes")
        yield from _together(asked, asked.seconds / parts)


def _task(asked: Asked, operation: str, device: str, seconds: float, **more: Any) -> str:
    known = {"operation": operation, "device": device, "sizes": asked.sizes[operation], "dtypes": asked.dtypes}
    return json.dumps({**known, "seconds": seconds, "shortest": asked.shortest, **more})


def _alone(asked: Asked, operation: str, device: str, threads: tuple[int, ...], seconds: float) -> Iterator[Timing]:
    task = _task(asked, operation, device, seconds, threads=threads)
    with _started(task, {}) as process:
        for timing in _read(process, operation):
            yield timing if device == "cpu" else replace(timing, threads=0)


def _together(asked: Asked, seconds: float) -> Iterator[Timing]:
    task = _task(asked, "all-reduce", asked.device, seconds, processes=asked.processes)
    group = {"WORLD_SIZE": str(asked.processes), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port())}
    with contextlib.ExitStack() as stack:
        first, *_ = [
            stack.enter_context(_started(task, {**group, "RANK": str(rank), "LOCAL_RANK": str(rank)}))
            for rank in range(asked.processes)
        ]
        yield from _read(first, "all-reduce")


@contextlib.contextmanager
def _started(task: str, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    command = (sys.executable, str(_PROGRAM), task)
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **environment})
    try:
        yield process
        process.wait()
    finally:
        process.kill()
        process.communicate()


def _read(process: subprocess.Popen[str], operation: str) -> Iterator[Timing]:
    assert process.stdout is not None, "it is a pipe"
    assert process.stderr is not None, "it is a pipe"
    device = ""
    for line in process.stdout:
        with contextlib.suppress(ValueError):
            said = json.loads(line)
            if "torch" in said:
                device = said["device"]
            else:
                yield Timing(operation=operation, device=device, **said)
    if process.wait():
        why = (process.stderr.read().strip().splitlines() or [f"exit status {process.returncode}"])[-1]
        raise ExecutionError(f"{operation} failed: {why}.")


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
