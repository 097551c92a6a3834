"""Options that several commands have."""

from __future__ import annotations

import click

from corro import targets
from corro.compiler import SCALINGS


class OfScript(click.Command):
    """A command whose last arguments are those of the script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say where options of the script stand, when one is not known."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = f"If it is the script's own, put it behind --: -- {error.option_name}"
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from error


target = click.option(
    "--to",
    "target",
    type=click.Choice(targets.names()),
    help="The engine; without it, the one that suits the script's framework.",
)
scaling = click.option(
    "--scaling",
    type=click.Choice(SCALINGS),
    default="strong",
    show_default=True,
    help="strong: the batch is shared out, the result stays. weak: it grows with the processes.",
)
processes = click.option(
    "-n",
    "--processes",
    type=click.IntRange(min=1),
    required=True,
    help="How many processes (devices, where one has all).",
)
