"""All commands, as click sees them."""

from __future__ import annotations

import importlib
from typing import cast

import click

from corro.cli import _help


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
            raise click.UsageError(f"there is no command {args[0]!r}. {self._advice(ctx, args[0])}", ctx)
        return super().resolve_command(ctx, args)

    def _advice(self, ctx: click.Context, name: str) -> str:
        from difflib import get_close_matches

        if name.endswith((".py", ".ipynb")):
            return f"To convert a script: corro compile {name}"
        near = get_close_matches(name.lower(), self.list_commands(ctx), cutoff=0.5)
        return f"Did you mean: corro {near[0]}" if near else "See: corro --help"

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(_help.page())


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(_help.version())
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_show_version)
def group() -> None:
    """Turns a sequential training script into a distributed one, and starts it."""
