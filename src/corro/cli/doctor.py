"""``corro doctor``: show which engines are here, and whether they work."""

from __future__ import annotations

import json
import sys

import click

_EPILOG = """
\b
Each engine is imported in a process of its own: "works" means that it does.
The exit status is 1 when none does.
"""

_SIGNS = {"works": "✓", "broken": "✗", "missing": "-"}
_COLOURS = {"works": "green", "broken": "red", "missing": "yellow"}


@click.command("doctor", epilog=_EPILOG)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def command(as_json: bool) -> None:
    """Show which engines are installed and work, their versions, and how to get the rest."""
    from corro.engines import State, examine_all

    found = examine_all()
    if as_json:
        listed = [
            {
                "target": each.engine.name,
                "engine": each.engine.title,
                "state": each.state.value,
                "version": each.version,
                "detail": each.detail,
            }
            for each in found
        ]
        click.echo(json.dumps(listed, indent=2))
    else:
        width = max(len(each.engine.title) for each in found)
        names = max(len(each.engine.name) for each in found)
        for each in found:
            sign = click.style(_SIGNS[each.state.value], fg=_COLOURS[each.state.value])
            works = each.state is State.WORKS
            said = f"{each.version} ({each.detail})" if works else f"{each.state.value}: {each.detail}"
            click.echo(f"{sign} {each.engine.title:{width}}  --to {each.engine.name:{names}}  {said}")
            if each.state is not State.WORKS:
                click.echo(f"  {'':{width}}  get it: {each.engine.advice}")
    sys.exit(all(each.state is not State.WORKS for each in found))
