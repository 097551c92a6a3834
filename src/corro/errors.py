"""Everything that Corro raises on purpose.

::

    CorroError
    ├── UsageError          the command or the API was used wrongly        (exit status 2)
    ├── SourceError         the input is no Python that can be read        ("syntax", exit status 1)
    ├── CompilationError    it is Python, and cannot be converted          ("compilation", exit status 1)
    │   └── CheckError      an output failed an independent check; nothing was written
    └── ExecutionError      the generated program, or its launcher, failed ("execution", exit status 1)

An error that has a place in the user's script says it as ``file:line:column`` (both counted from 1).
"""

from __future__ import annotations

from typing import ClassVar

from corro.classes import dataclass


@dataclass(frozen=True)
class Place:
    """A place in a file: line and column are counted from 1, the column in characters.

    In a notebook they are those within a cell; cells of all kinds are counted, from 1.
    """

    file: str
    line: int
    column: int
    cell: int | None = None

    @property
    def inside(self) -> str:
        """The place without the file."""
        return f"{f'cell {self.cell}:' if self.cell else ''}{self.line}:{self.column}"

    def __str__(self) -> str:
        return f"{self.file}:{self.inside}"


class CorroError(Exception):
    """What went wrong, where, and what to do about it.

    Args:
        message: what is wrong and why, in one sentence.
        place: where, when there is a place.
        advice: what the user can do.
    """

    stage: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1

    def __init__(self, message: str, *, place: Place | None = None, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.advice = advice

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        what_to_do = f" {self.advice}" if self.advice else ""
        return f"{where}{self.stage}: {self.message}{what_to_do}"


class UsageError(CorroError):
    """The command line or the Python API was given something it cannot take."""

    stage = "usage error"
    exit_status = 2


class SourceError(CorroError):
    """The input is not Python that this interpreter can parse, or not text at all."""

    stage = "syntax error"


class CompilationError(CorroError):
    """The input is Python and cannot be converted."""

    stage = "compilation error"


class CheckError(CompilationError):
    """A generated program failed an independent check: a fault of Corro, never written to disk."""


class ExecutionError(CorroError):
    """The generated program, or the launcher that starts it, failed."""

    stage = "execution error"
