"""Places of a converted program led back to the user's script."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corro.source import read_source
from corro.source.origin import Origin
from corro.verify.evidence import Announced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corro.changes import Finding
    from corro.compiler import Output
    from corro.source import Span


@dataclass(frozen=True)
class Converted:
    """A file of a converted program.

    Args:
        file: as changes and findings name it: not at all where it is the script.
        name: as places name it.
        text: what runs in its place.
        origin: of that text.
    """

    file: str
    name: str
    text: str
    origin: Origin

    def lines(self) -> Iterator[tuple[str, str]]:
        """For each line of the program, as ``FILE:LINE``, the line of the script."""
        for line in range(1, len(self.origin.output.starts) + 1):
            yield f"{self.name}:{line}", f"{self.name}:{self.origin.line(line)}"

    def places(self, spans: frozenset[Span]) -> Iterator[tuple[str, str]]:
        """The conditions of the program that come from certain ones of the script, with the script's lines.

        The places are ``FILE:LINE:COLUMN`` as ``ast`` counts them, the lines ``FILE:LINE``.
        """
        wanted = {span.start for span in spans}
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, (ast.If, ast.While, ast.IfExp)):
                offset, _ = self.origin.offset(self.origin.output.offset(node.test.lineno, node.test.col_offset))
                if offset in wanted:
                    place = f"{self.name}:{node.test.lineno}:{node.test.col_offset}"
                    yield place, f"{self.name}:{self.origin.original.number(offset)}"


def home_of(output: Output) -> Path:
    """The folder below which all files of a program lie; places name project modules as seen from there."""
    return Path(os.path.commonpath([output.source.path.resolve().parent, *(m.source.path for m in output.modules)]))


def converted(output: Output) -> tuple[Converted, ...]:
    """The files of a program that was converted."""
    assert output.text is not None
    written = [("", output.source, output.text), *((str(m.source.path), m.source, m.text) for m in output.modules)]
    plan = output.plan
    return tuple(
        Converted(file, _name(output, file), text, Origin.of(source, plan.edits_in(file), text))
        for file, source, text in written
    )


def equal_decisions(files: tuple[Converted, ...], conditions: tuple[tuple[str, Span], ...]) -> Mapping[str, str]:
    """The places of conditions that must be equal on all processes, with the script's lines; see ``Evidence``."""
    return {
        place: line
        for each in files
        for place, line in each.places(frozenset(span for file, span in conditions if file == each.file))
    }


def announced(output: Output) -> tuple[Announced, ...]:
    """What the compiler told the user that differs on purpose."""
    return tuple(
        Announced(name, finding.message, _lines(output, finding), finding.in_files)
        for finding in output.plan.findings
        for name in finding.differs
    )


def _lines(output: Output, finding: Finding) -> frozenset[str]:
    """The lines of the place; none, which means all, where it is not all that differs."""
    if not finding.only_here:
        return frozenset()
    lines = (read_source(finding.file) if finding.file else output.source).lines
    first, last = (lines.number(offset) for offset in (finding.span.start, finding.span.end))
    return frozenset(f"{_name(output, finding.file)}:{line}" for line in range(first, last + 1))


def _name(output: Output, file: str) -> str:
    return os.path.relpath(file, home_of(output)) if file else output.source.path.name
