"""What the drivers have in common, the bootstrap included."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from types import FrameType

GRACE_SECONDS = 30.0
_PR_SET_PDEATHSIG = 1


def prepare() -> None:
    """Hides this folder from imports, ends with the process that started this one, and listens to signals.

    Until the engine listens itself there are no ranks, so that leaving at once leaves nothing behind.
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if path != folder]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    end_with_parent()


def options_and_command(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """The engine's own options, and after ``--`` the command of a rank.

    The engines' parsers would take options of the script for abbreviations of their own: ``--log``, say.
    """
    at = list(arguments).index("--")
    return list(arguments[:at]), list(arguments[at + 1 :])


def end_with_parent() -> None:
    """Has this process asked to end when the one that started it is gone, killed for instance (Linux only)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def exit_status(code: int) -> int:
    """The status a shell would see: 128 + n for a process that signal n killed."""
    return code if code >= 0 else 128 - code


def tell_if_killed(rank: int, code: int) -> None:
    """Leaves for ``corro run`` how a process ended that a signal has killed, which could not say so itself.

    One that was killed outright failed first: what others have said since is that they miss it.
    """
    folder = os.environ.get("CORRO_RUN")
    if folder is None or code >= 0 or -code == signal.SIGTERM:
        return
    outright = -code == signal.SIGKILL
    why = "killed, as the system does when memory runs out" if outright else "killed"
    text = f"{exit_status(code)}\n{rank}\n{why} ({signal.Signals(-code).name})\n\n"
    for name in [f"failure.{rank}", *["failure"] * outright]:
        with open(os.path.join(folder, f"{name}.new"), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(file.name, os.path.join(folder, name))


def ended(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether a process has ended, after no more than some seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends a signal to the process group of a rank, if there is still one."""
    try:
        os.killpg(process.pid, number)
    except ProcessLookupError:
        pass


def _leave(number: int, _: FrameType | None) -> None:
    os._exit(128 + number)
