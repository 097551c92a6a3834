"""An experiment on the terminal: how far it is, its design, and what it shows."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from statistics import median
from typing import TYPE_CHECKING, Any

from corro.bench import tables
from corro.cli._terminal import echo, style

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from rich.console import Console
    from rich.table import Table

    from corro.bench.analysis import Analysis
    from corro.bench.design import Design, Treatment
    from corro.bench.experiment import Times
    from corro.bench.store import Row

_INTERRUPTED = 130
_WIDTH = 200
"""Of tables that go into a file."""
_SPARE = (
    "p95",
    "cpu s",
    "start s",
    "serial\nfraction",
    "sent MiB",
    "peak MiB",
    "efficiency",
    "by that of\nunconnected",
    "of whole\nruns",
    "wall s",
)
"""What is left out on a narrow terminal, in this order."""


def duration(seconds: float) -> str:
    """A time, as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def interrupted(file: Path) -> int:
    """Say that an experiment was ended by the user, and goes on; the exit status."""
    echo(f"corro: interrupted. All runs that had ended are in {file}; the same command goes on.", sys.stderr)
    return _INTERRUPTED


class Board:
    """Shows how far an experiment is: on a terminal a table and a bar, elsewhere a line for each run.

    Args:
        design: of the experiment.
        replications: how many there will be.
        quiet: whether nothing is shown.
    """

    def __init__(self, design: Design, replications: int, *, quiet: bool = False) -> None:
        self._design = design
        self._replications = replications
        self._quiet = quiet
        self._rows: list[Row] = []
        self._left = 0.0
        self._live: Any = None
        self._bar: Any = None
        self._running: Treatment | None = None

    def __enter__(self) -> Board:
        if sys.stderr.isatty() and not self._quiet:
            from rich import progress
            from rich.console import Console
            from rich.live import Live

            self._bar = progress.Progress(
                progress.TextColumn("{task.description}"),
                progress.BarColumn(bar_width=None),
                progress.TaskProgressColumn(),
                progress.TextColumn("{task.fields[left]}"),
                expand=True,
            )
            self._task = self._bar.add_task("", total=None, left="")
            self._live = Live(console=Console(stderr=True), transient=True, refresh_per_second=1)
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, trace)

    def show(self, rows: Sequence[Row]) -> None:
        """What there is from before."""
        self._rows = list(rows)
        self._draw()

    def started(self, treatment: Treatment, block: int) -> None:
        """See ``Watcher``."""
        self._running, self._block, self._since = treatment, block, time.monotonic()
        if block == 0 and self._live is None and not self._quiet:
            echo("corro: a first sequential run, to see that it runs, and how long", sys.stderr)
        self._draw()

    def made(self, steps: int) -> None:
        """See ``Watcher``."""
        if self._bar is not None:
            self._bar.update(self._task, description=self._doing(steps), left=self._remaining())

    def ended(self, row: Row, left_seconds: float) -> None:
        """See ``Watcher``."""
        self._rows.append(row)
        self._left, self._running = left_seconds, None
        if self._live is None and not self._quiet:
            left = f"; about {duration(left_seconds)} left" if left_seconds else ""
            number = f"{self._done} of {self._total}" if row.block else "first run"
            echo(f"corro: {number}: {_told(row)}{left}", sys.stderr)
        self._draw()

    @property
    def _done(self) -> int:
        return sum(0 < row.block <= self._replications for row in self._rows)

    @property
    def _total(self) -> int:
        return len(self._design.treatments) * self._replications

    def _doing(self, steps: int = 0) -> str:
        from corro.bench.words import named

        if self._running is None:
            return ""
        what = "first run" if self._block == 0 else f"run {self._done + 1} of {self._total}"
        return f"{what}: {named(self._running)}, {steps} steps, {time.monotonic() - self._since:.0f} s"

    def _remaining(self) -> str:
        passed = time.monotonic() - self._since if self._running is not None else 0.0
        return f"about {duration(max(0.0, self._left - passed))} left" if self._left else ""

    def _draw(self) -> None:
        if self._live is None:
            return
        from rich.console import Group

        self._bar.update(
            self._task, total=self._total, completed=self._done, description=self._doing(), left=self._remaining()
        )
        self._live.update(Group(_board(self._design, self._rows, self._replications), self._bar))


