"""Shared by rules: random numbers that nothing makes equal on all processes, and those that have to stay equal."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.pytorch.forwards import inside_module, is_bare
from corro.frontends.pytorch.modes import NOISE
from corro.frontends.pytorch.parts import contained, modules_given, owners, whole_of
from corro.frontends.pytorch.sampling import draws
from corro.rules.places import is_certain
from corro.rules.pytorch._averaging import equal_models, loose
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.pytorch._job import Job

_EVEN = r"\w*Norm([123]d)?|PReLU|Identity|Sequential|Module(List|Dict)|ParameterList|ParameterDict"
"""Layers that begin with the same weights everywhere, and containers."""
_LOADED = frozenset({"weights", "pretrained"})
_PLAIN = frozenset({Kind.LIST, Kind.DICT, Kind.TUPLE})


def drawn_apart(job: Job) -> Iterator[CallFact]:
    """The calls that make modules with random weights, which are neither sent to all processes nor loaded.

    Those of a model that is wrapped, or stepped beside it, are sent around.
    """
    equal = _sent(job)
    above, within, listed = owners(job.facts), contained(job.facts), _listed(job)
    loads = [fact for fact in job.calls if fact.name == "load_state_dict"]
    held = {number: fact.result.sites for fact in job.calls for number in modules_given(job.facts, fact)}
    for fact in job.calls:
        made = fact.result.kind is Kind.MODULE and fact.node in {job.facts.nodes[n] for n in fact.result.sites}
        if made and listed & whole_of(within, fact.result.sites) and _draws(fact):
            yield fact
            continue
        if not made or inside_module(job.facts, fact.context) or _is_in_making(job, fact):
            continue
        wholes = whole_of(above, fact.result.sites)
        wholes = wholes.union(*(held.get(number, frozenset()) for number in wholes))
        is_one = len(job.calls_of(fact.node)) == 1
        is_equal = is_one and wholes & (equal | _loaded(loads, fact))
        if not is_equal and any(map(_draws, (fact, *job.facts.calls_within(fact.node)))):
            yield fact


def _listed(job: Job) -> frozenset[int]:
    """The sites of modules in a plain list or dict of an object: none of its parameters, which would be sent around."""
    found = frozenset[int]()
    for node, element in job.facts.elements.items():
        if isinstance(node, ast.Attribute) and job.value(node).kind in _PLAIN and element.kind is Kind.MODULE:
            found |= element.sites
    return found - contained(job.facts).keys() if found else found


def drawn_alike(job: Job) -> frozenset[str]:
    """The libraries whose numbers stay equal on all processes, because batches are made with them in training."""
    if not job.facts.batches:
        return frozenset()
    heads = frozenset(part for loop in job.anatomy.training_loops for part in _head(loop))
    drawing = (f for f in job.calls if _is_in_training(job, f) or (draws(f) and _is_at(job, heads, f)))
    return frozenset(filter(None, (draws(fact) for fact in drawing if noise_of(job, fact) is None)))


def _head(loop: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated, once, where a loop begins: the order of all batches, often."""
    yield from walk(loop.iter) if isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension)) else ()


def _is_at(job: Job, places: Collection[ast.AST], fact: CallFact) -> bool:
    """Whether a call stands at one of these places, or in what is called there, be it for a loop to begin."""
    calls = (fact.node, *(frame.call for frame in fact.context.frame.path() if frame.call is not None))
    return any(call in places or job.parent(call) in places for call in calls)


def noise_of(job: Job, fact: CallFact) -> str | None:
    """The library from which random numbers are drawn for the samples of a batch, by a layer or a function."""
    layer = fact.result.kind is Kind.MODULE and "noise" in fact.result.tags
    by_chance = "random" in fact.result.tags or draws(fact) is not None
    drawn = NOISE in fact.result.tags or (by_chance and fact.result.form is Form.SHARDED)
    makes = layer or (drawn and fact.node not in job.facts.batches and _is_in_training(job, fact))
    return (draws(fact) or "torch") if makes else None


def _is_in_training(job: Job, fact: CallFact) -> bool:
    return any(loop.node in job.anatomy.training_loops for loop in fact.context.loops)


def _sent(job: Job) -> frozenset[int]:
    """The sites of the modules whose weights are sent to all processes."""
    found = frozenset().union(*(site.numbers for site in equal_models(job)))
    return found.union(*(job.value(node).sites for node in loose(job, job.anatomy.optimizers)))


def _loaded(loads: Iterable[CallFact], made: CallFact) -> frozenset[int]:
    """The sites of the modules that are loaded wherever one is made."""
    certain = (fact for fact in loads if is_certain(fact, made))
    return frozenset().union(*(fact.receiver.sites for fact in certain if fact.receiver is not None))


def _is_in_making(job: Job, fact: CallFact) -> bool:
    """Whether another module is being made."""
    calls = (frame.call for frame in fact.context.frame.path() if frame.call is not None)
    return any(job.value(call.func).kind is Kind.CLASS and job.value(call).kind is Kind.MODULE for call in calls)


def _draws(fact: CallFact) -> bool:
    """Whether a call draws the weights of a layer, or of a network of a library that is given none."""
    if fact.result.kind is not Kind.MODULE:
        return draws(fact) == "torch"
    last = fact.name.rpartition(".")[2]
    if fact.name.startswith("torch.nn."):
        return not is_bare(fact.name) and not re.fullmatch(_EVEN, last) and last != "from_pretrained"
    return fact.result.name == "library" and not any(_is_set(each) for each in fact.node.keywords)


def _is_set(keyword: ast.keyword) -> bool:
    return keyword.arg in _LOADED and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
