"""Places of a converted program led back to the user's script."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rueda.source import Span
    from rueda.source.origin import Origin


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
