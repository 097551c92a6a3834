"""Errors of a cell as a notebook shows them: with the lines of the cell, and without Corro's own."""

from __future__ import annotations

from dataclasses import dataclass

from corro.errors import CorroError, ExecutionError

_RED, _GREEN, _CYAN, _PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[0m"
_CONTEXT = 2


@dataclass(frozen=True)
class Frame:
    """Where a call was: in a cell, with the lines around it, or in a file."""

    where: str
    line: int
    function: str
    around: tuple[tuple[int, str], ...]


class CellError(ExecutionError):
    """The error of the first process that failed, as it would be shown if the cell had run in the kernel."""

    def __init__(self, kind: str, text: str, rank: int, processes: int, frames: tuple[Frame, ...]) -> None:
        own = [frame for frame in frames if frame.around] or list(frames)
        place = f" ({own[-1].where}, line {own[-1].line})" if own else ""
        super().__init__(f"{kind}: {text}{place}")
        self.kind = kind
        self.text = text
        self.rank = rank
        self.processes = processes
        self.frames = frames

    def __str__(self) -> str:
        return self.message

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in the place of a traceback."""
        lines = [f"{_RED}{self.kind}{_PLAIN} in process {self.rank + 1} of {self.processes}"]
        for frame in self.frames:
            inside = "" if frame.function == "<module>" else f" in {_CYAN}{frame.function}{_PLAIN}"
            lines.append(f"{_GREEN}{frame.where}, line {frame.line}{_PLAIN}{inside}")
            for number, text in frame.around:
                arrow = "---->" if number == frame.line else "     "
                lines.append(f"{arrow} {number:3} {text}")
        lines.append("")
        lines.append(f"{_RED}{self.kind}{_PLAIN}: {self.text}")
        return lines


class Said(CorroError):
    """An error that is said in a line, without a traceback.

    Args:
        error: what is to be said.
        shown: it, with the places of cells.
    """

    def __init__(self, error: CorroError, shown: str = "") -> None:
        super().__init__(error.message, place=error.place, advice=error.advice)
        self._stage = error.stage
        self._shown = shown

    def __str__(self) -> str:
        return self._shown or f"{self._stage}: {self.message} {self.advice}".rstrip()

    def _render_traceback_(self) -> list[str]:
        return [f"{_RED}corro{_PLAIN}: {self}"]


def said(error: CorroError, shown: str = "") -> Said:
    """An error as one that is said in a line; frontends show the name of its class."""
    kind: type[Said] = type(type(error).__name__, (Said,), {})
    return kind(error, shown)
