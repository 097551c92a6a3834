"""Fill the anatomy of a PyTorch script from the facts of the analysis. Recognises; never edits."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Anatomy, LoaderSite, PassSite, Role, Sharding
from corro.anatomy.steps import PASS_LOOPS
from corro.frontends.batch_sources import learned
from corro.frontends.pytorch import global_batch
from corro.frontends.pytorch.assumptions import unknown_losses
from corro.frontends.pytorch.evaluation import shardings
from corro.frontends.pytorch.making import LOADERS
from corro.frontends.pytorch.models import models
from corro.frontends.pytorch.partial_sums import is_lost, needed_whole
from corro.frontends.pytorch.peeks import no_peeks
from corro.frontends.pytorch.pooling import pooled
from corro.frontends.pytorch.preparing import preparing
from corro.frontends.pytorch.semantics import PyTorchSemantics
from corro.frontends.pytorch.steps import PYTORCH, backward_calls, loss_of, losses, training_steps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import Facts
    from corro.flow.semantics import Semantics


def semantics() -> PyTorchSemantics:
    """What calls of PyTorch mean."""
    return PyTorchSemantics()


def again(semantics: Semantics, facts: Facts) -> Semantics | None:
    """Batches that are taken by ``next()`` are looked at, until it turns out that they are trained on.

    Then, where gradients are computed outside all passes over loaders, a survey of what may be a batch, and a choice.
    Then what losses need whole is taken to be reduced on the spot, if that makes means or sums of all losses.
    Then, losses that could not be followed are taken for means over the samples. At last, what is accumulated over the
    batches of a step in a way that no reduction mends is made of numbers that are reduced in the step.
    """
    assert isinstance(semantics, PyTorchSemantics)
    if semantics.preparing is None and semantics.guess.is_wrong(facts):
        return PyTorchSemantics(preparing=preparing(facts))
    if semantics.preparing is not None and not semantics.preparing <= preparing(facts):
        return PyTorchSemantics(preparing=frozenset())
    make = partial(PyTorchSemantics, preparing=semantics.preparing, guess=semantics.guess)
    steps = tuple(training_steps(facts))
    trained = frozenset().union(*(step.loaders for step in steps))
    found = no_peeks(facts, map(loss_of, backward_calls(facts)), trained)
    known, sources = semantics.no_peeks, semantics.batch_sources
    if found - known and sources is None:
        return make(found | known)
    further = learned(facts, PYTORCH, sources)
    if further is not None:
        return make(known, further)
    reduced, gathers = semantics.reduced, semantics.gathers
    if not semantics.settled:
        needed = reduced | needed_whole(facts)
        if needed != reduced:
            return make(known, sources, semantics.assumed, reduced=needed, gathers=gathers)
        lost = any(map(is_lost, losses(facts)))
        needed |= global_batch.needed(facts, reduced, lost=lost) if lost or gathers else frozenset()
        if needed != reduced and gathers:
            return make(known, sources, semantics.assumed, reduced=needed, gathers=True)
        if needed != reduced:
            return make(known, sources, semantics.assumed, reduced=needed - reduced, gathers=True)
        if reduced and (lost or (gathers and global_batch.is_in_vain(facts))):
            return make(known, sources, semantics.assumed, settled=True)
    assumed = semantics.assumed.union(unknown_losses(facts))
    if assumed != semantics.assumed:
        return make(known, sources, assumed, reduced=reduced, settled=True, gathers=gathers)
    whole = semantics.pooled | pooled(facts, steps)
    if whole == semantics.pooled:
        return None
    return make(known, sources, assumed, whole, reduced=reduced, settled=True, gathers=gathers)


def recognise(facts: Facts, *, apart: bool = True) -> Anatomy:
    """The anatomy of the script; ``apart``: a process may make more forward passes than another."""
    steps = tuple(training_steps(facts))
    trained = frozenset().union(*(step.loaders for step in steps))
    loops = _pass_loops(facts)
    chosen = shardings(facts, loops, trained, apart=apart)
    loaders = tuple(_loader(number, call, trained, loops, chosen) for number, call in _loader_calls(facts))
    passes = tuple(
        PassSite(node, numbers, any(step.loop is node for step in steps), _sharding(numbers, chosen))
        for node, numbers in loops.items()
        if isinstance(node, PASS_LOOPS)
    )
    return Anatomy((*loaders, *_made(facts)), passes, steps, *models(facts, steps))


def _made(facts: Facts) -> Iterator[LoaderSite]:
    """What else gives batches that are trained on."""
    for node, fact in facts.batches.items():
        yield LoaderSite(fact.source.number, node, Role.TRAINING, Sharding.EVERYWHERE)


def _loader_calls(facts: Facts) -> Iterator[tuple[int, ast.Call]]:
    seen: set[int] = set()
    for fact in facts.calls:
        chosen = fact.result.kind is Kind.LOADER  # by one of several classes of loaders, or by a base of one
        made = {number for number in fact.result.sites if facts.nodes[number] is fact.node} if chosen else frozenset()
        if fact.name in LOADERS or made:
            for number in (made or fact.result.sites) - seen:
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
    chosen: dict[int, tuple[Sharding, str]],
) -> LoaderSite:
    if number in trained:
        return LoaderSite(number, call, Role.TRAINING, Sharding.EVERYWHERE)
    used = any(number in numbers for numbers in loops.values())
    sharding, reason = chosen.get(number, (Sharding.EVERYWHERE, ""))
    return LoaderSite(number, call, Role.EVALUATION if used else Role.UNUSED, sharding, reason)


def _sharding(numbers: Iterable[int], chosen: dict[int, tuple[Sharding, str]]) -> Sharding:
    found = {chosen[n][0] for n in numbers if n in chosen}
    return found.pop() if len(found) == 1 else Sharding.EVERYWHERE
