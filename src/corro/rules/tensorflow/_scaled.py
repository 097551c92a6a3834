"""Shared by the rule for gradients: what a strategy, which adds up the gradients of its replicas, needs of losses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.tensorflow.gradients import applies_gradients
from corro.rules.keras._arguments import Given
from corro.rules.once import lifted_parts
from corro.rules.tapes import divided, is_only_applied, recorded
from corro.source import AddArgument, After, Edit, Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.targets.tensorflow._strategy import LoopStrategy

_AGGREGATES = "experimental_aggregate_gradients"


def answers(job: Job, strategy: LoopStrategy, rule: str, sums: Mapping[ast.Call, bool]) -> Iterator[Answer]:
    """What makes the sum over the replicas the gradient of the whole batch.

    Args:
        job: the script.
        strategy: the target.
        rule: the rule that says it.
        sums: the calls that compute gradients, with whether the loss is a sum over samples, not a mean.
    """
    yield from _losses(job, rule)
    gradients = {site.node for site in job.anatomy.gradients}
    if all(is_only_applied(job, node, gradients) and (summed or recorded(job, node)) for node, summed in sums.items()):
        for node, summed in sums.items():
            if not summed:
                yield divided(job, rule, node, strategy.replicas, Code("", (strategy.engine,)))
        return
    applied = dict.fromkeys(f.node for f in job.calls if applies_gradients(f))
    wrong = next(
        (
            n
            for n in applied
            if job.file_of(n) is not job.script or any(k.arg in (_AGGREGATES, None) for k in n.keywords)
        ),
        None,
    )
    if wrong is not None:
        yield job.refuse(
            rule,
            "gradients are applied with further arguments.",
            wrong,
            "Leave them out: apply_gradients(zip(...)).",
            effort="one line",
        )
        return
    for node, summed in sums.items():
        yield _made_whole(job, strategy, rule, node, summed=summed)
    for node in applied:
        edit = AddArgument(node, f"{_AGGREGATES}=False")
        yield job.change(rule, "these gradients are those of all replicas already", node, [edit])


# ---------------------------------------------------------------------- gradients


def _made_whole(job: Job, strategy: LoopStrategy, rule: str, node: ast.Call, *, summed: bool) -> Answer:
    """The gradient of all replicas where it is computed."""
    statement = job.statement(node)
    code = Code("", (strategy.engine,))
    reason = "what is made of the gradients needs those of the global batch"
    plain = isinstance(statement, ast.Assign) and statement.value is node
    moved = any(statement in step.block for step in job.replicated.steps)  # nothing stands after it in its function
    if plain and isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and not moved:
        name = statement.targets[0].id
        edit: Edit = After(statement, f"{name} = {strategy.all_reduce(name, summed=summed)}")
    else:
        before, _, after = strategy.all_reduce("\0", summed=summed).partition("\0")
        edit = Wrap(job.span(node), before, after)
    return job.change(rule, reason, node, [edit], code)


# ---------------------------------------------------------------------- loss objects


def _losses(job: Job, rule: str) -> Iterator[Answer]:
    """Keras' losses do not average by themselves under a strategy: the mean is taken where they are called."""
    within = job.replicated.nodes
    called = [
        f for f in job.calls if f.receiver is not None and f.receiver.kind is Kind.LOSS and f.name in ("", "call")
    ]
    sites = {n for f in called if f.node in within and f.receiver is not None for n in f.receiver.sites}
    averaging: set[int] = set()
    for number in sites:
        node = job.facts.nodes[number]
        made = job.calls_of(node)
        if (
            not made
            or not isinstance(node, ast.Call)
            or job.file_of(node) is not job.script
            or any(f.result.obj for f in made)
        ):
            yield job.refuse(
                rule,
                "a loss of the script averages over the samples, which Keras' own losses do not do on replicas.",
                node,
                "Write it as a function that returns the mean over the samples.",
            )
            return
        tags = frozenset().union(*(f.result.tags for f in made))
        if "mean" not in tags and "unknown" not in tags:
            continue
        given = Given(job, node, ())
        if "unknown" in tags or given.is_open:
            yield job.refuse(
                rule,
                "the reduction of this loss is not known.",
                node,
                'Write it down: reduction="none".',
                effort="one line",
            )
            return
        averaging.add(number)
        yield job.change(rule, "Keras' losses do not average on replicas", node, given.set("reduction", '"none"'))
    tf = job.target.tf
    done: set[ast.Call] = set()
    lifted = {n for part in (lifted_parts(job) if job.has_ranks else ()) for n in ast.walk(part)}
    for fact in called:
        assert fact.receiver is not None
        if not fact.receiver.sites & averaging or fact.node in done:
            continue
        done.add(fact.node)
        if not fact.receiver.sites <= averaging or job.file_of(fact.node) is not job.script:
            yield job.refuse(
                rule,
                "which of several losses is called here is not known, and one of them has to be averaged.",
                fact.node,
                "Call each loss by its own name.",
            )
            return
        if fact.node in lifted:
            yield job.refuse(
                rule,
                "a loss is computed in a statement that happens on the chief only.",
                fact.node,
                "Give it a name in a statement of its own.",
                effort="one line",
            )
            return
        edit = Wrap(job.span(fact.node), f"{tf}.reduce_mean(", ")")
        code = Code("", (job.target.tf_import,))
        yield job.change(rule, "the mean that the loss took by itself", fact.node, [edit], code)
