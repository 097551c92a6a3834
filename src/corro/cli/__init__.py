"""The command line: ``corro COMMAND``. One file in this folder is one command, loaded when it is called.

A file ``name.py`` exposes ``command``, a :class:`click.Command`; files that begin with ``_`` are helpers.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from typing import Any, cast

import click

from corro.errors import CorroError, ExecutionError

_OBJECTS_BEFORE_COLLECTION = 1_000_000
"""Trees and tables of names live as long as the command: looking through them for garbage is lost time."""

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
        return sorted(name for _, name, _ in pkgutil.iter_modules(__path__) if not name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        return cast("click.Command", importlib.import_module(f"{__name__}.{cmd_name}").command)

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


def main(arguments: Sequence[str] | None = None) -> Any:
    """Runs the command line and ends the process: 0 done, 1 refused or failed, 2 wrong usage."""
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION)
    atexit.register(gc.freeze)  # what is there at the end is given back as a whole
    try:
        return group(arguments, prog_name="corro")
    except CorroError as error:
        click.echo(f"corro: {error}", err=True)
        sys.exit(error.exit_status)
    except OSError as error:  # a full disk, a folder that cannot be written
        if not error.strerror:
            raise
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"corro: {ExecutionError(f'{where}{error.strerror}.')}", err=True)
        sys.exit(ExecutionError.exit_status)
