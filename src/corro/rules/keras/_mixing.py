"""Where a function that Keras calls with a batch combines the samples: shared by the rules for losses and metrics.

A mean over samples is the mean of the means of equal shards, and so is anything linear in it. A root of it, a ratio, a
maximum or a deviation from it is not.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.flow.values import AVERAGED
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.operations import is_read
from corro.frontends.tensors import PICKED
from corro.source import position

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Job

_COMBINED = frozenset({Form.UNKNOWN, Form.SUM, Form.COUNT})


def mixes(value: Value) -> bool:
    """Whether something is neither an average over the samples of a batch nor something of each of them."""
    parts = (part for part in value.items or (value,) if AVERAGED not in part.tags)
    return any(part.form in _COMBINED or part.tags & PICKED for part in parts)


def place(job: Job, function: ast.AST, gives: Value) -> ast.AST:
    """Where a function, or one that it calls, combines samples so that it gives this; itself where that is not seen."""
    parts = gives.items or (gives,)
    forms = {part.form for part in parts} & (_COMBINED | {Form.MEAN})
    picked = frozenset(tag for part in parts for tag in part.tags) & PICKED
    return next((n for part in reached(job, function) for n in _places(job, part, forms, picked)), function)


def _places(job: Job, function: ast.AST, forms: Collection[Form], picked: Collection[str]) -> Iterator[ast.AST]:
    """What is combined in a function of parts that are not."""
    values = {n: job.value(n) for n in ast.walk(function) if isinstance(n, (ast.expr, ast.AugAssign))}
    combined = {n for n, value in values.items() if value.form in forms or not value.tags.isdisjoint(picked)}
    found = [n for n in combined if combined.isdisjoint(set(ast.walk(n)) - {n}) and not isinstance(n, ast.Name)]
    yield from sorted((n for n in found if _called(job, n) is None), key=position)


def is_unknown(job: Job, node: ast.AST) -> bool:
    """Whether what a call does to the samples of a batch is not known."""
    facts = list(job.calls_of(node))
    return bool(facts) and not any(is_read(canonical(fact.name)) for fact in facts)


def reached(job: Job, function: ast.AST) -> Iterator[ast.AST]:
    """A function, and those of the script and its modules that are called in it."""
    pending, seen = [function], set[ast.AST]()
    while pending:
        part = pending.pop(0)
        if part not in seen:
            seen.add(part)
            yield part
            called = (_called(job, node) for node in ast.walk(part))
            pending += [each for each in called if each is not None]


def _called(job: Job, node: ast.AST) -> ast.AST | None:
    """The function of the script, or of a module, that a call is one of."""
    return job.facts.functions.get(job.value(node.func).obj) if isinstance(node, ast.Call) else None
