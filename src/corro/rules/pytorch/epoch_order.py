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
from corro.frontends.following import is_set_within, outside, parameters, rooted
from corro.frontends.pytorch.streams import is_stream
from corro.rules.places import defined_before
from corro.rules.pytorch._endless import is_endless
from corro.rules.pytorch._loaders import hidden_loader, loader_expression
from corro.rules.pytorch._samplers import told_apart
from corro.rules.pytorch._shared import is_shared_out, leads_to_training
from corro.source import Before, Wrap, replace_node, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.steps import Step
    from corro.flow.facts import Frame
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "epoch-order"

_REASON = "every epoch has its own order"


def apply(job: Job) -> Iterable[Answer]:
    """One statement for each pass over a training loader in an epoch loop."""
    for step in job.anatomy.steps:
        goes_on = _goes_on(job, step)
        begun = [source for source in step.sources if source.how is Batches.LOADER and not source.begins_elsewhere]
        if not begun or not (goes_on or step.epoch_loop) or not isinstance(step.loop, ast.For):
            continue
        apart = [_tells_itself(job, each.number) for each in begun if job.anatomy.loader(each.number) is not None]
        if all(apart):
            continue
        if any(apart):
            yield job.refuse(
                NAME,
                "the training loop goes over one of several DataLoaders, of which only some draw by a sampler of the "
                "script's own.",
                step.loop.iter,
                "Write a loop for each.",
            )
            continue
        loader, inside = loader_expression(job, step.loop), ""
        place: ast.stmt = step.loop
        if loader is None:
            loader, place = hidden_loader(job, step.loop) or (None, place)
        if loader is None:
            loader, inside = _keeper(job, step.loop) or (None, "")
        if loader is None:
            changes = None if goes_on else _nameless(job, step)
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
        yield from _set_epoch(job, step, loader, inside, place, goes_on=goes_on)


def _tells_itself(job: Job, number: int) -> bool:
    """Whether nothing has to be told to a loader: it has no order, or that comes from its stream, or from rank 0."""
    return is_stream(job.facts, number) or told_apart(job, number) is not None or is_endless(job, number)


def _goes_on(job: Job, step: Step) -> bool:
    """Whether several trainings pass over one loader, so that the number of an epoch says too little."""
    if len(step.trainings) > 1 or any(step.loaders & other.loaders for other in job.anatomy.steps if other is not step):
        return True
    contexts = [fact.context for each in step.backwards for fact in job.calls_of(each.node)]
    made = [fact for number in step.loaders for fact in job.calls_of(job.facts.nodes[number])]
    runs = [(context, loop) for context in contexts for loop in context.loops if loop.node in step.trainings][:1]
    for context, training in runs:
        around = context.loops[: context.loops.index(training)]
        if around and not all(any(loop.node is around[-1].node for loop in fact.context.loops) for fact in made):
            return True
        function = training.frame.scope.node
        if not all(any(frame.scope.node is function for frame in fact.context.frame.path()) for fact in made):
            return len({loop.frame for each in contexts for loop in each.loops if loop.node is training.node}) > 1
    return False


def _is_only(job: Job, loop: ast.For, loader: ast.expr) -> bool:
    """Whether an expression stands for all the training loaders in the head of a loop."""
    trained = {site.number for site in job.anatomy.loaders if site.role is Role.TRAINING}
    parts = (job.value(part) for part in walk(loop.iter))
    mentioned = frozenset().union(*(part.sites for part in parts if part.kind is Kind.LOADER))
    return mentioned & trained <= job.value(loader).sites


def _keeper(job: Job, loop: ast.For) -> tuple[ast.Name, str] | None:
    """An object in the head of a loop that hands a loader's batches on, and the attribute that holds the loader."""
    for node in walk(loop.iter):
        owner = job.value(node)
        if isinstance(node, ast.Name) and owner.kind is Kind.INSTANCE and owner.obj:
            stores = [s for s in job.facts.stores if s.owner.obj == owner.obj and isinstance(s.node, ast.Attribute)]
            held = {s.node.attr for s in stores if isinstance(s.node, ast.Attribute) and s.given[0].kind is Kind.LOADER}
            return (node, f".{held.pop()}") if len(held) == 1 else None
    return None


