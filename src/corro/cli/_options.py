"""Options that several commands have."""

from __future__ import annotations

import shlex
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corro.cli._about import GIVEN
from corro.cli._plain import BUCKET_MB, COMPRESSION, SCALING, TARGET, UNEVEN, Option
from corro.cli._settings import AUTO
from corro.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from corro.compiler import Output


class OfScript(click.Command):
    """A command whose last arguments are those of the script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Say where options of the script stand, when one is not known."""
        given = list(args)
        ctx.meta[GIVEN] = given
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise UsageError(f"there is no option {error.option_name}.", advice=_behind(ctx, given, error)) from error


def _behind(ctx: click.Context, given: list[str], error: click.NoSuchOption) -> str:
    """What to do about an option that is not known: it is mistyped, or the script's own."""
    name = error.option_name
    at = next((number for number, each in enumerate(given) if each.split("=")[0] == name), None)
    if near := get_close_matches(name, error.possibilities or (), n=1, cutoff=0.8):
        return f"Did you mean {near[0]}?"
    only_compiled = isinstance(ctx.command, OfScripts) and "--observe" not in given
    if at is None or "--" in given or only_compiled:
        return f"See: {ctx.command_path} --help"
    value = [each for each in given[at + 1 : at + 2] if "=" not in given[at] and not each.startswith("-")]
    end = at + 1 + len(value)
    own = shlex.join([*ctx.command_path.split(), *given[:at], *given[end:], "--", *given[at:end]])
    return f"If it is the script's own, put it after --: {own}"


class OfScripts(OfScript):
    """A command with several scripts, and behind -- the arguments of a script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take off what is behind --."""
        at = args.index("--") if "--" in args[1:] else len(args)
        ctx.params["arguments"] = tuple(args[at + 1 :])
        return super().parse_args(ctx, args[:at])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """As they are given."""
        return [*super().collect_usage_pieces(ctx), "[-- ARGUMENTS...]"]


class Named(click.Choice[str]):
    """One of some names; of one that is mistyped it is said what may have been meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """What is wrong, and what to write."""
        from corro.cli._settings import suggestion

        return f"{super().get_invalid_choice_message(value, ctx)} {suggestion(str(value), self.choices)}"


class Results(click.Path):
    """A file that results are written into: no script is named there by mistake."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See that the name is one of such a file."""
        path = Path(str(super().convert(value, param, ctx)))
        if path.suffix != ".json":
            self.fail(f"{path}: its name has to end in .json.", param, ctx)
        return path


def declared(option: Option) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """An option as click is told of it."""
    return click.option(
        *option.spellings,
        option.parameter,
        type=Named(option.choices) if option.choices else None,
        default=option.absent,
        show_default=option.default is not None,
        metavar=option.metavar,
        is_flag=option.is_flag,
        help=option.help,
    )


target = declared(TARGET)
scaling = declared(SCALING)
uneven = declared(UNEVEN)
compression = declared(COMPRESSION)
bucket_mb = declared(BUCKET_MB)


class Number(click.ParamType[Any]):
    """A number of processes, or how many are good for this machine."""

    name = "N|auto"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | str:
        """See ``click.ParamType``."""
        if value == AUTO or (str(value).isdecimal() and int(value) >= 1):
            return AUTO if value == AUTO else int(value)
        self.fail(f"{value!r} is neither a number of processes nor {AUTO}.", param, ctx)


processes = click.option(
    "-n",
    "--processes",
    type=Number(),
    metavar="N|auto",
    help="How many processes (devices, where one has all); auto: one for each GPU, or core, at most 4.",
)


def numbers_in(option: str, text: str) -> tuple[int, ...]:
    """Whole numbers from 1 on, in order, each once.

    Raises:
        UsageError: there is something else.
    """
    found = [each.strip() for each in text.split(",")]
    if not all(each.isdecimal() and int(each) for each in found):
        raise UsageError(f"{option} {text}: whole numbers from 1 on are needed.", advice="Write such as 1,2.")
    return tuple(sorted({int(each) for each in found}))


def number_of(processes: int | str, output: Output | None = None) -> int:
    """How many processes are asked for; of those that are good for this machine, as many as the batches allow.

    Raises:
        UsageError: neither the command line nor the project says it.
    """
    if not processes:
        raise UsageError(
            "it is not said on how many processes.", advice="Add -n 2, or -n auto; or set processes in pyproject.toml."
        )
    if processes != AUTO:
        return int(processes)
    from corro.cli._machine import good_number

    number, why = good_number()
    if output is not None:
        from corro.cli._shares import most_that_fit

        number = most_that_fit(output, number)
    click.echo(f"corro: -n {number}: {why}", err=True)
    return number
