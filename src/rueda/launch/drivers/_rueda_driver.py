"""What both drivers do before anything else."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from types import FrameType

_PR_SET_PDEATHSIG = 1


def prepare() -> None:
    """Hides this folder from imports, ends with the process that started this one, and listens to signals.

    Until the engine listens itself there are no ranks, so that leaving at once leaves nothing behind.
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path != folder]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def exit_status(code: int) -> int:
    """The status a shell would see: 128 + n for a process that signal n killed."""
    return code if code >= 0 else 128 - code


def _leave(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)
