"""``corro run``: convert a script and train it on several processes."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corro.changes import Level
from corro.cli import _options
from corro.cli._observed import or_observed
from corro.cli._render import counted_refusals, effort, render_changes, render_findings, render_plan, trains_nothing
from corro.cli._running import Starting, told_of_failure
from corro.cli._settings import settings_of
from corro.cli._shares import must_have_been_shared_out, must_share_out, with_another_number
from corro.cli._start import launcher as launcher_for
from corro.cli._terminal import echo
from corro.cli._verdict import progress
from corro.compiler import Output, compile_source, engine_of, program_of
from corro.errors import CompilationError, ExecutionError, UsageError
from corro.launch import Launcher, Task, generated_modules, launcher_of, run, write_program
from corro.plan import Outcome
from corro.source import read_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corro.launch import LaunchPlan

VERIFIED_STEPS = 20
LOGS = "CORRO_LOGS"

_EPILOG = """
\b
Examples:
  corro run train.py -n 2                         two processes, PyTorch's own engine
  corro run train.py -n auto                      one for each GPU; without any, for each core, at most 4
  corro run train.py -n 4 -- --epochs 3 --lr 0.1  what follows -- is the script's
  corro run train.py -n 2 --to horovod            with Horovod (first: corro setup horovod)
  corro run train.py -n 2 --dry-run               the command and environment, nothing is started
  corro run train.py -n 2 --verify                first show that its steps are those of the script
  corro run train.py -n 2 --log-dir logs          what each process writes, in logs/rank0.log and so on

