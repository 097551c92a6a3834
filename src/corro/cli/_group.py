"""All commands, as click sees them."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast

import click

from corro.found import modules

_EPILOG = """
\b
Start here:
  corro compile train.py --diff      what would be changed, and nothing else
  corro run train.py -n 2            convert and train on two processes
  corro verify train.py -n 2         show that the same model is trained
  corro explain RULE                 why a line was written
  corro doctor                       which engines are installed and work

\b
Completion of commands and options, for this shell:
  eval "$(corro completion bash)"
"""


class _Commands(click.Group):
    """Finds commands by their file names and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return modules([str(Path(__file__).parent)])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"{__package__}.{cmd_name}").command
        return command if isinstance(command, click.Command) else cast("click.Command", command())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not args[0].endswith((".py", ".ipynb")):
                raise
            raise click.UsageError(f"{error.message} To convert a script: corro compile {args[0]}", ctx) from error


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"corro {version('corro')}")
        ctx.exit()


@click.group(cls=_Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version, help="Show it.")
def group() -> None:
    """Turns a sequential training script into a distributed one, and starts it.

    The script stays as it is: the distributed program is a new file, or runs at once. What cannot be converted
    faithfully is refused, with the place, the reason and what to do.
    """