def _nameless(job: Job, step: Step) -> tuple[Answer, ...] | None:
    """A loader that a call in the head of the loop gives: a function tells its sampler the epoch, and hands it on."""
    assert isinstance(step.loop, ast.For)
    loader = next((node for node in walk(step.loop.iter) if job.value(node).kind is Kind.LOADER), None)
    target, frames = _index_target(job, step.epoch_loop), _frames(job, step)
    number = _known_at_pass(job, target, frames, step) if target is not None and frames else None
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
    job: Job, step: Step, loader: ast.expr, inside: str, at_pass: ast.stmt, *, goes_on: bool
) -> Iterator[Answer]:
    """Before the pass, where the number of the epoch is known there; else in the epoch loop; else by counting."""
    target = None if goes_on else _index_target(job, step.epoch_loop)
    frames = _frames(job, step)
    text = job.segment(loader)
    number: str | None = None
    place = at_pass
    if target is not None and frames:
        number = _known_at_pass(job, target, frames, step)
        if number is None:
            outer = _loader_in_epoch_loop(job, loader, frames, step)
            if outer is not None:
                text, place, number = *outer, target.id
    if number == "_" and target is not None:
        number = job.names_of(target).fresh("epoch")
        yield job.change(NAME, _REASON, target, replace_node(job.file_of(target), target, number))
    text += inside
    call = f"{text}.sampler.set_epoch({number or f'{text}.sampler.epoch + 1'})"
    leading = frames[1].call if place is not at_pass else None
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


def _frames(job: Job, step: Step) -> tuple[Frame, ...]:
    """The frames from the epoch loop's to the pass's."""
    for fact in (fact for each in step.backwards for fact in job.calls_of(each.node)):
        inner = next((loop.frame for loop in fact.context.loops if loop.node is step.loop), None)
        outer = next((loop.frame for loop in fact.context.loops if loop.node is step.epoch_loop), None)
        if inner is not None and outer is not None:
            path = inner.path()
            return path[path.index(outer) :]
    return ()


def _index_target(job: Job, loop: ast.For | ast.While | None) -> ast.Name | None:
    """The loop variable, when it counts epochs and is not otherwise used as ``_``."""
    if not isinstance(loop, ast.For):
        return None
    target = loop.target
    value = job.value(loop.iter)
    inner = value.items[0] if value.kind is Kind.PROGRESS and value.items else value
    if isinstance(target, ast.Tuple) and inner.kind is Kind.ITERATOR and inner.name == "enumerate":
        target = target.elts[0]
    elif inner.kind is not Kind.RANGE:
        return None
    if not isinstance(target, ast.Name):
        return None
    names = job.names_of(target)
    uses = names.uses(target.id, names.binding(target))
    return None if target.id == "_" and len(uses) > 1 else target


def _known_at_pass(job: Job, target: ast.Name, frames: Sequence[Frame], step: Step) -> str | None:
    """The name that the number of the epoch has in the frame of the pass, handed on by parameters."""
    name = target.id
    for frame in frames[1:]:
        given = _parameter_given(frame, name)
        if given is None:
            return None
        name = given
    return name


def _parameter_given(frame: Frame, name: str) -> str | None:
    function, call = frame.scope.node, frame.call
    if not isinstance(function, ast.FunctionDef) or call is None:
        return None
    _, names = parameters(frame, function, call)
    stored = {n.id for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    given = list(zip(names, call.args, strict=False))
    given += [(k.arg, k.value) for k in call.keywords if k.arg in names]
    for parameter, argument in given:
        if isinstance(argument, ast.Name) and argument.id == name and parameter not in stored:
            return parameter
    return None


def _loader_in_epoch_loop(
    job: Job, loader: ast.expr, frames: Sequence[Frame], step: Step
) -> tuple[str, ast.stmt] | None:
    """What the loader is called in the epoch loop, and the statement there that leads to the pass."""
    call = frames[1].call if len(frames) > 1 else None
    found = outside(loader, frames)
    if call is None or found is None or is_set_within(job.facts, found[1], step.epoch_loop or step.loop):
        return None
    expression, attributes = found
    statement = job.statement(call)
    name, _ = rooted(expression)
    if name is not None:
        names = job.names_of(statement)
        if names.lookup(name.id, names.scope(statement)) is not job.names_of(name).binding(name):
            return None
    return job.segment(expression) + attributes, statement
