"""Give every epoch its own order.

Why
---
A ``DistributedSampler`` shuffles by its seed and its epoch number. Without ``set_epoch`` every epoch has the order of
the first, whatever the name of the loop variable is.

Before
------
::

    for epoch in range(epochs):
        for images, labels in loader:

After
-----
::

    for epoch in range(epochs):
        loader.sampler.set_epoch(epoch)
        for images, labels in loader:

Source
------
PyTorch documentation, ``DistributedSampler.set_epoch``; pytorch/examples issue 1074; ray pull request 41807.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.source import Before, Edit, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.rules.base import Answer, Job

NAME = "epoch-order"


def apply(job: Job) -> Iterable[Answer]:
    """One statement before each pass over a training loader in an epoch loop."""
    seen: set[ast.AST] = set()
    for step in job.anatomy.steps:
        if step.loop in seen or step.epoch_loop is None or not job.is_own(step.loop):
            continue
        seen.add(step.loop)
        loader = loader_expression(job, step.loop)
        if loader is None:
            yield job.refuse(
                NAME, "the loader of the training loop has no name.", step.loop, "Give the DataLoader a name."
            )
            continue
        text = job.source.segment(loader)
        epoch, edits = _epoch(job, step.loop, step.epoch_loop, text)
        statement = Before(step.loop, f"{text}.sampler.set_epoch({epoch})")
        yield job.change(NAME, "every epoch has its own order", step.loop, [statement, *edits])


def loader_expression(job: Job, loop: ast.For) -> ast.expr | None:
    """The name or attribute of the loader in the head of a loop, or in the progress bar that the loop goes over."""
    heads: list[ast.AST] = [loop.iter]
    for node in ast.walk(loop.iter):
        value = job.value(node)
        if value.kind is Kind.PROGRESS:
            made = [job.facts.nodes[number] for number in value.sites]
            heads += [m for m in made if job.names.scope(m) is job.names.scope(loop)]
    for head in heads:
        for node in ast.walk(head):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and job.value(node).kind is Kind.LOADER:
                return node
    return None


def _epoch(job: Job, loop: ast.For, epoch_loop: ast.For | ast.While, loader: str) -> tuple[str, list[Edit]]:
    """An expression for the number of the epoch at the head of the pass, and edits that make it possible."""
    if isinstance(epoch_loop, ast.For):
        target = _index_target(job, epoch_loop)
        if target is not None and epoch_loop in (*job.source.ancestors(loop),) and _is_same_scope(job, target, loop):
            if target.id == "_":
                name = job.names.fresh("epoch")
                return name, [*replace_node(job.source, target, name)]
            return target.id, []
        passed = _passed_on(job, loop, target)
        if passed is not None:
            return passed, []
    return f"{loader}.sampler.epoch + 1", []


def _index_target(job: Job, loop: ast.For) -> ast.Name | None:
    """The loop variable, when it counts epochs."""
    target = loop.target
    value = job.value(loop.iter)
    inner = value.items[0] if value.kind is Kind.PROGRESS and value.items else value
    if isinstance(target, ast.Tuple) and inner.kind is Kind.ITERATOR and inner.name == "enumerate":
        target = target.elts[0]
        return target if isinstance(target, ast.Name) else None
    return target if isinstance(target, ast.Name) and inner.kind is Kind.RANGE else None


def _is_same_scope(job: Job, target: ast.Name, loop: ast.For) -> bool:
    scope = job.names.scope(loop)
    return job.names.lookup(target.id, scope) is job.names.binding(target) and not _is_rebound(job, target)


def _is_rebound(job: Job, target: ast.Name) -> bool:
    uses = job.names.uses(target.id, job.names.binding(target))
    if target.id != "_":
        return False
    return sum(isinstance(use.ctx, ast.Load) for use in uses) > 0


def _passed_on(job: Job, loop: ast.For, target: ast.Name | None) -> str | None:
    """A parameter of the function of the pass that is given the number of the epoch."""
    if target is None:
        return None
    for fact in job.calls:
        frames = fact.context.frame.path()
        if not any(running.node is loop for running in fact.context.loops):
            continue
        frame = next((f for f in frames if f.scope is job.names.scope(loop)), None)
        if frame is None or frame.call is None or not isinstance(frame.scope.node, ast.FunctionDef):
            return _visible(job, loop, target)
        given = _parameter_given(frame.scope.node, frame.call, target)
        return given if given is not None else _visible(job, loop, target)
    return None


def _visible(job: Job, loop: ast.For, target: ast.Name) -> str | None:
    same = job.names.lookup(target.id, job.names.scope(loop)) is job.names.binding(target)
    return target.id if same and target.id != "_" else None


def _parameter_given(function: ast.FunctionDef, call: ast.Call, target: ast.Name) -> str | None:
    names = [a.arg for a in function.args.args]
    stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for name, argument in zip(names, call.args, strict=False):
        if isinstance(argument, ast.Name) and argument.id == target.id and name not in stored:
            return name
    for keyword in call.keywords:
        if isinstance(keyword.value, ast.Name) and keyword.value.id == target.id and keyword.arg in names:
            return keyword.arg
    return None
