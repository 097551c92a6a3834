"""Shared by rules: calls that show progress, quiet on all processes but the first."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.rules.keras._arguments import EVALUATE, FIT, FIT_GENERATOR, PREDICT, Given
from rueda.rules.keras._pipelines import from_files, with_options
from rueda.source import text_edits

if TYPE_CHECKING:
    from rueda.rules.keras._job import Job
    from rueda.source import Edit

_NAMES: dict[str, tuple[str, ...]] = {
    "fit": FIT,
    "fit_generator": FIT_GENERATOR,
    "evaluate": EVALUATE,
    "predict": PREDICT,
    "evaluate_generator": (),
    "predict_generator": (),
}


def shown_once(job: Job, node: ast.Call) -> tuple[Edit, ...]:
    """Edits after which a call of ``fit``, ``evaluate`` or ``predict`` shows progress once."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if name not in _NAMES:
        return ()
    given = Given(job, node, _NAMES[name])
    verbose = given.value("verbose")
    silent = (verbose is not None and verbose.is_zero) or (verbose is None and not _NAMES[name])
    if given.is_open or silent:
        return ()
    default = '"auto"' if name == "predict" else "1"
    return given.set("verbose", f"{given.text('verbose') or default} if {job.ranked.is_first} else 0")


def quiet_text(job: Job, call: ast.Call) -> str:
    """The text of a call with all that it shows shown once, and with samples shared out where it is given files."""
    inside = set(ast.walk(call))
    edits = [e for n in inside if isinstance(n, ast.Call) and n in job.anatomy.uses for e in shown_once(job, n)]
    edits += [with_options(job, node) for node in from_files(job) if node in inside]
    span = job.source.span(call)
    position, text = span.start, ""
    for piece in text_edits(job.source, edits):
        text += job.source.text[position : piece.span.start] + piece.text
        position = piece.span.end
    return text + job.source.text[position : span.end]
