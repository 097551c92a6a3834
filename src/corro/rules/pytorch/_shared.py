"""Shared by the rules for loaders: one call, or one loop, that serves training and something else.

A flag that a function is given, an optimizer that it is given or not, or the name of a phase tells which of the two it
is: ``train``, ``optimizer is not None``, ``phase == "train"``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.sites import Role
from corro.classes import dataclass
from corro.frontends.pytorch.streams import is_stream
from corro.rules.pytorch._loaders import loader_expression
from corro.rules.pytorch._samplers import class_name, told_apart
from corro.rules.rank_0_first import SCOPES
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.anatomy.sites import LoaderSite
    from corro.anatomy.steps import PassLoop, Step
    from corro.flow.facts import CallFact, Context
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

SAMPLER = "torch.utils.data.distributed.DistributedSampler"
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension)


def others_of(job: Job, node: ast.AST) -> list[LoaderSite]:
    """The loaders, not for training, that a call makes besides the one for training, and whose batches are used."""
    sites = [site for site in job.anatomy.loaders if site.node is node]
    if all(site.role is not Role.TRAINING for site in sites):
        return []
    return [site for site in sites if site.role is not Role.TRAINING and _is_read(job, site)]


def makings(job: Job, sites: Iterable[LoaderSite]) -> list[CallFact]:
    """The calls in their contexts that make some loaders."""
    wanted = {site.number: site.node for site in sites}
    return [f for node in dict.fromkeys(wanted.values()) for f in job.calls_of(node) if f.result.sites & wanted.keys()]


def makes_training(job: Job, node: ast.AST) -> str | None:
    """What is true where a call makes the loader for training and false where it makes others, if something is."""
    ours, theirs = _uses(job, node)
    told = _telling(job, node, [f.context for f in ours], [f.context for f in theirs])
    flag = new_flag(job, node) if told is None else None
    return flag.name if flag is not None else told


@dataclass(frozen=True)
class NewFlag:
    """A parameter by which a function is told that the loader it makes is for training.

    Args:
        name: that of the parameter.
        function: what gets it.
        calls: those that make loaders for training.
    """

    name: str
    function: ast.FunctionDef
    calls: tuple[ast.Call, ...]


def new_flag(job: Job, node: ast.AST) -> NewFlag | None:
    """What a function has to be told that makes loaders for training in some calls, and others in other ones."""
    function = next((above for above in job.ancestors(node) if isinstance(above, SCOPES)), None)
    if not isinstance(function, ast.FunctionDef) or function.decorator_list or function.args.kwarg is not None:
        return None
    ours, theirs = ([fact.context.frame for fact in facts] for facts in _uses(job, node))
    calls = dict.fromkeys(frame.call for frame in ours)
    if any(frame.scope.node is not function for frame in ours) or not calls.keys().isdisjoint(f.call for f in theirs):
        return None
    asked = [call for call in calls if isinstance(call, ast.Call) and _called(job, call) == {function}]
    if not asked or len(asked) < len(calls):
        return None
    return NewFlag(job.names_of(node).fresh("for_training"), function, tuple(asked))


def _uses(job: Job, node: ast.AST) -> tuple[list[CallFact], list[CallFact]]:
    """Where a call makes loaders for training, and where others."""
    sites = [site for site in job.anatomy.loaders if site.node is node and site.role is Role.TRAINING]
    return makings(job, sites), makings(job, others_of(job, node))


def _called(job: Job, call: ast.Call) -> set[ast.AST]:
    """The functions that a call may call."""
    return {fact.context.frame.scope.node for fact in job.calls if fact.context.frame.call is call}


def is_shared_out(job: Job, loop: PassLoop) -> Code | None:
    """What is true before and after a pass where each process has its own part of the data, which others do not have.

    Nothing has to be asked where there are no others; ``None`` where nothing tells.
    """
    site = job.anatomy.pass_of(loop)
    numbers = job.anatomy.trained_on
    if site is None or site.loaders <= numbers:
        return Code("")
    contexts = [fact.context for fact in job.calls]
    inside = [c for c in contexts if any(each.node is loop and each.frame is c.frame for each in c.loops)]
    return _condition_at(job, loop, inside, loader_expression(job, loop))


def leads_to_training(job: Job, step: Step, call: ast.Call, loader: str) -> Code | None:
    """What is true where a call in the epoch loop leads to a pass that trains, as ``is_shared_out``."""
    rounds = {fact.context.rounds for each in step.backwards for fact in job.calls_of(each.node)}
    contexts = [fact.context for fact in job.calls_of(call)]
    ours = [each for each in contexts if each.rounds in rounds]
    return Code("") if len(ours) == len(contexts) else _either(job, call, ours, contexts, loader)


def _condition_at(job: Job, loop: PassLoop, inside: Sequence[Context], loader: ast.expr | None) -> Code | None:
    numbers = job.anatomy.trained_on
    ours = [each for each in inside if any(around.loaders & numbers for around in each.passes)]
    stored = {part.id for part in ast.walk(loop) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    used = {part.id for part in ast.walk(loader) if isinstance(part, ast.Name)} if loader is not None else set()
    return _either(job, loop, ours, inside, None if loader is None or used & stored else job.segment(loader))


def _either(
    job: Job, place: ast.AST, ours: Sequence[Context], contexts: Sequence[Context], loader: str | None
) -> Code | None:
    """By a flag, by the name of the phase, or by the loader's sampler."""
    told = _telling(job, place, ours, [each for each in contexts if each not in ours])
    if told is not None or loader is None:
        return Code(told) if told is not None else None
    trained = job.anatomy.trained_on
    numbers = {number for each in ours for around in each.passes for number in around.loaders & trained} or trained
    asked = {_by_sampler(job, place, loader, number) for number in numbers}
    return asked.pop() if len(asked) == 1 else None


