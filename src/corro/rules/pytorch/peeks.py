"""Look at whole batches, as the sequential program does.

Why
---
Each process's loader gives its share of a batch. What a script takes from it aside of training, to print a shape, to
show images or to set something up, would be another batch on each process, with fewer samples than the code expects. So
it is taken from a loader of its own with the arguments of the sequential program. Random numbers are drawn as they were
there, and the order of training stays.

Before
------
::

    images, labels = next(iter(train_loader))

After
-----
::

    images, labels = next(iter(DataLoader(train_loader.dataset, batch_size=64, shuffle=True)))

Source
------
PyTorch tutorials, "Training a Classifier", which shows ``labels[j] for j in range(batch_size)``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.sites import Role, Sharding
from corro.classes import replace
from corro.flow.store import OPTIONAL
from corro.frontends.pytorch import graphs
from corro.frontends.pytorch.peeks import peeks, takes_of
from corro.frontends.pytorch.streams import is_stream
from corro.rules.places import inner_scopes, way
from corro.rules.pytorch import _peeks
from corro.rules.pytorch._loaders import Arguments
from corro.rules.pytorch._samplers import INNER, told_apart
from corro.source import Before, replace_node
from corro.source.breaking import WIDTH
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.frontends.pytorch.peeks import Peek
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "peeks"
EVEN_SHARES = True

_LOADER = "torch.utils.data.DataLoader"
_KEPT = {"num_workers": 5, "collate_fn": 6, "drop_last": 8, "worker_init_fn": 10, "multiprocessing_context": 11,
         "generator": 12}  # fmt: skip
"""Arguments that say what the samples are; a loader has each as an attribute."""


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place that looks at a loader which conversion changes."""
    for peek in peeks(job.facts):
        known = [site for number in peek.value.sites if (site := job.anatomy.loader(number)) is not None]
        sites = [_as_made(job, site) for site in known]
        if any(_is_changed(job, site) for site in sites):
            yield _answer(job.at(peek.node), peek, sites)
    for peek in _peeks.shared(job):
        yield from _late(job, peek)


def _as_made(job: Job, site: LoaderSite) -> LoaderSite:
    """A loader that is only looked at, as its call makes it: for training, where it makes a loader for that, too."""
    trains = any(each.node is site.node and each.role is Role.TRAINING for each in job.anatomy.loaders)
    return replace(site, role=Role.TRAINING) if site.role is Role.UNUSED and trains else site


def _is_changed(job: Job, site: LoaderSite) -> bool:
    """Whether the loader gives other batches in the distributed program."""
    if site.role is Role.EVALUATION and site.sharding is Sharding.EVERYWHERE:
        shuffle = Arguments(job, job.calls_of(site.node)[0]).value("shuffle", 2)
        return shuffle is not None and shuffle.const is not False
    return site.role is not Role.UNUSED


def _answer(job: Job, peek: Peek, sites: list[LoaderSite]) -> Answer:
    owner = job.segment(peek.loader)
    if any(fact.name in graphs.SEED_LOADERS for site in sites for fact in job.calls_of(site.node)):
        message = (
            f"{owner} samples around seed nodes, and each process has its share of these: this is a part of a batch."
        )
        return job.refuse(
            NAME, message, peek.node, "Make another loader for it, with a call of its own.", effort="one line"
        )
    known = {_arguments(job, site, peek.loader) for site in sites}
    if len(known) > 1 or None in known:
        return job.refuse(
            NAME,
            f"{owner} may be one of several loaders here, whose batches differ in size or order.",
            peek.node,
            "Look at each of them in a statement of its own.",
        )
    streams = {site.role is Role.TRAINING and is_stream(job.facts, site.number) for site in sites}
    if len(streams) > 1:
        message = f"{owner} may be one of several loaders here, of which one goes through a stream."
        return job.refuse(NAME, message, peek.node, "Look at each of them in a statement of its own.")
    data = f"{owner}.dataset{'.stream' * streams.pop()}"
    made = f"{job.target.library.name(_LOADER)}({data}{known.pop()})"
    code = Code("", (job.target.engine, job.target.library.imports(_LOADER)))
    statement = job.statement(peek.loader)
    if (
        _has_room(job, statement, len(made) - len(owner))
        or isinstance(statement, ast.While)
        or any(inner_scopes(job, peek.loader))
    ):
        edits = [*replace_node(job.file_of(peek.loader), peek.loader, made)]
    else:
        name = job.names.fresh("whole_loader")
        edits = [
            Before(statement, f"{name} = {made}", order=-5),
            *replace_node(job.file_of(peek.loader), peek.loader, name),
        ]
    return job.change(NAME, "what is looked at is a whole batch", peek.node, edits, code)


