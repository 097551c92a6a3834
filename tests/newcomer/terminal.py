"""A terminal of 80 columns and 24 rows, in which a new user types commands."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fcntl import ioctl
from pathlib import Path

import pyte

import corro
from waiting import LIMIT_SECONDS

COLUMNS, ROWS = 80, 24
HISTORY = 2000
CTRL_C = b"\x03"
LIBRARIES = re.compile(r"/[^\s\"']*/site-packages/")
RANKS = re.compile(r"ranks? \d[\d, and]*(?=\S* failed)")
"""Which processes have failed, before they were ended for the failure of another one."""
_IN_FRONT = "import os, sys, fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execvp(sys.argv[1], sys.argv[1:])"
"""Makes the terminal that of the command, as a shell does: without it, Ctrl-C would reach nobody."""


@dataclass
class Terminal:
    """What a user sees and types, in a folder of their own.

    Args:
        home: a new folder: the scripts lie in ``work``, temporary files in ``tmp``.

    Attributes:
        moments: the screen each time that a key was pressed.
    """

    home: Path
    moments: list[list[str]] = field(default_factory=list, init=False)
    _sent: str = field(default="", init=False)

    def __post_init__(self) -> None:
        for folder in (self.work, self.temporary, self.home / "bin"):
            folder.mkdir()
        command = self.home / "bin" / "corro"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m corro "$@"\n', encoding="utf-8")
        command.chmod(0o755)

    @property
    def work(self) -> Path:
        """The current folder."""
        return self.home / "work"

    @property
    def temporary(self) -> Path:
        """Where temporary files are made."""
        return self.home / "tmp"

    @property
    def environment(self) -> dict[str, str]:
        """What a user has: this Corro and no settings, and a machine without GPUs."""
        path = os.pathsep.join([str(self.home / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
        python = [str(Path(corro.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        return {
            "HOME": str(self.home),
            "TMPDIR": str(self.temporary),
            "PATH": path,
            "PYTHONPATH": os.pathsep.join(filter(None, python)),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "CUDA_VISIBLE_DEVICES": "",
        }

    def types(self, command: str, until: Callable[[list[str]], bool] | None = None, key: bytes = b"") -> int:
        """Type a command, and wait for its end; its exit status.

        Args:
            command: as it stands behind the prompt; a shell reads it.
            until: given the screen, says whether it is time for the key.
            key: what is typed then.
        """
        self._sent += f"$ {command}\r\n"
        ours, its = pty.openpty()
        ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        shell = [sys.executable, "-S", "-c", _IN_FRONT, "sh", "-c", f"exec {command}"]
        process = subprocess.Popen(
            shell,
            cwd=self.work,
            env=self.environment,
            stdin=its,
            stdout=its,
            stderr=its,
            start_new_session=True,
        )
        os.close(its)
        try:
            self._look(ours, process, until, key)
            return process.wait()
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            os.close(ours)

    def _look(
        self, ours: int, process: subprocess.Popen[bytes], until: Callable[[list[str]], bool] | None, key: bytes
    ) -> None:
        deadline = time.monotonic() + LIMIT_SECONDS
        before, rest = self._sent, b""
        while chunk := _read(ours, process):
            rest += chunk
            self._sent = before + self._told(rest.decode(errors="ignore"))
            if until is not None and until(self.screen()):
                self.moments.append(self.screen())
                os.write(ours, key)
                until = None
            if time.monotonic() > deadline:
                raise TimeoutError("\n".join(self.screen()))
        if until is not None:
            raise AssertionError("it never came:\n" + "\n".join(self.screen()))

    def screen(self) -> list[str]:
        """What is seen now."""
        return self.all()[-ROWS:]

    def all(self) -> list[str]:
        """All lines since the beginning: those that have left the screen, too."""
        screen = pyte.HistoryScreen(COLUMNS, ROWS, history=HISTORY, ratio=1)
        pyte.Stream(screen).feed(self._sent)
        rows = [*screen.history.top, *(screen.buffer[number] for number in range(ROWS))]
        lines = ["".join(row[column].data for column in range(COLUMNS)).rstrip() for row in rows]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def _told(self, text: str) -> str:
        """What was sent, with names instead of the folders of this machine: before it is wrapped into rows."""
        text = RANKS.sub("rank #", text)
        return LIBRARIES.sub("/site-packages/", text.replace(str(self.home), "/home/ada"))


def _read(terminal: int, process: subprocess.Popen[bytes]) -> bytes:
    """What comes next; nothing when the command has ended."""
    while True:
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                return os.read(terminal, 65536)
            except OSError:  # Linux: all of the other end is closed
                return b""
        if process.poll() is not None:
            return b""
