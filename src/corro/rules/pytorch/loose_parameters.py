"""Average the gradients of parameters that no wrapped model has, or whose model is trained past its wrapper.

Why
---
DDP averages the gradients of the model that it wraps, for passes through its forward. A single ``nn.Parameter`` in the
optimizer's list, or the weight of a module that is used without being called, gets the gradient of one process's shard
of the batch: the processes drift apart, and nothing says so. Layers that a model keeps in a plain list are such, too;
where no name stands for each of them, as in a loop that adds them to the optimizer's list, all is averaged that the
optimizer has. The same is true of a model that is trained by one of its methods (``model.loss(x)``,
``model.encode(x)``): it gets no wrapper, and before each step all is averaged that its optimizer steps. That is also
right for what is averaged already, so all steps are treated like this that make several backward passes or updates, as
those of two models that train against each other: what one backward pass leaves in the other model's gradients is set
to zero, or adds up, as in the sequential run. So are steps with ``torch.autograd.grad``, which DDP does not work with.
Each process must have the same gradients then, so a condition in such a model that may differ between them is refused.
Horovod averages all that the optimizer is given where it is made, in steps that are all alike: it takes a gradient that
is missing for zero, so what no step uses would lose weight by ``weight_decay``.

Before
------
::

    log_sigma = nn.Parameter(torch.zeros(1))
    optimizer = optim.SGD([*model.parameters(), log_sigma], lr=0.1)
    ...
    loss.backward()
    optimizer.step()

After
-----
::

    loss.backward()
    for parameter in [log_sigma]:
        if parameter.grad is not None:
            dist.all_reduce(parameter.grad)
            parameter.grad /= dist.get_world_size()
    optimizer.step()

Source
------
PyTorch documentation, ``DistributedDataParallel``; "Writing Distributed Applications with PyTorch"
(``average_gradients``).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.pytorch.forwards import inside_module, trained_in, training_forwards
from corro.frontends.pytorch.parts import chosen_by_chance, is_by_chance
from corro.rules.pytorch._averaging import average, averaging_places, bypassed, is_one, is_seen, loose, optimizers_at
from corro.rules.pytorch._trainings import beginnings
from corro.rules.reducing import differs
from corro.source import Before, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Update
    from corro.flow.facts import TestFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.targets.pytorch._base import TorchTarget

NAME = "loose-parameters"

_MAY_DIFFER = "may differ between processes here, and gradients are averaged one by one in front of the step."


def apply(job: Job) -> Iterable[Answer]:
    """One change for the values at the start, and one for the gradients of each step."""
    unknown = [node for each in job.anatomy.optimizers for node in each.held.unknown]
    if unknown:
        yield job.refuse(
            NAME,
            "where these parameters of the optimizer come from is not known: their gradients may not be averaged.",
            unknown[0],
            "Give the optimizer model.parameters(), or lists of them that are made in the script.",
            effort="one line",
        )
        return
    done: set[tuple[ast.stmt, frozenset[int]]] = set()
    for update in job.anatomy.updates if job.anatomy.models else ():
        optimizers = frozenset(each.number for each in update.optimizers)
        places = [place for place in averaging_places(job, update) if (place, optimizers) not in done]
        done |= {(place, optimizers) for place in places}
        yield from _averaged(job, update, places)
        if bypassed(job, update.optimizers):
            yield from _averaged_by_optimizer(job.at(update.node), update, places)


def _averaged_by_optimizer(job: Job, site: Update, places: Iterable[ast.stmt]) -> Iterator[Answer]:
    """All gradients that an update steps by are averaged before it."""
    uneven = next(_uneven(job), None)
    if uneven is not None:
        yield job.refuse(
            NAME,
            f"which parts of the model get a gradient {_MAY_DIFFER}",
            uneven,
            job.or_target("Decide by what is equal on all processes", lambda target: _sees_missing(job, target)),
        )
        return
    for place in places:
        edit, code = average(job, site, place)
        yield job.change(NAME, "gradients are averaged over the processes before the step", place, [edit], code)


def _sees_missing(job: Job, target: type[TorchTarget]) -> bool:
    """Whether a target has a wrapper of the model that finds which gradients are missing, and can be used here."""
    return target.averages_in_backward and job.is_plain and not job.unwrapped


def _used_by_chance(job: Job, found: Iterable[ast.expr]) -> Iterator[ast.AST]:
    """Where parameters that stand by themselves are used under a condition that differs between processes."""
    tensors = frozenset().union(*(job.value(node).locations for node in found))
    for test in _deciding_unlike(job) if tensors else ():
        for part in walk(test.node) if isinstance(test.node, (ast.If, ast.IfExp)) else ():
            if isinstance(part, (ast.Name, ast.Attribute)) and job.value(part).locations & tensors:
                yield part


def _deciding_unlike(job: Job) -> Iterator[TestFact]:
    """The conditions in the training step that differ between processes."""
    for test in job.facts.tests.values():
        in_step = any(loop.node in job.anatomy.training_loops for loop in test.context.loops)
        if in_step and (test.value.form is Form.LOCAL or differs(job, test.value)):
            yield test


def _uneven(job: Job) -> Iterator[ast.AST]:
    """Conditions in the training step, within models or on forward passes, that differ between processes."""
    forwards = (fact for step in job.anatomy.steps for fact in training_forwards(job.facts, step))
    deciding = {test.node for fact in forwards for test in fact.context.tests}
    around = trained_in(job.facts, job.anatomy.steps)
    for test in _deciding_unlike(job):
        if test.node in deciding or inside_module(job.facts, test.context, around):
            yield test.node
    yield from chosen_by_chance(job.facts)
    for fact in job.calls:  # layers that are called in rounds by chance may be called in none
        if fact.receiver is not None and fact.receiver.kind is Kind.MODULE and inside_module(job.facts, fact.context):
            loops = {each.node for each in fact.context.loops} - job.anatomy.training_loops
            heads = (node.iter for node in loops if isinstance(node, ast.For))
            yield from (head for head in heads if is_by_chance(job.facts, head))


def _averaged(job: Job, site: Update, places: Iterable[ast.stmt]) -> Iterable[Answer]:
    """Equal values at the start, and gradients that are averaged before an update."""
    found = loose(job, site.optimizers)
    if not found:
        return
    used = next(_used_by_chance(job, found), None)
    if used is not None:
        message = f"whether this parameter of no model gets a gradient {_MAY_DIFFER}"
        yield job.refuse(NAME, message, used, "Use it in each step, or decide by what is equal on all processes.")
        return
    anchors = beginnings(job, tuple(step for step in job.anatomy.steps if site in step.updates))
    seen = all(is_seen(job, node, each) for node in found for each in (*anchors, *places))
    if not seen or not all(is_one(job, node, anchors) for node in found):
        yield from _averaged_by_groups(job, site, places, anchors, found[0])
        return
    texts = f"[{', '.join(_text(job, node) for node in found)}]"
    for anchor in anchors:
        yield _started(job.at(anchor), anchor, texts)
    if job.target.averages_in_backward and job.is_plain:
        code = job.target.average_gradients(texts, job.names.fresh("parameter"))
        reason = "their gradients are averaged over the processes"
        for place in places:
            yield job.change(NAME, reason, place, [Before(place, code.text, order=-5)], code)


def _averaged_by_groups(
    job: Job, site: Update, places: Iterable[ast.stmt], anchors: Iterable[ast.stmt], loosely: ast.expr
) -> Iterator[Answer]:
    """The same for all that the optimizer has, where no name stands for each parameter that is in no model."""
    for anchor in anchors:
        optimizers = optimizers_at(job, site, anchor)
        if not optimizers:
            yield job.refuse(
                NAME,
                "the optimizer steps parameters of no model that is called in the training step, and where training "
                "begins neither they nor the optimizer have a name.",
                loosely,
                "Make them parameters of the model (layers in an nn.ModuleList), or make the optimizer in front of "
                "the training loop, under a name of its own.",
            )
            return
        there = job.at(anchor)
        group, each = there.names.fresh("group"), there.names.fresh("p")
        for optimizer in optimizers:
            held = there.target.stepped(job.segment(optimizer), group, each)
            yield _started(there, anchor, held)
    if not bypassed(job, site.optimizers) and job.target.averages_in_backward:
        yield from _averaged_by_optimizer(job.at(site.node), site, places)


def _started(job: Job, anchor: ast.stmt, parameters: str) -> Answer:
    """A list of parameters that start equal."""
    code = job.target.equal_parameters(parameters, job.names.fresh("parameter"))
    return job.change(NAME, "parameters of no model start equal", anchor, job.before(anchor, code, order=-5), code)


def _text(job: Job, node: ast.expr) -> str:
    text = job.segment(node)
    return f"*{text}.parameters()" if job.value(node).kind is Kind.MODULE else text
