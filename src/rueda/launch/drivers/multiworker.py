"""Starts the workers of ``tf.distribute.MultiWorkerMirroredStrategy``: ``multiworker.py WORKERS COMMAND...``.

TensorFlow has no launcher of its own: a worker learns from ``TF_CONFIG`` who it is and where the others listen.
Worker 0 is the chief. The first one that fails ends the others, which would wait for it in a collective.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _rueda_driver

LOOPBACK = "127.0.0.1"
FAILED_GRACE_SECONDS = 5.0  # TensorFlow takes SIGTERM for itself; in 10 seconds it has noticed, and talks about it
_POLL_SECONDS = 0.05

_received: list[signal.Signals] = []


def main(workers: int, command: Sequence[str]) -> int:
    """Runs the workers until they end; the answer is the exit status of the run."""
    _listen()
    reserved = [_reserve_port() for _ in range(workers)]
    addresses = [f"{LOOPBACK}:{each.getsockname()[1]}" for each in reserved]
    if sys.platform != "linux":  # elsewhere a port that is held cannot be bound once more
        for each in reserved:
            each.close()
    running = [
        subprocess.Popen(command, env=os.environ | _environment(addresses, number), start_new_session=True)
        for number in range(workers)
    ]
    failed = _wait(running)
    if failed:
        _stop(running, signal.SIGTERM, FAILED_GRACE_SECONDS)
    elif _received:
        _stop(running, _received[0], _rueda_driver.GRACE_SECONDS)
        return 128 + _received[0]
    return failed


def _listen() -> None:
    def on_signal(number: int, _: FrameType | None) -> None:
        _received.append(signal.Signals(number))

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)


def _reserve_port() -> socket.socket:
    """A socket on a free port. While it lives nobody is given that port who does not ask for it by its number.

    Bound with SO_REUSEADDR and not listening, it lets the worker's server have the port.
    """
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind((LOOPBACK, 0))
    return reserved


def _environment(addresses: Sequence[str], number: int) -> dict[str, str]:
    """Who a worker is, and which GPU is its own where there are any."""
    task = {"type": "worker", "index": number}
    return {
        "TF_CONFIG": json.dumps({"cluster": {"worker": addresses}, "task": task}),
        "RUEDA_RANK": str(number),
        "RUEDA_DEVICES": f"{number}:{number + 1}",
    }


def _wait(running: Sequence[subprocess.Popen[bytes]]) -> int:
    """Waits for all workers, for the first that fails, or for a signal; the answer is the status of the failed one."""
    left = list(running)
    while left and not _received:
        time.sleep(_POLL_SECONDS)
        for process in [each for each in left if each.poll() is not None]:
            if process.returncode:
                status: int = _rueda_driver.exit_status(process.returncode)
                return status
            left.remove(process)
    return 0


def _stop(running: Sequence[subprocess.Popen[bytes]], number: signal.Signals, grace: float) -> None:
    """Ends what still runs: asked first, all at the same time, then killed."""
    for process in running:
        if process.poll() is None:
            _rueda_driver.send(process, number)
    deadline = time.monotonic() + grace
    for process in running:
        if not _rueda_driver.ended(process, max(0.0, deadline - time.monotonic())):
            _rueda_driver.send(process, signal.SIGKILL)
            process.wait()


if __name__ == "__main__":
    _rueda_driver.prepare()
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