class Lines:
    """Shows runs that are made one after the other, a line each.

    Args:
        quiet: whether nothing is shown.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet

    def started(self, treatment: Treatment, block: int) -> None:
        """See ``Watcher``."""

    def made(self, steps: int) -> None:
        """See ``Watcher``."""

    def ended(self, row: Row, left_seconds: float) -> None:
        """See ``Watcher``."""
        if not self._quiet:
            echo(f"corro: {_told(row)}", sys.stderr)


def _told(row: Row) -> str:
    from corro.bench.words import named

    if row.failed:
        return f"{named(row.treatment)}: failed: {row.failed}"
    rate = row.responses.get("samples_per_second")
    fast = f"{rate:,.0f} samples/s, " if rate else ""
    return f"{named(row.treatment)}: {fast}{row.wall_seconds:.1f} s in all"


def _board(design: Design, rows: Sequence[Row], replications: int) -> Table:
    """The treatments with what is known of each so far."""
    table = _table("runs", "samples/s", "wall s", "failed", design=design)
    for each in design.treatments:
        own = [row for row in rows if row.treatment == each and row.block > 0]
        fine = [row for row in own if not row.failed]
        rates = [row.responses["samples_per_second"] for row in fine if "samples_per_second" in row.responses]
        walls = [row.wall_seconds for row in fine]
        table.add_row(
            *tables.levels(design, each),
            f"{len(own)}/{replications}",
            f"{median(rates):,.0f}" if rates else "",
            f"{median(walls):.1f}" if walls else "",
            str(len(own) - len(fine) or ""),
        )
    return table


def _table(*titles: str, design: Design) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in tables.factors(design):
        table.add_column(title, overflow="fold")
    for title in titles:
        table.add_column(title, justify="right", overflow="fold")
    return table


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else _WIDTH, highlight=False)


def _show(design: Design, cells: tables.Cells) -> None:
    """A row for each treatment; on a narrow terminal without the columns that can be done without."""
    console = _console()
    titles = [title for title in (cells[0][1] if cells else ()) if any(own[title] for _, own in cells)]
    for spare in ("", *_SPARE):
        titles = [title for title in titles if title != spare]
        table = _table(*titles, design=design)
        for treatment, own in cells:
            table.add_row(*tables.levels(design, treatment), *(own[title] for title in titles))
        if table.__rich_measure__(console, console.options.update(max_width=_WIDTH)).maximum <= console.width:
            break
    console.print(table)


def render_design(
    design: Design, times: Times, replications: int, *, short: bool = False, as_json: bool = False
) -> None:
    """The design, and about how long it takes."""
    from corro.bench.experiment import missing

    rest = missing(design, times.rows, replications)
    seconds = sum(times.seconds(treatment) for _, treatment in rest)
    if as_json:
        _design_as_json(design, times, replications, seconds)
        return
    factors = "; ".join(f"{each.name}: {', '.join(each.levels)}" for each in design.factors)
    count = len(design.treatments)
    total = f"{count} configurations × {replications} = {count * replications} runs"
    made = count * replications - len(rest)
    done = f", {made} of them made before" if made else ""
    stream = sys.stderr if short else sys.stdout
    echo(f"{design.kind} design: {factors}", stream)
    for said in design.said:
        echo(f"  {said}", stream)
    echo(f"{total}{done}; about {duration(seconds)}", stream)
    if short:
        return
    table = _table("about", *(f"block {number}" for number in range(1, min(replications, 5) + 1)), design=design)
    orders = [design.block(number) for number in range(1, min(replications, 5) + 1)]
    for each in design.treatments:
        places = [str(order.index(each) + 1) for order in orders]
        table.add_row(*tables.levels(design, each), duration(times.seconds(each)), *places)
    _console().print(table)
    echo("The numbers below the blocks are the places in their random order. Nothing else was run.", sys.stdout)


def _design_as_json(design: Design, times: Times, replications: int, seconds: float) -> None:
    blocks = [[asdict(each) for each in design.block(number)] for number in range(1, replications + 1)]
    told = {
        "design": design.kind,
        "factors": {each.name: each.levels for each in design.factors},
        "said": design.said,
        "replications": replications,
        "blocks": blocks,
        "estimated_seconds": seconds,
        "made": sum(row.block > 0 for row in times.rows),
    }
    echo(json.dumps(told, indent=2), sys.stdout)


def render(analysis: Analysis, file: Path) -> None:
    """What the experiment shows."""
    from corro.bench.words import caution, conclusions

    _show(analysis.design, tables.responses(analysis))
    for each in analysis.summaries:
        for reason in dict.fromkeys(each.failed):
            echo(
                style(f"failed: {', '.join(tables.levels(analysis.design, each.treatment))}: {reason}", "red"),
                sys.stdout,
            )
    if analysis.comparisons:
        echo("", sys.stdout)
        _show(analysis.design, tables.comparisons(analysis))
        echo("speed-up: by a sequential run with as many threads a process; (95 % intervals)", sys.stdout)
    if analysis.effects:
        echo("", sys.stdout)
        _console().print(_effects(analysis))
    echo("", sys.stdout)
    for text in conclusions(analysis):
        echo(style(text, None, bold=True), sys.stdout)
    for text in caution(analysis):
        echo(text, sys.stdout)
    echo(f"All runs: {file}", sys.stdout)


def _effects(analysis: Analysis) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, justify in zip(tables.EFFECTS, ("left", "right", "right", "left"), strict=True):
        table.add_column(title, justify=justify)  # type: ignore[arg-type]
    for row in tables.effects(analysis.effects):
        table.add_row(*row)
    return table
