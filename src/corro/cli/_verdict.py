"""A verdict on the terminal, and what is shown while it is reached."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from corro.cli._terminal import dim, echo, folded, style

if TYPE_CHECKING:
    from rich import progress as rich_progress

    from corro.verify import Fault, Result, Verdict

_LINE_SECONDS = 10.0
_COLOURS = {"PASS": "green", "FAIL": "red", "ABSTAIN": "yellow"}


def render_verdict(verdict: Verdict, stream: IO[Any]) -> None:
    """Write a line for each property, and below it what was found."""
    width = max(len(each.name) for each in verdict.results)
    said = [line for result in verdict.results for line in _lines(result, width)]
    if verdict.first and len(verdict.failed) > 1:
        said.append((_first(verdict, *verdict.first), 0))
    if verdict.said:
        said.append((f"To be comparable, on both sides: {'; '.join(verdict.said)}.", 0))
    said.append((style(conclusion(verdict), "red" if verdict.failed else "green"), 0))
    for text, hang in said:
        for line in folded(text, stream, hang):
            echo(line, stream)


def conclusion(verdict: Verdict) -> str:
    """What came of it, in words."""
    counted = {status: [each.name for each in verdict.results if each.status.value == status] for status in _COLOURS}
    passed, failed, open_ = (counted[status] for status in _COLOURS)
    rest = f"; {_named(open_)} could not be compared, for the reasons above" if open_ else ""
    if failed:
        verb = "does" if len(failed) == 1 else "do"
        return f"It does not train the same model: {_named(failed)} {verb} not hold{rest}."
    if not passed:
        return "Nothing could be compared, for the reasons above."
    properties = "the one property that was" if len(passed) == 1 else f"all {len(passed)} properties that were"
    return (
        f"It trains the same model as the sequential run: {properties} compared hold{'s' * (len(passed) == 1)}{rest}."
    )


def _named(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class Fraction:
    """How far all runs are together; see ``Progress`` in ``corro.verify``. A run's start counts as part of it."""

    _START = 0.25

    def __init__(self) -> None:
        self._steps: dict[str, int] = {}
        self._made: dict[str, int] = {}
        self._ended: set[str] = set()

    def expects(self, run: str, steps: int) -> None:
        """See ``Progress``."""
        self._steps[run] = steps

    def made(self, run: str, steps: int) -> None:
        """See ``Progress``."""
        self._made[run] = steps

    def ended(self, run: str) -> None:
        """See ``Progress``."""
        self._ended.add(run)

    @property
    def done(self) -> float:
        """From 0 to 1."""
        parts = [self._part(run) for run in self._steps]
        return sum(parts) / len(parts) if parts else 0.0

    @property
    def steps(self) -> str:
        """The steps of the runs that are under way."""
        under_way = [run for run in self._made if run not in self._ended]
        told = []
        for run in under_way:
            total = self._steps.get(run, 0)
            told.append(f"{min(self._made[run], total or self._made[run])}{f'/{total}' * bool(total)}")
        return f"step {' and '.join(told)}" if told else ""

    def _part(self, run: str) -> float:
        if run in self._ended:
            return 1.0
        made, total = self._made.get(run, 0), self._steps[run]
        return (self._START if made else 0.0) + ((1 - self._START) * min(1.0, made / total) if total else 0.0)

    def left(self, seconds: float) -> float | None:
        """The seconds that are left by how many have passed; ``None`` where too little is done to say it."""
        return seconds * (1 - self.done) / self.done if self.done > 0.05 else None


class _Told(Fraction):
    """Tells of it in lines: one for each stage, and one each time that ten seconds have passed."""

    def __init__(self, start: float) -> None:
        super().__init__()
        self._start = self._last = start

    def made(self, run: str, steps: int) -> None:
        super().made(run, steps)
        now = time.monotonic()
        if now - self._last >= _LINE_SECONDS:
            self._last = now
            passed = now - self._start
            left = self.left(passed)
            about = f", about {left:.0f} s left" if left is not None else ""
            click.echo(f"corro: {passed:5.1f} s: {self.done:.0%} done, {self.steps}{about}", err=True)


class _Shown(Fraction):
    """Shows it as a bar."""

    def __init__(self, bar: rich_progress.Progress, task: rich_progress.TaskID) -> None:
        super().__init__()
        self._bar, self._task = bar, task

    def made(self, run: str, steps: int) -> None:
        super().made(run, steps)
        self._bar.update(self._task, completed=self.done, steps=self.steps)

    def ended(self, run: str) -> None:
        super().ended(run)
        self._bar.update(self._task, completed=self.done, steps=self.steps)


@contextmanager
def measured() -> Iterator[tuple[Callable[[str], None], Fraction]]:
    """What is being done, and how far it is: a bar on a terminal, lines elsewhere; on standard error."""
    start = time.monotonic()
    if not sys.stderr.isatty():
        yield (lambda text: _line(start, text)), _Told(start)
        return
    from rich import progress as rich_progress
    from rich.console import Console

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(bar_width=None),
        rich_progress.TaskProgressColumn(),
        rich_progress.TextColumn("{task.fields[steps]}"),
        rich_progress.TimeRemainingColumn(compact=True, elapsed_when_finished=True),
    )
    with rich_progress.Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task("starting", total=1.0, steps="")
        yield (lambda text: bar.update(task, description=text[:40])), _Shown(bar, task)


@contextmanager
def progress(doing: str = "running", *, quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """What is being done: a moving line on a terminal; elsewhere a line each, for what takes long."""
    if quiet or (doing != "running" and not sys.stderr.isatty()):
        yield lambda text: None
        return
    if sys.stderr.isatty():
        from rich.console import Console

        with Console(stderr=True).status("compiling") as status:
            yield lambda text: status.update(f"{doing}: {text}")
        return
    start = time.monotonic()
    yield lambda text: _line(start, text)


def _line(start: float, text: str) -> None:
    click.echo(f"corro: {time.monotonic() - start:5.1f} s: running: {text}", err=True)


def _first(verdict: Verdict, result: Result, fault: Fault) -> str:
    """The first of several faults, and what may follow from it."""
    others = ", ".join(each.name for each in verdict.failed if each is not result)
    return f"First: {result.name}: {fault}. What may follow from it: {others}."


def _lines(result: Result, width: int) -> Iterator[tuple[str, int]]:
    """Texts, each with the column in which it goes on where it is too long for a line."""
    status = result.status.value
    column = width + 11
    yield f"{style(f'{status:7}', _COLOURS[status], bold=True)}  {result.name:{width}}  {result.title}", column
    below = [str(fault) for fault in result.faults[:3]]
    if len(result.faults) > 3:
        below.append(f"and {len(result.faults) - 3} more (--json shows all)")
    below += [f"not compared: {reason}" for reason in result.unknown]
    if result.seen:
        below.append(dim("; ".join(result.seen)))
    yield from ((" " * column + text, column) for text in below)
