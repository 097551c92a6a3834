"""``corro explain``: say what a rule does, why, and where that is written."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from corro.cli._terminal import echo, folded, style
from corro.errors import UsageError
from corro.rules.pages import blocks, markdown, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.rules.pages import Page

_EPILOG = """
\b
Examples:
  corro explain                  all rules, one line each
  corro explain train-loader     why a training loader is changed, before and after

Names of rules stand in the report of `corro compile`, in brackets after findings, and at the ends of lines written
with --annotate.
"""


def _names(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """The rules whose names begin so, for the completion of shells."""
    return [page.name for page in pages() if page.name.startswith(begun)]


@click.command("explain", epilog=_EPILOG)
@click.argument("rule", required=False, shell_complete=_names)
@click.option("--markdown", "--all", "as_markdown", is_flag=True, help="All rules as one Markdown document.")
def command(rule: str | None, as_markdown: bool) -> None:
    """Say what RULE does, why, before and after, and its source."""
    found = pages()
    if as_markdown:
        click.echo(markdown(found), nl=False)
        return
    for text, hang in _listed(found) if rule is None else _explained(_named(rule, found)):
        for line in [text] if hang is None else folded(text, sys.stdout, hang):
            echo(line, sys.stdout)


def _listed(found: Sequence[Page]) -> Iterator[tuple[str, int]]:
    """A line for each rule, with the column in which it goes on where it is too long for a line."""
    width = max(len(page.name) for page in found)
    for page in found:
        yield f"{style(f'{page.name:{width}}', 'cyan')}  {_plain(page.title)}", width + 2


def _named(name: str, found: Sequence[Page]) -> Page:
    for page in found:
        if page.name == name:
            return page
    raise UsageError(f"there is no rule {name!r}.", advice=_advice(name, [page.name for page in found]))


def _advice(name: str, names: list[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name.lower().replace("_", "-"), names, cutoff=0.5)
    return f"Did you mean {' or '.join(near)}?" if near else "`corro explain` lists all rules."


def _explained(page: Page) -> Iterator[tuple[str, int | None]]:
    """The same of one rule; lines of code are not broken."""
    yield style(page.name, "cyan", bold=True), 0
    yield _plain(page.title), 0
    for heading, text in page.sections.items():
        yield "", 0
        yield style(heading, None, bold=True), 0
        for is_code, block in blocks(text):
            colour = {"Before": "red", "After": "green"}.get(heading) if is_code else None
            for line in _plain(block).split("\n") if is_code else _paragraphs(_plain(block)):
                yield f"    {style(line, colour)}" if line else "", None if is_code else 4


def _paragraphs(text: str) -> Iterator[str]:
    """On a terminal, which has a width of its own, each paragraph in one; elsewhere the lines as they are."""
    if not sys.stdout.isatty():
        yield from text.split("\n")
        return
    for number, paragraph in enumerate(text.split("\n\n")):
        yield from ["", " ".join(paragraph.split("\n"))][not number :]


def _plain(text: str) -> str:
    return text.replace("``", "`")
