"""Classes of the script's own: which of their methods Keras calls for a batch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import functions_in_layer
from corro.frontends.lineage import base_names, lineage, own_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.keras._job import Job

_COMPUTING = ("keras.layers.", "keras.models.", "keras.Model", "keras.Sequential")


def computing(job: Job) -> Iterator[ast.AST]:
    """The ``call`` of layers and models of the script's own, and functions that are layers."""
    for node in own_classes(job.facts):
        if any(canonical(name).startswith(_COMPUTING) for name in base_names(job.facts, node)):
            yield from (m for each in lineage(job.facts, node) for m in each.body if getattr(m, "name", "") == "call")
    for fact in job.calls:
        if fact.result.kind is Kind.LAYER and fact.receiver is None:
            given = functions_in_layer(fact.result.name, fact.args, fact.keywords)
            yield from (job.facts.functions[each.obj] for each in given if each.obj in job.facts.functions)
