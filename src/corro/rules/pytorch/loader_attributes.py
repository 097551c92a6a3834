"""Let what is read of a training loader mean what it meant.

Why
---
Each process's loader has its share of the batch size and a sampler of a part of the data. A schedule computed from
``loader.batch_size`` or ``len(loader.sampler)`` would have another length, and a rate of another course. The global
values are written in their place; what has no global value is refused.

Before
------
::

    warmup_steps = warmup_samples // loader.batch_size

After
-----
::

    warmup_steps = warmup_samples // (loader.batch_size * dist.get_world_size())

Source
------
PyTorch documentation, ``torch.utils.data.DataLoader`` and ``torch.utils.data.distributed.DistributedSampler``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Role, Sharding
from corro.changes import Change
from corro.classes import replace
from corro.frontends.pytorch.loaders import RESTORED, Read, is_sampler, reads
from corro.rules.pytorch._samplers import FLAT, INNER, told_apart
from corro.source import replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "loader-attributes"
EVEN_SHARES = True

_SAYING = frozenset({"collate_fn", "generator"})
"""Attributes that PyTorch lets one set of a loader that is made, and that say which batches it gives."""
_FALLS_APART = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)


def apply(job: Job) -> Iterable[Answer]:
    """Write each read of what conversion changes anew, or refuse it; refuse samplers that are changed."""
    for read in reads(job.facts):
        sites = [site for n in read.loader.sites if (site := job.anatomy.loader(n)) is not None]
        if any(_is_changed(job, site, read.what) for site in sites):
            yield _answer(job, read, sites)
    yield from _set(job)


def _is_changed(job: Job, site: LoaderSite, what: str) -> bool:
    """Whether the loader gives another value in the distributed program."""
    if what.endswith("batch_size"):
        return site.role is Role.TRAINING and job.is_strong
    if what in ("drop_last", "len(batch_sampler)"):
        return False
    if site.role is Role.TRAINING or site.sharding is not Sharding.EVERYWHERE:
        return True
    return site.role is Role.EVALUATION and what.startswith("sampler.")  # it is no longer shuffled


def _answer(job: Job, read: Read, sites: list[LoaderSite]) -> Answer:
    text = job.segment(read.node)
    refused = job.refuse(
        NAME,
        f"{text} changes: each process's loader has its own sampler and 1/N of the batch size.",
        read.node,
        _advice(read),
    )
    kinds = {told_apart(job, site.number) if site.role is Role.TRAINING else None for site in sites}
    form = _drawn(read.what) if kinds == {FLAT} else RESTORED.get(read.what)
    alike = read.what != "batch_size" or all(site.role is Role.TRAINING for site in sites)
    drawn = kinds != {FLAT} and any(_is_sampled(job, site) for site in sites)
    if form is None or read.owner is None or not alike or drawn or len(kinds) > 1:
        return refused
    job = job.at(read.node)
    restored = form.format(owner=job.segment(read.owner), world=job.target.world_size)
    loose = read.what.endswith("batch_size") and _falls_apart(job, read.node)
    edits = replace_node(job.file_of(read.node), read.node, f"({restored})" if loose else restored)
    code = Code("", (job.target.engine,))
    change = job.change(NAME, f"{text} is that of this process's shard", read.node, edits, code)
    return replace(change, otherwise=refused) if isinstance(change, Change) else change


def _drawn(what: str) -> str | None:
    """What gives what a loader gave whose sampler is shared out: that sampler is kept in the one that shares it out."""
    if what == "batch_size":
        return RESTORED[what]
    of_sampler = what == "len(sampler)" or what.startswith("sampler.")
    return what.replace("sampler", f"{{owner}}.sampler.{INNER[FLAT]}", 1) if of_sampler else None


def _advice(read: Read) -> str:
    if read.what.endswith("batch_size"):
        return "Use the number that the training loader was given, in a statement of its own."
    return "Use len(loader.dataset) and len(loader), which stay."


def _is_sampled(job: Job, site: LoaderSite) -> bool:
    """Whether a loader was given a sampler of its own: it may have another number of samples than the data."""
    made = job.calls_of(site.node)
    given = (fact.argument(p, name) for fact in made for p, name in ((3, "sampler"), (4, "batch_sampler")))
    return any(each is not None for each in given)


def _falls_apart(job: Job, node: ast.expr) -> bool:
    """Whether a product in the place of a node would not stay together."""
    parent = job.parent(node)
    if isinstance(parent, ast.BinOp):
        return isinstance(parent.op, _FALLS_APART) and (parent.right is node or isinstance(parent.op, ast.Pow))
    return isinstance(parent, (ast.UnaryOp, ast.Attribute))


def _set(job: Job) -> Iterator[Answer]:
    for file in job.files:
        for node in file.nodes.of(ast.Attribute):
            if isinstance(node.ctx, ast.Store) and is_sampler(job.value(node.value)):
                yield job.refuse(
                    NAME,
                    f"{file.segment(node)} is set, but each process's loader has its own sampler.",
                    node,
                    "Make a DataLoader with the arguments that it needs.",
                    effort="one line",
                )
            elif isinstance(node.ctx, ast.Store) and node.attr in _SAYING and job.value(node.value).kind is Kind.LOADER:
                yield job.refuse(
                    NAME,
                    f"{file.segment(node)} is set after the loader is made, and says what its batches are.",
                    node,
                    f"Give {node.attr} in the call that makes the loader.",
                    effort="one line",
                )
