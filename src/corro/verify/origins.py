"""Places of a converted program led back to the user's script."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from corro.verify.evidence import Announced

if TYPE_CHECKING:
    from corro.changes import Finding
    from corro.plan import Plan
    from corro.source import SourceFile, Span
    from corro.source.origin import Origin


def script_lines(name: str, origin: Origin) -> Mapping[str, str]:
    """For each line of the program, as ``FILE:LINE``, the line of the script."""
    count = len(origin.output.starts)
    return {f"{name}:{line}": f"{name}:{origin.line(line)}" for line in range(1, count + 1)}


def places(name: str, text: str, origin: Origin, spans: tuple[Span, ...]) -> Mapping[str, str]:
    """The conditions of a program that come from certain ones of the script, with the script's lines.

    The places are ``LINE:COLUMN`` as ``ast`` counts them, the lines ``FILE:LINE``.
    """
    wanted = {span.start for span in spans}
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            offset, _ = origin.offset(origin.output.offset(node.test.lineno, node.test.col_offset))
            if offset in wanted:
                place = f"{node.test.lineno}:{node.test.col_offset}"
                found[place] = f"{name}:{origin.original.number(offset)}"
    return found


def announced(source: SourceFile, plan: Plan) -> tuple[Announced, ...]:
    """What the compiler told the user that differs on purpose."""
    return tuple(
        Announced(name, finding.message, _lines(source, finding), finding.in_files)
        for finding in plan.findings
        for name in finding.differs
    )


def _lines(source: SourceFile, finding: Finding) -> frozenset[str]:
    """The lines of the place; none, which means all, where it is not in the script or not all that differs."""
    if not finding.only_here or finding.file:
        return frozenset()
    first, last = (source.lines.number(offset) for offset in (finding.span.start, finding.span.end))
    return frozenset(f"{source.path.name}:{line}" for line in range(first, last + 1))
