"""``corro run``: convert a script and start it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import click

from corro import targets
from corro.changes import Level
from corro.cli import _options
from corro.cli._observed import or_observed
from corro.cli._render import render_findings, render_plan, trains_nothing
from corro.compiler import Options, Output, compile_source, engine_of, program_of
from corro.errors import CompilationError, ExecutionError, UsageError
from corro.launch import Launcher, Task, generated_modules, launcher_named, launcher_of, run, write_program
from corro.plan import Outcome
from corro.source import read_source

VERIFIED_STEPS = 20

_EPILOG = """
\b
Examples:
  corro run train.py -n 2                         two processes, PyTorch's own engine
  corro run train.py -n 4 -- --epochs 3 --lr 0.1  what follows -- is the script's
  corro run train.py -n 2 --to horovod            with Horovod (first: corro setup horovod)
  corro run train.py -n 2 --dry-run               the command and environment, nothing is started
  corro run train.py -n 2 --verify                first show that its steps are those of the script

The exit status is that of the process that failed first. Ctrl-C ends all processes.
"""


@click.command("run", cls=_options.OfScript, epilog=_EPILOG)
@click.argument("script", type=click.Path())
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@_options.processes
@_options.target
@_options.scaling
@click.option("--dry-run", is_flag=True, help="Show what would be started, and start nothing.")
@click.option("--verify", is_flag=True, help=f"First compare {VERIFIED_STEPS} steps with the sequential run.")
def command(
    script: str,
    arguments: tuple[str, ...],
    processes: int,
    target: str | None,
    scaling: str,
    dry_run: bool,
    verify: bool,
) -> None:
    """Convert SCRIPT and train it on several processes of this machine.

    To itself the program is SCRIPT: same folder, arguments and output, each line once. The converted text stays in
    Corro's cache, where tracebacks point; `corro compile` writes it beside the script.
    """
    options = Options(target or "", scaling, assume=True)
    output = compile_source(read_source(script), options)
    output = output if dry_run else or_observed(output, options, arguments)
    program = _program(output)
    launch = _launcher(output).plan(Task(program, script, arguments, processes, program_of(output.source).package))
    if dry_run:
        click.echo(launch.describe())
        for text, module in generated_modules(program).items():
            click.echo(f"corro: loaded in the place of {module}: {text}", err=True)
        return
    if verify or _is_untested(output, arguments):
        _verify(output, processes, arguments)
    status = run(launch)
    click.echo(_summary(output), err=True)
    sys.exit(status)


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


def _verify(output: Output, processes: int, arguments: tuple[str, ...]) -> None:
    """Compare the first steps; nothing is started if they differ."""
    from corro.cli._assumed import render_standings
    from corro.cli._verdict import progress, render_verdict
    from corro.verify import check, subject_of
    from corro.verify.assumptions import Standing, conclude

    with progress() as report:
        verdict = check(subject_of(output, processes, arguments, steps=VERIFIED_STEPS), report=report)
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
        return write_program(output.source.encode(output.text), script, output.plan.target, modules)
    if outcome is Outcome.ALREADY_DISTRIBUTED:
        is_script = script.suffix == ".py"
        return script if is_script else write_program(output.source.encode(output.source.text), script, "as_it_is")
    if outcome is Outcome.NOTHING:
        render_plan(output, sys.stderr)
        raise CompilationError(trains_nothing(output), advice="Nothing was started.")
    render_plan(output, sys.stderr)
    raise CompilationError(f"{output.source.path} cannot be converted.", advice="Nothing was started.")


def _launcher(output: Output) -> Launcher:
    """The launcher of the target, or of what already distributes the script."""
    if output.plan.outcome is Outcome.ALREADY_DISTRIBUTED:
        found = launcher_of(engine_of(output.source))
        if found is None:
            raise UsageError(
                f"{output.source.path} is distributed already, by what `corro run` does not start.",
                advice="Start it as its library says; often that is: python SCRIPT.",
            )
        return found
    return launcher_named(targets.get(output.plan.target, output.plan.frontend).launcher)


def _summary(output: Output) -> str:
    """What was changed, by rule, and what the user should know about it."""
    if output.text is None:
        return "corro: the script is distributed already; it ran unchanged."
    rules = Counter(change.rule for change in output.plan.changes)
    names = [output.source.path.name, *(module.source.path.name for module in output.modules)]
    told = f"{', '.join(names[:-1])} and {names[-1]} were" if names[1:] else f"{names[0]} was"
    lines = [f"corro: {told} converted with {rules.total()} changes:"]
    lines += [f"  {count:3} {rule}" for rule, count in rules.items()]
    lines += [f"  {each.level.value}: {each.message}" for each in output.plan.findings if each.level is Level.REVIEW]
    return "\n".join(lines)
