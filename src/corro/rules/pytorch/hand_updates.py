"""Average gradients by which the script changes weights itself, without an optimizer.

Why
---
Scripts that show how training works often keep the weights in tensors of their own and subtract the gradients by a
function of their own. No wrapper of a model or an optimizer sees these. So right after the backward pass the gradient
of each of these tensors is averaged over the processes, and all start from rank 0's. An average of what is averaged
already changes nothing: gradients that are not set to zero add up as in the sequential run.

Before
------
::

    def sgd(params, lr, batch_size):
        for param in params:
            param.data -= lr * param.grad / batch_size
    ...
    loss.backward()
    sgd([w, b], 0.03, 10)

After
-----
::

    loss.backward()
    for parameter in [w, b]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    sgd([w, b], 0.03, 10)

Refused where more than numbers and gradients go into the update, where gradients are used besides, or where a module
is called in the step, whose parameters would not be averaged.

Source
------
"Writing Distributed Applications with PyTorch" (``average_gradients``).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.pytorch.by_hand import function_of, is_zeroed
from corro.rules.pytorch._averaging import is_seen
from corro.rules.pytorch._gradients import uses
from corro.rules.pytorch._trainings import beginnings
from corro.rules.reducing import differs
from corro.source import After, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Backward, HandUpdate, Step
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "hand-updates"

_LISTS = (Kind.LIST, Kind.TUPLE)
_MODELS = (Kind.MODULE, Kind.LAYERS)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ADVICE = "Make an optimizer of torch.optim of these tensors, and call its step() after loss.backward()."


def apply(job: Job) -> Iterable[Answer]:
    """Equal weights at the start, and gradients that are averaged after each backward pass."""
    for step in job.anatomy.steps:
        if step.by_hand:
            problem = next(_problems(job, step), None)
            yield from _averaged(job, step) if problem is None else (job.refuse(NAME, *problem, _ADVICE),)


def _averaged(job: Job, step: Step) -> Iterator[Answer]:
    tensors = step.by_hand[0].tensors
    for anchor in beginnings(job, (step,)):
        here = job.at(anchor)
        start = here.target.equal_parameters(job.segment(tensors), here.names.fresh("parameter"))
        reason = "parameters of no model start equal"
        yield here.change(NAME, reason, anchor, here.before(anchor, start, order=-5), start)
    here = job.at(step.backwards[0].node)
    code = here.target.average_gradients(job.segment(tensors), here.names.fresh("parameter"))
    place = here.statement(step.backwards[0].node)
    reason = "gradients are averaged over the processes"
    yield here.change(NAME, reason, place, [After(place, code.text, order=-5)], code)


# ---------------------------------------------------------------------- what is not known to be right


def _problems(job: Job, step: Step) -> Iterator[tuple[str, ast.AST]]:
    """Why gradients of a step cannot be averaged by hand, and where."""
    backward, update = step.backwards[0], step.by_hand[0]
    if not job.is_strong:
        yield "the learning rate of an update that the script makes itself cannot be scaled.", update.node
    if len(step.backwards) > 1 or len(step.by_hand) > 1 or backward.is_repeated or update.is_repeated:
        yield "the script updates weights itself, with several backward passes or updates for a batch.", update.node
    if not _is_alone(job, backward) or _function(job, backward.node) is not _function(job, update.node):
        yield (
            "the backward pass and the update that the script makes itself are no statements of one function.",
            (backward.node),
        )
    yield from _of_tensors(job, step, update)
    yield from _unequal(job, step, update)
    for use in uses(job):
        if use.step is step and not _is_known_use(job, use.node):
            yield "gradients are used besides the update that the script makes itself.", use.node
    for fact in job.calls:
        called = fact.receiver is not None and fact.receiver.kind in _MODELS
        if called and any(loop.node is step.loop for loop in fact.context.loops):
            yield "a module is called in a step whose weights the script changes itself.", fact.node


def _is_alone(job: Job, site: Backward) -> bool:
    statement = job.statement(site.node)
    return isinstance(statement, ast.Expr) and statement.value is site.node


def _function(job: Job, node: ast.AST) -> ast.AST | None:
    return next((each for each in job.ancestors(node) if isinstance(each, _FUNCTIONS)), None)


def _of_tensors(job: Job, step: Step, update: HandUpdate) -> Iterator[tuple[str, ast.AST]]:
    """Where it is not known which tensors are changed, or they are others elsewhere in the training."""
    names = _names(update.tensors)
    if names is None or job.value(update.tensors).kind not in _LISTS:
        yield "which tensors the script changes here is not known.", update.node
        return
    held = [job.facts.elements.get(update.tensors)] if isinstance(update.tensors, ast.Name) else map(job.value, names)
    if not all(value is not None and value.kind is Kind.TENSOR and not _may_differ(job, value) for value in held):
        yield "the tensors that the script changes here may differ between processes.", update.node
    places = (job.statement(step.backwards[0].node), *beginnings(job, (step,)))
    if not all(is_seen(job, update.tensors, place) for place in places):
        yield (
            "the tensors that the script changes here are not known by these names where the training begins.",
            (update.node),
        )
    binding_of, outer = job.names_of(update.node), {part for loop in step.loops for part in walk(loop)}
    for name in names:
        for use in binding_of.uses(name.id, binding_of.binding(name)):
            parent = job.parent(use)
            of_list = isinstance(update.tensors, ast.Name) and isinstance(parent, (ast.Attribute, ast.AugAssign))
            stored = not isinstance(use.ctx, ast.Load) or _is_item_stored(parent, use)
            if (use in outer or _function(job, use) is not _function(job, name)) and (stored or of_list):
                yield "the tensors that the script changes here may be others in each step.", use


def _is_item_stored(parent: ast.AST | None, use: ast.Name) -> bool:
    """Whether an item of a list is set: ``params[0] = ...``."""
    return isinstance(parent, ast.Subscript) and parent.value is use and not isinstance(parent.ctx, ast.Load)


def _names(tensors: ast.expr) -> list[ast.Name] | None:
    """The names of tensors that are written out, or of a list of them; ``None`` where it is anything else."""
    parts = tensors.elts if isinstance(tensors, (ast.List, ast.Tuple)) else [tensors]
    names = [part for part in parts if isinstance(part, ast.Name)]
    return names if names and len(names) == len(parts) else None


def _unequal(job: Job, step: Step, update: HandUpdate) -> Iterator[tuple[str, ast.AST]]:
    """Where processes may make another update, or none."""
    for fact in job.calls_of(update.node):
        numbers = [*fact.args, *fact.keywords.values()]
        if not job.is_uniform(fact.context):
            yield "whether the script updates weights here may differ between processes.", fact.node
        if any(_may_differ(job, value) for value in numbers if value.kind not in _LISTS):
            yield "what the script updates weights by may differ between processes.", fact.node
    for fact in job.calls_of(step.backwards[0].node):
        if not job.is_uniform(fact.context):
            yield "whether gradients are computed here may differ between processes.", fact.node
    for test in job.facts.tests.values():
        if any(loop.node is step.loop for loop in test.context.loops) and _may_differ(job, test.value):
            yield "which of the weights get a gradient may differ between processes here.", test.node


def _may_differ(job: Job, value: Value) -> bool:
    return value.form is Form.LOCAL or differs(job, value)


def _is_known_use(job: Job, node: ast.expr) -> bool:
    """Whether a gradient is used by the update, or only set to zero, or asked for."""
    if not isinstance(node, ast.Attribute):
        return False
    function = _function(job, node)
    calls = (call for step in job.anatomy.steps for each in step.by_hand for call in (each.node,))
    if function is not None and any(function_of(job.facts, call) is function for call in calls):
        return True
    parent = job.parent(node)
    return is_zeroed(node, parent, job.parent(parent) if parent is not None else None)
