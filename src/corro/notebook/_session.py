"""A kernel: the cells it has run, and how a cell of it is run on several processes."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.changes import Level
from corro.cli._render import render_findings, trains_nothing
from corro.compiler import Options, Output
from corro.errors import CompilationError, CorroError
from corro.notebook._errors import CellError, said
from corro.notebook._history import Executed, selected
from corro.notebook._launched import plainly, spellings
from corro.notebook._program import Cells, Prepared, prepared
from corro.notebook._progress import progress
from corro.notebook._results import Report, in_words, take, ways_of
from corro.notebook._run import run_cells
from corro.notebook._text import Part, in_cells
from corro.plan import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from IPython.core.interactiveshell import InteractiveShell


class Session:
    """What is known of a kernel.

    Args:
        shell: IPython's.
    """

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self._ids: dict[int, str] = {}
        self._running = ""
        self._failed: set[int] = set()
        self._told: set[str] = set()

    def before_cell(self, info: Any) -> None:
        """Called by IPython before each cell."""
        self._running = getattr(info, "cell_id", None) or ""

    def after_cell(self, result: Any) -> None:
        """Called by IPython after each cell."""
        if result.info is None or not result.info.store_history:
            return
        number = len(self._texts) - 1
        self._ids[number] = self._running
        if not result.success:
            self._failed.add(number)

    @property
    def _texts(self) -> list[str]:
        """What was typed, by the numbers of ``In``."""
        history: Any = self.shell.history_manager
        texts: list[str] = history.input_hist_raw
        return texts

    @property
    def current(self) -> Executed:
        """The cell that is being run."""
        number = len(self._texts) - 1
        return Executed(number, self._texts[number], self._running)

    @property
    def earlier(self) -> list[Executed]:
        """The cells that were run before it, as far as IPython keeps them."""
        return [self._cell(number) for number in range(1, len(self._texts) - 1)]

    def _cell(self, number: int) -> Executed:
        return Executed(number, self._texts[number], self._ids.get(number, ""), number in self._failed)

    @property
    def path(self) -> Path:
        """The file of the notebook, or the one that it would be."""
        named = self.shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or ""
        return self.directory / (Path(str(named)).name if str(named).endswith(".ipynb") else "Notebook.ipynb")

    @property
    def directory(self) -> Path:
        """The folder in which the kernel was started: its cells may have gone elsewhere since, and do so again."""
        return Path(getattr(self.shell, "starting_dir", "") or Path.cwd())

    def run(
        self,
        options: Options,
        processes: int,
        own: Sequence[Part],
        current: Executed,
        *,
        only_show: bool = False,
        shown_as: Mapping[str, str] | None = None,
    ) -> None:
        """Run the cells so far and then ``own``, which are what the current cell comes to, on several processes.

        Args:
            options: how they are converted.
            processes: how many.
            own: the last one is what comes to be distributed.
            current: the cell that asks for it.
            only_show: show what would be changed, and start nothing.
            shown_as: what names are called that are not the user's.

        Raises:
            Said: it is refused, or cannot be started.
            CellError: it failed.
        """
        chosen = selected(self.earlier, current)
        spelt = spellings([*(each.text for each in chosen.cells), *(part.text for part in own)])
        parts = (*(Part(each.number, plainly(each.text, spelt)) for each in chosen.cells), *own)
        cells = Cells(parts, self.path, ways_of(self.shell.user_ns))
        with progress(self.shell) as shown:
            try:
                shown.say(f"converting {len(parts)} {'cells' if len(parts) > 1 else 'cell'}")
                program = prepared(cells, options)
                self._explain(cells, program, chosen.told)
                if only_show:
                    shown.end([])
                    _print_diff(program, cells)
                    return
                ended = run_cells(cells, program, processes, self.directory, shown.say)
                report = Report(left=dict(program.left))
                if ended.content:
                    taken = take(ended.content, program.names, program.definitions, self.shell.user_ns)
                    report = Report(taken.brought, {**taken.left, **report.left})
                shown.end([f"Ran on {ended.many} in {ended.seconds:.0f} s.", *in_words(report, shown_as or {})])
            except CellError:
                shown.end(["The kernel's values are as they were."])
                raise
            except KeyboardInterrupt:
                shown.end(["Interrupted: all processes have ended, and the kernel's values are as they were."])
                raise Interrupted from None
            except CorroError as error:
                shown.end([])
                raise said(error, in_cells(str(error), parts, cells.path)) from None

    def _explain(self, cells: Cells, program: Prepared, told: Sequence[str]) -> None:
        """Say what there is to know before anything is started.

        Raises:
            CompilationError: there is no program.
        """
        output = program.output
        for line in told:
            if line in self._told:
                continue
            self._told.add(line)
            print(f"corro: {line}", file=sys.stderr)
        for line in _lines(output, cells):
            print(line, file=sys.stderr)
        if output.text is None and output.plan.outcome is not Outcome.ALREADY_DISTRIBUTED:
            raise _no_program(output)


class Interrupted(KeyboardInterrupt):
    """The user has interrupted the cell."""

    def _render_traceback_(self) -> list[str]:
        return ["KeyboardInterrupt"]


Interrupted.__name__ = Interrupted.__qualname__ = "KeyboardInterrupt"  # as frontends know it


def _no_program(output: Output) -> CorroError:
    outcome = output.plan.outcome
    if outcome is Outcome.NOTHING:
        what = trains_nothing(output).partition(" ")[2]
        return CompilationError(f"the cells so far and this one: {what}", advice="Nothing was started.")
    if outcome is Outcome.TO_VERIFY:
        return CompilationError(
            "the cells can be converted if what is assumed above holds.",
            advice="Write %%distribute --assume to take it as given. Nothing was started.",
        )
    return CompilationError("the cells cannot be converted, as is said above.", advice="Nothing was started.")


def _lines(output: Output, cells: Cells) -> list[str]:
    """What is said of a plan: all of a refusal, otherwise what is done on purpose."""
    levels = {Level.REFUSED, Level.ASSUMES} if output.text is None else {Level.ASSUMES, Level.REVIEW}
    stream = io.StringIO()
    render_findings(output, [each for each in output.plan.findings if each.level in levels], stream)
    return [in_cells(line, cells.parts, cells.path) for line in stream.getvalue().splitlines()]


def _print_diff(program: Prepared, cells: Cells) -> None:
    import difflib  # noqa: PLC0415

    before, after = program.source.text.splitlines(), program.text.splitlines()
    for line in difflib.unified_diff(before, after, "cells", "program", lineterm="", n=2):
        print(in_cells(line, cells.parts, cells.path))
