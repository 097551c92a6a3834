"""Shared by rules for strategies: which calls every replica makes with its part of a batch, and what happens there."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.frontends.tensorflow.semantics import GRAPH
from rueda.rules.tensorflow.pipelines import training_loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.flow.facts import CallFact, Frame, Loop
    from rueda.flow.values import Value
    from rueda.rules.tensorflow._job import Job

UPDATES = frozenset({"", "update_state", "__call__"})
"""How a metric is updated: it is called, or by its method."""


@dataclass(frozen=True, eq=False)
class Step:
    """A call in a loop over batches that makes a training step.

    Args:
        job: the script.
        loop: the loop.
        call: the call in its body.
    """

    job: Job
    loop: ast.For
    call: ast.Call

    @cached_property
    def facts(self) -> tuple[CallFact, ...]:
        """All calls that are made within the step, at any depth."""
        return tuple(f for f in self.job.calls if any(x.call is self.call for x in f.context.frame.path()))

    @cached_property
    def functions(self) -> tuple[ast.AST, ...]:
        """The script's functions that run within the step, its own first."""
        found: dict[ast.AST, None] = {}
        for fact in (*self.job.calls_of(self.call), *self.facts):
            value = self.job.facts.values.get(fact.node.func)
            node = self.job.facts.functions.get(value.obj) if value is not None else None
            if node is not None and (fact.node is self.call or value is not None):
                found[node] = None
        for fact in self.facts:
            if fact.context.frame.call is not None:
                found.setdefault(fact.context.frame.scope.node)
        return tuple(found)

    @cached_property
    def result(self) -> Value | None:
        """What the call gives, where it is the same in all contexts."""
        values = [fact.result for fact in self.job.calls_of(self.call)]
        return values[0] if values and all(value == values[0] for value in values) else None

    @cached_property
    def batch(self) -> frozenset[str]:
        """The names in the head of the loop that stand for parts of the batch."""
        names = (n for n in ast.walk(self.loop.target) if isinstance(n, ast.Name))
        return frozenset(n.id for n in names if not self._counts(n))

    def _counts(self, name: ast.Name) -> bool:
        value = self.job.value(name)
        return value.kind is Kind.NUMBER and value.form in (Form.STEP, Form.REPLICATED)


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """A gradient that is not computed within a call in the body of a loop, with the loop and what stands against it."""

    node: ast.AST
    reason: str
    advice: str


def steps(job: Job) -> tuple[Step, ...]:
    """The calls that make steps, one for each place."""
    return tuple(step for step in _found(job).values() if isinstance(step, Step))


def elsewhere(job: Job) -> Elsewhere | None:
    """The first gradient that no step was found for."""
    return next((step for step in _found(job).values() if isinstance(step, Elsewhere)), None)


def _found(job: Job) -> dict[ast.AST, Step | Elsewhere]:
    found: dict[ast.AST, Step | Elsewhere] = {}
    for fact in job.updates:
        if not fact.context.passes:
            continue
        loop = fact.context.passes[-1]
        if len(fact.context.passes) > 1:
            found[fact.node] = Elsewhere(
                loop.node, "a training loop stands in another loop over batches.", "Loop over one pipeline at a time."
            )
            continue
        call = _call(fact, loop)
        if call is None or not isinstance(loop.node, ast.For):
            found[fact.node] = Elsewhere(
                fact.node,
                "the training step stands in the loop itself; a strategy runs a function on every replica.",
                "Put the step into a function of its own, train_step(x, y), and call it in the loop.",
            )
        elif GRAPH in _modes(job, call, loop):
            found[call] = Elsewhere(
                loop.node,
                "the loop over the batches is part of a graph; that is not converted to a strategy yet.",
                "Decorate the training step with @tf.function, not the loop around it.",
            )
        else:
            found.setdefault(call, Step(job, loop.node, call))
    return found


def _call(fact: CallFact, loop: Loop) -> ast.Call | None:
    """The call in the frame of a loop through which a gradient is computed."""
    path = fact.context.frame.path()
    inner = [frame for above, frame in zip(path, path[1:], strict=False) if above.number == loop.frame.number]
    return inner[-1].call if inner else None


def _modes(job: Job, call: ast.Call, loop: Loop) -> frozenset[str]:
    return frozenset().union(
        *(f.context.modes for f in job.calls_of(call) if f.context.frame.number == loop.frame.number)
    )


def inside(job: Job) -> frozenset[ast.AST]:
    """All calls that are made within steps."""
    return frozenset(fact.node for step in steps(job) for fact in step.facts)


def frames_outside(fact: CallFact, steps_: tuple[Step, ...]) -> bool:
    """Whether a call is made outside of all steps."""
    calls = {step.call for step in steps_}
    frames: tuple[Frame, ...] = fact.context.frame.path()
    return not any(frame.call in calls for frame in frames)


def kept_metrics(job: Job) -> frozenset[int]:
    """The sites of metrics that steps update: their variables have a part on every replica."""
    return frozenset(
        number
        for step in steps(job)
        for fact in step.facts
        if fact.receiver is not None and fact.receiver.kind is Kind.METRIC and fact.name in UPDATES
        for number in fact.receiver.sites
    )


def loops_of(job: Job) -> Iterator[tuple[Loop, Step]]:
    """The loops over batches that train, each with a step in it."""
    found = {step.loop: step for step in steps(job)}
    for loop in training_loops(job):
        if isinstance(loop.node, ast.For) and loop.node in found:
            yield loop, found[loop.node]
