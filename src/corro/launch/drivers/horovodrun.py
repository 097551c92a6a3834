"""horovodrun for one machine, with bare output and the exit status of the rank that failed first.

``horovodrun.py OPTIONS -- COMMAND...``. Horovod assigns ranks and serves the rendezvous. Its
``safe_shell_exec.execute``, which starts one rank, is replaced: the original starts an interpreter per rank that
prefixes every line with ``[0]<stdout>:``, stops at bytes that are not UTF-8, and never passes SIGINT on. So is the
question whether Gloo is built in, for which Horovod imports each framework and lets it talk; ``hvd.init()`` would say
so too.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from types import FrameType
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import _corro_driver

_POLL_SECONDS = 0.05

_failures: list[int] = []
_received: list[int] = []


def execute(command: str, *_: Any, index: int = 0, events: Sequence[threading.Event] = (), **__: Any) -> int:
    """Starts one rank in a process group of its own and waits for it, or for one of ``events`` to stop it."""
    process = subprocess.Popen(f"exec {command}", shell=True, start_new_session=True)
    while not any(event.is_set() for event in events):
        if _corro_driver.ended(process, _POLL_SECONDS):
            break
    if process.poll() is None:
        _stop(process, signal.Signals(_received[0]) if _received else signal.SIGTERM)
    status: int = _corro_driver.exit_status(process.returncode)
    if status and not any(event.is_set() for event in events):
        _failures.append(status)
        _corro_driver.tell_if_killed(index, process.returncode)
    return status


def _stop(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    for each in (number, signal.SIGKILL):
        _corro_driver.send(process, each)
        if _corro_driver.ended(process, _corro_driver.GRACE_SECONDS):
            return


def _shutdown_event() -> threading.Event:
    """As Horovod's ``register_shutdown_event``, and remembers which signal it was."""
    event = threading.Event()

    def on_signal(number: int, _: FrameType | None) -> None:
        _received.append(number)
        event.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, on_signal)
    return event


def main(options: list[str], command: list[str]) -> int:
    """Runs the ranks until they end; the answer is the exit status of the run."""
    from horovod.runner import gloo_run, launch
    from horovod.runner.common.util import safe_shell_exec

    parse_args = launch.parse_args

    def parsed() -> Any:
        arguments = parse_args()
        arguments.command = command
        return arguments

    sys.argv[1:] = options
    launch.parse_args = parsed
    safe_shell_exec.execute = execute
    gloo_run.register_shutdown_event = _shutdown_event
    launch.gloo_built = lambda **_: True
    gloo_run.print = lambda *_, **__: None  # "Process 1 exit with status code 3."
    try:
        launch.run_commandline()
    except RuntimeError:
        if not _failures and not _received:
            raise
    if _received:
        return 128 + _received[0]
    return _failures[0] if _failures else 0


if __name__ == "__main__":
    _corro_driver.prepare()
    sys.exit(main(*_corro_driver.options_and_command(sys.argv[1:])))
