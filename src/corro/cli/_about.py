"""What a file of results says of itself, for ``corro report``: what it is of, how it was made, where and when."""

from __future__ import annotations

import shlex
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

GIVEN = "corro.given"
"""Where a command's own words are kept, in the ``meta`` of its context."""


def about(kind: str, script: str | Path, target: str, scaling: str, processes: int) -> dict[str, str | int]:
    """The description of results.

    Args:
        kind: the command that made them.
        script: what they are of.
        target: the engine; empty for a program that is distributed by hand.
        scaling: ``strong`` or ``weak``.
        processes: how many there were.
    """
    from corro.bench.prepare import machine

    return {
        "corro": kind,
        "script": str(script),
        "target": target,
        "scaling": scaling,
        "processes": processes,
        "command": as_typed(),
        "machine": machine(),
        "made": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }


def as_typed() -> str:
    """The command that is running, as it would be typed again."""
    context = click.get_current_context()
    given = list(context.meta.get(GIVEN, ()))
    own = given.index("--") if "--" in given else len(given)  # what follows is the script's
    kept = [word for word in given[:own] if word != "--dry-run"]  # it shows the design of the runs after it
    return shlex.join([*context.command_path.split(), *kept, *given[own:]])
