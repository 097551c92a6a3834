"""Classes of the script's own: from what they are derived, and which of their methods Keras calls for a batch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.keras.names import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.rules.keras._job import Job

_COMPUTING = ("keras.layers.", "keras.models.", "keras.Model", "keras.Sequential")


def computing(job: Job) -> Iterator[ast.AST]:
    """The ``call`` of layers and models of the script's own, and functions that are layers."""
    for node in own_classes(job):
        if any(canonical(name).startswith(_COMPUTING) for name in base_names(job, node)):
            yield from (m for each in lineage(job, node) for m in each.body if getattr(m, "name", "") == "call")
    for fact in job.calls:
        given = fact.argument(0, "function")
        if fact.result.kind is Kind.LAYER and fact.result.name == "Lambda" and given is not None:
            yield from (job.facts.functions[n] for n in (given.obj,) if n in job.facts.functions)


def lineage(job: Job, node: ast.ClassDef) -> list[ast.ClassDef]:
    """A class of the script's own, and those of its own that it is derived from."""
    known = own_classes(job)
    found = [node]
    for each in found:
        names = {base.id for base in each.bases if isinstance(base, ast.Name)}
        found += [other for other in known if other.name in names and other not in found]
    return found


def own_classes(job: Job) -> list[ast.ClassDef]:
    """Those of the script and of its modules."""
    written = (n for file in job.files for n in file.nodes if isinstance(n, ast.ClassDef))
    return list(dict.fromkeys((*job.facts.classes.values(), *written)))


def base_names(job: Job, node: ast.ClassDef) -> Iterator[str]:
    """The dotted names of the classes that a class is derived from, straight or through others of the script."""
    for each in lineage(job, node):
        for base in each.bases:
            yield from job.names_of(each).qualified(base)
