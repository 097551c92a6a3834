"""Scripts of which a run says what their text does not: run for a few steps, and compiled again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from corro.classes import replace
from corro.errors import CompilationError, CorroError
from corro.plan import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corro.compiler import Options, Output


def observed(output: Output, options: Options, arguments: tuple[str, ...], *, quiet: bool = False) -> Output:
    """A script that is refused, or to be verified, by its text, compiled with what a run of it shows."""
    from corro.cli._verdict import progress
    from corro.verify.observed import completed

    with progress(quiet=quiet) as report:
        return completed(output, options, arguments, report)


def or_observed(output: Output, options: Options, arguments: tuple[str, ...], *, quiet: bool = False) -> Output:
    """A script that is refused by its text, compiled with what a run of it shows, where that could be of use."""
    from corro.compiler import compile_source, questions_of

    if any(_asks_for(arguments, option) for seen in output.plan.observed for option in seen.options):
        options = replace(options, defaults=False)
        output = compile_source(output.source, options)
    if output.plan.outcome is not Outcome.REFUSED or not output.plan.frontend:
        return output
    asked = questions_of(output.source, output.plan)
    if not asked.values and not asked.tests:
        return output
    if not quiet:
        click.echo("corro: its text alone does not show how to convert it; a run may.", err=True)
    try:
        return observed(output, options, arguments, quiet=quiet)
    except CorroError as error:
        click.echo(f"corro: {error.message} So it stays at what the text shows.", err=True)
        return output


def _asks_for(arguments: tuple[str, ...], option: str) -> bool:
    """Whether an option is among the arguments of a script, by its name or by how that begins."""
    return any(each.startswith("--") and option.startswith(each.partition("=")[0]) for each in arguments)


def must_be_of(frontends: Mapping[str, str], output: Output, done: str) -> None:
    """See that there is a sequential script of some frameworks, and a program made from it.

    Args:
        frontends: those, with what they are called.
        output: of the compiler.
        done: what is done with it: "traced".

    Raises:
        CompilationError: the script is not converted, or is one of another framework.
    """
    from corro.bench.prepare import must_train

    must_train(output)
    path, plan = output.source.path, output.plan
    if plan.frontend not in frontends:
        *first, last = frontends.values()
        only = f"{', '.join(first)} and {last} are" if first else f"{last} is"
        raise CompilationError(
            f"{path} trains with {plan.frontend}, and only {only} {done}.",
            advice=f"Measure whole steps: corro bench {path} -n 2",
        )
    if output.text is None:
        from corro.cli._render import render_plan

        render_plan(output, sys.stderr)
        raise CompilationError(f"{path} cannot be converted.", advice="Nothing was started.")
