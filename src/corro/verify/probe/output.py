"""What a process prints, line by line, with the place in the script that printed it.

What libraries warn of is let through and not remembered: each process runs their code.
"""

from __future__ import annotations

import functools
import logging
import sys
import time
import warnings
from collections.abc import Iterable
from types import CodeType
from typing import Any, TextIO

from corro.verify.probe.session import Session
from corro.verify.records import Printed


class Tee:
    """A text stream that also remembers what was written to it."""

    def __init__(self, stream: TextIO, lines: list[Printed], session: Session) -> None:
        self._stream = stream
        self._lines = lines
        self._session = session
        self._open = False
        self.forgets = False

    def write(self, text: str) -> int:
        """Write, and remember, unless a library warns."""
        if text and not self.forgets:
            self._remember(text)
        return self._stream.write(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines as a stream does: without adding line ends."""
        for line in lines:
            self.write(line)

    def _remember(self, text: str) -> None:
        pieces = text.split("\n")
        where = self._session.line()
        for number, piece in enumerate(pieces):
            if self._open:
                self._lines[-1].text += piece
            elif piece or number < len(pieces) - 1:
                self._lines.append(Printed(piece, where, time.monotonic()))
            self._open = number == len(pieces) - 1 and (bool(piece) or self._open)
        self._session.beat()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def install(session: Session) -> None:
    """Put the streams in the place of the standard ones."""
    record, plain = session.record, sys.stderr
    sys.stdout = Tee(sys.stdout, record.stdout, session)
    sys.stderr = Tee(sys.stderr, record.stderr, session)
    show = warnings.showwarning

    def showwarning(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        warner = _warning()
        own = session.is_own(warner.co_filename) and not _WARN.isdisjoint(warner.co_names)
        show(message, category, filename, lineno, file or (None if own else plain), line)

    warnings.showwarning = showwarning
    _let_libraries_log(session)


def _let_libraries_log(session: Session) -> None:
    """What libraries warn of through ``logging``, ``absl``'s too; what they tell of their work is remembered."""
    plain = logging.Logger.callHandlers

    @functools.wraps(plain)
    def call_handlers(self: logging.Logger, record: logging.LogRecord) -> None:
        tees = [each for each in (sys.stdout, sys.stderr) if isinstance(each, Tee)]
        forgets = record.levelno >= logging.WARNING and not session.is_own(record.pathname)
        for each in tees if forgets else ():
            each.forgets = True
        try:
            plain(self, record)
        finally:
            for each in tees if forgets else ():
                each.forgets = False

    logging.Logger.callHandlers = call_handlers  # type: ignore[method-assign]


_WARN = frozenset({"warn", "warn_explicit"})
"""Code that names neither does not warn by itself: what it calls does, a library that is written in C."""


def _warning() -> CodeType:
    """The code that warns; the place of a warning may be that of its caller."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename == warnings.__file__ and frame.f_back is not None:
        frame = frame.f_back
    return frame.f_code