def _has_room(job: Job, statement: ast.stmt, more: int) -> bool:
    """Whether a statement still fits on its first line with more characters, whatever its file is indented by."""
    depth = sum(isinstance(above, ast.stmt) for above in job.file_of(statement).ancestors(statement))
    return 4 * depth + len(job.segment(statement).splitlines()[0]) + more <= WIDTH


def _arguments(job: Job, site: LoaderSite, place: ast.expr) -> str | None:
    """What follows the data set in a call that makes the loader of the sequential program; ``None`` where unknown."""
    fact = next(fact for fact in job.calls_of(site.node) if site.number in fact.result.sites)
    arguments, owner = Arguments(job, fact), job.segment(place)
    shuffle, kind = _shuffle(site, arguments, owner), told_apart(job, site.number)
    if kind is not None and site.role is Role.TRAINING:
        shuffle = f"{kind}={owner}.{kind}.{INNER[kind]}"
    world = f" * {job.target.world_size}" if site.role is Role.TRAINING and job.is_strong else ""
    given = [_given(arguments, place, "batch_size", 1, f"{owner}.batch_size{world}"), shuffle]
    of_graphs = fact.name in graphs.LOADERS
    left = ({"generator"} if kind is not None else set()) | ({"collate_fn"} if of_graphs else set())
    kept = {name: position for name, position in _KEPT.items() if name not in left}
    given += [_given(arguments, place, name, position, f"{owner}.{name}") for name, position in kept.items()]
    if of_graphs:  # such loaders make their own collate_fn
        given.append(f"collate_fn={owner}.collate_fn")
    return None if shuffle is None else "".join(f", {each}" for each in given if each)


def _given(arguments: Arguments, place: ast.expr, name: str, position: int, read: str) -> str:
    """An argument as it was given, or what is read of the loader."""
    node = arguments.node(name, position)
    if node is None and arguments.value(name, position) is None:
        return ""
    fixed = isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and _is_fixed(arguments.job, node, place))
    return f"{name}={arguments.job.segment(node) if node is not None and fixed else read}"


def _is_fixed(job: Job, name: ast.Name, place: ast.expr) -> bool:
    """Whether a name means in another place what it means here: it is set once."""
    names = job.names_of(name)
    bound = names.binding(name)
    stored = [use for use in names.uses(name.id, bound) if isinstance(use.ctx, ast.Store)]
    once = len(stored) == 1 and not any(isinstance(a, (ast.For, ast.While)) for a in job.ancestors(stored[0]))
    here = job.file_of(name) is job.file_of(place)
    return once and here and names.lookup(name.id, names.scope(place)) is bound


def _shuffle(site: LoaderSite, arguments: Arguments, owner: str) -> str | None:
    value = arguments.value("shuffle", 2)
    if value is None or (isinstance(value.const, bool) and OPTIONAL not in value.tags):
        return "shuffle=True" if value is not None and value.const else ""
    return f"shuffle={owner}.sampler.shuffle" if site.role is Role.TRAINING else None


def _late(job: Job, peek: Peek) -> Iterator[Answer]:
    """Once noise differs between processes, so do the batches that they would look at."""
    anchors = {site.anchor for site in job.anatomy.models}
    for fact in takes_of(job.facts, peek):
        leading = {job.statement(node) for node in way(fact)}
        if not fact.context.loops and leading & anchors:
            yield job.refuse(
                NAME,
                "this random batch would differ between processes: their random numbers differ here.",
                fact.node,
                "Take it before training, where the model is made.",
                effort="one line",
            )
            return
