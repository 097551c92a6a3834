"""``corro doctor``: show which engines are here, and whether they work."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from corro.cli._terminal import echo, style

if TYPE_CHECKING:
    from corro.engines import Health

_EPILOG = """
\b
Each engine is imported in a process of its own: "works" means that it does. What worked is remembered until
something is installed or removed; --fresh tries it again.
The exit status is 1 when none works.
"""

_SIGNS = {"works": "✓", "broken": "✗", "missing": "-"}
_COLOURS = {"works": "green", "broken": "red", "missing": "yellow"}


@click.command("doctor", epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
@click.option("--fresh", is_flag=True, help="Try again what worked before.")
def command(as_json: bool, fresh: bool) -> None:
    """Show which engines are installed and work, their versions, and how to get the rest.

    Each is told as soon as it is known.
    """
    from corro.cli._verdict import progress
    from corro.engines import ENGINES, State, examine_each

    widths = max(len(each.title) for each in ENGINES), max(len(each.name) for each in ENGINES)
    found: list[Health] = []
    remembered = 0
    with progress("trying", quiet=not sys.stderr.isatty()) as report:
        report(f"{len(ENGINES)} engines")
        for health, old in examine_each(ENGINES, fresh=fresh):
            found.append(health)
            remembered += old
            if not as_json:
                _show(health, *widths)
            report(f"{len(ENGINES) - len(found)} more engines")
    if as_json:
        found.sort(key=lambda each: each.engine.title)
        click.echo(json.dumps([_told(each) for each in found], indent=2))
    elif remembered:
        click.echo(f"corro: {remembered} of these worked before; --fresh tries them again.", err=True)
    sys.exit(all(each.state is not State.WORKS for each in found))


def _show(health: Health, title: int, name: int) -> None:
    state = health.state.value
    said = f"{health.version} ({health.detail})" if state == "works" else f"{state}: {health.detail}"
    sign = style(_SIGNS[state], _COLOURS[state])
    echo(f"{sign} {health.engine.title:{title}}  --to {health.engine.name:{name}}  {said}", sys.stdout)
    if state != "works":
        echo(f"  {'':{title}}  get it: {health.engine.advice}", sys.stdout)


def _told(health: Health) -> dict[str, str]:
    return {
        "target": health.engine.name,
        "engine": health.engine.title,
        "state": health.state.value,
        "version": health.version,
        "detail": health.detail,
    }
