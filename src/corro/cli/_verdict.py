"""A verdict on the terminal, and what is shown while it is reached."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import click

from corro.cli._terminal import echo

if TYPE_CHECKING:
    from corro.verify import Fault, Result, Verdict

_COLOURS = {"PASS": "green", "FAIL": "red", "ABSTAIN": "yellow"}


def render_verdict(verdict: Verdict, stream: IO[Any]) -> None:
    """Write a line for each property, and below it what was found."""
    width = max(len(each.name) for each in verdict.results)
    for result in verdict.results:
        for line in _lines(result, width):
            echo(line, stream)
    if verdict.first and len(verdict.failed) > 1:
        echo(_first(verdict, *verdict.first), stream)
    if verdict.said:
        echo(f"To be comparable, on both sides: {'; '.join(verdict.said)}.", stream)


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
    yield lambda text: click.echo(f"corro: {time.monotonic() - start:5.1f} s: running: {text}", err=True)


def _first(verdict: Verdict, result: Result, fault: Fault) -> str:
    """The first of several faults, and what may follow from it."""
    others = ", ".join(each.name for each in verdict.failed if each is not result)
    return f"First: {result.name}: {fault}. What may follow from it: {others}."


def _lines(result: Result, width: int) -> Iterator[str]:
    status = result.status.value
    yield f"{click.style(f'{status:7}', fg=_COLOURS[status], bold=True)}  {result.name:{width}}  {result.title}"
    blank = " " * (width + 11)
    for fault in result.faults[:3]:
        yield f"{blank}{fault}"
    if len(result.faults) > 3:
        yield f"{blank}and {len(result.faults) - 3} more (--json shows all)"
    for reason in result.unknown:
        yield f"{blank}not compared: {reason}"
    if result.seen:
        yield blank + click.style("; ".join(result.seen), dim=True)
