"""Which files a process makes, and that none of the user's is changed.

The program runs in a folder of links to the user's files. Python announces each file it is about to open, make or
remove (``sys.addaudithook``, PEP 578); before a file that is a link is written, the link gives way to a copy, or to
nothing where the file would be emptied anyway. Writing anywhere else is stopped.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corro.verify.probe.session import Session
from corro.verify.rooms import unfold
from corro.verify.settings import OUTSIDE

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGING = {"os.remove": 1, "os.rmdir": 1, "os.truncate": 1, "os.rename": 2, "os.link": 2, "os.symlink": 2}
_TEXT_BYTES = 1 << 20


class Files:
    """The files of one process."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._roots = [os.path.realpath(room) + os.sep for room in session.settings.rooms]
        self._free = _places_anyone_may_write_to(session)
        self._busy = False

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        """See ``sys.addaudithook``."""
        if self._busy:
            return
        if event == "open":
            flags = args[2] if isinstance(args[2], int) else 0
            if flags & _WRITING and isinstance(args[0], (str, bytes)):
                self.claim(os.fsdecode(args[0]), emptied=bool(flags & os.O_TRUNC))
        elif event == "os.mkdir" and isinstance(args[0], (str, bytes, os.PathLike)):
            wanted_by_all = sys._getframe(1).f_locals.get("exist_ok")
            self._claim_place(os.fsdecode(args[0]), "" if wanted_by_all else "/")
        elif event == "shutil.rmtree" and isinstance(args[0], (str, bytes, os.PathLike)):
            self._claim_place(os.path.join(os.fsdecode(args[0]), "."), "")  # which would stop at a link
        elif event in _CHANGING:
            for path in args[: _CHANGING[event]]:
                if isinstance(path, (str, bytes, os.PathLike)):
                    self._claim_place(os.fsdecode(path), "")

    def claim(self, path: str, *, emptied: bool = True) -> None:
        """Make sure that writing to a file changes nothing of the user's, and note it.

        Raises:
            PermissionError: it lies outside of the folder the program runs in.
        """
        full = self._claim_place(path, ".")
        if full is None or not os.path.islink(full):
            return
        with self._at_work():
            original = os.path.realpath(full)
            os.unlink(full)
            if not emptied and os.path.isfile(original):
                shutil.copy2(original, full)

    def texts(self) -> None:
        """Keep the text of the small text files that were made."""
        for name in self._session.record.writes:
            path = Path(self._roots[0], name)
            with contextlib.suppress(OSError, UnicodeDecodeError):
                if not name.endswith("/") and path.stat().st_size <= _TEXT_BYTES:
                    text = path.read_bytes().decode()
                    if "\0" not in text:
                        self._session.record.files[name] = text

    def _claim_place(self, path: str, kind: str) -> str | None:
        """The full path, with all folders above it real; ``kind`` is ``.`` or ``/`` where it is to be noted."""
        full = os.path.abspath(path)
        root = next((each for each in self._roots if (full + os.sep).startswith(each)), None)
        if root is None:
            self._stop_outside(full)
            return None
        with self._at_work():
            self._make_real(root, full)
        if kind:
            name = os.path.relpath(full, self._roots[0]) + kind.rstrip(".")
            if name not in self._session.record.writes:
                self._session.record.writes.append(name)
        return full

    def _stop_outside(self, full: str) -> None:
        if not (full + os.sep).startswith(self._free):
            raise PermissionError(f"{OUTSIDE} {full}")

    def _make_real(self, root: str, full: str) -> None:
        """Put folders of links in the place of links to folders, from the root down."""
        place = root.rstrip(os.sep)
        for part in os.path.dirname(full)[len(root) :].split(os.sep):
            place = os.path.join(place, part) if part else place
            if os.path.islink(place):
                with self._locked():
                    if os.path.islink(place):
                        unfold(place)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One process at a time."""
        with open(os.path.join(self._session.settings.folder, "rooms.lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def _at_work(self) -> Iterator[None]:
        """What is done here is not announced to here."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False


def install(session: Session) -> Files:
    """Watch the files of this process."""
    files = Files(session)
    sys.addaudithook(files.audit)
    session.at_end.append(files.texts)
    session.claim = files.claim
    return files


def _places_anyone_may_write_to(session: Session) -> tuple[str, ...]:
    hidden = os.path.join(os.path.expanduser("~"), ".")
    libraries = [sys.prefix, sysconfig.get_path("stdlib")]
    temporary = tempfile.gettempdir()
    compiled = os.environ.get("JAX_COMPILATION_CACHE_DIR", temporary)
    rooms = ["/dev", "/proc", temporary, compiled, session.settings.folder, *libraries]
    return (hidden, *(os.path.realpath(room) + os.sep for room in rooms))
