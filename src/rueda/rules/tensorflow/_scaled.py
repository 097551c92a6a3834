"""Shared by the rule for gradients: what a strategy, which adds up the gradients of its replicas, needs of losses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.rules.keras._arguments import Given
from rueda.rules.once import lifted_parts
from rueda.source import AddArgument, After, Before, Edit, Wrap, replace_node
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job
    from rueda.targets.tensorflow._strategy import LoopStrategy

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
    if all(_is_only_applied(job, node) and (summed or _recorded(job, node)) for node, summed in sums.items()):
        for node, summed in sums.items():
            if not summed:
                yield _divided(job, strategy, rule, node)
        return
    applied = dict.fromkeys(f.node for f in job.calls if _applies(f))
    wrong = next(
        (n for n in applied if not job.is_own(n) or any(k.arg in (_AGGREGATES, None) for k in n.keywords)), None
    )
    if wrong is not None:
        yield job.refuse(
            rule,
            "gradients are applied with options of their own.",
            wrong,
            "Leave them out: apply_gradients(zip(...)).",
        )
        return
    for node, summed in sums.items():
        yield _made_whole(job, strategy, rule, node, summed=summed)
    for node in applied:
        edit = AddArgument(node, f"{_AGGREGATES}=False")
        yield job.change(rule, "these gradients are those of all replicas already", node, [edit])


def _applies(fact: CallFact) -> bool:
    optimizer = fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER
    return optimizer and fact.name == "apply_gradients"


# ---------------------------------------------------------------------- gradients


def _is_only_applied(job: Job, node: ast.Call) -> bool:
    """Whether gradients go from the tape to the optimizer, untouched."""
    if _is_applied(job, node):
        return True
    statement = job.source.statement(node)
    target = statement.targets[0] if isinstance(statement, ast.Assign) and statement.value is node else None
    if not isinstance(target, ast.Name) or not isinstance(statement, ast.Assign) or len(statement.targets) > 1:
        return False
    binding = job.names.binding(target)
    uses = [n for n in job.source.nodes if isinstance(n, ast.Name) and n.id == target.id and n is not target]
    mine = [n for n in uses if job.names.binding(n) is binding]
    stored = [n for n in mine if not isinstance(n.ctx, ast.Load)]
    return all(_is_gradient(job, n) for n in stored) and all(_is_applied(job, n) for n in mine if n not in stored)


def _is_gradient(job: Job, name: ast.Name) -> bool:
    """Whether a name is bound to other gradients."""
    statement = job.source.statement(name)
    value = statement.value if isinstance(statement, ast.Assign) else None
    return any(site.node is value for site in job.anatomy.gradients)


def _is_applied(job: Job, node: ast.expr) -> bool:
    """``optimizer.apply_gradients(zip(node, variables))``."""
    zipped = job.source.parent(node)
    call = job.source.parent(zipped) if zipped is not None else None
    if not isinstance(zipped, ast.Call) or getattr(zipped.func, "id", "") != "zip" or not isinstance(call, ast.Call):
        return False
    return zipped.args[0] is node and any(_applies(fact) for fact in job.calls_of(call))


def _divided(job: Job, strategy: LoopStrategy, rule: str, node: ast.Call) -> Answer:
    """The gradient of the loss over the number of replicas, computed within the tape."""
    reason = "replicas add up their gradients, of which the mean is wanted"
    code = Code("", (strategy.engine,))
    target, place = _target(node), _recorded(job, node)
    assert isinstance(target, ast.Name)
    assert place is not None
    scaled = job.names.fresh(f"scaled_{target.id}")
    line = f"{scaled} = {target.id} / {strategy.replicas}"
    edit: Edit = After(place, line) if place is not job.source.statement(node) else Before(place, line)
    return job.change(rule, reason, node, [edit, *replace_node(job.source, target, scaled)], code)


def _target(node: ast.Call) -> ast.expr:
    return node.args[0] if node.args else next(k.value for k in node.keywords if k.arg == "target")


def _recorded(job: Job, node: ast.Call) -> ast.stmt | None:
    """Where a tape records what is made of the loss: its block's last statement, or the gradient's in the block."""
    target = _target(node)
    if not isinstance(target, ast.Name):
        return None
    sites = {job.facts.nodes[n] for f in job.calls_of(node) if f.receiver is not None for n in f.receiver.sites}
    statement = job.source.statement(node)
    for above in job.source.ancestors(node):
        if isinstance(above, ast.With) and any(item.context_expr in sites for item in above.items):
            return statement
    parent = job.source.parent(statement)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if not isinstance(block, list) or statement not in block:
            continue
        for position in range(block.index(statement) - 1, -1, -1):
            each = block[position]
            if isinstance(each, ast.With) and any(item.context_expr in sites for item in each.items):
                return each.body[-1]
            names = (n for n in ast.walk(each) if isinstance(n, ast.Name) and n.id == target.id)
            if any(not isinstance(n.ctx, ast.Load) for n in names):
                return None
    return None


def _made_whole(job: Job, strategy: LoopStrategy, rule: str, node: ast.Call, *, summed: bool) -> Answer:
    """The gradient of all replicas where it is computed."""
    statement = job.source.statement(node)
    code = Code("", (strategy.engine,))
    reason = "what is made of the gradients needs those of the whole batch"
    plain = isinstance(statement, ast.Assign) and statement.value is node
    moved = any(statement in step.block for step in job.replicated.steps)  # nothing stands behind it in its function
    if plain and isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name) and not moved:
        name = statement.targets[0].id
        edit: Edit = After(statement, f"{name} = {strategy.all_reduce(name, summed=summed)}")
    else:
        before, _, after = strategy.all_reduce("\0", summed=summed).partition("\0")
        edit = Wrap(job.source.span(node), before, after)
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
        if not made or not isinstance(node, ast.Call) or not job.is_own(node) or any(f.result.obj for f in made):
            yield job.refuse(
                rule,
                "a loss of the script's own averages over the samples by itself, which Keras does not do on replicas.",
                node,
                "Write it as a function that returns the mean over the samples.",
            )
            return
        tags = frozenset().union(*(f.result.tags for f in made))
        if "mean" not in tags and "unknown" not in tags:
            continue
        given = Given(job, node, ())
        if "unknown" in tags or given.is_open:
            yield job.refuse(rule, "the reduction of this loss is not known.", node, 'Write it down: reduction="none".')
            return
        averaging.add(number)
        yield job.change(rule, "Keras' losses do not average on replicas", node, given.set("reduction", '"none"'))
    tf = job.target.tf
    done: set[ast.Call] = set()
    lifted = {n for part in (lifted_parts(job) if job.puts_under_conditions else ()) for n in ast.walk(part)}
    for fact in called:
        assert fact.receiver is not None
        if not fact.receiver.sites & averaging or fact.node in done:
            continue
        done.add(fact.node)
        if not fact.receiver.sites <= averaging or not job.is_own(fact.node):
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
            )
            return
        edit = Wrap(job.source.span(fact.node), f"{tf}.reduce_mean(", ")")
        code = Code("", (job.target.tf_import,))
        yield job.change(rule, "the mean that the loss took by itself", fact.node, [edit], code)
