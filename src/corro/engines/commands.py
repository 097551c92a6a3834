"""Runs commands whose output goes to a log that is kept."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from corro.errors import ExecutionError

TAIL_LINES = 25


class Log:
    """A file that takes the output of several commands; starts empty."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")

    def append(self) -> IO[str]:
        """The file, open for more."""
        return self.path.open("a", encoding="utf-8")


def run_logged(
    command: Sequence[str],
    log: Log,
    environment: Mapping[str, str] | None = None,
    *,
    on_line: Callable[[str], None] = lambda line: None,
    advice: str = "",
) -> None:
    """Runs a command to its end; each line goes to the log and to ``on_line``. Interrupted, it leaves no process.

    Raises:
        ExecutionError: the command failed; the message ends with the last lines of its output.
    """
    tail: deque[str] = deque(maxlen=TAIL_LINES)
    with log.append() as file:
        file.write(f"$ {shlex.join(command)}\n")
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            for line in process.stdout:
                file.write(line)
                tail.append(line)
                on_line(line)
            status = process.wait()
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            process.stdout.close()
    if status:
        raise ExecutionError(
            f"{shlex.join(command[:5])} … failed with status {status}.\n{''.join(tail)}",
            advice=f"{advice} The whole output: {log.path}".strip(),
        )
