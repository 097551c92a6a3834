"""``corro verify``: show that the distributed program trains the same model."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corro.cli import _options
from corro.cli._about import about
from corro.cli._files import cannot_be_written
from corro.cli._observed import or_observed
from corro.cli._settings import settings_of
from corro.cli._shares import must_have_been_shared_out, must_share_out, with_another_number
from corro.cli._terminal import echo
from corro.cli._verdict import conclusion, measured, render_verdict
from corro.compiler import SCALINGS, compile_source, engine_of
from corro.errors import UsageError
from corro.launch import LAUNCHERS, launcher_of
from corro.source import read_source
from corro.writing import write_atomically

if TYPE_CHECKING:
    from corro.compiler import Output
    from corro.verify.runs import Subject

_EPILOG = """
\b
Examples:
  corro verify train.py -n 2                          the whole run, on two processes
  corro verify train.py -n 2 --steps 50               the first 50 optimizer steps
  corro verify train.py -n 4 --to horovod -- --epochs 1
  corro verify --reference train.py by_hand.py -n 2 --launcher torchrun
                                                      a program distributed by hand

PASS: compared, and equal. FAIL: not equal; the first divergence is shown. ABSTAIN: could not be compared, with the
reason. Of each assumption that the program rests on it is said whether it holds; corro compile and corro run remember
those that do. The exit status is 1 if a property fails, or an assumption does not hold or was not tested.
"""


@click.command("verify", cls=_options.OfScript, epilog=_EPILOG)
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@_options.processes
@_options.target
@_options.scaling
@_options.uneven
@_options.compression
@_options.bucket_mb
@click.option("--steps", type=click.IntRange(min=1), default=None, help="End after so many optimizer steps.")
@click.option("--epochs", type=click.IntRange(min=1), default=None, help="End after so many epochs.")
@click.option("--reference", type=click.Path(), help="The sequential script; SCRIPT is distributed by hand.")
@click.option(
    "--launcher",
    type=click.Choice([each.name for each in LAUNCHERS]),
    help="What starts a script that is distributed by hand.",
)
@click.option("--json", "as_json", is_flag=True, help="The verdict as JSON.")
@click.option("-o", "--output", "file", type=_options.Results(), help="Also keep it as FILE.json, for corro report.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder that keeps records and gradients.")
@click.option("--patience", type=click.FloatRange(min=1), help="Seconds without a sign of life that mean: it hangs.")
def command(
    script: str,
    arguments: tuple[str, ...],
    processes: int | str | None,
    target: str | None,
    scaling: str | None,
    uneven: bool,
    compression: str | None,
    bucket_mb: str | None,
    steps: int | None,
    epochs: int | None,
    reference: str | None,
    launcher: str | None,
    as_json: bool,
    file: Path | None,
    keep: Path | None,
    patience: float | None,
) -> None:
    """Show that the distributed program trains the same model as SCRIPT.

    SCRIPT is run sequentially and on several processes, here and on the CPU, in a folder of links: no file of yours
    is changed. The sequential run is given the samples of the distributed one, step by step.
    """
    from corro.cli._assumed import render_standings, to_dict
    from corro.verify import check, subject_by_hand, subject_of
    from corro.verify.assumptions import Standing, conclude

    if steps and epochs:
        raise UsageError("--steps and --epochs exclude each other.")
    if launcher and not reference:
        raise UsageError("--launcher is for a script that is distributed by hand.", advice="Add --reference SCRIPT.")
    own = settings_of(reference or script)
    scaling = scaling or own.scaling or SCALINGS[0]
    limits = {"steps": steps or (0 if epochs else own.steps), "epochs": epochs or 0}
    again = with_another_number(["corro", "verify", script], arguments)
    subject: Subject
    output: Output | None = None
    if reference:
        found = launcher_of(engine_of(read_source(script)))
        started = launcher or (found.name if found is not None else "torchrun")
        weak = scaling == "weak"
        number = _options.number_of(processes or own.processes)
        subject = subject_by_hand(Path(reference), Path(script), started, number, arguments, weak=weak, **limits)
    else:
        options = own.options(
            target=target,
            scaling=scaling,
            assume=True,
            uneven=uneven,
            compression=compression,
            bucket_mb=bucket_mb,
        )
        output = or_observed(compile_source(read_source(script), options), options, arguments, quiet=as_json)
        if output.text is None:
            from corro.cli._render import render_plan

            render_plan(output, sys.stderr)
        number = _options.number_of(processes or own.processes, output)
        must_share_out(output, number, again, arguments)
        subject = subject_of(output, number, arguments, **limits)
    with measured() as (report, far):
        verdict = check(subject, patience=patience, keep=keep, report=report, progress=far)
    standings = conclude(output, verdict, arguments) if output is not None else ()
    assumed = {"assumptions": to_dict(standings, output)} if output is not None and standings else {}
    told = {**verdict.to_dict(), **assumed, "conclusion": conclusion(verdict)}
    if file is not None:
        engine = output.plan.target if output is not None else ""
        _keep(file, {**told, "about": about("verify", script, engine, scaling, number)})
    if as_json:
        click.echo(json.dumps(told, indent=2))
    else:
        for fault in verdict.of("end").faults if output is not None else ():
            must_have_been_shared_out(fault.message, f"{script}: ", again)
        render_verdict(verdict, sys.stdout)
        if output is not None:
            render_standings(standings, output, sys.stdout)
    if file is not None:
        echo(f"corro: wrote {file}", sys.stderr)
    sys.exit(1 if verdict.failed or any(each.standing is not Standing.HOLDS for each in standings) else 0)


def _keep(file: Path, told: dict[str, Any]) -> None:
    try:
        write_atomically(file, json.dumps(told, indent=2).encode())
    except OSError as error:
        raise cannot_be_written(file, error) from error
