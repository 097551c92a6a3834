"""What MkDocs does for this site beyond its configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from corro.cli._group import group

_HELPS = "<!-- begin helps -->"
_MUTANTS = re.compile(r"<!-- mutants: begin -->.*<!-- mutants: end -->", re.DOTALL)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put in what the commands say of themselves, and leave brackets in the table of mutants what they are.

    To Markdown, two pairs of brackets in a row would be a link.
    """
    filled = markdown.replace(_HELPS, "\n\n".join(_helps(group, "corro"))) if _HELPS in markdown else markdown
    return _MUTANTS.sub(lambda found: found[0].replace("[", r"\["), filled)


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Say of Spanish pages that they are Spanish: a site of this theme has one language."""
    return output.replace('<html lang="en"', '<html lang="es"', 1) if page.url.startswith("es/") else output


def _helps(command: click.Command, name: str) -> Iterator[str]:
    """The help of a command, and of those that it has."""
    context = click.Context(command, info_name=name, max_content_width=80, terminal_width=80)
    yield f"## {name}\n\n```text\n{command.get_help(context)}\n```"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            if below is not None:
                yield from _helps(below, f"{name} {each}")
