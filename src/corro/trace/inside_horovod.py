"""What is seen of Horovod from inside a process: what it waits for, and, on rank 0, what its own timeline tells.

Runs where the program runs, and only there.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from corro.trace.timeline import VARIABLE

if TYPE_CHECKING:
    from corro.trace.inside import Tracer

_PATIENCE_SECONDS = 5.0
_WATCHED_SECONDS = 0.05
_NANOSECONDS = 1e9
_REST = getattr(signal, "SIGTRAP", 0)
_BETWEEN_SECONDS = 0.5


class Horovod:
    """What rank 0 notes, so that its timeline can be put beside the spans.

    Args:
        tracer: of the process.
        module: Horovod's for a framework.
    """

    def __init__(self, tracer: Tracer, module: ModuleType) -> None:
        self._given: dict[str, list[float]] = defaultdict(list)
        self._done: dict[str, list[float]] = defaultdict(list)
        self._names: dict[Any, str] = {}
        self._tracer = tracer
        self._module = module
        self._writer = _Writer(0)
        self._midnight = self._since = 0.0
        self._writes = self._is_complete = False
        self._share, self._steps = 0.0, 0
        if VARIABLE in os.environ:
            module.init = self._begun(module.init)  # type: ignore[attr-defined]

    def _begun(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(plain)
        def init(*args: Any, **kwargs: Any) -> Any:
            there = _threads()
            given = plain(*args, **kwargs)
            if not self._writes and self._module.rank() == 0:
                self._tracer.notes["horovod"] = self.noted
                self._tracer.at_step.append(self._stepped)
                self._writes, self._since = True, time.monotonic()
                self._midnight = time.time() - self._since
                self._writer = _Writer(_busiest(_threads() - there))
                self._writer.step_back()
            return given

        return init

    def give(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A function that gives Horovod a tensor with a name, and answers with a handle."""

        @functools.wraps(plain)
        def given(*args: Any, **kwargs: Any) -> Any:
            now = time.monotonic()
            handle = plain(*args, **kwargs)
            if self._writes and kwargs.get("name"):
                name = self._names[handle] = f"allreduce.{kwargs['name']}"
                self._given[name].append(now)
            return handle

        return given

    def wait(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A function that waits for what a handle stands for."""

        @functools.wraps(plain)
        def waited(handle: Any) -> Any:
            result = plain(handle)
            name = self._names.pop(handle, "")
            if name:
                self._done[name].append(time.monotonic())
            return result

        return waited

    def noted(self) -> dict[str, Any]:
        """What was noted, after the timeline is complete."""
        if self._writes:
            self._end()
        return {
            "given": self._given,
            "done": self._done,
            "midnight": self._midnight,
            "writer_share": self._share,
            "steps": self._steps,
        }

    def _stepped(self) -> None:
        if self._writes and not self._tracer.is_watched:
            self._steps = self._tracer.made
            self._end()
        if self._is_complete and self._module.is_initialized():
            self._writer.rest()

    def _end(self) -> None:
        self._writes = False
        self._share = _seconds_of(self._writer.thread) / (time.monotonic() - self._since)
        # it waits for its writer, which a program that has shut Horovod down has no more
        ends = threading.Thread(target=self._stop, daemon=True)
        ends.start()
        ends.join(_PATIENCE_SECONDS)
        self._is_complete = not ends.is_alive()

    def _stop(self) -> None:
        if self._module.is_initialized():
            self._module.stop_timeline()


def _threads() -> set[int]:
    """The threads of this process; none where the system does not show them."""
    folder = Path("/proc/self/task")
    return {int(each.name) for each in folder.iterdir()} if folder.exists() else set()


def _seconds_of(thread: int) -> float:
    """How long a thread has had a core; source: proc(5), ``schedstat``."""
    try:
        return int(Path(f"/proc/self/task/{thread}/schedstat").read_text().split()[0]) / _NANOSECONDS
    except (OSError, ValueError, IndexError):
        return 0.0


def _busiest(threads: set[int]) -> int:
    """The thread that works while the others wait: the writer of the timeline, which asks for events all the time."""
    before = {each: _seconds_of(each) for each in threads}
    time.sleep(_WATCHED_SECONDS)
    return max(threads, key=lambda each: _seconds_of(each) - before[each], default=0)


class _Writer:
    """The thread that writes the timeline; on Linux, where threads have a number each.

    It asks for events without a pause until Horovod shuts down, also when the timeline has been stopped; source:
    horovod/common/timeline.cc, ``WriterLoop``. What it takes from training would show what is not there.

    Args:
        thread: its number; 0: not known.
    """

    def __init__(self, thread: int) -> None:
        self.thread = thread if sys.platform == "linux" else 0
        self._again = 0.0

    def step_back(self) -> None:
        """Let it have a core only while nobody else wants it."""
        if self.thread and sys.platform == "linux":
            os.sched_setscheduler(self.thread, os.SCHED_IDLE, os.sched_param(0))

    def rest(self) -> None:
        """Let it sleep for some seconds, once the timeline is complete: Horovod waits for it only when it shuts down.

        A signal's handler runs in the thread that gets it, and ``sleep`` takes the number of the signal for seconds.
        Nothing has to wake it, so nothing is lost where a signal comes late: Horovod's end takes those seconds longer.
        """
        now = time.monotonic()
        if self.thread and now > self._again and _sleeps_on(_REST):
            self._again = now + _REST + _BETWEEN_SECONDS
            ctypes.CDLL(None).tgkill(os.getpid(), self.thread, _REST)


def _sleeps_on(number: int) -> bool:
    """Have C's ``sleep`` called when a signal comes, unless the program has a handler of its own."""
    library = ctypes.CDLL(None)
    library.signal.restype, library.signal.argtypes = ctypes.c_void_p, (ctypes.c_int, ctypes.c_void_p)
    sleep = ctypes.cast(library.sleep, ctypes.c_void_p).value
    before = library.signal(number, sleep)
    if before in (None, sleep):
        return True
    library.signal(number, before)
    return False
