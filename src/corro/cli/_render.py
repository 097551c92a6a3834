"""What is said about an output: in colours on a terminal, as plain lines elsewhere (``_terminal`` sees to that)."""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import IO, TYPE_CHECKING, Any

from corro.changes import Level
from corro.cli._terminal import address, echo, folded, linked, style
from corro.errors import CorroError, Place
from corro.frontends import frontends
from corro.source import SourceFile, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corro.changes import Change, Effort, Finding
    from corro.compiler import Output
    from corro.source import Span

_COLOURS = {Level.REFUSED: "red", Level.ASSUMES: "magenta", Level.REVIEW: "yellow", Level.NOTE: "blue"}
_EFFORTS: dict[Effort, str] = {
    "one line": "one line",
    "several lines": "several lines",
    "other training": "a change of what is trained",
    "none": "no edit of the script helps",
}
_HANG = 2
_DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def render_plan(output: Output, stream: IO[Any]) -> None:
    """Write what was changed, by which rule and why, and all findings."""
    if output.text is not None:
        render_changes(output, stream)
    for line in _said_lines(output):
        _echo(line, stream)


def render_changes(output: Output, stream: IO[Any]) -> None:
    """Write what was changed, by which rule and why."""
    for line in _change_lines(output, _sources(output)):
        echo(line, stream)


def render_findings(output: Output, findings: Iterable[Finding], stream: IO[Any]) -> None:
    """Write some of the findings of a plan."""
    sources = _sources(output)
    for alike in grouped(_in_order(findings, sources)):
        for line in _finding_lines(alike, sources):
            _echo(line, stream)


def _echo(line: str, stream: IO[Any]) -> None:
    """Write a line; a sentence is broken between words, code is not."""
    for part in [line] if line.startswith("   ") else folded(line, stream, _HANG):
        echo(part, stream)


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
    if output.text is not None:
        yield from _change_lines(output, _sources(output))
    yield from _said_lines(output)


def _said_lines(output: Output) -> Iterator[str]:
    sources = _sources(output)
    findings = _in_order(output.plan.findings, sources)
    if output.plan.refusals:
        others = [each for each in findings if each.level is Level.NOTE]
        findings = [*_in_order(output.plan.refusals, sources), *others]
    for alike in grouped(findings):
        yield from _finding_lines(alike, sources)


def grouped(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Findings that say the same of several places, put together at the first of them."""
    found: dict[tuple[str, ...], list[Finding]] = {}
    for each in findings:
        found.setdefault((each.level.value, each.rule, each.message, each.advice), []).append(each)
    return list(found.values())


def counted_refusals(output: Output) -> str:
    """How many places are refused, and of how many causes: several of one rule with one advice have one cause."""
    causes = Counter((each.rule, each.advice) for each in output.plan.refusals)
    places = causes.total()
    said = f"{places} place{'s' * (places > 1)} refused"
    alike = [count for count in causes.values() if count > 1]
    if len(causes) == 1 < places:
        return f"{said}, all of one cause"
    return said + "".join(f", {count} of one cause" for count in alike)


def effort(output: Output) -> str:
    """What following the advice takes, the least first, with the numbers of causes; these are counted as above."""
    causes = {(each.rule, each.advice): each.effort for each in output.plan.refusals}
    kinds = Counter(causes.values())
    if len(causes) == 1:
        return f"Effort: {_EFFORTS[next(iter(kinds))]}."
    return f"Effort by cause: {', '.join(f'{said} ({kinds[kind]})' for kind, said in _EFFORTS.items() if kinds[kind])}."


def _in_order(findings: Iterable[Finding], sources: Mapping[str, SourceFile]) -> list[Finding]:
    """As they stand in the files, the script first."""
    files = {file: number for number, file in enumerate(sources)}
    return sorted(findings, key=lambda each: (files.get(each.file, len(files)), each.file, each.span.start))


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


def _finding_lines(alike: Sequence[Finding], sources: Mapping[str, SourceFile]) -> Iterator[str]:
    """What is said of one or several places, once."""
    finding = alike[0]
    level = style(finding.level.value, _COLOURS[finding.level], bold=True)
    rule = linked(finding.rule, rule_address(finding.rule))
    for number, each in enumerate(alike):
        source = sources.get(each.file) or _read(each.file)
        place = source.place(each.span) if source is not None else each.file
        shown = linked(str(place), address(place.file, place.line)) if isinstance(place, Place) else place
        yield f"{shown}: {level}: {finding.message} [{rule}]" if number == 0 else f"{shown}: {level}: the same"
        if source is not None and finding.level is not Level.NOTE:
            yield from _quoted(source, each.span, _COLOURS[finding.level])
    if finding.advice:
        yield f"  {finding.advice}"


def _read(file: str) -> SourceFile | None:
    try:
        return read_source(file)
    except CorroError:
        return None


def rule_address(rule: str) -> str:
    """Where it is written what a rule does and why: its file. Some findings are of no rule."""
    from pathlib import Path

    from corro import rules

    found = next(Path(rules.__file__ or "").parent.rglob(f"{rule.replace('-', '_')}.py"), None)
    return address(str(found), 1) if found else ""


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
