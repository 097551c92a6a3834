"""Shared by rules that look at what happens once the model is wrapped."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.forwards import called_methods, called_parts, training_forwards
from corro.frontends.pytorch.passing import is_passing
from corro.frontends.pytorch.steering import COPY, Steered, writes
from corro.rules.pytorch._devices import uses_gpu

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.sites import ModelSite
    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Context
    from corro.frontends.pytorch.steering import Write
    from corro.rules.pytorch._job import Job

_TYPES = frozenset({"double", "half", "bfloat16"})
"""Methods that give a model's parameters another type than that in which most are trained."""


def is_after_wrapping(job: Job, node: ast.AST, context: Context) -> bool:
    """Whether something is done by the statement before which the model is wrapped."""
    anchors = {site.anchor for site in job.anatomy.models} | job.anatomy.training_loops
    called = [frame.call for frame in context.frame.path() if frame.call is not None]
    return any(a in anchors for each in (node, *called) for a in job.ancestors(each))


def unwrapped(job: Job) -> Iterator[ModelSite]:
    """The models whose gradients no wrapper of them can average: these are averaged by hand.

    DDP averages what comes through its forward pass, and sees there which parameters have no gradient. It expects a
    backward pass after each forward pass with gradients, and overwrites buffers in each, which a backward pass through
    an earlier one does not allow. What averages hangs on the parameters as they are, and is lost, without a word, where
    they go to another device or type and back.
    """
    wraps = job.target.wraps_model
    overwrites = wraps and any(_runs_before_forward(job, step) for step in job.anatomy.steps)
    for site in job.anatomy.models:
        missed = site.unused and site.beside
        kept = any(each.has_gradients for each in site.evaluating)
        lost = missed or kept or (overwrites and site.batchnorm) or _is_taken_away(job, site)
        if site.bypassed or (wraps and lost):
            yield site


def _is_taken_away(job: Job, site: ModelSite) -> bool:
    """Whether a model goes to another device or type in the training loop: to be saved or evaluated there."""
    return any(
        fact.receiver is not None
        and fact.receiver.kind is Kind.MODULE
        and COPY not in fact.receiver.tags
        and bool(fact.receiver.sites & site.numbers)
        and any(loop.node in job.anatomy.training_loops for loop in fact.context.loops)
        and _goes_elsewhere(job, fact)
        for fact in job.calls
    )


def _goes_elsewhere(job: Job, fact: CallFact) -> bool:
    """Whether a call takes a model to the CPU of a script that trains on a GPU, or to another type."""
    given = fact.node.args[0] if fact.name == "to" and fact.node.args else None
    given = given.args[0] if isinstance(given, ast.Call) and len(given.args) == 1 else given  # torch.device("cpu")
    named = given is not None and job.value(given).const == "cpu"
    return fact.name in _TYPES or ((named or fact.name == "cpu") and uses_gpu(job))


def _runs_before_forward(job: Job, step: Step) -> bool:
    """Whether a step runs a model, a part or another method of it before a forward pass."""
    forwards = list(training_forwards(job.facts, step))
    last = max((fact.order for fact in forwards), default=0)
    if any(fact.order < last for fact in (*called_parts(job.facts, step), *called_methods(job.facts, step))):
        return True
    nodes = dict.fromkeys(fact.node for fact in forwards)
    return any(not _are_alternatives(job, a, b) for a, b in combinations(nodes, 2))


def _are_alternatives(job: Job, a: ast.AST, b: ast.AST) -> bool:
    """Whether two expressions stand in different branches of one condition."""
    file = job.file_of(a)
    around = [node for node in file.ancestors(a) if isinstance(node, ast.If)]
    for branch in around if file is job.file_of(b) else ():
        first, other = ({part for s in arm for part in ast.walk(s)} for arm in (branch.body, branch.orelse))
        if (a in first and b in other) or (a in other and b in first):
            return True
    return False


def changes(job: Job) -> Iterator[Write]:
    """What freezes, unfreezes or adds parameters of a model that is trained, after wrapping."""
    for write in writes(job.facts):
        is_change = write.what in (Steered.TRAINABLE, Steered.STRUCTURE) and not _is_of_copy(job, write)
        passing = is_change and is_passing(job.facts, job.anatomy.training_loops, write.owner)
        if is_change and not passing and is_after_wrapping(job, write.node, write.context):
            yield write


def _is_of_copy(job: Job, write: Write) -> bool:
    """Whether what is changed belongs to a copy of the model that is not trained, such as a teacher."""
    trained = (fact.receiver for step in job.anatomy.steps for fact in training_forwards(job.facts, step))
    return COPY in write.owner.tags and not any(model is not None and COPY in model.tags for model in trained)
