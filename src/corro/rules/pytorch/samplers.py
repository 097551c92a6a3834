"""Refuse samplers of the script's own, streams and other special loaders, for now.

Why
---
A weighted or subset sampler must be made distributed, never dropped: a plain sampler in its place trains on other
data. A stream would be repeated by every process.

Before
------
::

    DataLoader(data, 64, sampler=WeightedRandomSampler(weights, len(weights)))

After
-----
::

    refused: the training loader has a sampler of its own

Source
------
pytorch issue 77154; accelerate issue 2865; huggingface/datasets issues 5360 and 3423.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.handing import handed_away
from corro.rules.lineage import base_names
from corro.rules.pytorch._shared import makes_training, makings, others_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sites import LoaderSite
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "samplers"
GATE = 1

_SPECIAL = {
    "sampler": 3, "batch_sampler": 4, "generator": 99, "worker_init_fn": 99,
}  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at each training loader that is special."""
    numbers = job.anatomy.trained_on
    for site in job.anatomy.loaders:
        if site.number in numbers and site.node not in job.facts.batches:
            yield from _shared(job, site)
            yield from _special(job, makings(job, [site])[0])
            yield from _peeked(job, site.number)
    for fact in handed_away(job.facts, numbers):
        yield job.refuse(
            NAME,
            f"the training loader is passed to {fact.name or 'an object'}, which Corro cannot follow: it would see "
            "one process's shard of the data.",
            fact.node,
            "Give it a DataLoader of its own.",
        )


def _shared(job: Job, site: LoaderSite) -> Iterator[Answer]:
    """One call that makes the training loader and another one, which would get a part of its batches only."""
    if others_of(job, site.node) and makes_training(job, site.node) is None:
        yield job.refuse(
            NAME,
            "one DataLoader call makes the loader for training and one whose batches must stay whole.",
            site.node,
            "Write one DataLoader call for each, or give the function that makes them a flag: train=True, train=False.",
        )


def _special(job: Job, fact: CallFact) -> Iterator[Answer]:
    for name, position in _SPECIAL.items():
        value = fact.argument(position, name)
        if value is not None and value.kind is not Kind.NONE and name not in ("worker_init_fn",):
            yield job.refuse(
                NAME,
                f"the training loader is given a {name}, which is not converted yet.",
                fact.node,
                "Use shuffle=True for now.",
            )
            return
    size = fact.argument(1, "batch_size")
    if size is not None and size.kind is Kind.NONE:
        yield job.refuse(
            NAME, "the training loader gives single samples, not batches.", fact.node, "Give a batch_size."
        )
    if "**" in fact.keywords or any(isinstance(a, ast.Starred) for a in fact.node.args):
        yield job.refuse(
            NAME, "Corro cannot follow the arguments of the training loader.", fact.node, "Write them in the call."
        )
    if sum(k.arg is None for k in fact.node.keywords) > 1:
        yield job.refuse(NAME, "the training loader takes several ** mappings.", fact.node, "Use one mapping.")
    dataset = fact.argument(0, "dataset")
    if any(f.name.startswith("datasets.") and _streams(f) for f in job.calls):
        yield job.refuse(
            NAME,
            "the training data may be a stream, which every process would repeat.",
            fact.node,
            "Load the data set without streaming=True.",
        )
    if dataset is not None:
        yield from _dataset(job, fact, dataset)


def _dataset(job: Job, fact: CallFact, dataset: Value) -> Iterator[Answer]:
    for number in dataset.sites:
        node = job.facts.nodes[number]
        for made in job.calls_of(node):
            class_node = job.facts.classes.get(made.result.obj)
            if class_node is not None and _is_stream(job, class_node):
                yield job.refuse(
                    NAME,
                    "the training data is a stream (IterableDataset), which every process would repeat.",
                    fact.node,
                    "Use a map-style data set.",
                )


def _streams(fact: CallFact) -> bool:
    value = fact.keywords.get("streaming")
    return value is not None and value.const is not False


def _is_stream(job: Job, node: ast.ClassDef) -> bool:
    return any(name.endswith(".IterableDataset") for name in base_names(job, node))


def _peeked(job: Job, number: int) -> Iterator[Answer]:
    """``next(iter(loader))`` on a training loader gives another batch on each process."""
    for fact in job.calls:
        if fact.name == "next" and number in fact.result.sources and not fact.context.passes and fact.context.loops:
            yield job.refuse(
                NAME, "batches are taken from the training loader one by one.", fact.node, "Loop over the loader."
            )
            return
