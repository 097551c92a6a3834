"""Layers that a model's forward pass leaves out, and the training step uses in another way."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import UNKNOWN
from corro.frontends.pytorch.parts import is_in_each, may_train, mentioned, methods_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Step
    from corro.flow.facts import Facts

_HARMLESS = frozenset({"parameters", "named_parameters", "requires_grad_", "state_dict", "load_state_dict", "train",
                       "eval", "to", "cuda", "cpu", "apply", "modules", "in_features", "out_features", "in_channels",
                       "out_channels", "embedding_dim", "num_embeddings", "training", "zero_grad"})  # fmt: skip
"""What is asked of a layer without computing anything with it."""


_PARAMETERS = frozenset({"parameters", "named_parameters"})


def uses(facts: Facts, step: Step, name: str, sites: frozenset[int]) -> Iterator[tuple[ast.AST, bool]]:
    """Where the training step uses a layer that some models have under a name, and whether each step does there."""
    for node in list(facts.units):
        if isinstance(node, ast.Attribute) and node.attr == name and _is_of(facts, node, sites):
            for use in (node, *_aliases(facts, node)):
                for where, each in _in_step(facts, step, use):
                    yield where, each and _is_whole(facts, node) and _is_whole(facts, use)
    yield from _gone_through(facts, step, sites)
    for fact in facts.calls:
        called = fact.receiver is not None and fact.receiver.sites & sites and may_train(facts, step, fact)
        if called and any(name in mentioned(method) for method in methods_of(facts, fact)):
            yield fact.node, is_in_each(facts, step, fact)


def _gone_through(facts: Facts, step: Step, sites: frozenset[int]) -> Iterator[tuple[ast.AST, bool]]:
    """Where the step goes through the parameters of these models, as a penalty on weights does."""
    for node in list(facts.units):
        if isinstance(node, ast.Attribute) and node.attr in _PARAMETERS and _is_of(facts, node, sites):
            source = facts.units[node].source
            call = source.parent(node)
            loop = source.parent(call) if isinstance(call, ast.Call) and call.func is node else None
            if isinstance(loop, (ast.For, ast.comprehension)) and isinstance(call, ast.Call) and loop.iter is call:
                yield from ((where, False) for where, _ in _in_step(facts, step, call))  # some may be left out


def _is_of(facts: Facts, node: ast.Attribute, sites: frozenset[int]) -> bool:
    """Whether an attribute of these models is read, by others than themselves."""
    owner = node.value
    itself = isinstance(owner, ast.Name) and owner.id == "self"
    return isinstance(node.ctx, ast.Load) and not itself and bool(facts.values.get(owner, UNKNOWN).sites & sites)


def _is_whole(facts: Facts, node: ast.expr) -> bool:
    """Whether all parameters of a layer are used where it is named: it is called, or has one only."""
    parent = facts.units[node].source.parent(node)
    value = facts.values.get(node, UNKNOWN)
    if value.kind is not Kind.MODULE or not isinstance(parent, ast.Attribute) or parent.attr == "forward":
        return True
    made = [facts.nodes[number] for number in value.sites]
    return bool(made) and all(isinstance(each, ast.Call) and _has_one(each) for each in made)


def _has_one(layer: ast.Call) -> bool:
    name = getattr(layer.func, "attr", getattr(layer.func, "id", ""))
    biased = {k.arg: getattr(k.value, "value", True) for k in layer.keywords}.get("bias", True)
    return name in ("Embedding", "EmbeddingBag") or (name == "Linear" and biased is False)


def _aliases(facts: Facts, node: ast.Attribute) -> Iterator[ast.Name]:
    """Where names are read that a layer, or an attribute of it, is assigned to."""
    source = facts.units[node].source
    whole: ast.AST = node
    parent = source.parent(node)
    while isinstance(parent, ast.Attribute):
        whole, parent = parent, source.parent(parent)
    if isinstance(parent, ast.Tuple):
        whole, parent = parent, source.parent(parent)
    targets = parent.targets if isinstance(parent, ast.Assign) and parent.value is whole else []
    names = facts.units[node].names
    for target in (name for each in targets for name in ast.walk(each) if isinstance(name, ast.Name)):
        scope = names.binding(target)
        yield from (use for use in names.uses(target.id, scope) if isinstance(use.ctx, ast.Load)) if scope else ()


def _in_step(facts: Facts, step: Step, node: ast.expr) -> Iterator[tuple[ast.AST, bool]]:
    source = facts.units[node].source
    parent = source.parent(node)
    statement = source.statement(node)
    if isinstance(parent, ast.Attribute) and parent.attr in _HARMLESS:
        return
    inside = set(ast.walk(statement))
    if isinstance(statement, ast.Expr) and not any(step.has_backward(each) for each in inside):
        return  # what it gives is shown or dropped
    calls = [fact for fact in facts.calls if fact.node in inside]
    training = [fact for fact in calls if may_train(facts, step, fact)]
    if training:
        yield node, any(is_in_each(facts, step, fact) for fact in training) and not _optional(source.ancestors(node))
    elif not calls and source.parent(statement) is step.loop:
        yield node, True


def _optional(above: Iterable[ast.AST]) -> bool:
    """Whether an expression may be left out where its statement is run."""
    for node in above:
        if isinstance(node, ast.stmt):
            return False
        if isinstance(node, (ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension)):
            return True
    return False
