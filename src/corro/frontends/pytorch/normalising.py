"""Which batch normalisation is in training mode where a step trains, and so takes the statistics of its batch.

A layer that is called in a training step tells its mode. One that is called nowhere in sight counts where a module that
the step calls may hold it: what its class makes, and what it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.frontends.pytorch import zoo
from corro.frontends.pytorch.modes import STATISTICS
from corro.frontends.pytorch.parts import in_training, is_forward

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Facts
    from corro.flow.values import Value

BATCHNORM = "batchnorm"
_MODULES = (Kind.MODULE, Kind.LAYERS)


def normalising(facts: Facts, steps: Sequence[Step]) -> frozenset[int]:
    """The numbers of the calls that make batch normalisation, or may, that is in training mode in a training step."""
    made = {facts.number(f.node): f for f in facts.calls if f.result.kind in _MODULES and BATCHNORM in f.result.tags}
    if not made and BATCHNORM not in zoo.added(facts):
        return frozenset()
    layers = _Layers(facts, made, _given(facts))
    seen: set[int] = set()
    found: set[int] = set()
    trained: set[int] = set()
    for fact in facts.calls:
        if fact.receiver is None or fact.receiver.kind not in _MODULES or not is_forward(fact):
            continue
        called = layers.called(fact, fact.receiver)
        seen |= called
        if any(in_training(step, fact.context) for step in steps):
            trained |= _sites((fact.receiver,))
            if STATISTICS in fact.result.tags and BATCHNORM in zoo.does(facts, fact.receiver):
                found |= called or made.keys() or fact.receiver.sites
    return frozenset(found | (layers.held(frozenset(trained)) - seen))


@dataclass(frozen=True)
class _Layers:
    """The calls that make batch normalisation, or may, by their numbers, and what each module is given."""

    facts: Facts
    made: Mapping[int, CallFact]
    given: Mapping[int, set[int]]

    def called(self, fact: CallFact, receiver: Value) -> frozenset[int]:
        """The layers that a call is one of; where it is not known which, those of the module that calls it."""
        own = self._reached(_sites((receiver,)) & self.made.keys(), within=self.made.keys())
        if own or BATCHNORM not in receiver.tags:
            return own
        calls = (frame.call for frame in fact.context.frame.path() if frame.call is not None)
        callees = [value for call in calls if (value := self.facts.values.get(call.func)) is not None]
        return self.held(_sites(each for each in callees if each.kind in _MODULES))

    def held(self, modules: frozenset[int]) -> frozenset[int]:
        """The layers that some modules have, or may: what they make, and what they are given."""
        reached = self._reached(modules)
        nodes = {self.facts.nodes[number] for number in reached}
        inside = {n for n, fact in self.made.items() if any(f.call in nodes for f in fact.context.frame.path())}
        return frozenset(inside | (reached & self.made.keys()))

    def _reached(self, modules: Set[int], within: Set[int] | None = None) -> frozenset[int]:
        """Some modules, and those that they are given, and so on; of these only some where it is said which."""
        reached, left = set(modules), list(modules)
        while left:
            given = self.given.get(left.pop(), set())
            more = (given if within is None else given & within) - reached
            reached |= more
            left += more
        return frozenset(reached)


def _given(facts: Facts) -> dict[int, set[int]]:
    """The modules that each module is made of, and those that it is given later."""
    given: dict[int, set[int]] = {}
    for fact in facts.calls:
        owners = fact.result.sites if fact.result.kind in _MODULES else frozenset[int]()
        owners |= fact.receiver.sites if fact.receiver is not None and fact.receiver.kind in _MODULES else frozenset()
        for number in owners:
            given.setdefault(number, set()).update(_sites((*fact.args, *fact.keywords.values(), *_listed(facts, fact))))
    for store in facts.stores:
        for number in store.owner.sites if store.owner.kind in _MODULES else ():
            given.setdefault(number, set()).update(_sites(store.given))
    return given


def _listed(facts: Facts, fact: CallFact) -> Iterator[Value]:
    """The items of the lists that a call is given."""
    given = (*fact.node.args, *(keyword.value for keyword in fact.node.keywords))
    yield from (facts.elements[node] for node in given if node in facts.elements)


def _sites(values: Iterable[Value]) -> frozenset[int]:
    """The calls that made some modules, and those in them as far as they are seen."""
    found: set[int] = set()
    left = list(values)
    while left:
        value = left.pop()
        found |= value.sites
        left += value.items
    return frozenset(found)
