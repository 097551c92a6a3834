"""Modules that are made in a training loop and that nothing trains: a filter with fixed weights, a metric's network."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.purity import DRAWN_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Set

    from corro.flow.facts import CallFact, Facts, StoreFact
    from corro.flow.values import Value

_LAYERS = "torch.nn."


def is_passing(facts: Facts, loops: Set[ast.AST], module: Value) -> bool:
    """Whether a module is made anew in each round of a training loop, in which no optimizer is made.

    So no optimizer has its parameters: each was made before there was such a module.
    """
    of_object = facts.made.get(module.obj, facts.nodes[0])
    places = [facts.nodes[number] for number in module.sites] or [of_object]
    made = [facts.calls_of(place) if isinstance(place, ast.Call) else [] for place in places]
    rounds = [set(loops) & _loops(fact) for calls in made for fact in calls]
    if not all(made):
        return False
    within = set.intersection(*rounds)
    return not within <= facts.once(_around_optimizers)


def _around_optimizers(facts: Facts) -> frozenset[ast.AST]:
    """The loops in which optimizers are made."""
    made = (fact for fact in facts.calls if fact.result.kind is Kind.OPTIMIZER)
    return frozenset(loop for fact in made for loop in _loops(fact))


def is_filter(facts: Facts, loops: Set[ast.AST], layer: Value) -> bool:
    """Whether a layer of the library is made anew for each batch, and given all its weights: none are drawn."""
    if not layer.name.startswith(_LAYERS) or not is_passing(facts, loops, layer):
        return False
    made = [fact for fact in facts.calls if facts.numbers.get(fact.node) in layer.sites]
    stores = [fact for fact in facts.stores if fact.owner.sites == layer.sites and isinstance(fact.node, ast.Attribute)]
    given = {fact.node.attr for fact in stores if isinstance(fact.node, ast.Attribute) and not fact.in_place}
    places: list[CallFact | StoreFact] = [*made, *stores]
    blocks = set(map(_block, places))
    return len(blocks) == 1 and all(_draws(fact) <= given for fact in made)


def _block(fact: CallFact | StoreFact) -> ast.AST | None:
    """What the statement stands in that makes a layer, or sets a weight of it."""
    source = fact.context.frame.unit.source
    above = source.parent(fact.node)
    while isinstance(above, ast.expr):
        above = source.parent(above)
    return source.parent(above) if above is not None else None


def _draws(fact: CallFact) -> frozenset[str]:
    """The parameters for which a layer draws its first weights; nothing sets all those of most layers."""
    name = fact.name.rpartition(".")[2]
    if not name.startswith(DRAWN_WEIGHTS):
        return frozenset()
    if not name.startswith(("Conv", "Linear")):
        return frozenset({""})
    bias = fact.keywords.get("bias")
    return frozenset({"weight"} if bias is not None and bias.const is False else {"weight", "bias"})


def _loops(fact: CallFact) -> set[ast.AST]:
    return {loop.node for loop in fact.context.loops}
