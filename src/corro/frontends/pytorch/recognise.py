"""Fill the anatomy of a PyTorch script from the facts of the analysis. Recognises; never edits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Anatomy, LoaderSite, PassSite, Role, StepSite, Strategy
from corro.flow.values import Value
from corro.frontends.pytorch.evaluation import strategies
from corro.frontends.pytorch.models import models
from corro.frontends.pytorch.peeks import no_peeks
from corro.frontends.pytorch.semantics import LOADERS, PyTorchSemantics

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Facts, Loop
    from corro.flow.semantics import Semantics


def semantics() -> PyTorchSemantics:
    """What calls of PyTorch mean."""
    return PyTorchSemantics()


def again(semantics: Semantics, facts: Facts) -> Semantics | None:
    """Batches that are taken by ``next()`` are looked at, until it turns out that they are trained on."""
    trained = frozenset().union(*(step.loaders for step in training_steps(facts)))
    found = no_peeks(facts, map(loss_of, backward_calls(facts)), trained)
    return PyTorchSemantics(found | semantics.no_peeks) if isinstance(semantics, PyTorchSemantics) and found else None


def recognise(facts: Facts) -> Anatomy:
    """The anatomy of the script; its ``models`` are found by ``corro.frontends.pytorch.models``."""
    steps = tuple(training_steps(facts))
    trained = frozenset().union(*(step.loaders for step in steps)) if steps else frozenset()
    loops = _pass_loops(facts)
    chosen = strategies(facts, loops, trained)
    loaders = tuple(_loader(number, call, trained, loops, chosen) for number, call in _loader_calls(facts))
    passes = tuple(
        PassSite(node, numbers, any(step.loop is node for step in steps), _strategy(numbers, chosen))
        for node, numbers in loops.items()
        if isinstance(node, ast.For)
    )
    return Anatomy(loaders, passes, steps, tuple(models(facts, steps)))


def backward_calls(facts: Facts) -> Iterator[CallFact]:
    """Calls of ``loss.backward()`` and ``torch.autograd.backward(loss)``."""
    for fact in facts.calls:
        if (fact.name == "backward" and fact.receiver is not None) or fact.name == "torch.autograd.backward":
            yield fact


def update_calls(facts: Facts) -> Iterator[CallFact]:
    """Calls of ``optimizer.step()``."""
    for fact in facts.calls:
        if fact.name == "step" and fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER:
            yield fact


def loss_of(fact: CallFact) -> Value:
    """The value a backward call starts from."""
    if fact.name == "backward" and fact.receiver is not None:
        return fact.receiver
    return fact.args[0] if fact.args else Value()


def training_steps(facts: Facts) -> Iterator[StepSite]:
    """Backward calls in a pass over loaders, each with the update in the same pass."""
    updates = list(update_calls(facts))
    seen: set[tuple[ast.AST, ast.AST]] = set()
    for fact in backward_calls(facts):
        loop = innermost_pass(fact)
        if loop is None or not isinstance(loop.node, ast.For):
            continue
        update = next((u for u in updates if innermost_node(u) is loop.node), None)
        if update is None or (fact.node, loop.node) in seen:
            continue
        seen.add((fact.node, loop.node))
        yield StepSite(fact.node, update.node, loop.node, epoch_loop(fact), loop.loaders)


def innermost_pass(fact: CallFact) -> Loop | None:
    """The pass over loaders that a call is made in."""
    passes = fact.context.passes
    return passes[-1] if passes else None


def innermost_node(fact: CallFact) -> ast.AST | None:
    """The statement of that pass."""
    loop = innermost_pass(fact)
    return loop.node if loop is not None else None


def outer_loops(fact: CallFact) -> tuple[Loop, ...]:
    """The loops around the pass that a call is made in, outermost first."""
    found: list[Loop] = []
    for loop in fact.context.loops:
        if loop.loaders:
            break
        found.append(loop)
    return tuple(found)


def epoch_loop(fact: CallFact) -> ast.For | ast.While | None:
    """The loop just around the training pass."""
    outer = outer_loops(fact)
    node = outer[-1].node if outer else None
    return node if isinstance(node, (ast.For, ast.While)) else None


def _loader_calls(facts: Facts) -> Iterator[tuple[int, ast.Call]]:
    seen: set[int] = set()
    for fact in facts.calls:
        if fact.name in LOADERS:
            for number in fact.result.sites - seen:
                seen.add(number)
                yield number, fact.node


def _pass_loops(facts: Facts) -> dict[ast.AST, frozenset[int]]:
    found: dict[ast.AST, frozenset[int]] = {}
    for node, loops in facts.loops.items():
        numbers = frozenset().union(*(loop.loaders for loop in loops))
        if numbers:
            found[node] = numbers
    return found


def _loader(
    number: int,
    call: ast.Call,
    trained: frozenset[int],
    loops: dict[ast.AST, frozenset[int]],
    chosen: dict[int, tuple[Strategy, str]],
) -> LoaderSite:
    if number in trained:
        return LoaderSite(number, call, Role.TRAINING, Strategy.EVERYWHERE)
    used = any(number in numbers for numbers in loops.values())
    strategy, reason = chosen.get(number, (Strategy.EVERYWHERE, ""))
    return LoaderSite(number, call, Role.EVALUATION if used else Role.UNUSED, strategy, reason)


def _strategy(numbers: Iterable[int], chosen: dict[int, tuple[Strategy, str]]) -> Strategy:
    found = {chosen[n][0] for n in numbers if n in chosen}
    return found.pop() if len(found) == 1 else Strategy.EVERYWHERE
