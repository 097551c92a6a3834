"""``corro trace``: show where the time of a training step goes, on each process."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corro.cli import _options
from corro.cli._about import about
from corro.cli._help import summary as summary_of
from corro.cli._observed import must_be_of, or_observed
from corro.cli._settings import settings_of
from corro.cli._shares import must_share_out, with_another_number
from corro.cli._terminal import echo
from corro.cli._verdict import progress
from corro.compiler import compile_source, program_of
from corro.errors import UsageError
from corro.source import read_source
from corro.trace import archive

if TYPE_CHECKING:
    from corro.compiler import Output
    from corro.trace.summary import Summary

_EPILOG = """
\b
Examples:
  corro trace train.py -n 2                     40 steps on two processes; writes train_trace.json
  corro trace train.py -n 2 --to horovod --steps 100 -o horovod.json
  corro trace train.py -n 2 --otf2 run          for Vampir and Scalasca, too; needs: pip install "corro[trace]"
  corro trace train.py -n 2 -- --epochs 3       what follows -- is the script's

The file opens in https://ui.perfetto.dev, in chrome://tracing and in speedscope: a process for each rank, a track for
each kind of work, with the line of the script. What Horovod's timeline and the profilers of TensorFlow and JAX show
stands beside it. For PyTorch, Keras and TensorFlow 2.
"""

_FRONTENDS = {"pytorch": "PyTorch", "keras": "Keras", "tensorflow": "TensorFlow 2"}


@click.command("trace", cls=_options.OfScript, epilog=_EPILOG, help=summary_of("trace"))
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@_options.processes
@_options.target
@click.option("--steps", type=click.IntRange(min=3), default=40, show_default=True, help="End after so many steps.")
@click.option("--warm-up", type=click.IntRange(min=1), default=5, show_default=True, help="Steps that are not counted.")
@click.option("-o", "--output", type=_options.Results(), help="The trace; SCRIPT_trace.json without it.")
@click.option("--otf2", type=click.Path(path_type=Path), help="A new folder for the same as an OTF2 archive.")
@click.option("--json", "as_json", is_flag=True, help="The summary as JSON.")
def command(
    script: str,
    arguments: tuple[str, ...],
    processes: int | str | None,
    target: str | None,
    steps: int,
    warm_up: int,
    output: Path | None,
    otf2: Path | None,
    as_json: bool,
) -> None:
    """See above."""
    if warm_up > steps - 2:
        raise UsageError(f"--warm-up {warm_up}: of --steps {steps} at least two have to be left.")
    if otf2 is not None:
        archive.must_be_writable(otf2)
    own = settings_of(script)
    options = own.options(target=target, assume=True)
    source = read_source(script)
    with progress("converting") as report:
        report(f"{script}")
        converted = compile_source(source, options)
    converted = or_observed(converted, options, arguments)
    must_be_of(_FRONTENDS, converted, "traced")
    number = _options.number_of(processes or own.processes, converted)
    again = with_another_number(["corro", "trace", script, *(["--to", target] if target else [])], arguments)
    must_share_out(converted, number, again, arguments)
    from corro.trace.chrome import document
    from corro.trace.summary import summarised
    from corro.writing import write_atomically

    with progress("tracing") as report:
        report(f"{steps} steps of {number} processes")
        ranks = _traced(converted, number, steps, warm_up, arguments)
    file = output or Path(f"{Path(script).stem}_trace.json")
    summary = summarised(ranks, warm_up)
    told = {**about("trace", script, converted.plan.target, converted.plan.scaling, number), "summary": asdict(summary)}
    try:
        write_atomically(file, json.dumps(document(ranks, told)).encode())
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror}.") from error
    if otf2 is not None:
        archive.write(ranks, otf2)
    if as_json:
        click.echo(json.dumps({**asdict(summary), "trace": str(file)}, indent=2))
    else:
        _render(summary)
    echo(f"corro: wrote {file}: open it in https://ui.perfetto.dev or chrome://tracing", sys.stderr)


def _traced(output: Output, number: int, steps: int, warm_up: int, arguments: tuple[str, ...]) -> Sequence[Any]:
    from corro.bench import prepare
    from corro.bench.design import Treatment
    from corro.bench.runs import Subject
    from corro.launch.launchers import usable_cores
    from corro.trace.run import traced

    plan = output.plan
    subject = Subject(
        script=output.source.path.absolute(),
        programs={prepare.way_of(output): prepare.program_for(output)},
        arguments=arguments,
        home=prepare.home([output]),
        package=program_of(output.source).package,
        steps=steps,
        warm_up=warm_up,
    )
    threads = max(1, usable_cores() // number)
    treatment = Treatment(plan.target, number, threads, plan.scaling, exchange=plan.exchange)
    return traced(subject, treatment, _lines(output))


def _lines(output: Output) -> Mapping[str, str]:
    """For each line of the program, as its process names it, that of the script."""
    from corro.verify.origins import converted

    found = {}
    for each in converted(output):
        name = each.file or output.source.path.name
        for number in range(1, len(each.text.splitlines()) + 1):
            found[f"{name}:{number}"] = f"{name}:{each.origin.line(number)}"
    return found


def _render(summary: Summary) -> None:
    """A row for each kind of work, a column for each process; then what it shows."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("ms a step")
    for rank in summary.ranks:
        table.add_column(f"rank {rank}", justify="right")
    table.add_column("share", justify="right")
    for kind, values in summary.seconds.items():
        shown = (f"{value * 1000:.3g}" for value in values)
        table.add_row(kind, *shown, f"{sum(values) / len(values) / summary.step:.0%}")
    Console().print(table)
    echo(f"A step takes {summary.step * 1000:.3g} ms, of {summary.steps} that were counted.", sys.stdout)
    if summary.hidden is not None:
        echo(
            f"{summary.hidden:.0%} of the exchange of gradients is hidden behind what is computed meanwhile.",
            sys.stdout,
        )
    for said in summary.said:
        echo(said, sys.stdout)
    for note in summary.notes:
        echo(note, sys.stdout)
    echo(f"Tracing itself took {summary.overhead:.1%} of the time.", sys.stdout)
