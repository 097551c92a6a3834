"""Clip the averaged gradients; refuse other changes of gradients between backward and step, for now.

Why
---
Gradients must be averaged before they are clipped: a process that clips its own clips by the norm of its shard. DDP has
averaged them when ``backward`` returns. Horovod averages them in ``step``, so there they are synchronized before, and
the step does not average them again.

Before
------
::

    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()

After
-----
::

    loss.backward()
    optimizer.synchronize()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    with optimizer.skip_synchronize():
        optimizer.step()

DDP leaves these lines as they are.

Source
------
``horovod/torch/optimizer.py`` (``skip_synchronize``); horovod issues 1099 and 1346. PyTorch's notes on
DistributedDataParallel: gradients are reduced when ``backward`` returns.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.pytorch.forwards import DERIVING
from corro.rules.pytorch._averaging import CLIPPING, averaging_place, by_hand, bypassed, wraps_optimizers
from corro.source import After, Under, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "clipping"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place that touches gradients in another way than clipping them before the step."""
    first = next(_touches(job), None)
    if first is not None:
        yield first
        return
    for step in job.anatomy.steps if wraps_optimizers(job) else ():
        if any(_clips(fact) and _is_in(fact, step) for fact in job.calls):
            yield from _synchronized(job, step)


# ---------------------------------------------------------------------- clipping


def _clips(fact: CallFact) -> bool:
    return fact.name in CLIPPING


def _is_in(fact: CallFact, step: Step) -> bool:
    return any(loop.node is step.loop for loop in fact.context.loops)


def _unclippable(job: Job, fact: CallFact) -> Iterator[tuple[str, str]]:
    """Why gradients cannot be clipped here as in the sequential run, with what to do."""
    step = next((step for step in job.anatomy.steps if _is_in(fact, step)), None)
    if step is None or not _is_between(job, fact, step):
        yield (
            "gradients are not clipped between the backward pass and the optimizer's step.",
            "Clip them once for each batch, after loss.backward() and before optimizer.step().",
        )
        return
    limits = (*fact.args[1:], *fact.keywords.values())
    if not job.is_uniform(fact.context) or not all(value.placement.is_equal for value in limits):
        yield (
            "whether gradients are clipped, or how far, depends on this process's shard of the data.",
            "Compute the limit, and the condition, from values that are equal on all processes.",
        )
    if not all(site.optimizers for site in job.anatomy.models):
        yield (
            "gradients are clipped together with those of a model that no optimizer steps, which are not averaged.",
            "Clip only the gradients of what the optimizer steps, if those of the other model are not meant to count.",
        )
    if any(by_hand(job, update) and averaging_place(job, update) is None for update in step.updates):
        yield (
            "gradients are clipped where they are not averaged yet: some of them are averaged by hand, in front of "
            "the optimizer's step.",
            "Clip them in the statements just before optimizer.step().",
        )
    past = any(bypassed(job, update.optimizers) for update in step.updates)
    if job.target.averages_in_backward and not past:
        return
    if not all(_holds_models(job, step) for step in job.anatomy.steps):
        yield (
            "the optimizer holds only some parameters of the model, and only their gradients are averaged before "
            "they are "
            "clipped.",
            job.or_target("", lambda target: target.averages_in_backward),
        )
    if past:
        return
    if not _is_in_one_block(job, fact, step):
        yield (
            "the backward pass, the clipping and the optimizer's step are in different functions, or within larger "
            "statements.",
            job.or_target(
                "Put them into one function, each in a statement of its own",
                lambda target: target.averages_in_backward,
            ),
        )


def _is_between(job: Job, fact: CallFact, step: Step) -> bool:
    """Whether a call is made after the backward passes and in front of the updates."""
    backward = [each.order for node in step.backwards for each in job.calls_of(node.node)]
    updates = [each.order for node in step.updates for each in job.calls_of(node.node)]
    return bool(backward and updates) and max(backward) < fact.order < min(updates)


def _holds_models(job: Job, step: Step) -> bool:
    """Whether the optimizers were given all parameters of the models that are called."""
    held = [job.value(m) for update in step.updates for each in update.optimizers for m in each.held.modules]
    whole = frozenset(n for value in held if "part" not in value.tags for n in value.sites)
    return all(site.numbers <= whole for site in job.anatomy.models)


