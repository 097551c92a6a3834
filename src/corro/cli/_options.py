"""Options that several commands have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from corro.cli._plain import SCALING, TARGET, Option

if TYPE_CHECKING:
    from collections.abc import Callable


class OfScript(click.Command):
    """A command whose last arguments are those of the script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say where options of the script stand, when one is not known."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            hint = f"If it is the script's own, put it after --: -- {error.option_name}"
            raise click.UsageError(f"{error.format_message()} {hint}", ctx) from error


def declared(option: Option) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option as click is told of it."""
    return click.option(
        *option.spellings,
        option.parameter,
        type=click.Choice(option.choices) if option.choices else None,
        default=option.absent,
        show_default=option.default is not None,
        metavar=option.metavar,
        is_flag=option.is_flag,
        help=option.help,
    )


target = declared(TARGET)
scaling = declared(SCALING)
processes = click.option(
    "-n",
    "--processes",
    type=click.IntRange(min=1),
    required=True,
    help="How many processes (devices, where one has all).",
)
