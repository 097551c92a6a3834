"""``corro bench --plan FILE``: an experiment on several scripts, one after the other."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from corro.cli._terminal import echo
from corro.errors import CorroError, UsageError

_ALONE = ("--plot", "--store")
_INTERRUPTED = 130


@click.command(
    "bench", context_settings={"ignore_unknown_options": True, "help_option_names": []}, add_help_option=False
)
@click.option("--plan", required=True, type=click.Path(path_type=Path))
@click.argument("more", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def command(bench: click.Command, plan: Path, more: tuple[str, ...]) -> None:
    """Make the experiments of a plan; what else is given holds for each of its scripts."""
    from corro.bench.plan import command_lines

    lines = command_lines(plan, more)
    for name in _ALONE:
        if len(lines) > 1 and any(each.partition("=")[0] == name for each in more):
            raise UsageError(
                f"{name} is one file, and {plan} has {len(lines)} scripts.", advice="Leave it out, or bench one script."
            )
    sys.exit(max([_status(bench, line) for line in lines]))


def _status(bench: click.Command, line: list[str]) -> int:
    """Make one experiment; what is wrong with it does not keep the others from being made."""
    echo(f"corro: corro bench {shlex.join(line)}", sys.stderr)
    try:
        bench.main(line, prog_name="corro bench", standalone_mode=False)
    except CorroError as error:
        echo(f"corro: {error}", sys.stderr)
        return error.exit_status
    except SystemExit as end:
        if end.code == _INTERRUPTED:
            raise
        return int(end.code or 0)
    return 0
