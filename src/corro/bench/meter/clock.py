"""When the steps of a process ended, and how many samples went into each."""

from __future__ import annotations

import contextlib
import json
import resource
import sys
import time
from array import array
from pathlib import Path

from corro.verify.probe.session import BEAT, Session, Stop
from corro.verify.settings import Settings

TIMES = "times.json"
UNKNOWN = -1
"""Of the samples of a step of which nothing says it."""
_BEAT_SECONDS = 0.2


class Meter(Session):
    """One measured process.

    Args:
        settings: how it is observed; of the verification's those that say where things are, and ``steps``.
    """

    def __init__(self, settings: Settings) -> None:
        self._ends = array("d")
        self._samples = array("q")
        self._whole = array("b")
        self._asides = array("b")
        self._aside = False
        self._pending: int | None = None
        self._begun = True
        self._told = 0.0
        self._depth = 0
        super().__init__(settings)

    def gave(self, samples: int | None) -> None:
        """So many samples go into the next step; ``None`` where that cannot be told."""
        if samples is not None:
            self._pending = (self._pending or 0) + samples

    def began(self) -> None:
        """A pass over data begins: until the next step more is done than a step."""
        self._begun = True

    def aside(self, *, begins: bool = False) -> None:
        """Something is run that is no step: an evaluation, or a part of each step.

        Args:
            begins: whether a pass over data begins with it.
        """
        self._aside = True
        self._begun = self._begun or begins

    def enter(self) -> None:
        """What trains now tells of its steps by itself, and of their samples."""
        self._depth += 1
        self._pending = None

    def leave(self) -> None:
        """It has ended."""
        self._depth -= 1

    @property
    def made(self) -> int:
        """How many steps have ended."""
        return len(self._ends)

    @property
    def inside(self) -> bool:
        """Whether something trains that tells of its steps by itself."""
        return self._depth > 0

    def stepped(self, steps: int = 1) -> None:
        """A step has ended; or several, of which each has an equal part of the time and of the samples.

        Raises:
            Stop: it was the last that is asked for.
        """
        now = time.monotonic()
        before = self._ends[-1] if self._ends else now
        for number in range(1, steps + 1):
            self._ends.append(before + (now - before) * number / steps)
            self._samples.append(UNKNOWN if self._pending is None else _part(self._pending, number, steps))
            self._whole.append(not self._begun)
            self._asides.append(self._aside)
        self._pending, self._begun, self._aside = None, False, False
        self.beat()
        if self.settings.steps and len(self._ends) >= self.settings.steps:
            raise Stop

    def beat(self) -> None:
        """Show how many steps were made."""
        now = time.monotonic()
        if now - self._told > _BEAT_SECONDS:
            self._told = now
            (self.folder / BEAT).write_text(str(len(self._ends)))

    def finish(self) -> None:
        """Leave the times, and the record.

        What is run beside most of the steps is a part of them; beside few of them it is an evaluation.
        """
        if 2 * sum(self._asides) < len(self._asides):
            self._whole = array(
                "b", (whole and not aside for whole, aside in zip(self._whole, self._asides, strict=True))
            )
        told = {
            "ends": list(self._ends),
            "samples": list(self._samples),
            "whole": list(self._whole),
            "peak_bytes": peak_bytes(),
        }
        (self.folder / TIMES).write_text(json.dumps(told))
        super().finish()


def _part(whole: int, number: int, parts: int) -> int:
    return whole * number // parts - whole * (number - 1) // parts


def peak_bytes() -> int:
    """The most memory that this process had at a time, in bytes.

    Linux counts it anew for each program; elsewhere it is that of ``getrusage``, which a process may have from the one
    that started it.
    """
    with contextlib.suppress(OSError, IndexError, ValueError):
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
