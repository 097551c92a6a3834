"""Start every process with rank 0's weights; give DDP the model to wrap.

Why
---
Processes that start from different weights train different models. DDP sends rank 0's weights when it is made, and
averages gradients only for passes through its own forward. It is made just before the training loop, when the model
is complete, on its device and loaded, and under a new name used for the training forward only: evaluation, attributes
and saving go on with the bare model, so that no ``module.`` prefix gets into a checkpoint. So do parts of the model
that the step calls by themselves; DDP looks for parameters without a gradient only where some step leaves a part out.
A model whose gradients DDP cannot average (one with batch normalisation that a step calls twice) is not wrapped, nor
one that a method of its own trains, which a wrapper has not, nor several that a loop in the step goes through. One that
is made where an option says so is wrapped where it says so.

Before
------
::

    for epoch in range(epochs):
        train(model, loader, optimizer)
    torch.save(model.state_dict(), "model.pt")

After
-----
::

    ddp_model = DistributedDataParallel(model)
    for epoch in range(epochs):
        train(ddp_model, loader, optimizer)
    if dist.get_rank() == 0:
        torch.save(model.state_dict(), "model.pt")

Source
------
PyTorch documentation, ``DistributedDataParallel`` (notes on the forward pass, on parameters changed after wrapping);
Horovod, ``broadcast_parameters``.
"""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import replace
from corro.frontends.pytorch.forwards import bypassing, training_forwards
from corro.rules.pytorch._averaging import equal_models, is_made_under, is_wrapped, wrapper_name
from corro.rules.pytorch._perhaps import condition
from corro.rules.pytorch._trainings import is_repeated
from corro.source import After, Before, Edit, indented, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import ModelSite
    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "replicas"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each trained model."""
    problem = next(_problems(job), None)
    if problem is not None:
        yield problem
        return
    for site in equal_models(job):
        if job.sync_batchnorm and site.batchnorm and not job.target.syncs_batchnorm:
            yield job.refuse(
                NAME,
                f"{job.target.title} converts no model to batch normalisation over the global batch.",
                site.anchor,
                job.or_target("Leave out --sync-batchnorm", lambda target: target.syncs_batchnorm),
                effort="one line",
            )
        yield from _model(job.at(site.anchor), site)
        if site.normalises and not job.sync_batchnorm:
            yield job.review(
                NAME,
                "batch normalisation uses the statistics of each process's shard of the batch.",
                site.anchor,
                "Use --sync-batchnorm on GPUs for those of the global batch.",
            )


def _problems(job: Job) -> Iterator[Answer]:
    for site in job.anatomy.unreached:
        yield job.refuse(
            NAME,
            f"the model cannot be followed to the training step: {site.reason}.",
            site.place,
            "Let the training step call the model by a plain name, or as an attribute of an object of its own class.",
        )
    for step in job.anatomy.steps:
        yield from () if step.by_hand else _forwards(job, step)
    yield from _remade(job)
    yield from _moved_late(job)


def _forwards(job: Job, step: Step) -> Iterator[Answer]:
    """What is wrong with the calls of the models in a step."""
    found = chain(training_forwards(job.facts, step), bypassing(job.facts, step))
    if next(found, None) is None:
        yield job.refuse(
            NAME,
            "the model of the training step could not be recognised.",
            step.backwards[0].node,
            "Make the model from a class derived from torch.nn.Module that is visible to the script.",
        )


def _in_training(job: Job, fact: CallFact) -> bool:
    return any(loop.node in job.anatomy.training_loops for loop in fact.context.loops)


def _remade(job: Job) -> Iterator[Answer]:
    numbers = frozenset().union(*(site.numbers for site in job.anatomy.models))
    for number in numbers:
        if any(_in_training(job, fact) for fact in job.calls_of(job.facts.nodes[number])):
            yield job.refuse(
                NAME,
                "the model is created again in the training loop.",
                job.facts.nodes[number],
                "Make it before the loop.",
                effort="one line",
            )
            return


def _moved_late(job: Job) -> Iterator[Answer]:
    """A model that reaches its device only in the training loop was wrapped on another one."""
    numbers = frozenset().union(*(site.numbers for site in job.anatomy.models))
    for fact in job.calls:
        if fact.name in ("to", "cuda") and fact.receiver is not None and fact.receiver.sites & numbers:
            if fact.receiver.kind is Kind.MODULE and _in_training(job, fact):
                yield job.refuse(
                    NAME,
                    "the model is moved to its device in the training loop.",
                    fact.node,
                    "Move it before the training loop, and before the optimizer is made.",
                    effort="one line",
                )
            return


def _model(job: Job, site: ModelSite) -> Iterator[Answer]:
    if job.target.wraps_model and not is_wrapped(job, site):
        return _equal(job, site)
    return _wrapped(job, site)


def _equal(job: Job, site: ModelSite) -> Iterator[Answer]:
    """A model that trains past its forward pass: the bare one everywhere, with gradients that are averaged by hand."""
    if job.sync_batchnorm and site.batchnorm:
        yield job.refuse(
            NAME,
            f"'{site.name}' is trained without a wrapper, which batch normalisation over the global batch needs.",
            site.anchor,
            "Leave out --sync-batchnorm, or compute the loss from the output of the model's forward pass.",
            effort="one line",
        )
    tensors = f"[*{site.name}.parameters(), *{site.name}.buffers()]"
    code = job.target.equal_parameters(tensors, job.names.fresh("tensor"))
    made_if = condition(job, site)
    if made_if is not None:
        code = replace(code, text=f"if {made_if}:\n{indented(code.text)}")
    edits = job.before(site.anchor, code, order=-6)
    yield job.change(NAME, "all processes start from rank 0's weights", site.anchor, edits, code)


def _wrapped(job: Job, site: ModelSite) -> Iterator[Answer]:
    owner, dot, _ = site.name.rpartition(".")
    wrapper = wrapper_name(job, site)
    name = f"{owner}{dot}{wrapper}"
    code = job.target.wrap_model(
        name, site.name, unused=bool(site.unused), sync_batchnorm=job.sync_batchnorm and site.batchnorm
    )
    made_if = condition(job, site)
    text = code.text if made_if is None else f"if {made_if}:\n{indented(code.text)}"
    if made_if is not None and job.target.wraps_model:
        text += f"\nelse:\n    {name} = None"
    edits: list[Edit] = [Before(site.anchor, text, order=-6)]
    if job.target.wraps_model and (dot or _is_at_top(job, site)):  # freed after the group, gloo's threads would not end
        edits.append(After(site.anchor, f"del {name}", order=-6))
    elif job.target.wraps_model and (arm := is_made_under(job, site)) is not None:
        edits.append(After(arm, f"del {name}", order=-6))
    if job.target.wraps_model:
        for use in (*site.uses, *site.inner):
            inserted = _used(job.at(use), site, use, wrapper)
            if job.file_of(use) is not job.source:
                yield job.change(NAME, "the model is wrapped", use, inserted)
            else:
                edits += inserted
    yield job.change(NAME, "all processes start from rank 0's weights", site.anchor, edits, code)


def _is_at_top(job: Job, site: ModelSite) -> bool:
    """Whether nothing else frees the wrapper of one of several trainings: at the top of the script."""
    return is_repeated(job) and job.names_of(site.anchor).scope(site.anchor) is job.names.module


def _used(job: Job, site: ModelSite, use: ast.Name | ast.Attribute, wrapper: str) -> tuple[Edit, ...]:
    """The wrapper where the model trains, beside it on its object; the bare model where it does not.

    DDP's forward sends buffers around, so an evaluation, of which processes have unlike parts, is none of its own.
    """
    bare = job.segment(use)
    if use in site.mixed:
        code = job.target.unwrapped(bare)
        return (*replace_node(job.source, use, code.text), *code.imports)
    if use in site.inner:
        return replace_node(job.source, use, f"{bare}.module")
    text = f"{job.segment(use.value)}.{wrapper}" if isinstance(use, ast.Attribute) else wrapper
    if all(each.use is not use for each in site.evaluating):
        return replace_node(job.source, use, text)
    text = f"({text} if {job.target.torch}.is_grad_enabled() else {bare})"
    return (*replace_node(job.source, use, text), *job.torch_import)
