"""Loaders handed to code that is not followed: it would pass over a part of the data and not know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.effects import effects
from corro.frontends.pytorch.making import LOADERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts

_ONLY_LOOK = frozenset(
    {"len", "iter", "enumerate", "zip", "next", "list", "tuple", "dict", "isinstance", "type", "id", "hasattr",
     "getattr", "setattr", "str", "repr", "sorted", "reversed", "map", "filter", "vars", "dir", "callable", "bool",
     "functools.partial", "collections.OrderedDict", "super",
     "itertools.cycle", "itertools.islice"}
)  # fmt: skip


def handed_away(facts: Facts, numbers: frozenset[int]) -> Iterator[CallFact]:
    """Calls of what is not in the script that are given one of these loaders."""
    for fact in facts.calls:
        given = [v for v in (*fact.args, *fact.keywords.values()) if v.kind is Kind.LOADER and v.sites & numbers]
        if given and not _is_followed(facts, fact):
            yield fact


def _is_followed(facts: Facts, fact: CallFact) -> bool:
    target = facts.values.get(fact.node.func)
    if target is not None and target.kind in (Kind.FUNCTION, Kind.CLASS, Kind.INSTANCE, Kind.MODULE):
        return True
    if fact.receiver is not None:
        return fact.receiver.kind in (Kind.LIST, Kind.DICT, Kind.INSTANCE, Kind.MODULE) or any(effects((fact,)))
    known = fact.name in _ONLY_LOOK or fact.name in LOADERS or fact.result.kind is Kind.PROGRESS
    return known or any(effects((fact,)))