def _is_in_one_block(job: Job, fact: CallFact, step: Step) -> bool:
    calls = [fact.node, *(each.node for each in (*step.backwards, *step.updates))]
    scopes = {job.names_of(node).scope(node) for node in calls}
    alone = all(isinstance(job.statement(node), ast.Expr) for node in calls[1:])
    return len(scopes) == 1 and alone and all(not each.governed for each in (*step.backwards, *step.updates))


def _synchronized(job: Job, step: Step) -> Iterator[Answer]:
    """Gradients are averaged after the last backward pass where the step would average them."""
    for update in step.updates:
        job = job.at(update.node)
        optimizer = job.segment(update.node.func.value) if isinstance(update.node.func, ast.Attribute) else ""
        line, head = job.target.average_before_step(optimizer)
        last = max(step.backwards, key=lambda each: job.span(each.node).end)
        edits = (After(job.statement(last.node), line, order=-5), Under(job.statement(update.node), head))
        reason = "gradients are clipped once they are averaged"
        yield job.change(NAME, reason, update.node, edits, Code("", (job.target.engine,)))


# ---------------------------------------------------------------------- other uses of gradients


def _touches(job: Job) -> Iterator[Answer]:
    for fact in job.calls:
        if _clips(fact):
            yield from (job.refuse(NAME, message, fact.node, advice) for message, advice in _unclippable(job, fact))
        elif "clip_grad" in fact.name:
            yield job.refuse(
                NAME,
                f"what {fact.name} does to gradients is not known.",
                fact.node,
                "Clip them with torch.nn.utils.clip_grad_norm_.",
            )
        elif _called(fact.node) in _HOOKS:
            yield job.refuse(NAME, "a hook changes or reads gradients.", fact.node, "Remove the hook for now.")
        elif fact.name in ("register_forward_hook", "register_forward_pre_hook"):
            yield job.refuse(
                NAME,
                "a hook on the forward pass may change what the model computes, or keep parts of a batch.",
                fact.node,
                "Return from forward what is needed, or remove the hook for now.",
            )
        elif fact.name == DERIVING and fact.context.passes and not _is_of_samples(fact.result):
            yield job.refuse(
                NAME,
                "gradients are computed by torch.autograd.grad, which bypasses the averaging over processes.",
                fact.node,
                "Compute those of parameters with backward(). Those of samples are known where each result is that of "
                "a sample, and has its weight in grad_outputs.",
            )
    loops = {step.loop for step in job.anatomy.steps}
    for fact in job.calls:
        in_step = any(running.node in loops for running in fact.context.loops)
        touches = any(isinstance(n, ast.Attribute) and n.attr == "grad" for n in walk(fact.node.func))
        if in_step and touches and not fact.name.startswith("torch.autograd"):
            yield job.refuse(
                NAME,
                "gradients are read or changed in the training loop, which is not converted yet.",
                fact.node,
                "Leave the gradients to the optimizer, and report their norms outside the training loop.",
            )
    for part in (*loops, *_followed(job, loops)):
        for node in walk(part):
            if isinstance(node, ast.Attribute) and node.attr == "grad" and job.value(node).name != DERIVING:
                yield job.refuse(
                    NAME,
                    "gradients are read or changed in the training loop, which is not converted yet.",
                    node,
                    "Leave the gradients to the optimizer.",
                )


_HOOKS = frozenset({"register_hook", "register_full_backward_hook", "register_backward_hook",
                    "register_full_backward_pre_hook", "register_post_accumulate_grad_hook",
                    "register_module_full_backward_hook", "register_module_backward_hook",
                    "register_module_full_backward_pre_hook", "register_multi_grad_hook"})  # fmt: skip


def _called(call: ast.Call) -> str:
    """The last word of what is called, whatever is known of it."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _followed(job: Job, loops: set[ast.For]) -> Iterator[ast.AST]:
    """Functions of the script that are called in the training loop."""
    called = {
        job.value(fact.node.func).obj
        for fact in job.calls
        if any(running.node in loops for running in fact.context.loops)
    }
    yield from (node for number, node in job.facts.functions.items() if number in called)


def _is_of_samples(derived: Value) -> bool:
    """Whether gradients are those of the samples of a batch, each by itself."""
    return bool(derived.items) and all(each.form is Form.SHARDED for each in derived.items)
