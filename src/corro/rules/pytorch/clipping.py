"""Average gradients before they are clipped, read or changed, and before a scaler looks at them.

Why
---
Gradients must be averaged before they are clipped: a process that clips its own clips by the norm of its shard. The
same is true of what a script reads of them, adds to them or multiplies them by, and of a scaler, which leaves a step
out where it finds an overflow. DDP has averaged them when ``backward`` returns. Horovod averages them in ``step``, so
there they are synchronized before, and the step does not average them again. Where gradients are averaged by hand, that
is done in front of their use. What becomes of the gradient of anything but a model's parameters, such as that of the
samples, is not known, and refused.

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
from corro.frontends.pytorch.steering import GRADIENT, LOOSE, PARAMETER
from corro.frontends.tensors import NORMALISED
from corro.rules.pytorch._averaging import (
    by_hand,
    bypassed,
    is_held,
    is_of_trained,
    is_placed,
    is_scaled_step,
    wraps_optimizers,
)
from corro.rules.pytorch._gradients import between, clips, outside, uses
from corro.rules.pytorch._hooks import FORWARD_HOOKS, is_brief
from corro.rules.reducing import differs
from corro.source import After, Under
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._gradients import Use
    from corro.rules.pytorch._job import Job

NAME = "clipping"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first use of gradients that is not known to be of averaged ones."""
    first = next(_touches(job), None)
    if first is not None:
        yield first
        return
    for step in job.anatomy.steps if wraps_optimizers(job) else ():
        if is_scaled_step(job, step) or any(use.step is step and between(job, use) for use in uses(job)):
            yield from _synchronized(job, step)


def _synchronized(job: Job, step: Step) -> Iterator[Answer]:
    """Gradients are averaged after the last backward pass where the step would average them."""
    for update in step.updates:
        job = job.at(update.node)
        line, head = job.target.average_before_step(job.segment(update.optimizer))
        last = max(step.backwards, key=lambda each: job.span(each.node).end)
        edits = (After(job.statement(last.node), line, order=-5), Under(job.statement(update.node), head))
        reason = "gradients are used once they are averaged"
        yield job.change(NAME, reason, update.node, edits, Code("", (job.target.engine,)))


# ---------------------------------------------------------------------- uses in a step


def _unusable(job: Job, use: Use) -> Iterator[tuple[str, str]]:
    """Why gradients cannot be used here as in the sequential run, with what to do."""
    clipped = [fact for fact in job.calls_of(use.node) if clips(fact)] if isinstance(use.node, ast.Call) else []
    limits = [value for fact in clipped for value in (*fact.args[1:], *fact.keywords.values())]
    if not all(job.is_uniform(fact.context) for fact in clipped) or not all(v.placement.is_equal for v in limits):
        yield (
            "whether gradients are clipped, or how far, depends on this process's shard of the data.",
            "Compute the limit, and the condition, from values that are equal on all processes.",
        )
    if clipped and not (all(site.optimizers for site in job.anatomy.models) or is_of_trained(job, use)):
        yield (
            "gradients are clipped together with those of a model that no optimizer steps, which are not averaged.",
            "Clip only the gradients of what the optimizer steps, if those of the other model are not meant to count.",
        )
    if use.is_attribute and not _is_of_parameters(job, use):
        yield (
            "gradients are read or changed in the training loop that are not known to be those of a model's "
            "parameters, averaged over the processes.",
            "Reach them by the parameters of the model, as in: for p in model.parameters(): p.grad.",
        )
    if any(by_hand(job, update) for update in use.step.updates):
        yield from _unplaced(job, use)
    past = any(bypassed(job, update.optimizers) for update in use.step.updates)
    if (past or not job.target.averages_in_backward) and not is_held(job, use):
        yield (
            "the optimizer holds only some parameters of the model, and only their gradients are averaged before "
            "they are used.",
            job.or_target("", lambda target: target.averages_in_backward),
        )


def _is_of_parameters(job: Job, use: Use) -> bool:
    """Whether a gradient is that of a parameter of models that are called, and trained."""
    known = bool(use.owner.tags & {PARAMETER, GRADIENT}) and LOOSE not in use.owner.tags
    return known and use.owner.placement.is_equal and is_of_trained(job, use)


