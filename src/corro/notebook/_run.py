"""A program of cells on several processes: started, shown as it goes, and its error told with the cell's line."""

from __future__ import annotations

import codecs
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from corro import targets
from corro.compiler import engine_of, program_of
from corro.errors import ExecutionError, UsageError
from corro.launch import Launcher, Task, launcher_named, launcher_of, run, write_program
from corro.notebook._errors import CellError, Frame
from corro.notebook._program import Cells, Prepared
from corro.plan import Outcome
from corro.source.origin import Origin

if TYPE_CHECKING:
    from collections.abc import Callable

_GRACE_SECONDS = 3.0
"""After an interrupt the user waits for the kernel."""
_STAGES = {"": "starting", "before": "running the cells before this one", "cell": "running this cell"}


@dataclass(frozen=True)
class Ended:
    """How a run ended well: what came of it, on how many processes, and the seconds it took."""

    content: bytes
    many: str
    seconds: float


def run_cells(cells: Cells, program: Prepared, processes: int, directory: Path, report: Callable[[str], None]) -> Ended:
    """Run a program to its end; what it writes goes to this process's standard output.

    Raises:
        CellError: it failed.
        KeyboardInterrupt: it was interrupted; no process is left.
        ExecutionError: the engine is not installed, or the launcher failed.
    """
    with tempfile.TemporaryDirectory(prefix="corro-cell-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        output = program.output
        modules = {module.source.path: module.encode() for module in output.modules}
        text = write_program(program.text.encode(), cells.path, output.plan.target or "as_it_is", modules, folder)
        task = Task(text, str(cells.path), (), processes, program_of(program.source).package)
        launcher = _launcher(output.plan.target, output.plan.frontend, program)
        plan = launcher.plan(task)
        table = {
            "cell": program.line_of(len(cells.parts)),
            "results": _line_of_results(cells, program),
            "names": dict(program.names),
            "known": list(program.known),
            "folder": name,
        }
        (folder / "table").write_text(json.dumps(table), encoding="utf-8")
        variables = {**plan.environment, "CORRO_CELL": str(folder / "table")}
        many = f"{processes} {'processes' if launcher.options else 'devices'}"
        shown = _Shown(folder, many, report)
        started = time.monotonic()
        status = run(
            replace(plan, environment=variables, directory=directory),
            folder / "output",
            shown.go_on,
            to_the_last=True,
            grace=_GRACE_SECONDS,
        )
        shown.finish()
        if status == 130:
            raise KeyboardInterrupt
        if status:
            raise _error(folder, status, processes, cells, program, text)
        results = folder / "results"
        content = results.read_bytes() if results.exists() else b""
        return Ended(content, many, time.monotonic() - started)


def _line_of_results(cells: Cells, program: Prepared) -> int:
    """The line where what comes back is shown; behind the text where nothing is."""
    if len(program.source.cells) > len(cells.parts):
        return program.line_of(len(cells.parts) + 1)
    return program.text.count("\n") + 2


def _launcher(target: str, frontend: str, program: Prepared) -> Launcher:
    if program.output.plan.outcome is not Outcome.ALREADY_DISTRIBUTED:
        return launcher_named(targets.get(target, frontend).launcher)
    found = launcher_of(engine_of(program.source))
    if found is None:
        raise UsageError("the cells are distributed already, by what Corro does not start.")
    return found


class _Shown:
    """What the processes write, handed on while they run, from the cell on; and how far they are."""

    def __init__(self, folder: Path, many: str, report: Callable[[str], None]) -> None:
        self._output = folder / "output"
        self._stage = folder / "stage"
        self._many = many
        self._report = report
        self._at = 0
        self._reached = False
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._started = time.monotonic()
        self._told = ""

    def go_on(self) -> bool:
        """Show what is new; called all the time. It never asks to give up."""
        stage, _, written = (self._stage.read_text() if self._stage.exists() else "").partition(" ")
        if written and not self._reached:
            self._reached, self._at = True, int(written)
        if self._reached:
            self._copy()
        seconds = int(time.monotonic() - self._started)
        told = f"{self._many}: {_STAGES[stage]}, {seconds} s"
        if told != self._told:
            self._told = told
            self._report(told)
        return False

    def finish(self) -> None:
        """Show the rest; all there is where the cell was never reached."""
        self.go_on()
        self._copy()

    def _copy(self) -> None:
        if not self._output.exists():
            return
        with self._output.open("rb") as file:
            file.seek(self._at)
            data = file.read()
        self._at += len(data)
        if text := self._decoder.decode(data):
            sys.stdout.write(text)
            sys.stdout.flush()


# ---------------------------------------------------------------------- errors


def _error(
    folder: Path, status: int, processes: int, cells: Cells, program: Prepared, text: Path
) -> CellError | ExecutionError:
    """What the first process that failed has left, with places of cells."""
    left = folder / "error"
    if not left.exists():
        died = f"was killed by signal {status - 128}" if status > 128 else f"ended with status {status}"
        return ExecutionError(f"a process {died}.", advice="What it wrote is above.")
    told = json.loads(left.read_bytes())
    origin = Origin.of(program.source, program.output.plan.edits_in(""), program.text)
    frames = []
    for file, line, function in told["frames"]:
        if os.path.realpath(file) == os.path.realpath(text):
            frames.append(_frame(origin.line(line), function, cells, program))
        elif not _is_ours(file):
            frames.append(Frame(file, line, function, ()))
    return CellError(told["kind"], told["message"], told["rank"], processes, tuple(frames))


def _frame(line: int, function: str, cells: Cells, program: Prepared) -> Frame:
    source = program.source
    place = source.place(source.lines.starts[line - 1])
    assert place.cell is not None
    if place.cell > len(cells.parts):
        return Frame("what comes back", place.line, function, ())
    part = cells.parts[place.cell - 1]
    lines = part.text.split("\n")
    around = [(n + part.above, lines[n - 1]) for n in range(place.line - 2, place.line + 3) if 0 < n <= len(lines)]
    return Frame(f"Cell In[{part.number}]", place.line + part.above, function, tuple(around))


def _is_ours(file: str) -> bool:
    home = Path(__file__).resolve().parent.parent
    return home in Path(file).resolve().parents or file.startswith("<frozen")
