"""What is said of assumptions: that they held in an earlier verification, or what one says of each of them."""

from __future__ import annotations

import os
import shlex
import sys
from typing import IO, TYPE_CHECKING, Any

from corro.cli._terminal import echo, style
from corro.source import read_source
from corro.verify.assumptions import Standing, held

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corro.changes import Finding
    from corro.compiler import Output
    from corro.errors import Place
    from corro.verify.assumptions import Tested

_COLOURS = {Standing.HOLDS: "green", Standing.FAILS: "red", Standing.UNTESTED: "yellow"}


def as_verified(output: Output, assuming: Callable[[], Output]) -> Output:
    """The program of a script whose assumptions held when it was verified; the output as it is where they did not."""
    arguments = held(output)
    if arguments is None:
        return output
    command = shlex.join([output.source.path.name, *arguments])
    echo(f"corro: what is assumed below held when it was verified: {command}", sys.stderr)
    return assuming()


def render_standings(standings: Iterable[Tested], output: Output, stream: IO[Any]) -> None:
    """Write a line for each assumption."""
    for each in standings:
        standing = style(each.standing.value, _COLOURS[each.standing], bold=True)
        echo(f"{_place(each.assumption, output)}: {standing}: {each.assumption.message}", stream)
        if each.standing is Standing.FAILS:
            echo(f"  {each.assumption.advice}", stream)
        elif each.standing is Standing.UNTESTED:
            echo(f"  The property {each.assumption.shown_by} would show it, and was not compared.", stream)


def to_dict(standings: Iterable[Tested], output: Output) -> list[dict[str, Any]]:
    """What was said of each assumption, as plain values for JSON."""
    return [
        {
            "rule": each.assumption.rule,
            "message": each.assumption.message,
            "place": str(_place(each.assumption, output)),
            "shown_by": each.assumption.shown_by,
            "standing": each.standing.value,
        }
        for each in standings
    ]


def _place(finding: Finding, output: Output) -> Place | str:
    source = read_source(finding.file) if finding.file else output.source
    place = source.place(finding.span)
    return f"{os.path.relpath(place.file)}:{place.inside}" if finding.file else place
