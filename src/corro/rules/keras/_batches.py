"""Shared by the rules for data: the share of a process in a batch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.keras._flows import is_shared_out
from corro.source import Before

if TYPE_CHECKING:
    from corro.changes import Finding
    from corro.rules.keras._job import Job
    from corro.targets.keras._base import SharingTarget


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
        rule,
        "a batch of one sample cannot be divided among processes.",
        node,
        "Give a larger batch size, or use --scaling weak.",
        effort="other training",
    )


def padding(job: Job, rule: str, node: ast.AST) -> Finding:
    """What becomes of samples that N does not divide."""
    return job.note(
        rule,
        "an epoch may repeat up to N-1 samples, so that all processes make the same number of steps.",
        node,
    )


def counted_in_parts(job: Job) -> ast.Call | None:
    """Where a script asks how much there is of data that processes have parts of: ``len(data)``, ``cardinality()``."""
    for fact in job.calls:
        if fact.name in ("len", "cardinality") or fact.name.endswith(".cardinality"):
            for value in (*fact.args, fact.receiver):
                if value is not None and (value.kind is Kind.DATASET or is_shared_out(job, value)):
                    return fact.node
    return None


def counted_wrongly(job: Job, rule: str) -> Finding | None:
    """Weak scaling: a number that may shrink by itself must not be divided."""
    node = counted_in_parts(job)
    if node is None:
        return None
    return job.refuse(
        rule,
        "the number of steps may be computed from data that is sharded, of which each process has less.",
        node,
        "Compute it from the arrays, or use --scaling strong.",
        effort="one line",
    )
