"""Shared by rules: where trainings begin, and what is done between them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.places import way
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Loop
    from corro.rules.pytorch._job import Job


def beginnings(job: Job, steps: tuple[Step, ...]) -> tuple[ast.stmt, ...]:
    """The statements in front of which trainings begin: where the first model of each is wrapped, or its loop."""
    found: dict[ast.stmt, None] = {}
    for step in steps:
        for fact in (fact for each in step.backwards for fact in job.calls_of(each.node)):
            around = {above for node in way(fact) for above in job.ancestors(node)}
            loops = (loop.node for loop in _training(job, fact) if isinstance(loop.node, ast.stmt))
            anchors = (site.anchor for site in job.anatomy.models if site.anchor in around)
            found |= dict.fromkeys([*anchors, *loops][:1])
    return tuple(found)


def first_certain(job: Job) -> tuple[ast.stmt, ...]:
    """The statements in front of which trainings begin, up to the first that does so in every run."""
    anchors = beginnings(job, job.anatomy.steps)
    certain = next((number for number, anchor in enumerate(anchors) if _is_certain(job, anchor)), len(anchors))
    return anchors[: certain + 1]


def _is_certain(job: Job, anchor: ast.stmt) -> bool:
    inside = set(walk(anchor))
    leading = (fact for fact in backwards(job) if any(anchor in (node, *job.ancestors(node)) for node in way(fact)))
    return any(all(test.happens or test.node in inside for test in fact.context.tests) for fact in leading)


def is_repeated(job: Job) -> bool:
    """Whether the script trains more than once, at several places or again and again at one."""
    runs = {(loop.node, *_calls(loop)) for fact in backwards(job) for loop in _training(job, fact)}
    return len(runs) > 1 or any(_around(job, fact) for fact in backwards(job))


def is_reached_again(job: Job, anchor: ast.stmt) -> bool:
    """Whether a statement in front of which trainings begin is reached once for each of several."""
    leading: set[tuple[ast.AST, ...]] = set()
    for fact in backwards(job):
        nodes = way(fact)
        inside = [number for number, node in enumerate(nodes) if anchor in (node, *job.ancestors(node))]
        if inside:
            calls = nodes[inside[-1] + 1 :]
            around = {above for node in (anchor, *calls) for above in job.ancestors(node)}
            if any(loop.node in around for loop in fact.context.loops):
                return True
            leading.add(tuple(calls))
    return len(leading) > 1


def is_between(job: Job, fact: CallFact) -> bool:
    """Whether something is done after one training and in front of another."""
    if any(loop.node in job.anatomy.training_loops for loop in fact.context.loops):
        return False
    loops = {loop.node for loop in fact.context.loops}
    again = any(loop.node in loops for each in backwards(job) for loop in _around(job, each))
    orders = [each.order for each in backwards(job)]
    return again or (min(orders, default=0) < fact.order < max(orders, default=0))


def backwards(job: Job) -> Iterator[CallFact]:
    """The backward passes, in each of their contexts."""
    return (fact for each in job.anatomy.backwards for fact in job.calls_of(each.node))


def _training(job: Job, fact: CallFact) -> Iterator[Loop]:
    """The training that a call is made in."""
    steps = (step for step in job.anatomy.steps if any(loop.node is step.loop for loop in fact.context.loops))
    nodes = {each for step in steps for each in step.trainings}
    yield from [loop for loop in fact.context.loops if loop.node in nodes][:1]


def _around(job: Job, fact: CallFact) -> tuple[Loop, ...]:
    """The loops around the training that a call is made in."""
    training = next(_training(job, fact), None)
    return fact.context.loops[: fact.context.loops.index(training)] if training is not None else ()


def _calls(loop: Loop) -> tuple[ast.Call | None, ...]:
    """The calls that lead to a loop."""
    return tuple(frame.call for frame in loop.frame.path())


def ways(job: Job, fact: CallFact) -> Iterator[ast.AST]:
    """The training that a call is made in, and the calls that lead to it."""
    for training in _training(job, fact):
        yield from (training.node, *filter(None, _calls(training)))
