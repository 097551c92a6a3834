"""All commands, as click sees them."""

from __future__ import annotations

import importlib
import shlex
import sys
from collections.abc import Sequence
from typing import cast

import click

from corro.cli import _help
from corro.errors import UsageError


class _Commands(click.Group):
    """Finds commands by their file names and imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return _help.commands()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = importlib.import_module(f"{__package__}.{cmd_name}").command
        return command if isinstance(command, click.Command) else cast("click.Command", command())

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            raise click.UsageError(f"there is no command {args[0]!r}. {self._advice(ctx, args)}")
        return super().resolve_command(ctx, args)

    def _advice(self, ctx: click.Context, args: list[str]) -> str:
        from difflib import get_close_matches

        name, *rest = args
        if name.endswith((".py", ".ipynb")):
            script = shlex.quote(name)
            return f"Train it on two processes: corro run {script} -n 2, or write the program: corro compile {script}"
        near = get_close_matches(name.lower(), self.list_commands(ctx), cutoff=0.5)
        return f"Did you mean: {shlex.join(['corro', near[0], *rest])}" if near else "See: corro --help"

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(_help.page())


def call(arguments: Sequence[str]) -> None:
    """Run a command and end the process; what click has to say is said as all errors are.

    Raises:
        UsageError: the arguments are wrong.
        KeyboardInterrupt: the user has interrupted it.
    """
    try:
        sys.exit(group(list(arguments), prog_name="corro", standalone_mode=False))
    except getattr(click.exceptions, "NoArgsIsHelpError", ()) as error:  # since click 8.2; it is the page of a group
        error.show()
        sys.exit(error.exit_code)
    except click.ClickException as error:
        said = error.format_message()
        context = getattr(error, "ctx", None)
        advice = f"See: {context.command_path} --help" if context is not None else ""
        raise UsageError(said[:1].lower() + said[1:], advice="" if advice in said else advice) from error
    except click.Abort as error:
        raise KeyboardInterrupt from error


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(_help.version())
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
def group() -> None:
    """Turns a sequential training script into a distributed one, and starts it."""
