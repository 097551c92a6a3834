"""What is said of a run: how far its start is, and after a failure what failed where."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corro.cli._machine import gpus
from corro.cli._shares import NOT_SHARED, fitting, shown
from corro.cli._terminal import clear_line, echo, style

if TYPE_CHECKING:
    from collections.abc import Iterator

STATUS = "CORRO_STATUS"
"""Set where a status line is on the terminal, which the first word of the program takes away."""
_SOON = 2.0
_LEFT_ALONE = re.compile(
    r"Connection (?:closed|reset) by peer|Broken pipe|HorovodInternalError|remote process exited"
    r"|Collective ops is aborted"
)
"""How a process fails that has lost another one."""
_NO_GPU = "invalid device ordinal"
"""What CUDA says of a GPU that is not there: a process takes that of its number."""


@dataclass(frozen=True)
class Failure:
    """How a process failed."""

    status: int
    rank: int
    summary: str
    place: str

    @property
    def shown(self) -> str:
        """The place as seen from the current folder."""
        file, _, line = self.place.rpartition(":")
        near = file and Path(file).is_relative_to(Path.cwd())
        return f"{os.path.relpath(file)}:{line}" if near else self.place


class Starting:
    """Shows how far the start of a run is until its processes say something themselves, and keeps their failures."""

    def __init__(self, processes: int, what: str = "process", many: str = "processes") -> None:
        self.processes = processes
        self.failures: tuple[Failure, ...] = ()
        self._named = f"{processes} {what if processes == 1 else many}"
        self._since = time.monotonic()
        self._status = sys.stderr.isatty()
        self._silent = False

    @property
    def environment(self) -> dict[str, str]:
        """What the processes have to be told."""
        return {STATUS: "1"} if self._status else {}

    def look(self, folder: Path) -> None:
        """See ``Watcher``: on a terminal a moving line; elsewhere one line when all have begun, if that took long."""
        if self._silent:
            return
        begun = len(list(folder.glob("begun.*")))
        seconds = time.monotonic() - self._since
        spoke = (folder / "spoke").exists()
        if self._status and not spoke:
            said = f"{begun} of {self.processes} have begun" if begun < self.processes else "they have begun"
            _transient(f"corro: starting {self._named}: {said}, {seconds:.0f} s")
        elif spoke or begun >= self.processes:
            self._silent = True
            if not self._status and seconds > _SOON:
                echo(f"corro: {self._named} have begun after {seconds:.0f} s", sys.stderr)

    def ended(self, folder: Path) -> None:
        """See ``Watcher``."""
        if self._status and not self._silent and not (folder / "spoke").exists():
            _transient("")
        first = _read(folder / "failure")
        others = sorted(filter(None, map(_read, folder.glob("failure.*"))), key=lambda each: each.rank)
        self.failures = tuple(dict.fromkeys((first, *others))) if first else tuple(others)


def told_of_failure(failures: tuple[Failure, ...], status: int, again: str) -> Iterator[str]:
    """What failed where, one line for all that failed alike; not what others failed of, which had lost that process.

    Args:
        failures: of the processes, the first one first.
        status: the exit status of the run.
        again: the command to start it again, with ``{}`` for the number of processes.
    """
    if status in (128 + number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)):
        where = f" at {failures[0].shown}" if failures and failures[0].place else ""
        yield f"{clear_line(sys.stderr)}corro: interrupted{where}; all processes have ended."
        return
    if not failures:
        yield f"corro: it ended with exit status {status}{_signal(status)}, and no process said why."
        return
    own = [each for each in failures if not _LEFT_ALONE.search(each.summary)]
    failures = tuple(own) or failures
    kinds = list(dict.fromkeys((each.summary, each.place) for each in failures))
    for number, (summary, place) in enumerate(kinds):
        alike = [each for each in failures if (each.summary, each.place) == (summary, place)]
        where = f"{alike[0].shown}: " if place else ""
        failed = "failed" if number == 0 else "then failed"
        yield f"corro: {style(_ranks(alike), 'red', bold=True)} {failed}: {where}{summary}"
    if any(_NO_GPU in each.summary for each in failures):
        number = max(1, gpus())
        yield f"  each process takes a GPU of its own, and this machine has {number}: {again.format(number)}"
        yield "  or, to train on the CPU, put CUDA_VISIBLE_DEVICES= in front of the command"
    if batch := NOT_SHARED.search(failures[0].summary):
        size, asked = int(batch[1]), int(batch[2])
        near = max(n for n in fitting(size) if n <= asked)
        yield f"  {shown(size)} can take it: {again.format(near)}"


def _ranks(alike: list[Failure]) -> str:
    ranks = [str(rank) for rank in sorted({each.rank for each in alike})]
    return f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {', '.join(ranks[:-1])} and {ranks[-1]}"


def _signal(status: int) -> str:
    with contextlib.suppress(ValueError):
        return f" ({signal.Signals(status - 128).name})"
    return ""


def _read(path: Path) -> Failure | None:
    with contextlib.suppress(OSError, ValueError):
        status, rank, summary, place, *_ = [*path.read_text(encoding="utf-8").split("\n"), "", ""]
        return Failure(int(status), int(rank), summary, place)
    return None


def _transient(text: str) -> None:
    """A line that the next one takes the place of."""
    columns = os.get_terminal_size(sys.stderr.fileno()).columns
    sys.stderr.write(f"\r\x1b[K{text[: max(columns - 1, 0)]}\r" if text else "\r\x1b[K")
    sys.stderr.flush()
