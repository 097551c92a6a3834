"""Shared by the rules for losses and callbacks: from what are classes of the script's own derived?"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.rules.keras._job import Job


def lineage(job: Job, node: ast.ClassDef) -> list[ast.ClassDef]:
    """A class of the script's own, and those of its own that it is derived from."""
    known = own_classes(job)
    found = [node]
    for each in found:
        names = {base.id for base in each.bases if isinstance(base, ast.Name)}
        found += [other for other in known if other.name in names and other not in found]
    return found


def own_classes(job: Job) -> list[ast.ClassDef]:
    """Those of the script, and those of its modules that were followed."""
    written = (n for n in job.source.nodes if isinstance(n, ast.ClassDef))
    return list(dict.fromkeys((*job.facts.classes.values(), *written)))


def base_names(job: Job, node: ast.ClassDef) -> Iterator[str]:
    """The dotted names of the classes that a class is derived from, straight or through others of the script."""
    for each in lineage(job, node):
        unit = job.facts.units.get(each)
        names = unit.names if unit is not None else job.names
        for base in each.bases:
            yield from names.qualified(base)
