"""What is said about an output: in colours on a terminal, as plain lines elsewhere (``_terminal`` sees to that)."""

from __future__ import annotations

import os
import re
from typing import IO, TYPE_CHECKING, Any

from corro.changes import Level
from corro.cli._terminal import echo, style
from corro.errors import CorroError
from corro.frontends import frontends
from corro.source import SourceFile, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.changes import Change, Finding
    from corro.compiler import Output
    from corro.source import Span

_COLOURS = {Level.REFUSED: "red", Level.ASSUMES: "magenta", Level.REVIEW: "yellow", Level.NOTE: "blue"}
_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def render_plan(output: Output, stream: IO[Any]) -> None:
    """Write what was changed, by which rule and why, and all findings."""
    for line in plan_lines(output):
        echo(line, stream)


def render_findings(output: Output, findings: Iterable[Finding], stream: IO[Any]) -> None:
    """Write some of the findings of a plan."""
    for finding in findings:
        for line in _finding_lines(finding, _sources(output)):
            echo(line, stream)


def render_diff(diff: str, stream: IO[Any]) -> None:
    """Write a unified diff in colours."""
    for line in diff.split("\n")[:-1]:
        heading = line.startswith(("--- ", "+++ "))
        echo(style(line, _DIFF_COLOURS.get(line[:1]), bold=heading), stream)


def trains_nothing(output: Output) -> str:
    """Why a script is left as it is, in which no training was found."""
    signs = "; ".join(f"{each.presence.TITLE}: {each.presence.SIGN}" for each in frontends())
    return f"{output.source.path} trains nothing that Corro recognises. It looked for training with {signs}."


def plan_lines(output: Output) -> Iterator[str]:
    """The report, line by line."""
    sources = _sources(output)
    if output.text is not None:
        yield from _change_lines(output, sources)
    for finding in output.plan.findings:
        yield from _finding_lines(finding, sources)


def _sources(output: Output) -> dict[str, SourceFile]:
    return {"": output.source, **{str(module.source.path): module.source for module in output.modules}}


def _change_lines(output: Output, sources: Mapping[str, SourceFile]) -> Iterator[str]:
    changes = [each for file in sources for each in sorted(output.plan.changes_in(file), key=lambda c: c.span.start)]
    where = [_place(change, sources[change.file]) for change in changes]
    rules = max((len(change.rule) for change in changes), default=0)
    columns = max(map(len, where), default=0)
    for place, change in zip(where, changes, strict=True):
        yield f"  {place:>{columns}}  {style(f'{change.rule:{rules}}', 'cyan')}  {change.reason}"


def _place(change: Change, source: SourceFile) -> str:
    place = source.place(change.span)
    return f"{os.path.relpath(place.file)}:{place.inside}" if change.file else place.inside


def _finding_lines(finding: Finding, sources: Mapping[str, SourceFile]) -> Iterator[str]:
    source = sources.get(finding.file) or _read(finding.file)
    place = source.place(finding.span) if source is not None else finding.file
    level = style(finding.level.value, _COLOURS[finding.level], bold=True)
    yield f"{place}: {level}: {finding.message} [{finding.rule}]"
    if source is not None and finding.level is not Level.NOTE:
        yield from _quoted(source, finding.span, _COLOURS[finding.level])
    if finding.advice:
        yield f"  {finding.advice}"


def _read(file: str) -> SourceFile | None:
    try:
        return read_source(file)
    except CorroError:
        return None


def _quoted(source: SourceFile, span: Span, colour: str) -> Iterator[str]:
    """The line a span starts in, and a mark below as much of the span as is on it."""
    start = source.lines.start(span.start)
    line = re.split(r"[\r\n]", source.text[start:], maxsplit=1)[0]
    if not line.strip():
        return
    column = span.start - start
    width = max(1, min(span.end - start, len(line.rstrip())) - column)
    blank = re.sub(r"[^\t]", " ", line[:column])
    yield f"    {line}"
    yield f"    {blank}{style('^' * width, colour)}"
