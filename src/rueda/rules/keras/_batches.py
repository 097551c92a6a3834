"""Shared by the rules for data: the share of a process in a batch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.source import Before

if TYPE_CHECKING:
    from rueda.changes import Finding
    from rueda.rules.keras._job import Job
    from rueda.targets.keras._base import SharingTarget


def check(target: SharingTarget, statement: ast.stmt, size: str, order: int = -10) -> Before:
    """Statements that stop the program at its start when a batch cannot be shared out evenly."""
    world = target.world_size
    plain = not ({"'", '"', "\\", "\n"} & set(size))
    shown = size if size.isdigit() else f"{{{size}}}" if plain else ""
    message = f'f"batch size{" " * bool(shown)}{shown} cannot be shared out over {{{world}}} processes"'
    return Before(statement, f"if {size} % {world} != 0:\n    raise SystemExit({message})", order=order)


def too_small(job: Job, rule: str, node: ast.AST) -> Finding:
    """A batch of one sample."""
    return job.refuse(
        rule, "a batch of one sample cannot be shared out.", node, "Give a larger batch size, or use --scaling weak."
    )


def padding(job: Job, rule: str, node: ast.AST) -> Finding:
    """What becomes of samples that N does not divide."""
    return job.note(
        rule,
        "an epoch may repeat up to N-1 samples, so that all processes make the same number of steps.",
        node,
    )


def defined_before(job: Job, node: ast.AST, text: str) -> Before:
    """The definition of a function or class, at the top level of the module, in front of what uses it."""
    statement = job.source.statement(node)
    for above in job.source.ancestors(statement):
        if isinstance(above, ast.stmt):
            statement = above
    between = "\n\n\n" if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) else "\n\n"
    before = "" if len(between) > len("\n\n") else "\n"
    return Before(statement, f"{before}{text}{between}", order=-9)
