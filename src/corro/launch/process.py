"""Starts a planned launch, waits for it, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from corro.errors import ExecutionError
from corro.launch.plan import LaunchPlan

GRACE_SECONDS = 35.0  # the launchers themselves allow the ranks 30 seconds
_POLL_SECONDS = 0.2
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(
    plan: LaunchPlan,
    output: Path | None = None,
    give_up: Callable[[], bool] | None = None,
    *,
    to_the_last: bool = False,
    grace: float = GRACE_SECONDS,
    watcher: Watcher | None = None,
) -> int:
    """Runs the launch to its end and answers with its exit status.

    The status is that of the rank that failed first: its own, or 128 + n when signal n killed it. The processes
    share the standard output and error of the caller, each line once; there is no standard input to share.
    SIGINT, SIGTERM and SIGHUP are passed on to every rank once; a second one kills. No process outlives a run that
    failed or was interrupted.

    Args:
        plan: what to start.
        output: a file that takes standard output and error instead.
        give_up: asked all the time; once it says so, all processes are killed.
        to_the_last: whether what the ranks have started ends with the run, in any case.
        grace: the seconds that the ranks are given to end after a signal, before they are killed.
        watcher: shown the folder of signs all the time, and once more at the end.

    Raises:
        ExecutionError: the launcher could not be started.
    """
    with tempfile.TemporaryDirectory(prefix="corro-run-", ignore_cleanup_errors=True) as folder:
        kept = {name: value for name, value in os.environ.items() if name not in plan.without}
        environment = {**kept, **plan.environment, "CORRO_RUN": folder}
        try:
            with contextlib.nullcontext() if output is None else output.open("wb") as stream:
                launcher = subprocess.Popen(
                    plan.command,
                    cwd=plan.directory,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=stream,
                    start_new_session=True,  # Ctrl-C comes here only, and goes to each rank once
                )
        except OSError as error:
            raise ExecutionError(f"{plan.command[0]} cannot be started: {error.strerror}.") from error
        try:
            interrupted_by = _wait(launcher, _asked(give_up, watcher, Path(folder)), grace)
        finally:
            if launcher.poll() != 0 or to_the_last:
                _kill_all(launcher, folder)
            if watcher is not None:
                watcher.ended(Path(folder))
        return 128 + interrupted_by if interrupted_by else _status(launcher.returncode, Path(folder) / "failure")


class Watcher(Protocol):
    """Whoever wants to see how far a run is.

    Its processes leave signs in a folder: ``begun.RANK``; ``spoke`` when the first of them has written something; and
    ``failure.RANK``, with a line each: exit status, rank, what went wrong, and where as ``FILE:LINE``. What the first
    that failed left is also ``failure``.
    """

    def look(self, folder: Path) -> None:
        """The run goes on."""

    def ended(self, folder: Path) -> None:
        """The run has ended; the folder goes now."""


def _asked(give_up: Callable[[], bool] | None, watcher: Watcher | None, folder: Path) -> Callable[[], bool]:
    def ask() -> bool:
        if watcher is not None:
            watcher.look(folder)
        return give_up is not None and give_up()

    return ask


def _wait(launcher: subprocess.Popen[bytes], give_up: Callable[[], bool], grace: float) -> int | None:
    """Waits for the launcher, not for ever once a signal came; the answer is that signal, if any."""
    received: list[int] = []
    kill_at: float | None = None
    with _handling(received.append):
        while not _ended(launcher):
            if len(received) > 1 or (kill_at and time.monotonic() > kill_at) or give_up():
                break
            if received and kill_at is None:
                launcher.send_signal(received[0])
                kill_at = time.monotonic() + grace
    return received[0] if received else None


def _ended(launcher: subprocess.Popen[bytes]) -> bool:
    try:
        launcher.wait(_POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


@contextlib.contextmanager
def _handling(handler: Callable[[int], None]) -> Iterator[None]:
    """Handles the signals that end a run, where they are not ignored (nohup); only a main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    heard = [number for number, previous in before.items() if previous is not signal.SIG_IGN]
    for number in heard:
        signal.signal(number, lambda which, _: handler(which))
    try:
        yield
    finally:
        for number in heard:
            signal.signal(number, before[number])


def _status(launcher: int, failure: Path) -> int:
    """The exit status of the run: what the first failing rank left, or else what the launcher says."""
    if launcher and failure.exists():
        return int(failure.read_text(encoding="utf-8").split("\n", 1)[0])
    return launcher if launcher >= 0 else 128 - launcher


def _kill_all(launcher: subprocess.Popen[bytes], folder: str) -> None:
    """Kills the launcher and every process of the run, found by the name of its folder in their environment."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(launcher.pid, signal.SIGKILL)
    deadline = time.monotonic() + _POLL_SECONDS * 10
    while (found := _processes_with(f"CORRO_RUN={folder}")) and time.monotonic() < deadline:
        for number in found:  # and again those that were started meanwhile
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        time.sleep(_POLL_SECONDS / 10)
    launcher.wait()


def _processes_with(variable: str) -> list[int]:
    """Processes with this in the environment they were started with (Linux; elsewhere the launcher's own group)."""
    wanted = variable.encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                found.append(int(path.parent.name))
    return found
