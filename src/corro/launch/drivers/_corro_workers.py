"""Starts processes that find each other through their environment, for engines without a launcher of their own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import NoReturn

import _corro_driver

LOOPBACK = "127.0.0.1"
_GRACE_AFTER_FAILURE = 5.0  # TensorFlow keeps SIGTERM for itself; in 10 seconds it has noticed, and talks about it
_POLL_SECONDS = 0.05

_received: list[signal.Signals] = []


def main(environment: Callable[[Sequence[str], int], Mapping[str, str]]) -> NoReturn:
    """A driver that is called with ``PROCESSES COMMAND...``; exits as the run does.

    Args:
        environment: who a process is, by the addresses of all and its number.
    """
    _corro_driver.prepare()
    addresses, _held = _reserve_addresses(int(sys.argv[1]))
    sys.exit(_run(sys.argv[2:], [environment(addresses, number) for number in range(len(addresses))]))


def _run(command: Sequence[str], environments: Sequence[Mapping[str, str]]) -> int:
    """Runs a process for each environment until all end; the answer is the exit status of the run.

    The first one that fails ends the others, which would wait for it in a collective.
    """
    _listen()
    running: list[subprocess.Popen[bytes]] = []
    for rank, each in enumerate(environments):
        place = {"CORRO_RANK": str(rank), "CORRO_SIZE": str(len(environments))}
        running.append(subprocess.Popen(command, env=os.environ | {**each, **place}, start_new_session=True))
    failed = _wait(running)
    if failed:
        _stop(running, signal.SIGTERM, _GRACE_AFTER_FAILURE)
    elif _received:
        _stop(running, _received[0], _corro_driver.GRACE_SECONDS)
        return 128 + _received[0]
    return failed


def _reserve_addresses(number: int) -> tuple[list[str], list[socket.socket]]:
    """Free addresses on this machine, and what holds them as long as it lives.

    Nobody is given such a port meanwhile who does not ask for it by its number. A socket bound with SO_REUSEADDR that
    does not listen lets the engine's own server have the port; on Linux only, so elsewhere nothing is held.
    """
    held = [_bound_socket() for _ in range(number)]
    addresses = [f"{LOOPBACK}:{each.getsockname()[1]}" for each in held]
    if sys.platform != "linux":
        for each in held:
            each.close()
    return addresses, held


def _bound_socket() -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    made.bind((LOOPBACK, 0))
    return made


def _listen() -> None:
    def on_signal(number: int, _: FrameType | None) -> None:
        _received.append(signal.Signals(number))

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)


def _wait(running: Sequence[subprocess.Popen[bytes]]) -> int:
    """Waits for all to end, for the first to fail, or for a signal; the answer is the status of the failed one."""
    left = list(running)
    while left and not _received:
        time.sleep(_POLL_SECONDS)
        for process in [each for each in left if each.poll() is not None]:
            if process.returncode:
                _corro_driver.tell_if_killed(running.index(process), process.returncode)
                status: int = _corro_driver.exit_status(process.returncode)
                return status
            left.remove(process)
    return 0


def _stop(running: Sequence[subprocess.Popen[bytes]], number: signal.Signals, grace: float) -> None:
    """Ends what still runs: asked first, all at the same time, then killed."""
    for process in running:
        if process.poll() is None:
            _corro_driver.send(process, number)
    deadline = time.monotonic() + grace
    for process in running:
        if not _corro_driver.ended(process, max(0.0, deadline - time.monotonic())):
            _corro_driver.send(process, signal.SIGKILL)
            process.wait()
