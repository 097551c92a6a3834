"""Shared by rules: weights that are changed by random numbers, of which each process or device draws its own."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras.names import canonical
from corro.frontends.lineage import base_names, lineage, own_classes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer, Job

_RANDOM = ("tensorflow.random.", "tensorflow.compat.v1.random", "numpy.random.", "random.", "keras.backend.random_",
           "keras.random.")  # fmt: skip
_UPDATING = ("keras.optimizers.", "keras.constraints.")
_FIRST = frozenset({"__init__", "build", "get_config", "from_config"})
"""Methods that make no step."""
_SETS = frozenset({"set_weights", "assign", "assign_add", "assign_sub", "set_value"})


def answers(job: Job, rule: str, *, hooks: bool) -> Iterator[Answer]:
    """A refusal at the first place.

    Args:
        job: the script.
        rule: the name of the rule that speaks.
        hooks: whether callbacks are asked too, which draw once for all devices of a process.
    """
    place = next(_places(job, hooks=hooks), None)
    if place is not None:
        yield job.refuse(
            rule,
            "weights are changed by random numbers here, which differ between processes or devices: the copies of "
            "the model would drift apart.",
            place,
            "Add noise in a layer, such as GaussianNoise, or in the loss.",
            effort="other training",
        )


def _places(job: Job, *, hooks: bool) -> Iterator[ast.AST]:
    for node in own_classes(job.facts):
        names = [canonical(name) for name in base_names(job.facts, node)]
        updates = any(name.startswith(_UPDATING) and ".schedules." not in name for name in names)
        hook = hooks and any(name.startswith("keras.callbacks.") for name in names)
        for method in (m for each in lineage(job.facts, node) for m in each.body if isinstance(m, ast.FunctionDef)):
            called = {getattr(n.func, "attr", "") for n in ast.walk(method) if isinstance(n, ast.Call)}
            if (updates and method.name not in _FIRST) or (hook and not called.isdisjoint(_SETS)):
                yield from draws(job, method)


def draws(job: Job, function: ast.AST) -> Iterator[ast.AST]:
    """Where a function draws random numbers."""
    for node in ast.walk(function):
        names = job.names_of(node).qualified(node.func) if isinstance(node, ast.Call) else ()
        if any(canonical(name).startswith(_RANDOM) for name in names):
            yield node