def _unplaced(job: Job, use: Use) -> Iterator[tuple[str, str]]:
    """Why gradients cannot be averaged by hand before they are used."""
    if not is_placed(job, use):
        yield (
            "gradients are used where they are not averaged yet: some of them are averaged by hand, in front of the "
            "optimizer's step.",
            "Use them in the function that calls optimizer.step(), after loss.backward().",
        )
    elif any(_parts_ways(job, part, use) for way in use.ways for part in way):
        yield (
            "whether gradients are used depends on this process's shard of the data, and all processes average them "
            "together before.",
            "Compute the condition from values that are equal on all processes.",
        )


def _parts_ways(job: Job, node: ast.AST, use: Use) -> bool:
    """Whether a condition around a node, in the step, may differ between processes."""
    for outer in job.ancestors(node):
        if outer is use.step.loop:
            return False
        test = getattr(outer, "test", None)
        if test is not None and (job.value(test).form is Form.LOCAL or differs(job, job.value(test))):
            return True
    return False


# ---------------------------------------------------------------------- all uses of gradients


def _touches(job: Job) -> Iterator[Answer]:
    steps = {step.loop for step in job.anatomy.steps}
    for fact in job.calls:
        if steps and clips(fact) and not any(loop.node in steps for loop in fact.context.loops):
            yield job.refuse(
                NAME,
                "gradients are clipped outside of the training loop.",
                fact.node,
                "Clip them once for each batch, after loss.backward() and before optimizer.step().",
            )
        elif "clip_grad" in fact.name and not clips(fact):
            yield job.refuse(
                NAME,
                f"what {fact.name} does to gradients is not known.",
                fact.node,
                "Write what it does into the training loop, after loss.backward(): where that is the same, as "
                "torch.nn.utils.clip_grad_norm_ or clip_grad_value_.",
            )
        elif _called(fact.node) in _HOOKS:
            yield job.refuse(
                NAME, "a hook changes or reads gradients.", fact.node, "Do after loss.backward() what it does."
            )
        elif fact.name in FORWARD_HOOKS and not is_brief(job, fact):
            yield job.refuse(
                NAME,
                "a hook on the forward pass may change what the model computes, or keep parts of a batch.",
                fact.node,
                "Return from forward what is needed, or remove the hook in the function that registers it, before any "
                "batch comes.",
            )
        elif fact.name == DERIVING and fact.context.passes and _is_normalised(fact):
            yield job.refuse(
                NAME,
                "the model that is derived normalises over the batch: each result depends on all samples, and those of "
                "a shard give other derivatives.",
                fact.node,
                "Leave BatchNorm out of it, or use LayerNorm.",
            )
        elif fact.name == DERIVING and fact.context.passes and not _is_known(job, fact):
            yield job.refuse(
                NAME,
                "gradients are computed by torch.autograd.grad, which bypasses the averaging over processes.",
                fact.node,
                "Compute those of parameters with backward(). Those of samples are known where each result is that of "
                "a sample, and has its weight in grad_outputs.",
            )
    for use in (each for each in uses(job) if not each.step.by_hand):  # see hand-updates
        yield from (job.refuse(NAME, message, use.node, advice) for message, advice in _unusable(job, use))
    left = any(by_hand(job, each) and (each.governed or not job.is_plain) for each in job.anatomy.updates)
    for node in outside(job) if left else ():
        yield job.refuse(
            NAME,
            "gradients are used outside of the training loop, and those of the last batches are not averaged there.",
            node,
            "Use them in the training loop, before or after the optimizer's step.",
        )


_HOOKS = frozenset({"register_hook", "register_full_backward_hook", "register_backward_hook",
                    "register_full_backward_pre_hook", "register_post_accumulate_grad_hook",
                    "register_module_full_backward_hook", "register_module_backward_hook",
                    "register_module_full_backward_pre_hook", "register_multi_grad_hook"})  # fmt: skip


def _called(call: ast.Call) -> str:
    """The last word of what is called, whatever is known of it."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_normalised(fact: CallFact) -> bool:
    """Whether what is derived comes from statistics of the batch, which those are no part of that it is derived by."""
    outputs, inputs = fact.argument(0, "outputs"), fact.argument(1, "inputs")
    of_batch = outputs is not None and NORMALISED in outputs.tags
    return of_batch and inputs is not None and NORMALISED not in inputs.tags


def _is_known(job: Job, fact: CallFact) -> bool:
    """Whether gradients are those of the samples of a batch, each by itself, or of what all processes have alike."""
    items = fact.result.items
    if items and all(each.form is Form.SHARDED for each in items):
        return True
    alike = all(placement.is_equal for placement in (*fact.depends, *(each.placement for each in items)))
    return bool(items) and alike and not job.facts.pooled and not any(job.facts.reduced)
