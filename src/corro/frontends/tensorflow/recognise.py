"""Fill the anatomy of a script with gradient tapes from the facts of the analysis. Recognises; never edits."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.sites import LoaderSite, PassSite, Role, Sharding
from corro.anatomy.tapes import GradientSite, TapeAnatomy, Wanted
from corro.frontends.batch_sources import learned, taken
from corro.frontends.keras import recognise as keras
from corro.frontends.keras.stepping import FitSemantics
from corro.frontends.tensorflow.dividing import Divided, divided
from corro.frontends.tensorflow.gradients import TENSORFLOW, computes, is_only_shown, pipelines, wanted
from corro.frontends.tensorflow.semantics import TAPE, TapeSemantics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import Facts, Loop
    from corro.flow.semantics import BatchSources, Call, Semantics
    from corro.flow.state import Flow
    from corro.flow.values import Value

_BATCHING = frozenset({"batch", "padded_batch"})


class LoopSemantics(FitSemantics, TapeSemantics):
    """The meaning of TensorFlow in scripts with loops of their own, and of ``fit`` beside them."""

    def reads_like(self, other: Semantics) -> bool:
        """They differ in where batches are taken alone."""
        return isinstance(other, LoopSemantics) and taken(self.batch_sources) is taken(other.batch_sources)

    def gives(self, flow: Flow, layer: Value, call: Call) -> Value:
        """Layers of the script's own are read where they are called with batches."""
        return TapeSemantics.gives(self, flow, layer, call)


def semantics() -> LoopSemantics:
    """What calls of TensorFlow mean."""
    return LoopSemantics()


def again(semantics: Semantics, facts: Facts) -> Semantics | None:
    """Where gradients are computed outside all loops over pipelines, a survey of what may be a batch, then a choice.

    Where a loss is not known then, divisions by the batch size are taken for divisions by a share of it.
    """
    known = semantics.batch_sources
    if isinstance(known, Divided):
        return None
    sources: BatchSources | None = learned(facts, TENSORFLOW, known)
    if sources is None:
        sources = divided(facts, known)
    return LoopSemantics(sources) if sources is not None else None


def recognise(facts: Facts, *, apart: bool = True) -> TapeAnatomy:
    """The anatomy of the script, which is the same for all targets."""
    of_keras = keras.recognise(facts)
    gradients = _training(facts, _gradients(facts), fitted=bool(of_keras.fits))
    updating = {site.node for site in gradients if site.wanted is not Wanted.DATA}
    trained = {loop.node for fact in facts.calls if fact.node in updating for loop in fact.context.passes}
    shared = _shared(facts, trained)
    loops = {node: running for node, running in facts.loops.items() if any(loop.loaders for loop in running)}
    numbers = {number for running in loops.values() for loop in running for number in loop.loaders}
    loaders = (
        LoaderSite(number, node, Role.TRAINING if number in shared else Role.EVALUATION, Sharding.EVERYWHERE)
        for number in sorted(numbers)
        if isinstance(node := facts.nodes[number], ast.expr)
    )
    passes = (
        PassSite(node, frozenset().union(*(loop.loaders for loop in running)), node in trained, Sharding.EVERYWHERE)
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


def _gradients(facts: Facts) -> tuple[GradientSite, ...]:
    found: dict[ast.Call, Wanted] = {}
    for fact in facts.calls:
        if computes(fact) and not keras.in_step(fact):
            here = wanted(fact)
            found[fact.node] = here if found.get(fact.node, here) is here else Wanted.UNKNOWN
    return tuple(GradientSite(node, kind) for node, kind in found.items())


def _training(facts: Facts, sites: tuple[GradientSite, ...], *, fitted: bool) -> tuple[GradientSite, ...]:
    """Without what is only shown, where anything else trains: every process computes that for itself."""
    shown = {node for node in (site.node for site in sites) if _is_only_shown(facts, node)}
    trains = fitted or any(site.node not in shown for site in sites)
    return tuple(site for site in sites if site.node not in shown) if trains else sites


def _is_only_shown(facts: Facts, node: ast.Call) -> bool:
    unit = facts.units.get(node)
    return unit is not None and all(is_only_shown(f, unit) for f in facts.calls if f.node is node)


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
