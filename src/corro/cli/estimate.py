"""``corro estimate``: what training takes of each process: memory and traffic."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from corro.cli import _options
from corro.cli._settings import settings_of
from corro.cli._terminal import echo
from corro.compiler import SCALINGS, Options, compile_source
from corro.errors import CompilationError
from corro.source import read_source

if TYPE_CHECKING:
    from corro.compiler import Output
    from corro.estimate import Share, Sizes, Unknown

_EPILOG = """
\b
Examples:
  corro estimate train.py                 from its text alone, for 1, 2, 4 and 8 processes
  corro estimate train.py -n 64           for 64, too
  corro estimate train.py --observe -- --epochs 1
                                          from a few steps of the script, which are run here

The text says sizes where layers are made with numbers. A run also measures what the forward pass keeps for the
backward pass; it is made on the CPU, in a folder of links: no file of yours is changed. Without Python and its
libraries, and without what a framework reserves beside. The exit status is 1 where the sizes are not known.
"""

_NUMBERS = (1, 2, 4, 8)
_STEP = 1024
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_NOT_KNOWN = "?"
_MOST_REASONS = 5


@click.command("estimate", cls=_options.OfScript, epilog=_EPILOG)
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@_options.processes
@_options.scaling
@click.option("--observe", is_flag=True, help="Run a few steps of SCRIPT with ARGUMENTS, and measure.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(
    script: str,
    arguments: tuple[str, ...],
    processes: int | str | None,
    scaling: str | None,
    observe: bool,
    as_json: bool,
) -> None:
    """Estimate what SCRIPT would take of each of N processes: memory, and bytes exchanged for each step.

    For PyTorch. Parameters, gradients and the state of optimizers are the same on each process; with strong scaling
    the batch is shared out, and with it what the backward pass needs.
    """
    from corro.estimate import shares

    own = settings_of(script)
    output = compile_source(read_source(script), Options(scaling=scaling or own.scaling or SCALINGS[0]))
    number = _options.number_of(processes, output) if processes else 0
    sizes = _observed(output, arguments, quiet=as_json) if observe else _of_text(output)
    if isinstance(sizes, tuple):
        _refuse(sizes, script, arguments, as_json=as_json)
        return
    found = shares(sizes, tuple(sorted({*_NUMBERS, *([number] if number else [])})), output.plan.scaling)
    if as_json:
        told = [{**asdict(each), "memory_bytes": each.memory_bytes} for each in found]
        click.echo(json.dumps({"observed": observe, "sizes": asdict(sizes), "shares": told}, indent=2))
        return
    _show(sizes, found, observed=observe)
    if not observe:
        echo(f"What the backward pass needs is seen in a run: {_again(script, arguments)}", sys.stderr)


def _observed(output: Output, arguments: tuple[str, ...], *, quiet: bool) -> Sizes:
    from corro.cli._verdict import progress
    from corro.estimate.observed import observed

    with progress(quiet=quiet) as report:
        report("the script as it is, for a few steps, to measure them")
        return observed(output, arguments)


def _of_text(output: Output) -> Sizes | tuple[Unknown, ...]:
    from corro.compiler import reading_of
    from corro.estimate.text import sizes_in

    reading = reading_of(output.source, output.plan) if output.plan.frontend == "pytorch" else None
    if reading is None:
        raise CompilationError(
            f"{output.source.path}: no training with PyTorch was found, of which sizes could be estimated."
        )
    return sizes_in(*reading, output.source.path.name)


def _refuse(unknown: tuple[Unknown, ...], script: str, arguments: tuple[str, ...], *, as_json: bool) -> None:
    """Say what is not known, and how it can be."""
    if as_json:
        click.echo(json.dumps({"observed": False, "unknown": [asdict(each) for each in unknown]}, indent=2))
    else:
        for each in unknown[:_MOST_REASONS]:
            echo(f"{each.where}: {each.what} is not known from the text.", sys.stderr)
        more = len(unknown) - _MOST_REASONS
        if more > 0:
            echo(f"… and {more} more.", sys.stderr)
        echo(f"corro: a run shows the sizes: {_again(script, arguments)}", sys.stderr)
    sys.exit(1)


def _again(script: str, arguments: tuple[str, ...]) -> str:
    return shlex.join(["corro", "estimate", script, "--observe", *(["--", *arguments] if arguments else [])])


def _show(sizes: Sizes, found: tuple[Share, ...], *, observed: bool) -> None:
    from rich.console import Console
    from rich.table import Table

    held = f"{sizes.parameters:,} parameters ({_size(sizes.parameter_bytes)})"
    trained = "" if sizes.trained == sizes.parameters else f", {sizes.trained:,} of them trained"
    resident = f"; its process took {_size(sizes.resident_bytes)}, Python included" if sizes.resident_bytes else ""
    echo(f"{held}{trained}, {'from a run' if observed else 'from the text'}{resident}", sys.stdout)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("processes", "batch", "model", "gradients", "optimizer", "saved", "memory", "sent a step"):
        table.add_column(title, justify="right")
    for each in found:
        parts = (each.model_bytes, each.gradient_bytes, each.optimizer_bytes, each.saved_bytes, each.memory_bytes)
        batch = _NOT_KNOWN if sizes.batch is None else "-" if each.batch is None else str(each.batch)
        table.add_row(str(each.processes), batch, *map(_size, parts), _size(each.sent_bytes))
    Console(width=None if sys.stdout.isatty() else 100, highlight=False).print(table)
    if sizes.batch is not None and any(each.batch is None for each in found):
        echo(f"-: {sizes.batch} samples cannot be shared out equally.", sys.stdout)


def _size(number: int | None) -> str:
    if number is None:
        return _NOT_KNOWN
    value, unit = float(number), 0
    while value >= _STEP and unit < len(_UNITS) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{number} B" if not unit else f"{value:.1f} {_UNITS[unit]}"