def _by_sampler(job: Job, place: ast.AST, loader: str, number: int) -> Code | None:
    """What asks a loader for the class that shares out, if it is one that can be named there."""
    if is_stream(job.facts, number):
        return None
    kind, made = told_apart(job, number), job.facts.nodes[number]
    if kind is None:
        library = job.at(place).target.library
        return Code(f"isinstance({loader}.sampler, {library.name(SAMPLER)})", (library.imports(SAMPLER),))
    if job.file_of(made) is not job.file_of(place):
        return None
    return Code(f"isinstance({loader}.{kind}, {class_name(job, made, kind)})")


def _telling(job: Job, place: ast.AST, true: Sequence[Context], false: Sequence[Context]) -> str | None:
    """A condition on a name that one sees at a place which holds in the first contexts, and not in the others."""
    told = [each.told for each in (*true, *false)]
    for name in told[0] if true and false else ():
        if not all(name in each for each in told) or _is_set_again(job, place, name.split()[0]):
            continue
        ours = dict.fromkeys(each[name] for each in told[: len(true)])
        theirs = dict.fromkeys(each[name] for each in told[len(true) :])
        if not ours.keys() & theirs.keys():
            return _condition(name, list(ours), list(theirs))
    return None


def _condition(name: str, ours: Sequence[str | bool], theirs: Sequence[str | bool]) -> str | None:
    if all(isinstance(each, bool) for each in (*ours, *theirs)):
        return name if ours[0] else f"not ({name})" if " " in name else f"not {name}"
    texts = [f'"{each}"' for each in ours if isinstance(each, str) and each.isprintable() and '"' not in each]
    if len(texts) < len(ours) or "\\" in "".join(texts):
        return None
    return f"{name} == {texts[0]}" if len(texts) == 1 else f"{name} in ({', '.join(texts)})"


def _is_set_again(job: Job, place: ast.AST, name: str) -> bool:
    """Whether a name may be something else than the flag, or the phase, that it was bound to."""
    names = job.names_of(place)
    scope = names.lookup(name, names.scope(place))
    stores = [use for use in names.uses(name, scope) if isinstance(use.ctx, ast.Store)] if scope is not None else []
    loops = [above for use in stores if isinstance(above := _taker(job, use), _LOOPS)]
    around = [*job.ancestors(place), place]
    return scope is None or len(loops) < len(stores) or sum(loop in around for loop in loops) > 1


def _taker(job: Job, use: ast.AST) -> ast.AST | None:
    """What gives a name what it is: a loop also by a pair that it takes apart."""
    above = job.parent(use)
    return job.parent(above) if isinstance(above, (ast.Tuple, ast.List)) else above


def _is_read(job: Job, site: LoaderSite) -> bool:
    """Whether anything is computed of its batches, be it of the first one only."""
    passes = (loop.iterable for loops in job.facts.loops.values() for loop in loops)
    return any(site.number in _sites(value) for value in passes) or any(
        site.number in value.sources for value in job.facts.values.values()
    )


def _sites(value: Value) -> frozenset[int]:
    """A loader, also in ``enumerate`` or a progress bar."""
    return value.sites.union(*map(_sites, value.items))
