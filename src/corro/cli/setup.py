"""``corro setup``: make engines that have no ready packages."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich import progress as rich_progress

    from corro.engines import Health, Progress

_EPILOG = """
\b
Examples:
  corro setup horovod                 for the PyTorch (and TensorFlow 2.15) installed here
  corro setup horovod --with-mpi      also with MPI, which must be installed

The wheel is kept in Corro's cache ($CORRO_CACHE, or the usual place for caches) under the versions it depends on:
another environment with the same ones gets it in seconds.
"""


@click.group("setup")
def command() -> None:
    """Build an engine that has no ready package."""


@command.command("horovod", epilog=_EPILOG)
@click.option(
    "--with-mpi/--without-mpi", "mpi", default=None, help="Build with MPI too. Without either, as what is installed."
)
@click.option("--rebuild", is_flag=True, help="Build again, also if Horovod works or a wheel is kept.")
def horovod(mpi: bool | None, rebuild: bool) -> None:
    """Build Horovod for this environment and install it: some minutes, once.

    Gloo is always in it, and all that Corro needs.
    """
    from corro.engines import examine_all, left_out, setup_horovod, wheel_for

    found = examine_all(wheel_for().engines)
    if mpi is None:
        mpi = any("mpi" in _abilities(health) for health in found)
    wheel = wheel_for(mpi=mpi)
    wanted = {"gloo", "mpi"} if mpi else {"gloo"}
    already = not rebuild and all(wanted <= _abilities(health) for health in found)
    if not already:
        with _progress() as progress:
            found = setup_horovod(wheel, progress, rebuild=rebuild)
    for health in found:
        works = "works here already" if already else "works here"
        click.echo(f"{health.engine.title} {health.version} ({health.detail}) {works}.")
    if note := left_out():
        click.echo(note, err=True)


def _abilities(health: Health) -> set[str]:
    from corro.engines import State

    return set(health.detail.split(", ")) if health.state is State.WORKS else set()


@contextmanager
def _progress() -> Iterator[Progress]:
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.SpinnerColumn(),
        rich.TextColumn("{task.description:24}"),
        rich.BarColumn(),
        rich.TaskProgressColumn(),
        rich.TimeElapsedColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True)) as display:
        bars = _Bars(display)
        yield bars
        bars.finish()


class _Lines:
    """In a pipe: a line a phase, and a line a quarter."""

    def __init__(self) -> None:
        self.started = time.monotonic()
        self.shown = 0

    def phase(self, name: str) -> None:
        self.shown = 0
        click.echo(f"{time.monotonic() - self.started:5.0f} s  {name}", err=True)

    def percent(self, done: int) -> None:
        if done >= self.shown + 25:
            self.shown = done
            click.echo(f"{time.monotonic() - self.started:5.0f} s    {done} %", err=True)


class _Bars:
    """On a terminal: a bar a phase."""

    def __init__(self, display: rich_progress.Progress) -> None:
        self.display = display
        self.task: rich_progress.TaskID | None = None

    def phase(self, name: str) -> None:
        self.finish()
        self.task = self.display.add_task(name, total=None)

    def percent(self, done: int) -> None:
        if self.task is not None:
            self.display.update(self.task, total=100, completed=done)

    def finish(self) -> None:
        if self.task is not None:
            self.display.update(self.task, total=100, completed=100)
            self.display.stop_task(self.task)
