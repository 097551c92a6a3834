"""Recognise the steps of a training script: backward passes, the updates that they feed, the passes they are in."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.steps import PASS_LOOPS, Backward, Batches, BatchSource, HandUpdate, OptimizerSite, Step, Update
from corro.flow.python import is_opened, opens_in_head
from corro.flow.state import BATCHES
from corro.flow.values import Value
from corro.frontends.batch_sources import TAKING, Framework, Loss, uses_of
from corro.frontends.following import at_loop
from corro.frontends.pytorch import by_hand, fields
from corro.frontends.pytorch.parameters import held, origins
from corro.frontends.pytorch.steering import PARAMETER
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.steps import Held, PassLoop
    from corro.flow.facts import CallFact, Facts, Loop, Unit


def backward_calls(facts: Facts) -> Iterator[CallFact]:
    """Calls of ``loss.backward()`` and ``torch.autograd.backward(loss)``."""
    for fact in facts.calls:
        if (fact.name == "backward" and fact.receiver is not None) or fact.name == "torch.autograd.backward":
            yield fact


def update_calls(facts: Facts) -> Iterator[CallFact]:
    """Calls of ``optimizer.step()`` and ``scaler.step(optimizer)``."""
    for fact in facts.calls:
        if fact.name == "step" and stepped_by(fact).kind is Kind.OPTIMIZER:
            yield fact


def is_scaled(fact: CallFact) -> bool:
    """Whether a call is a method of a gradient scaler."""
    return fact.receiver is not None and fact.receiver.kind is Kind.SCALER


def stepped_by(fact: CallFact) -> Value:
    """The optimizer that a call of ``step`` is about."""
    given = fact.argument(0, "optimizer") if is_scaled(fact) else fact.receiver
    return given if given is not None else Value()


def closure_of(fact: CallFact) -> Value | None:
    """What a step is given to evaluate the loss with, if anything."""
    return None if is_scaled(fact) else fact.argument(0, "closure")


def loss_of(fact: CallFact) -> Value:
    """The value a backward call starts from."""
    if fact.name == "backward" and fact.receiver is not None:
        return fact.receiver
    return fact.args[0] if fact.args else Value()


def losses(facts: Facts) -> Iterator[Loss]:
    """The losses of all backward passes."""
    for fact in backward_calls(facts):
        of_method = fact.name == "backward" and isinstance(fact.node.func, ast.Attribute)
        node = fact.node.func.value if of_method and isinstance(fact.node.func, ast.Attribute) else None
        yield Loss(fact, loss_of(fact), node or next(iter(fact.node.args), None))


def is_stepped(facts: Facts, node: ast.Name | ast.Attribute, asked: bool) -> bool:
    """Whether an optimizer may hold the tensor that this stands for, or the script changes it by a gradient."""
    unit = facts.units.get(node)
    binding = unit.names.binding(node) if unit is not None and isinstance(node, ast.Name) else None
    if unit is None or (binding is None and isinstance(node, ast.Name)):
        return asked
    known, tensors = facts.once(_stepped)
    if _is_held(facts, node, tensors) or not facts.once(by_hand.changed).isdisjoint(
        facts.values.get(node, Value()).locations
    ):
        return True
    if not asked or not known or any(each.unknown for each in known):
        return asked
    return any(_may_be_changed(facts, inside, use) for inside, use in uses_of(facts, node))


def _stepped(facts: Facts) -> tuple[list[Held], list[ast.AST]]:
    """What each of the optimizers holds; and all parts of the tensors among that."""
    made = {f.node: None for f in facts.calls if f.result.kind is Kind.OPTIMIZER}
    known = [held(facts, call) for call in made]
    return known, [part for each in known for tensor in each.tensors for part in walk(tensor)]


def _is_held(facts: Facts, node: ast.Name | ast.Attribute, tensors: Sequence[ast.AST]) -> bool:
    """Whether what this stands for may be among the tensors that optimizers were given."""
    if isinstance(node, ast.Attribute):
        held_at = frozenset().union(*(facts.values[part].locations for part in tensors if part in facts.values))
        alike = any(isinstance(part, ast.Attribute) and part.attr == node.attr for part in tensors)
        return alike or bool(held_at & facts.values[node].locations)
    names = [part for part in tensors if isinstance(part, ast.Name)]
    units = ((part, facts.units.get(part)) for part in names)
    kept = {(inside.names.binding(part), part.id) for part, inside in units if inside is not None}
    return not kept.isdisjoint(origins(facts, node) if kept else ())


def _may_be_changed(facts: Facts, unit: Unit, use: ast.Name | ast.Attribute) -> bool:
    """Whether a tensor is used as parameters are: its gradient is read, it is changed in place, or kept in a list."""
    parent = unit.source.parent(use)
    if isinstance(parent, ast.Attribute):
        in_place = parent.attr.endswith("_") and not parent.attr.startswith(("requires_grad", "_"))
        return parent.attr in ("grad", "data", "register_hook", "retain_grad") or in_place
    while isinstance(parent, (ast.Starred, ast.List, ast.Tuple, ast.Set, ast.Dict)) and isinstance(use.ctx, ast.Load):
        parent = unit.source.parent(parent)
        if not isinstance(parent, (ast.Starred, ast.List, ast.Tuple, ast.Set, ast.Dict)):
            of_known = isinstance(parent, ast.Call) and parent not in facts.opaque
            return not (of_known or isinstance(parent, (ast.Return, ast.Subscript)))
    return isinstance(parent, ast.AugAssign) and parent.target is use


PYTORCH = Framework(
    losses,
    hands_out=lambda value: bool(value.sources),
    parameter=PARAMETER,
    gathers=frozenset({"torch.index_select", "torch.take_along_dim", "numpy.take"}),
    random=("torch.rand", "torch.normal", "numpy.random."),
    made_once=True,
    updates=update_calls,
    is_stepped=is_stepped,
    at_loop=at_loop,
    assumes=True,
    nests=True,
    makes=fields.gives_batches,
)


def innermost_pass(fact: CallFact) -> Loop | None:
    """The pass over loaders that a call is made in."""
    passes = fact.context.passes
    return passes[-1] if passes else None


def outer_loops(fact: CallFact) -> tuple[Loop, ...]:
    """The loops around the pass that a call is made in, outermost first, but those over the phases of an epoch."""
    found: list[Loop] = []
    for loop in fact.context.loops:
        if loop.loaders:
            break
        found += [] if loop.by_rounds else [loop]
    return tuple(found)


def training_steps(facts: Facts) -> Iterator[Step]:
    """One step for each pass over loaders that has both a backward pass and an update."""
    backwards, updates = _by_pass(backward_calls(facts)), _by_pass(update_calls(facts))
    hands = _by_pass(by_hand.update_calls(facts))
    for loop, calls in backwards.items():
        if loop in updates or loop in hands:
            passes = _backwards(loop, calls)
            numbers = dict.fromkeys(n for each in calls for n in sorted(each.context.passes[-1].loaders))
            sources = (_source(facts, loop, number) for number in numbers)
            found = tuple(_updates(facts, loop, updates.get(loop, ()), passes, calls))
            own = () if loop in updates else tuple(_by_hand(facts, loop, hands.get(loop, ())))
            yield Step(loop, _trainings(loop, calls), passes, found, tuple(sources), own)


def _by_hand(facts: Facts, loop: PassLoop, calls: Sequence[CallFact]) -> Iterator[HandUpdate]:
    for node in dict.fromkeys(fact.node for fact in calls):
        own = [fact for fact in calls if fact.node is node]
        function = by_hand.function_of(facts, node)
        changed = by_hand.tensors(own[0], function) if function is not None else None
        if changed is not None:
            yield HandUpdate(node, loop, _governed(loop, own), changed)


def _source(facts: Facts, loop: PassLoop, number: int) -> BatchSource:
    """What gives the batches with this number: a place that no loader hands them to, or a loader."""
    node = facts.nodes[number]
    fact = facts.batches.get(node) if isinstance(node, ast.expr) else None
    if fact is not None:
        return fact.source
    passes = (each for each in facts.loops[loop] if number in each.loaders)
    taken = any(each.name in TAKING and number in each.result.sources for each in facts.calls)
    elsewhere = taken or not all(begins(each, number) for each in passes)
    return BatchSource(node, Batches.LOADER, (loop,), number, begins_elsewhere=elsewhere)


def begins(loop: Loop, number: int) -> bool:
    """Whether a loop begins each time with the first batch of a loader, and does not begin it again."""
    return _begins(loop.iterable, number, opened=opens_in_head(loop.node))


def _begins(iterable: Value, number: int, *, opened: bool) -> bool:
    """Whether what a loop goes over begins with the first batch; ``opened``: by ``iter()`` in the head of the loop."""
    counted = iterable.kind is Kind.PROGRESS or (iterable.kind is Kind.ITERATOR and iterable.name == "enumerate")
    if (counted or (opened and is_opened(iterable))) and iterable.items:
        return _begins(iterable.items[0], number, opened=opened)
    handed_on = iterable.kind is Kind.ITERATOR and iterable.name == BATCHES
    given = (handed_on or iterable.kind is Kind.LOADER) and number in iterable.sites
    return given or iterable.kind is Kind.INSTANCE


def _by_pass(calls: Iterable[CallFact]) -> dict[PassLoop, list[CallFact]]:
    """The calls in each ``for`` statement that passes over loaders."""
    found: dict[PassLoop, list[CallFact]] = {}
    for fact in calls:
        loop = innermost_pass(fact)
        if loop is not None and isinstance(loop.node, PASS_LOOPS):
            found.setdefault(loop.node, []).append(fact)
    return found


def _backwards(loop: PassLoop, calls: Sequence[CallFact]) -> tuple[Backward, ...]:
    nodes = dict.fromkeys(fact.node for fact in calls)
    return tuple(Backward(node, loop, _governed(loop, [f for f in calls if f.node is node])) for node in nodes)


def _updates(
    facts: Facts, loop: PassLoop, calls: Sequence[CallFact], backwards: Sequence[Backward], passes: Sequence[CallFact]
) -> Iterator[Update]:
    for node in dict.fromkeys(fact.node for fact in calls):
        own = [fact for fact in calls if fact.node is node]
        numbers = sorted({n for fact in own for n in stepped_by(fact).sites})
        optimizers = (_optimizer(facts, number) for number in numbers)
        others = [f.order for f in calls if f.node is not node and _steps_same(f, own[0])]
        feeding = {fact.node for fact in passes if _feeds(fact.order, own[0].order, others)}
        fed = tuple(each for each in backwards if each.node in feeding)
        stepped = _expression(node, scaled=is_scaled(own[0]))
        closure = _closure(facts, own[0])
        yield Update(node, loop, _governed(loop, own), stepped, tuple(filter(None, optimizers)), fed, closure)


def _closure(facts: Facts, fact: CallFact) -> ast.FunctionDef | None:
    given = closure_of(fact)
    node = facts.functions.get(given.obj) if given is not None else None
    return node if isinstance(node, ast.FunctionDef) else None


def _expression(call: ast.Call, *, scaled: bool) -> ast.expr:
    """The optimizer in a call that is known to make its step."""
    if scaled:
        return call.args[0] if call.args else call.keywords[0].value
    return call.func.value if isinstance(call.func, ast.Attribute) else call.func


def _feeds(backward: int, update: int, others: Sequence[int]) -> bool:
    """Whether an update is the first one after a backward pass, of this batch or of the one before."""
    return min((update, *others), key=lambda order: (order < backward, order)) == update


def _steps_same(one: CallFact, other: CallFact) -> bool:
    return bool(stepped_by(one).sites & stepped_by(other).sites)


def _optimizer(facts: Facts, number: int) -> OptimizerSite | None:
    node = facts.nodes[number]
    return OptimizerSite(number, node, held(facts, node)) if isinstance(node, ast.Call) else None


def _governed(loop: PassLoop, calls: Iterable[CallFact]) -> tuple[ast.AST, ...]:
    """The conditions and loops within a pass that decide whether, or how often, a call is made for a batch."""
    found: dict[ast.AST, None] = {}
    inside = set(walk(loop)) - {loop}
    for fact in calls:
        called = [frame.call for frame in fact.context.frame.path() if frame.call is not None]
        for test in fact.context.tests:  # one that skips batches does not hold the call
            if not test.happens and test.node in inside and {fact.node, *called} & (set(walk(test.node)) - {test.node}):
                found[test.node] = None
        found.update(dict.fromkeys(each.node for each in fact.context.loops if each.node in inside))
    return tuple(found)


def _trainings(loop: PassLoop, calls: Iterable[CallFact]) -> tuple[PassLoop, ...]:
    """The loops just around the training pass, or the pass itself."""
    outer = (around[-1].node if around else loop for around in map(outer_loops, calls))
    return tuple(dict.fromkeys(node if isinstance(node, (ast.For, ast.While)) else loop for node in outer))