What is about to happen, and what is to be reviewed, is said before it starts; -v says all changes and notes. After a
failure it is said what failed where, by the lines of SCRIPT. The exit status is that of the process that failed first.
Ctrl-C ends all processes.
"""


@click.command("run", cls=_options.OfScript, epilog=_EPILOG)
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@_options.processes
@_options.target
@_options.scaling
@_options.uneven
@_options.compression
@_options.bucket_mb
@click.option("--dry-run", is_flag=True, help="Show what would be started, and start nothing.")
@click.option("--verify", is_flag=True, help=f"First compare {VERIFIED_STEPS} steps with the sequential run.")
@click.option("--log-dir", type=click.Path(path_type=Path), help="A folder that gets a file for each process.")
@click.option("-v", "--verbose", is_flag=True, help="Say all changes and notes, too.")
def command(
    script: str,
    arguments: tuple[str, ...],
    processes: int | str | None,
    target: str | None,
    scaling: str | None,
    uneven: bool,
    compression: str | None,
    bucket_mb: str | None,
    dry_run: bool,
    verify: bool,
    log_dir: Path | None,
    verbose: bool,
) -> None:
    """Convert SCRIPT and train it on several processes of this machine.

    To itself the program is SCRIPT: same folder, arguments and output, each line once. The converted text stays in
    Corro's cache; `corro compile` writes it beside the script.
    """
    own = settings_of(script)
    options = own.options(
        target=target,
        scaling=scaling,
        assume=True,
        uneven=uneven,
        compression=compression,
        bucket_mb=bucket_mb,
    )
    source = read_source(script)
    with progress("converting") as report:
        report(f"{script}")
        output = compile_source(source, options)
    output = output if dry_run else or_observed(output, options, arguments)
    number = _options.number_of(processes or own.processes, output)
    given = ["--to", target] if target else []
    again = with_another_number(["corro", "run", script, *given], arguments)
    must_share_out(output, number, again, arguments)
    _warn(output, number)
    program = _program(output)
    launcher = _launcher(output)
    launch = launcher.plan(Task(program, script, arguments, number, program_of(output.source).package))
    launch = _with_logs(launch, log_dir)
    if dry_run:
        click.echo(launch.describe())
        for text, module in generated_modules(program).items():
            click.echo(f"corro: loaded in the place of {module}: {text}", err=True)
        return
    if verify or _is_untested(output, arguments):
        _verify(output, number, arguments, again)
    _announce(output, launcher, number, verbose=verbose)
    starting = Starting(number if launcher.options else 1)
    launch = replace(launch, environment={**launch.environment, **starting.environment})
    status = run(launch, watcher=starting)
    if status:
        for line in told_of_failure(starting.failures, status, again):
            echo(line, sys.stderr)
    sys.exit(status)


def _warn(output: Output, number: int) -> None:
    """Say beforehand that so many processes will not pay, where a forecast of this script shows it."""
    from corro.cli._profiling import told_of_forecast

    for line in told_of_forecast(output.source, (number,), output.plan.scaling, output.plan.target):
        echo(f"corro: {line}", sys.stderr)


def _announce(output: Output, launcher: Launcher, number: int, *, verbose: bool) -> None:
    """Say what is about to happen, and what the user should know of it."""
    name, plan = output.source.path, output.plan
    if output.text is None:
        how = "distributed already, unchanged"
    else:
        count, others = len(plan.changes), len(output.modules)
        more = f" to it and {others} module{'s' * (others > 1)}" if others else ""
        how = f"for {plan.target}, with {count} change{'s' * (count > 1)}{more}"
    many = f"{number} {'process' if launcher.options else 'device'}{('es' if launcher.options else 's') * (number > 1)}"
    echo(f"corro: {name} ({how}) starts on {many}, by {launcher.name}", sys.stderr)
    if verbose and output.text is not None:
        render_changes(output, sys.stderr)
    levels = (Level.REVIEW, Level.NOTE) if verbose else (Level.REVIEW,)
    render_findings(output, [each for each in plan.findings if each.level in levels], sys.stderr)


def _with_logs(launch: LaunchPlan, folder: Path | None) -> LaunchPlan:
    """A launch whose processes write into files of a folder, too."""
    if folder is None:
        return launch
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {folder} cannot be made: {error.strerror}.") from error
    return replace(launch, environment={**launch.environment, LOGS: str(folder.absolute())})


def _is_untested(output: Output, arguments: tuple[str, ...]) -> bool:
    """Whether a program rests on what the text does not show, and was never verified with these arguments."""
    if output.plan.outcome is not Outcome.TO_VERIFY:
        return False
    from corro.verify.assumptions import held

    if held(output, arguments) is not None:
        return False
    render_findings(output, output.plan.assumptions, sys.stderr)
    click.echo("corro: the first steps are verified before it starts, to see whether that holds.", err=True)
    return True


def _verify(output: Output, processes: int, arguments: tuple[str, ...], again: str) -> None:
    """Compare the first steps; nothing is started if they differ."""
    from corro.cli._assumed import render_standings
    from corro.cli._verdict import measured, render_verdict
    from corro.verify import check, subject_of
    from corro.verify.assumptions import Standing, conclude

    with measured() as (report, far):
        subject = subject_of(output, processes, arguments, steps=VERIFIED_STEPS)
        verdict = check(subject, report=report, progress=far)
    for fault in verdict.of("end").faults:
        must_have_been_shared_out(fault.message, f"{output.source.path}: ", again)
    render_verdict(verdict, sys.stderr)
    standings = conclude(output, verdict, arguments)
    render_standings(standings, output, sys.stderr)
    if verdict.failed:
        names = ", ".join(each.name for each in verdict.failed)
        raise ExecutionError(f"the first steps are not those of the sequential run ({names}). Nothing was started.")
    if any(each.standing is not Standing.HOLDS for each in standings):
        raise ExecutionError("what is assumed above could not be tested. Nothing was started.")


def _program(output: Output) -> Path:
    """The file to run: the converted text, or a script that is distributed already."""
    script = output.source.path.absolute()
    outcome = output.plan.outcome
    if output.text is not None:
        modules = {module.source.path: module.encode() for module in output.modules}
        text = output.source.encode(output.text)
        return write_program(text, script, output.plan.target, modules, lines=_lines(output))
    if outcome is Outcome.ALREADY_DISTRIBUTED:
        is_script = script.suffix == ".py"
        return script if is_script else write_program(output.source.encode(output.source.text), script, "as_it_is")
    if outcome is Outcome.NOTHING:
        render_plan(output, sys.stderr)
        raise CompilationError(trains_nothing(output), advice="Nothing was started.")
    render_plan(output, sys.stderr)
    raise CompilationError(
        f"{output.source.path} cannot be converted: {counted_refusals(output)}.",
        advice=f"{effort(output)} Nothing was started.",
    )


def _lines(output: Output) -> Mapping[Path, Sequence[int]]:
    """For each line of each file of the program that of the user's, negative where it is not the same text."""
    from corro.verify.origins import converted

    if output.source.path.suffix != ".py":
        return {}
    sources = {"": output.source, **{str(module.source.path): module.source for module in output.modules}}
    lines: dict[Path, Sequence[int]] = {}
    for each in converted(output):
        old, new = sources[each.file].text.splitlines(), each.text.splitlines()
        numbers = [each.origin.line(number) for number in range(1, len(new) + 1)]
        path = Path(each.file) if each.file else output.source.path.absolute()
        lines[path] = [n if _same(old, n, text) else -n for n, text in zip(numbers, new, strict=True)]
    return lines


def _same(lines: Sequence[str], number: int, text: str) -> bool:
    return number <= len(lines) and lines[number - 1].strip() == text.strip()


def _launcher(output: Output) -> Launcher:
    """The launcher of the target, or of what already distributes the script."""
    if output.plan.outcome is Outcome.ALREADY_DISTRIBUTED:
        found = launcher_of(engine_of(output.source))
        if found is None:
            raise UsageError(
                f"{output.source.path} is distributed already, by what `corro run` does not start.",
                advice=f"Start it as its library says; often that is: python {os.path.relpath(output.source.path)}",
            )
        return found
    return launcher_for(output)
