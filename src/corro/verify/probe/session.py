"""What the hooks of a process share: its settings, its record, and where in the script they are."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType, TracebackType

from corro.verify.records import ASKED, Record
from corro.verify.replay import Replay
from corro.verify.settings import Settings

BEAT = "beat"
STACK = "stack.txt"
_BEAT_SECONDS = 0.2
_ASKED_SECONDS = 0.5


class Stop(BaseException):
    """Ends a run that was to make so many steps only. Not an Exception: scripts catch those."""


class Unseen(Stop):
    """Ends a run that does what cannot be observed, and says what."""


class Session:
    """One observed process.

    Args:
        settings: how it is observed; rank and size come from the launcher's environment.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        rank, size = _place()
        folder = Path(settings.folder, f"rank{rank}")
        folder.mkdir(parents=True, exist_ok=True)
        self.record = Record(rank=rank, size=size, folder=str(folder))
        self.replay = Replay.of(settings.following) if settings.following else None
        self.folder = folder
        self._names: dict[str, str] = {}
        self.at_end: list[Callable[[], None]] = []
        self.claim: Callable[[str], None] = lambda path: None
        self._beaten = 0.0
        self._listen()

    def line(self) -> str:
        """The place in the user's code that is being executed: ``FILE:LINE``, empty outside of it."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            place = self._place(frame.f_code.co_filename, frame.f_lineno)
            if place:
                return place
            frame = frame.f_back
        return ""

    def is_own(self, file: str) -> bool:
        """Whether a file is one of the user's code."""
        return bool(self._place(file, 1))

    def line_of(self, trace: TracebackType | None) -> str:
        """The innermost place in the user's code that an exception passed through."""
        places = [self._place(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(trace)]
        return next(filter(None, reversed(places)), "")

    def say(self, what: str) -> None:
        """Note, once, what was changed to make runs comparable."""
        if what not in self.record.said:
            self.record.said.append(what)

    def noisy(self, what: str) -> None:
        """Note, once, that the script makes a kind of noise."""
        if what not in self.record.noisy:
            self.record.noisy.append(what)

    def beat(self) -> None:
        """Show whoever waits for this process that it gets on."""
        now = time.monotonic()
        if now - self._beaten > _BEAT_SECONDS:
            self._beaten = now
            (self.folder / BEAT).write_text(str(len(self.record.steps)))

    def unseen(self, what: str) -> None:
        """End the run, as it does what cannot be observed.

        Raises:
            Unseen: always.
        """
        raise Unseen(f"{what} [{self.line()}]")

    def finish(self) -> None:
        """Write the record."""
        self.record.ended = time.time()
        for each in self.at_end:
            each()
        self.record.write()

    def _place(self, file: str, line: int) -> str:
        if file not in self._names:
            self._names[file] = self.settings.name_of(file)
        return f"{self._names[file]}:{line}" if self._names[file] else ""

    def _listen(self) -> None:
        """On a signal, say where the program is: also while it waits inside a library that holds Python's lock."""
        self.beat()
        self._stack = (self.folder / STACK).open("w")
        if hasattr(signal, "SIGUSR1"):
            faulthandler.register(signal.SIGUSR1, file=self._stack, all_threads=False)
        (self.folder / "pid").write_text(str(os.getpid()))
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        """Leave the record once it is asked for, as the program waits for ever."""
        while not (self.folder / ASKED).exists():
            time.sleep(_ASKED_SECONDS)
        self.record.hung = True
        self.record.write()


def _place() -> tuple[int, int]:
    """The rank of this process, and how many there are: by the variables that the launch names."""
    names = os.environ.get("CORRO_PLACE", "").split()
    rank, size = (int(os.environ[name]) for name in names) if names else (0, 1)
    return rank, size
