"""Shared by rules: what a script says of devices."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.rules.pytorch._job import Job

_MOVED = (Kind.MODULE, Kind.TENSOR, Kind.BATCH, Kind.LOSS)


def uses_gpu(job: Job) -> bool:
    """Whether the script says anything of devices."""
    texts = (node.value for node in job.nodes.of(ast.Constant) if isinstance(node.value, str))
    named = any(node.attr in ("cuda", "device") for node in job.nodes.of(ast.Attribute))
    if named or any(text.startswith("cuda") for text in texts):
        return True
    return any(map(_moves_somewhere, job.calls)) or any(True for _ in numbers(job))


def _moves_somewhere(fact: CallFact) -> bool:
    """Whether something is moved to what has another name: an item of a configuration, what a function gives."""
    return _moves(fact) and any(isinstance(each, (ast.Name, ast.Subscript, ast.Call)) for each in fact.node.args[:1])


def _moves(fact: CallFact) -> bool:
    return fact.name == "to" and fact.receiver is not None and fact.receiver.kind in _MOVED


def moves_model(fact: CallFact) -> bool:
    """Whether a model is moved."""
    return _moves(fact) and fact.receiver is not None and fact.receiver.kind is Kind.MODULE


def is_named_elsewhere(job: Job, given: ast.expr) -> bool:
    """Whether the script does not show what this is: the name of a device that it is may have a number."""
    if isinstance(given, ast.IfExp):
        return is_named_elsewhere(job, given.body) or is_named_elsewhere(job, given.orelse)
    return job.value(given).kind is Kind.UNKNOWN and not any(True for _ in _chosen(job, given))


def is_item(job: Job, given: ast.expr) -> bool:
    """Whether this is an item of a configuration, or an attribute of one, or a name for it."""
    if isinstance(given, ast.Name):
        names = job.names_of(given)
        bound = names.binding(given)
        values = bound.values.get(given.id, ()) if bound is not None else ()
        return any(
            isinstance(each, ast.expr) and not isinstance(each, ast.Name) and is_item(job, each) for each in values
        )
    return isinstance(given, ast.Subscript) or (
        isinstance(given, ast.Attribute) and given.attr not in ("device", "type")
    )


def numbers(job: Job) -> Iterator[ast.expr]:
    """What stands for a GPU by its number: ``model.to(0)``, a name for it, ``0 if is_available() else "cpu"``."""
    found: dict[ast.expr, None] = {}
    for fact in job.calls:
        if (_moves(fact) or fact.name == "torch.device") and len(fact.node.args) == 1:
            given = fact.node.args[0]
            number = job.value(given).kind is Kind.NUMBER
            found.update(dict.fromkeys([given] if number else _chosen(job, given)))
    yield from found


def _chosen(job: Job, given: ast.expr) -> Iterator[ast.expr]:
    """The numbers among what a name may be given by a conditional expression."""
    names = job.names_of(given)
    bound = names.binding(given) if isinstance(given, ast.Name) else None
    uses = names.uses(given.id, bound) if isinstance(given, ast.Name) else ()
    made = [job.parent(use) for use in uses if isinstance(use.ctx, ast.Store)]
    values = [given, *(node.value for node in made if isinstance(node, ast.Assign))]
    for value in values:
        arms = (value.body, value.orelse) if isinstance(value, ast.IfExp) else ()
        yield from (arm for arm in arms if isinstance(arm, ast.Constant) and type(arm.value) is int)
