"""Shared by rules: calls that show progress, quiet on all processes but the first."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.keras._arguments import EVALUATE, FIT, FIT_GENERATOR, PREDICT, Given

if TYPE_CHECKING:
    from corro.rules.keras._job import Job
    from corro.source import Edit

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
    return given.set("verbose", f"{given.text('verbose') or default} if {job.at(node).ranked.is_first} else 0")
