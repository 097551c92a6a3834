"""Functions that a script gives to libraries, which call them for each row or item: what they draw is not followed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.randomness import drawn_by_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Job

_CALLING = frozenset({"apply", "map", "applymap", "transform", "agg", "aggregate", "pipe", "filter", "sorted", "sort",
                      "reduce", "vectorize", "apply_along_axis", "frompyfunc", "fromfunction", "starmap", "imap",
                      "assign", "max", "min"})  # fmt: skip
"""What calls a function that it is given."""
_BY_BATCH = (Kind.DATASET, Kind.LOADER, Kind.MODULE)
"""Whose methods call what they are given in training."""


def drawing(job: Job) -> Iterator[tuple[str, CallFact]]:
    """The calls that are given functions which draw random numbers, and the library whose numbers they draw."""
    for fact in job.calls:
        by_batch = fact.receiver is not None and fact.receiver.kind in _BY_BATCH
        if by_batch or fact.name.rpartition(".")[2] not in _CALLING:
            continue
        for given in (*fact.args, *fact.keywords.values()):
            function = job.facts.functions.get(given.obj) if given.kind is Kind.FUNCTION else None
            for node in ast.walk(function) if function is not None else ():
                library = _drawn(job, node) if isinstance(node, ast.Call) else None
                if library is not None:
                    yield library, fact


def _drawn(job: Job, node: ast.Call) -> str | None:
    """The library from which a call draws; a table draws its samples from NumPy's numbers."""
    names = job.names_of(node).qualified(node.func)
    samples = isinstance(node.func, ast.Attribute) and node.func.attr == "sample" and not names
    if samples and all(keyword.arg != "random_state" for keyword in node.keywords):
        return "numpy"
    return next((library for name in names if (library := drawn_by_name(name)) is not None), None)
