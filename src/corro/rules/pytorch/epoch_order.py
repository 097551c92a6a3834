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

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Role
from corro.anatomy.steps import Batches
from corro.frontends.pytorch.streams import is_stream
from corro.rules.places import defined_before
from corro.rules.pytorch._endless import is_endless
from corro.rules.pytorch._orders import (
    frames,
    goes_on,
    index_target,
    is_shuffled,
    known_at_pass,
    named_loader,
    numbered,
)
from corro.rules.pytorch._samplers import told_apart
from corro.rules.pytorch._shared import is_shared_out, leads_to_training
from corro.source import Before, Wrap, replace_node, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.steps import Step
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "epoch-order"

_REASON = "every epoch has its own order"


def apply(job: Job) -> Iterable[Answer]:
    """One statement for each pass over a training loader in an epoch loop."""
    for step in job.anatomy.steps:
        counted = goes_on(job, step)
        begun = [source for source in step.sources if source.how is Batches.LOADER and not source.begins_elsewhere]
        if not begun or not (counted or step.epoch_loop) or not isinstance(step.loop, ast.For):
            continue
        made = [each.number for each in begun if job.anatomy.loader(each.number) is not None]
        told = [number for number in made if not _tells_itself(job, number)]
        if not told:
            continue
        shuffled = any(is_shuffled(fact) for number in told for fact in job.calls_of(job.facts.nodes[number]))
        if len(told) < len(made):
            if shuffled:
                yield job.refuse(
                    NAME,
                    "the training loop goes over one of several DataLoaders, of which only some have a sampler with "
                    "set_epoch().",
                    step.loop.iter,
                    "Write a loop for each.",
                )
            continue
        named = named_loader(job, step)
        if named is None and not shuffled:  # its order is that of the data, whatever the number is
            continue
        if named is None:
            changes = None if counted else _nameless(job, step)
            if changes is not None:
                yield from changes
                continue
            yield job.refuse(
                NAME,
                "the training loop iterates over a DataLoader that has no name, so set_epoch() cannot be called on "
                "its sampler.",
                step.loop.iter,
                "Assign the DataLoader to a name first.",
                effort="one line",
            )
            continue
        loader, inside, place = named
        if not inside and not _is_only(job, step.loop, loader):
            yield job.refuse(
                NAME,
                "the training loop goes over one of several DataLoaders, so set_epoch() would be called on the sampler "
                "of another one.",
                step.loop.iter,
                "Assign the DataLoader that is used to a name first.",
                effort="one line",
            )
            continue
        yield from _set_epoch(job, step, loader, inside, place, counted=counted)


def _tells_itself(job: Job, number: int) -> bool:
    """Whether nothing has to be told to a loader: it has no order, or that comes from its stream, or from rank 0."""
    return is_stream(job.facts, number) or told_apart(job, number) is not None or is_endless(job, number)


def _is_only(job: Job, loop: ast.For, loader: ast.expr) -> bool:
    """Whether an expression stands for all the training loaders in the head of a loop."""
    trained = {site.number for site in job.anatomy.loaders if site.role is Role.TRAINING}
    parts = (job.value(part) for part in walk(loop.iter))
    mentioned = frozenset().union(*(part.sites for part in parts if part.kind is Kind.LOADER))
    return mentioned & trained <= job.value(loader).sites


def _nameless(job: Job, step: Step) -> tuple[Answer, ...] | None:
    """A loader that a call in the head of the loop gives: a function tells its sampler the epoch, and hands it on."""
    assert isinstance(step.loop, ast.For)
    loader = next((node for node in walk(step.loop.iter) if job.value(node).kind is Kind.LOADER), None)
    target, between = index_target(job, step.epoch_loop), frames(job, step)
    number = known_at_pass(target, between) if target is not None and between else None
    condition = is_shared_out(job, step.loop)
    known = number not in (None, "_") and condition is not None and not condition.text
    if not known or not isinstance(loader, ast.Call) or not _is_only(job, step.loop, loader):
        return None
    here = job.at(step.loop)
    name = here.names.fresh("at_epoch")
    code = f"def {name}(loader, epoch):\n    loader.sampler.set_epoch(epoch)\n    return loader"
    return (
        job.change(NAME, "what tells a loader the epoch", step.loop, [defined_before(here, step.loop, code)]),
        job.change(NAME, _REASON, loader, [Wrap(job.span(loader), f"{name}(", f", {number})")]),
    )


def _set_epoch(
    job: Job, step: Step, loader: ast.expr, inside: str, at_pass: ast.stmt, *, counted: bool
) -> Iterator[Answer]:
    """Before the pass, where the number of the epoch is known there; else in the epoch loop; else by counting."""
    text, place, number = numbered(job, step, loader, at_pass, goes_on=counted)
    target = index_target(job, step.epoch_loop)
    if number == "_" and target is not None:
        number = job.names_of(target).fresh("epoch")
        yield job.change(NAME, _REASON, target, replace_node(job.file_of(target), target, number))
    text += inside
    call = f"{text}.sampler.set_epoch({number or f'{text}.sampler.epoch + 1'})"
    leading = frames(job, step)[1].call if place is not at_pass else None
    condition = is_shared_out(job, step.loop) if leading is None else leads_to_training(job, step, leading, text)
    if condition is None:
        yield job.refuse(
            NAME,
            "one loop passes over training data and over other data, and the loader that it goes over has no name.",
            step.loop,
            "Assign the DataLoader to a name first.",
            effort="one line",
        )
        return
    call = f"if {condition.text}:\n    {call}" if condition.text else call
    at = step.loop if job.file_of(place) is job.file_of(step.loop) else place
    yield job.change(NAME, _REASON, at, [Before(place, call)], condition)
