"""Shared by rules: what is computed from the first weights of a model, or kept beside them, before they are made equal.

The wrapper sends rank 0's parameters and buffers to all processes. A copy of them that was taken before, a number that
was computed from them, and random numbers that a model keeps as a plain attribute are sent by nobody.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.effects import EffectKind
from corro.frontends.in_place import is_in_place
from corro.frontends.pytorch.parts import owners, whole_of
from corro.frontends.pytorch.steering import PARAMETER
from corro.rules import unshared
from corro.rules.places import way
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Set

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.frontends.pytorch.parts import Owners
    from corro.rules.pytorch._job import Job

_SIZES = frozenset(
    {"size", "numel", "dim", "nelement", "ndimension", "element_size", "stride", "get_device", "data_ptr", "type",
     "is_contiguous", "new_zeros", "new_ones", "new_empty", "new_full", "len", "id", "isinstance", "torch.numel",
     "torch.is_tensor", "torch.zeros_like", "torch.ones_like", "torch.empty_like"}
)  # fmt: skip
"""What is told of a parameter without looking at its numbers."""
_REGISTERING = frozenset({"register_buffer", "register_parameter"})
_INITIALISERS = "torch.nn.init."


def is_read_before(job: Job, begin: ast.stmt, models: Set[int]) -> bool:
    """Whether something is kept of the weights of models before a statement in which all processes get equal ones."""
    reached, above = unshared.reached(job, begin), owners(job.facts)
    making = {job.facts.nodes[number] for number in models}
    for fact in job.calls:
        if fact.order >= reached:
            continue
        within = not making.isdisjoint(way(fact)[1:])
        if within and fact.result.kind in (Kind.MODULE, Kind.LAYERS):
            continue  # a part of the model that is being made
        if any(_is_of(value, models, above) for value in _given(fact)) and _keeps(job, fact, models, reached):
            return True
        inner = fact.receiver is not None and fact.receiver.kind is Kind.MODULE and fact.receiver.sites - models
        if within and inner and fact.name in unshared.GIVING and unshared.is_kept(job, fact):
            return True
    return False


def _given(fact: CallFact) -> Iterator[Value]:
    yield from () if fact.receiver is None else (fact.receiver,)
    yield from fact.args
    yield from fact.keywords.values()


def _is_of(value: Value, models: Set[int], above: Owners) -> bool:
    """Whether a value is a model, a part of it, or a parameter that may be of it."""
    if PARAMETER in value.tags:
        return not value.sites or not models.isdisjoint(value.sites | whole_of(above, value.sites))
    return value.kind is Kind.MODULE and not models.isdisjoint(value.sites)


def _keeps(job: Job, fact: CallFact, models: Set[int], reached: int) -> bool:
    """Whether what a call gives goes on from the numbers that weights have now."""
    last = fact.name.rpartition(".")[2]
    if last == "state_dict":
        return not _is_only_loaded(job, fact, models, reached)
    if last in ("deepcopy", "copy"):
        return True
    of_weights = any(PARAMETER in value.tags for value in _given(fact))
    if not of_weights or PARAMETER in fact.result.tags or fact.name in _SIZES or is_in_place(last):
        return False
    computed = fact.result.kind in (Kind.TENSOR, Kind.NUMBER)
    return computed and not fact.name.startswith(_INITIALISERS)


def _is_only_loaded(job: Job, fact: CallFact, models: Set[int], reached: int) -> bool:
    """Whether weights are only written to a file, or go back into the same models before these are made equal."""
    saves = {effect.node for effect in job.effects if effect.kind is EffectKind.SAVE}
    if any(node in saves for node in job.ancestors(fact.node)):
        return True
    sites = fact.result.sites
    uses = [each for each in job.calls if any(value.kind is Kind.STATE and sites & value.sites for value in each.args)]
    return bool(sites and uses) and all(
        each.name == "load_state_dict"
        and each.order < reached
        and each.receiver is not None
        and not models.isdisjoint(each.receiver.sites)
        for each in uses
    )


def is_sent(job: Job, fact: CallFact) -> bool:
    """Whether random numbers are drawn while a model is made, and only for what is sent around with its weights."""
    return _is_in_making(job, fact) and _goes_into_weights(job, fact.node)


def _is_in_making(job: Job, fact: CallFact) -> bool:
    made = (job.value(frame.call) for frame in fact.context.frame.path() if frame.call is not None)
    return any(value.kind is Kind.MODULE for value in made)


def _goes_into_weights(job: Job, node: ast.AST) -> bool:
    """Whether a value becomes a parameter or a buffer where it is made, or under the one name that it gets there."""
    if _is_within_weights(job, node):
        return True
    statement = job.statement(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
    if not isinstance(target, ast.Name):
        return False
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)
    around = next(above for above in job.ancestors(node) if isinstance(above, functions))
    names = (part for part in walk(around) if isinstance(part, ast.Name) and part.id == target.id)
    uses = [name for name in names if isinstance(name.ctx, ast.Load)]
    return bool(uses) and all(_is_within_weights(job, name) for name in uses)


def _is_within_weights(job: Job, node: ast.AST) -> bool:
    calls = (above for above in job.ancestors(node) if isinstance(above, ast.Call))
    if any(_takes_over(fact) for call in calls for fact in job.calls_of(call)):
        return True
    statement = job.statement(node)
    targets = statement.targets if isinstance(statement, ast.Assign) else ()
    parts = (part for each in targets for part in walk(each))
    return any(PARAMETER in store.owner.tags for part in parts for store in job.facts.stores_of(part))


def _takes_over(fact: CallFact) -> bool:
    """Whether a call makes a parameter or a buffer of what it is given."""
    if fact.name in _REGISTERING:
        return "persistent" not in fact.keywords and len(fact.args) < 3
    into = fact.receiver is not None and PARAMETER in fact.receiver.tags and is_in_place(fact.name)
    return into or PARAMETER in fact.result.tags
