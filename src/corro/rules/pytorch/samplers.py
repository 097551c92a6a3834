"""Refuse special loaders for now, and samplers that cannot be followed.

Why
---
A stream of a library would be repeated by every process. A sampler that training tells of losses would choose by those
of one process's samples.

Before
------
::

    rows = datasets.load_dataset("text", data_files=names, streaming=True)
    loader = DataLoader(rows, batch_size=64)

After
-----
::

    refused: the training data may be a stream

Source
------
pytorch issue 77154; accelerate issue 2865; huggingface/datasets issues 5360 and 3423.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch.graphs import LOADERS, SEED_LOADERS
from corro.frontends.pytorch.handing import handed_away
from corro.frontends.pytorch.loaders import own_sampler
from corro.rules.pytorch._loaders import Arguments
from corro.rules.pytorch._samplers import BATCHED, FLAT, POSITIONS, given, is_decided_later, is_generated, may_be_none
from corro.rules.pytorch._shared import makes_training, makings, others_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.sites import LoaderSite
    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "samplers"
GATE = 1

_SAMPLERS = frozenset({Kind.SAMPLER, Kind.INSTANCE, Kind.LIST, Kind.RANGE})
"""What draws samples, or lists them."""
_PLAIN_ARGUMENTS = 3
"""Data set, batch size and whether it is shuffled, which all loaders take in this order."""
_ENDLESS = frozenset({"count", "cycle", "repeat"})
"""What ``itertools`` has that never ends."""


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at each training loader that is special."""
    numbers = job.anatomy.trained_on
    for site in job.anatomy.loaders:
        if site.number in numbers and site.node not in job.facts.batches:
            yield from _shared(job, site)
            yield from _special(job, makings(job, [site]))
            yield from _peeked(job, site.number)
    for fact in handed_away(job.facts, numbers):
        yield job.refuse(
            NAME,
            f"the training loader is passed to {fact.name or 'an object'}, which Corro cannot follow: it would see "
            "one process's shard of the data.",
            fact.node,
            "Give it a DataLoader of its own.",
            effort="one line",
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
    elif _is_one_of_several(job, site):
        yield job.refuse(
            NAME,
            "this DataLoader call makes several loaders in a loop; some are for training and others for evaluation, "
            "and Corro cannot tell which.",
            site.node,
            "Make the loader for training in a statement of its own.",
        )


def _is_one_of_several(job: Job, site: LoaderSite) -> bool:
    """Whether a loop that is over before training begins makes this loader and others, and some are not trained on."""
    calls = [fact for backward in job.anatomy.backwards for fact in job.calls_of(backward.node)]
    around = {each.node for fact in calls for each in fact.context.loops}
    made = {each.node for fact in makings(job, [site]) for each in fact.context.loops}
    return bool(made - around) and _is_evaluated_on(job, site.number)


def _is_evaluated_on(job: Job, number: int) -> bool:
    """Whether a pass, or a comprehension, goes through its batches without training."""
    heads = (job.value(node.iter) for node in job.nodes.of(ast.comprehension))
    passes = (each for each in job.anatomy.passes if number in each.loaders)
    return not all(each.trains for each in passes) or any(
        head.kind is Kind.LOADER and number in head.sites for head in heads
    )


def _special(job: Job, facts: Sequence[CallFact]) -> Iterator[Answer]:
    fact = facts[0]
    if fact.name in SEED_LOADERS and len(fact.node.args) > 1:
        message = "the arguments of this loader are given by position."
        yield job.refuse(NAME, message, fact.node, "Give all of them but the graph by their names.", effort="one line")
        return
    yield from _sampled(job, facts)
    size = fact.argument(1, "batch_size")
    if size is not None and size.kind is Kind.NONE:
        yield job.refuse(
            NAME, "the training loader gives single samples, not batches.", fact.node, "Give a batch_size."
        )
    if "**" in fact.keywords or any(isinstance(a, ast.Starred) for a in fact.node.args):
        yield job.refuse(
            NAME,
            "Corro cannot follow the arguments of the training loader.",
            fact.node,
            "Write them in the call.",
            effort="one line",
        )
    if sum(k.arg is None for k in fact.node.keywords) > 1:
        yield job.refuse(
            NAME, "the training loader takes several ** mappings.", fact.node, "Use one mapping.", effort="one line"
        )
    if any(f.name.startswith("datasets.") and _streams(f) for f in job.calls):
        yield job.refuse(
            NAME,
            "the training data may be a stream, which every process would repeat.",
            fact.node,
            "Load the data set without streaming=True.",
            effort="one line",
        )


def _sampled(job: Job, facts: Sequence[CallFact]) -> Iterator[Answer]:
    """A sampler that is not known to be one, or that training changes; a generator where there may be no shuffling."""
    fact, found = facts[0], given(facts[0])
    if fact.name in LOADERS | SEED_LOADERS and (
        found is not None or is_generated(fact) or len(fact.node.args) > _PLAIN_ARGUMENTS
    ):
        yield job.refuse(
            NAME,
            "a loader of graphs is given a sampler, a generator or more arguments by position, which is not converted "
            "yet.",
            fact.node,
            "Use shuffle=True for now, and keywords.",
        )
        return
    if is_generated(fact) and is_decided_later(fact.argument(2, "shuffle")):
        yield job.refuse(
            NAME,
            "the training loader is given a generator, and whether it shuffles is decided when it is made.",
            fact.node,
            "Write shuffle=True or shuffle=False.",
            effort="one line",
        )
    if found is None:
        return
    name, sampler = found
    known = sampler.kind in _SAMPLERS and (name == FLAT or not may_be_none(fact))
    node = Arguments(job, fact).node(name, POSITIONS[name])
    if not known or node is None or any(given(each) is None for each in facts) or not _is_apart(job, fact, name):
        yield job.refuse(
            NAME,
            f"the training loader is given a {name} that Corro cannot follow, or not always.",
            fact.node,
            "Make the sampler in the script, and give it in a DataLoader call that makes the training loader only.",
        )
    elif _may_go_on(job, sampler):
        yield job.refuse(
            NAME,
            f"this {name} may never end, and rank 0 tells all processes what it draws for a pass.",
            fact.node,
            "Let its __iter__ give one epoch, and loop over epochs.",
        )
    elif name == BATCHED and not job.is_strong:
        yield job.refuse(
            NAME,
            "a batch_sampler makes global batches, but weak scaling needs a batch for each process.",
            fact.node,
            "Use --scaling strong.",
            effort="one line",
        )
    elif (change := _told(job, sampler)) is not None:
        yield job.refuse(
            NAME,
            "the sampler is told of values that differ between processes, and decides by them which samples come next.",
            change,
            "Give the sampler what is equal on all processes.",
        )


def _is_apart(job: Job, fact: CallFact, name: str) -> bool:
    """Whether the loaders that one call makes besides are told apart by a flag, and draw all samples in order."""
    others = {site.number for site in others_of(job, fact.node)}
    if not others:
        return True
    made = [each for each in job.calls_of(fact.node) if each.result.sites & others]
    plain = (given(each) is None or own_sampler(job.facts, each) == "SequentialSampler" for each in made)
    shuffled = (flag for each in made if (flag := each.argument(2, "shuffle")) is not None and flag.const is not False)
    apart = name == FLAT and not may_be_none(fact) and makes_training(job, fact.node) is not None
    return apart and all(plain) and not any(True for _ in shuffled)


def _may_go_on(job: Job, sampler: Value) -> bool:
    """Whether a sampler of the script's own, or one inside it, may give samples for ever."""
    made = [fact for number in sampler.sites for fact in job.calls_of(job.facts.nodes[number])]
    inner = [value for fact in made for value in fact.args if value.kind in (Kind.SAMPLER, Kind.INSTANCE)]
    parts = [part for class_node in job.facts.classes_of(sampler) for part in ast.walk(class_node)]
    loops = [part for part in parts if isinstance(part, ast.While) and isinstance(part.test, ast.Constant)]
    endless = any(not any(isinstance(each, (ast.Break, ast.Return)) for each in ast.walk(loop)) for loop in loops)
    named = any(getattr(part, "attr", getattr(part, "id", "")) in _ENDLESS for part in parts)
    return endless or named or any(_may_go_on(job, value) for value in inner)


def _told(job: Job, sampler: Value) -> ast.AST | None:
    """Where a sampler, or what it was made of, is changed by values of a process's own."""
    made = [sampler, *(v for n in sampler.sites for f in job.calls_of(job.facts.nodes[n]) for v in f.args)]
    held = [value for value in made if value.kind is not Kind.DATASET]

    def is_held(value: Value) -> bool:
        return any(
            (value.obj and value.obj == each.obj) or value.sites & each.sites or value.locations & each.locations
            for each in held
        )

    for store in job.facts.stores:
        if is_held(store.owner) and not all(value.placement.is_equal for value in store.given):
            return store.node
    for fact in job.calls:
        values = (*fact.args, *fact.keywords.values())
        owners = [*values, *((fact.receiver,) if fact.receiver is not None else ())]
        if any(map(is_held, owners)) and not all(value.placement.is_equal for value in values):
            return fact.node
    return None


def _streams(fact: CallFact) -> bool:
    value = fact.keywords.get("streaming")
    return value is not None and value.const is not False


def _peeked(job: Job, number: int) -> Iterator[Answer]:
    """``next(iter(loader))`` on a training loader gives another batch on each process."""
    for fact in job.calls:
        if fact.name == "next" and number in fact.result.sources and not fact.context.passes and fact.context.loops:
            yield job.refuse(
                NAME, "batches are taken from the training loader one by one.", fact.node, "Loop over the loader."
            )
            return
