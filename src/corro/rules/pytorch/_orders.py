"""Shared by the rules for loaders: how the sampler of a training loader comes to another order each time."""

from __future__ import annotations

import ast
from itertools import count
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.steps import Batches
from corro.frontends.following import is_set_within, outside, parameters, rooted
from corro.rules.places import way
from corro.rules.pytorch._loaders import hidden_loader, loader_expression
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Frame
    from corro.rules.pytorch._job import Job

_APART = 1000
"""How far apart the seeds of two samplers are: ``set_epoch`` adds the number of the epoch to them."""
_LEAVING = (ast.Return, ast.Raise)


def is_shuffled(fact: CallFact) -> bool:
    """Whether a loader shuffles, or may."""
    shuffle = fact.argument(2, "shuffle")
    return shuffle is not None and shuffle.const is not False


def seed_apart(job: Job, fact: CallFact, others: Iterable[CallFact]) -> int:
    """What is added to the seed of a loader's sampler, so that it has not the orders of those that are made before it.

    Of loaders that are made under conditions which exclude each other, all may have the same.
    """
    taken: dict[CallFact, int] = {}
    for each in sorted((each for each in others if is_shuffled(each)), key=lambda each: each.order):
        theirs = {seed for other, seed in taken.items() if not _exclude(job, other, each)}
        taken[each] = next(seed for seed in count(0, _APART) if seed not in theirs)
    return next((seed for each, seed in taken.items() if each.node is fact.node), 0)


def is_made_again(job: Job, number: int) -> bool:
    """Whether one call makes several samplers for one training, which would begin with the same order each.

    It is made in an epoch, and only counts epochs itself; or its function is called for another loader, too.
    """
    facts = job.calls_of(job.facts.nodes[number])
    ours = [fact for fact in facts if number in fact.result.sites]
    steps = [step for step in job.anatomy.steps if number in _begun(step)]
    for step in steps:
        around = {*step.trainings} - {step.loop}
        if any(loop.node in around for fact in ours for loop in fact.context.loops) and _counts(job, step):
            return True
    begun = {each for step in job.anatomy.steps for each in _begun(step)} - {number}
    runs = _runs(job, number)
    together = {each for each in begun if not runs.isdisjoint(_runs(job, each))}
    others = [fact for fact in facts if fact.result.sites & together and is_shuffled(fact)]
    return any(not _exclude(job, one, other) for one in ours for other in others if one is not other)


def _runs(job: Job, number: int) -> set[tuple[ast.AST, Frame]]:
    """The loops over epochs in which a loader is trained from, each where it is run."""
    steps = [step for step in job.anatomy.steps if number in _begun(step)]
    trainings = {loop for step in steps for loop in step.trainings}
    contexts = (fact.context for step in steps for each in step.backwards for fact in job.calls_of(each.node))
    ours = (each for each in contexts if any(number in around.loaders for around in each.passes))
    return {(loop.node, loop.frame) for each in ours for loop in each.loops if loop.node in trainings}


def _begun(step: Step) -> list[int]:
    return [source.number for source in step.sources if source.how is Batches.LOADER]


def _counts(job: Job, step: Step) -> bool:
    """Whether the sampler in a pass can be told no more than the number after its last one."""
    found = named_loader(job, step)
    return found is not None and numbered(job, step, found[0], found[2], goes_on=goes_on(job, step))[2] is None


def _exclude(job: Job, one: CallFact, other: CallFact) -> bool:
    """Whether of two calls only one is made in a run, as the text shows it."""
    return any(_are_apart(job, a, b) or _are_apart(job, b, a) for a in way(one) for b in way(other) if a is not b)


def _are_apart(job: Job, node: ast.AST, other: ast.AST) -> bool:
    """Whether two places are in two arms of a condition, or the first in one that leaves before the other."""
    around = {other, *job.ancestors(other)}
    inner = node
    for above in job.ancestors(node):
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return False
        if isinstance(above, (ast.If, ast.IfExp)) and inner is not above.test:
            arms = [arm if isinstance(arm, list) else [arm] for arm in (above.body, above.orelse)]
            ours, theirs = arms if inner in arms[0] else arms[::-1]
            if not around.isdisjoint(theirs):
                return True
            if isinstance(ours[-1], _LEAVING) and above not in around and _is_later(job, above, other):
                return True
        inner = above
    return False


def _is_later(job: Job, node: ast.AST, other: ast.AST) -> bool:
    """Whether one place stands behind another in one function, or one module."""
    if job.file_of(node) is not job.file_of(other):
        return False
    names = job.names_of(node)
    return names.scope(node) is names.scope(other) and job.span(node).end <= job.span(other).start


def named_loader(job: Job, step: Step) -> tuple[ast.expr, str, ast.stmt] | None:
    """The loader in the head of a pass: a name, an attribute of it, and the statement in front of which it is there."""
    assert isinstance(step.loop, ast.For)
    loader = loader_expression(job, step.loop)
    if loader is not None:
        return loader, "", step.loop
    hidden = hidden_loader(job, step.loop)
    if hidden is not None:
        return hidden[0], "", hidden[1]
    keeper = _keeper(job, step.loop)
    return (*keeper, step.loop) if keeper is not None else None


def numbered(
    job: Job, step: Step, loader: ast.expr, at_pass: ast.stmt, *, goes_on: bool
) -> tuple[str, ast.stmt, str | None]:
    """A loader where the number of the epoch is known: its text, in front of what, and the name of the number.

    Before the pass, if it is known there; else in the epoch loop; where it is known nowhere, there is no name.
    """
    target = None if goes_on else index_target(job, step.epoch_loop)
    between = frames(job, step)
    text = job.segment(loader)
    if target is None or not between:
        return text, at_pass, None
    number = known_at_pass(target, between)
    outer = _loader_in_epoch_loop(job, loader, between, step) if number is None else None
    return (*outer, target.id) if outer is not None else (text, at_pass, number)


def goes_on(job: Job, step: Step) -> bool:
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


def _keeper(job: Job, loop: ast.For) -> tuple[ast.Name, str] | None:
    """An object in the head of a loop that hands a loader's batches on, and the attribute that holds the loader."""
    for node in walk(loop.iter):
        owner = job.value(node)
        if isinstance(node, ast.Name) and owner.kind is Kind.INSTANCE and owner.obj:
            stores = [s for s in job.facts.stores if s.owner.obj == owner.obj and isinstance(s.node, ast.Attribute)]
            held = {s.node.attr for s in stores if isinstance(s.node, ast.Attribute) and s.given[0].kind is Kind.LOADER}
            return (node, f".{held.pop()}") if len(held) == 1 else None
    return None


def frames(job: Job, step: Step) -> tuple[Frame, ...]:
    """The frames from the epoch loop's to the pass's."""
    for fact in (fact for each in step.backwards for fact in job.calls_of(each.node)):
        inner = next((loop.frame for loop in fact.context.loops if loop.node is step.loop), None)
        outer = next((loop.frame for loop in fact.context.loops if loop.node is step.epoch_loop), None)
        if inner is not None and outer is not None:
            path = inner.path()
            return path[path.index(outer) :]
    return ()


def index_target(job: Job, loop: ast.For | ast.While | None) -> ast.Name | None:
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


def known_at_pass(target: ast.Name, frames: Sequence[Frame]) -> str | None:
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
