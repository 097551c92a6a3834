"""Looks at the data: the first batches of a loader, taken where no pass over it is made.

``next(iter(loader))``, and a loop that is left in its first round, show a whole batch in the sequential run. So what is
looked at has a number of its own, as the batches of another loader over the same data would have, and rules give it
one. Where such batches are trained on, and where no other loader can be written, they are batches of the loader
itself: that is told by a first interpretation.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement
from corro.classes import dataclass
from corro.flow.semantics import Iteration
from corro.flow.values import Value
from corro.frontends.pytorch.loaders import is_shuffled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Facts, Loop
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

_OPENING = frozenset({"iter", "enumerate"})
_STEPPING = frozenset({"next", "__next__"})


@dataclass(frozen=True)
class Peek:
    """A place from which the first batches of a loader are taken.

    Args:
        node: the call of ``iter``, or the loop.
        loader: the expression that gives the loader.
        value: the loader, or one of several.
        numbers: the numbers that the batches have for their loader.
    """

    node: ast.AST
    loader: ast.expr
    value: Value
    numbers: frozenset[int]


def taken(flow: Flow, name: str, call: Call, apart_from: frozenset[ast.AST]) -> Value | None:
    """What ``iter()`` and ``next()`` give of a loader; an iterator knows where it was made."""
    given = call.args[0] if call.args else Value()
    if name == "next":
        return _stepped(flow, given, name)
    if name in _OPENING and given.kind is Kind.LOADER and call.node not in apart_from:
        site = frozenset({flow.facts.site(call.node, flow.context.frame)})
        return Value(Kind.ITERATOR, given.placement, sites=site, name=name, items=(given,))
    return None


def method(flow: Flow, receiver: Value, name: str) -> Value | None:
    """What the methods of loaders and their iterators give; older releases of PyTorch had ``next`` among them."""
    if receiver.kind is Kind.LOADER:
        return Value(Kind.ITERATOR, name="iter", items=(receiver,)) if name == "__iter__" else None
    return _stepped(flow, receiver, name)


def _stepped(flow: Flow, iterator: Value, name: str) -> Value | None:
    """The next batch of a loader."""
    return _apart(flow, iterator, iterator.sites).element if name in _STEPPING and _is_peeked(iterator) else None


def _is_peeked(value: Value) -> bool:
    return value.kind is Kind.ITERATOR and bool(value.sites) and value.items[0].kind is Kind.LOADER


def entered(flow: Flow, loop: ast.For | ast.AsyncFor, iterable: Value) -> Iteration | None:
    """What a loop gives that is left in its first round."""
    of_loader = iterable.kind is Kind.LOADER or (iterable.kind is Kind.ITERATOR and _given(loop) is not None)
    if not of_loader or not is_left_at_once(loop):
        return None
    return _apart(flow, iterable, frozenset({flow.facts.site(loop, flow.context.frame)}))


def is_left_at_once(loop: ast.AST) -> bool:
    """Whether a loop ends with its first round."""
    leaves = isinstance(loop, ast.For) and isinstance(loop.body[-1], ast.Break)
    return leaves and not any(isinstance(node, ast.Continue) for node in ast.walk(loop))


def _apart(flow: Flow, iterable: Value, numbers: frozenset[int]) -> Iteration:
    """The same over a loader with these numbers; by chance where its order is drawn after training has begun."""
    loader = iterable if iterable.kind is Kind.LOADER else iterable.items[0]
    other = loader.but(sites=numbers)
    iteration = flow.iterate(other if iterable is loader else iterable.but(items=(other,)))
    late = flow.context.loops or any(fact.name == "backward" for fact in flow.facts.calls)
    by_chance = Placement(Form.LOCAL, numbers)
    return Iteration(_placed(iteration.element, by_chance), numbers) if late and is_shuffled(loader) else iteration


def _placed(value: Value, placement: Placement) -> Value:
    items = tuple(_placed(item, placement) for item in value.items) if value.kind is Kind.TUPLE else value.items
    return value.but(placement=placement, items=items)


# ---------------------------------------------------------------------- what was seen


def peeks(facts: Facts) -> Iterator[Peek]:
    """All places from which batches are taken, each once."""
    found: dict[ast.AST, frozenset[int]] = {}
    for number in sorted(_numbers(facts)):
        node = facts.nodes[number]
        found[node] = found.get(node, frozenset()) | {number}
    for node, numbers in found.items():
        loader = _given(node)
        if loader is not None:
            yield Peek(node, loader, facts.values.get(loader, Value()), numbers)


def _numbers(facts: Facts) -> Iterator[int]:
    for _, iterator in _takes(facts):
        yield from iterator.sites
    for node, loops in facts.loops.items():
        for loop in loops if is_left_at_once(node) else ():
            yield from (number for number in loop.loaders if facts.nodes[number] is node)


def takes_of(facts: Facts, peek: Peek) -> Iterator[CallFact]:
    """Calls of ``next()`` that take a batch of a place; of a loop, the call that made its loader."""
    if isinstance(peek.node, ast.For):
        made = {facts.nodes[number] for number in peek.value.sites}
        return (fact for fact in facts.calls if fact.node in made)
    return (fact for fact, iterator in _takes(facts) if iterator.sites & peek.numbers)


def _takes(facts: Facts) -> Iterator[tuple[CallFact, Value]]:
    """Calls of ``next()`` on an iterator over a loader, with the iterator."""
    for fact in facts.calls:
        iterator = fact.receiver or next(iter(fact.args), None)
        if fact.name in _STEPPING and iterator is not None and _is_peeked(iterator):
            yield fact, iterator


def _given(node: ast.AST) -> ast.expr | None:
    """The loader in ``iter(loader)``, or in the head of a loop."""
    if isinstance(node, ast.For):
        return _given(node.iter) if isinstance(node.iter, ast.Call) else node.iter
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    return node.args[0] if isinstance(node, ast.Call) and called in _OPENING and node.args else None


def no_peeks(facts: Facts, losses: Iterable[Value], trained: frozenset[int]) -> frozenset[ast.AST]:
    """Places whose batches are trained on, or looped over, or that may be of a training loader and of others."""
    looped = (_looped(loop) for loops in facts.loops.values() for loop in loops)
    used = frozenset().union(*(loss.sources for loss in losses), *looped)
    return frozenset(peek.node for peek in peeks(facts) if peek.numbers & used or not _is_alike(peek, trained))


def _is_alike(peek: Peek, trained: frozenset[int]) -> bool:
    loaders = peek.value.sites
    return _is_name(peek.loader) and (loaders <= trained or not loaders & trained)


def _looped(loop: Loop) -> frozenset[int]:
    return loop.iterable.sites if loop.iterable.kind is Kind.ITERATOR else frozenset()


def _is_name(node: ast.expr) -> bool:
    """Whether an expression may be written twice."""
    return isinstance(node, ast.Name) or (isinstance(node, (ast.Attribute, ast.Subscript)) and _is_name(node.value))
