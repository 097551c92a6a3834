"""Fill the anatomy of a script with gradient tapes from the facts of the analysis. Recognises; never edits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.anatomy.sites import LoaderSite, PassSite, Role, Strategy
from rueda.anatomy.tapes import GradientSite, TapeAnatomy, Wanted
from rueda.frontends.keras import recognise as keras
from rueda.frontends.tensorflow.semantics import TAPE, TapeSemantics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.flow.facts import CallFact, Facts, Loop
    from rueda.flow.values import Value

_COMPUTES = frozenset({"gradient", "jacobian", "batch_jacobian"})
_BATCHING = frozenset({"batch", "padded_batch"})


def semantics() -> TapeSemantics:
    """What calls of TensorFlow mean."""
    return TapeSemantics()


def recognise(facts: Facts) -> TapeAnatomy:
    """The anatomy of the script."""
    of_keras = keras.recognise(facts)
    gradients = _gradients(facts)
    updating = {site.node for site in gradients if site.wanted is not Wanted.DATA}
    trained = {loop.node for fact in facts.calls if fact.node in updating for loop in fact.context.passes}
    shared = _shared(facts, trained)
    loops = {node: running for node, running in facts.loops.items() if any(loop.loaders for loop in running)}
    numbers = {number for running in loops.values() for loop in running for number in loop.loaders}
    loaders = (
        LoaderSite(number, node, Role.TRAINING if number in shared else Role.EVALUATION, Strategy.EVERYWHERE)
        for number in sorted(numbers)
        if isinstance(node := facts.nodes[number], ast.Call)
    )
    passes = (
        PassSite(node, frozenset().union(*(loop.loaders for loop in running)), node in trained, Strategy.EVERYWHERE)
        for node, running in loops.items()
        if isinstance(node, ast.For)
    )
    return TapeAnatomy(
        fits=of_keras.fits,
        compiles=of_keras.compiles,
        others=of_keras.others,
        loops=tuple(node for node in of_keras.loops if not _is_tape(facts, node)),
        builds=of_keras.builds,
        uses=of_keras.uses,
        loaders=tuple(loaders),
        passes=tuple(passes),
        gradients=gradients,
    )


def pipelines(value: Value) -> Iterator[Value]:
    """The pipelines that a loop passes over, through ``enumerate``, ``zip`` and progress bars."""
    if value.kind is Kind.DATASET:
        yield value
    elif value.kind in (Kind.ITERATOR, Kind.PROGRESS):
        for item in value.items:
            yield from pipelines(item)


def computes(fact: CallFact) -> bool:
    """Whether a call computes gradients, with a tape or with one of its own."""
    of_tape = fact.receiver is not None and fact.receiver.name == TAPE and fact.name in _COMPUTES
    return of_tape or minimizes(fact)


def minimizes(fact: CallFact) -> bool:
    """Whether a call computes gradients of a function and applies them: ``optimizer.minimize(loss, variables)``."""
    return fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER and fact.name == "minimize"


def sources_of(fact: CallFact) -> ast.expr | None:
    """The expression for what gradients are computed for."""
    keyword = next((k.value for k in fact.node.keywords if k.arg in ("sources", "var_list")), None)
    return keyword if keyword is not None else fact.node.args[1] if len(fact.node.args) > 1 else None


def _gradients(facts: Facts) -> tuple[GradientSite, ...]:
    found: dict[ast.Call, Wanted] = {}
    for fact in facts.calls:
        if computes(fact):
            here = wanted(fact)
            found[fact.node] = here if found.get(fact.node, here) is here else Wanted.UNKNOWN
    return tuple(GradientSite(node, kind) for node, kind in found.items())


def wanted(fact: CallFact) -> Wanted:
    """What a call computes gradients for."""
    sources = fact.argument(1, "var_list" if minimizes(fact) else "sources")
    if sources is None:
        return Wanted.UNKNOWN
    if minimizes(fact):
        loss = fact.argument(0, "loss")
        known = loss is not None and loss.kind is Kind.FUNCTION and sources.placement.is_equal
        return Wanted.VARIABLES if known and sources.kind is not Kind.TENSOR else Wanted.UNKNOWN
    result = fact.result
    if fact.name != "gradient" or result.form is Form.UNKNOWN or sources.kind is Kind.DICT:
        return Wanted.DATA if _of_data(fact, sources) and fact.name != "gradient" else Wanted.UNKNOWN
    if result.placement.sources:
        return Wanted.DATA
    return Wanted.ONE if result.kind is Kind.TENSOR else Wanted.VARIABLES


def _of_data(fact: CallFact, sources: Value) -> bool:
    return bool(sources.sources) or any(placement.form is Form.SHARDED for placement in fact.depends)


def _shared(facts: Facts, trained: set[ast.stmt | ast.comprehension]) -> frozenset[int]:
    """Pipelines of which a process sees its part: those trained on, and what is made of their batches."""
    of_training: set[int] = set()
    batching: set[int] = set()
    for loop in _loops(facts):
        if loop.node in trained:
            of_training |= loop.loaders
            for value in pipelines(loop.iterable):
                batching |= {n for stage in value.items if stage.name in _BATCHING for n in stage.sites}
    for loop in _loops(facts):
        for value in pipelines(loop.iterable):
            if any(stage.sites & batching for stage in value.items):
                of_training |= value.sites
    return frozenset(of_training)


def _loops(facts: Facts) -> Iterator[Loop]:
    return (loop for running in facts.loops.values() for loop in running if loop.loaders)


def _is_tape(facts: Facts, node: ast.AST) -> bool:
    value = facts.values.get(node)
    return value is not None and value.name == TAPE
