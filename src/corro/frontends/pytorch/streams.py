"""Recognise loaders over streams: data sets that give samples one after the other, and know none by a number."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Placement
from corro.flow.semantics import Call, Iteration
from corro.flow.values import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts
    from corro.flow.state import Flow
    from corro.flow.values import Value

_STREAM = ".IterableDataset"
READING = "reading a stream"
"""The mode in which all that is drawn is looked at: what is drawn from a generator of its own is equal everywhere."""


def iterate(flow: Flow, data: Value) -> Iteration | None:
    """What looping over a data set of the script's own yields that says so itself."""
    if not data.obj or not flow.has_method(data, "__iter__"):
        return None
    given = flow.call_method(data, "__iter__", Call(flow.unwritten("__iter__"), ()))
    if given.obj == data.obj and flow.has_method(data, "__next__"):
        return Iteration(flow.call_method(data, "__next__", Call(flow.unwritten("__next__"), ())))
    return None if given.obj == data.obj else flow.iterate(given)


def read(flow: Flow, loader: Value) -> None:
    """Record how a pass over a loader gets the samples of a data set that says itself what looping over it yields."""
    data = loader.items[0] if loader.items else UNKNOWN
    if data.kind is not Kind.DATASET or not data.obj or flow.has_method(data, "__getitem__"):
        return
    with flow.aside(), flow.mode(READING):
        iteration, reading = iterate(flow, data), flow.facts
        placement = flow.whole(iteration.element) if iteration is not None else Placement()
    if iteration is not None:
        flow.facts.add_stream(loader.sites, placement, reading, flow.context)


def is_stream(facts: Facts, number: int) -> bool:
    """Whether the data set of a loader may be a stream of the script's own."""
    return any(True for _ in stream_classes(facts, number))


def stream_classes(facts: Facts, number: int) -> Iterator[ast.ClassDef]:
    """The classes of the streams that a loader goes through."""
    node = facts.nodes[number]
    for fact in facts.calls:
        if fact.node is node and number in fact.result.sites:
            yield from (each for value in _data_sets(facts, fact) for each in _classes(facts, value))


def bases(facts: Facts, node: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """A class of the script's own, and those of its own that it is derived from."""
    yield node
    for value in base_values(facts, node):
        above = facts.defined[value.obj][0] if value.kind is Kind.CLASS and value.obj in facts.defined else None
        if isinstance(above, ast.ClassDef) and above is not node:
            yield from bases(facts, above)


def _data_sets(facts: Facts, fact: CallFact) -> Iterator[Value]:
    """What a loader is given, which may be one of several."""
    given = fact.argument(0, "dataset")
    if given is not None:
        yield given
        made = (facts.nodes[number] for number in given.sites)
        yield from (each.result for node in made if isinstance(node, ast.Call) for each in facts.calls_of(node))


def _classes(facts: Facts, value: Value) -> Iterator[ast.ClassDef]:
    for node in facts.classes_of(value):
        if any(each.name.endswith(_STREAM) for own in bases(facts, node) for each in base_values(facts, own)):
            yield node


def base_values(facts: Facts, node: ast.ClassDef) -> Iterator[Value]:
    """What a class is derived from directly."""
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    return (facts.values[base] for base in bases if base in facts.values)
