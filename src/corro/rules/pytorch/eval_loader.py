"""Share evaluation out so that its metrics stay exact.

Why
---
A padding sampler counts samples twice, ``drop_last`` loses some, and averages of averages over unequal parts are
wrong. Sums over samples are sharded sample by sample, without padding. Sums of batch averages are sharded in
whole batches, so that each batch is the one the sequential program has; so is data that a collate function pads to the
longest sample of a batch. Anything else is evaluated in full by every process, which is exact for any metric.

Before
------
::

    test_loader = DataLoader(test_data, batch_size=1000)

After
-----
::

    sampler = range(dist.get_rank(), len(test_data), dist.get_world_size())
    test_loader = DataLoader(test_data, batch_size=1000, sampler=sampler)

Source
------
pytorch issues 25162 and 22584 (padding counted twice); Horovod, ``examples/pytorch/pytorch_mnist.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import LoaderSite, Role, Sharding
from corro.flow.values import MAYBE_NONE
from corro.frontends.pytorch.evaluation import LEFT_EARLY
from corro.frontends.pytorch.loaders import OWN_SAMPLERS, own_sampler
from corro.rules.pytorch._job import one_a_node
from corro.rules.pytorch._loaders import Arguments, dataset_expression, named_if_long
from corro.rules.pytorch._samplers import POSITIONS, given
from corro.rules.pytorch._shared import others_of
from corro.source import Edit, remove_argument, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "eval-loader"

_BATCHES = "torch.utils.data.BatchSampler"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each loader that is dealt out, one note for each that is not."""
    for site in one_a_node(job.anatomy.loaders):
        if site.role is not Role.EVALUATION or others_of(job, site.node):
            continue
        fact = job.calls_of(site.node)[0]
        if site.sharding is Sharding.EVERYWHERE:
            yield from _everywhere(job, site, fact)
        elif site.sharding is Sharding.BY_SAMPLE:
            yield from _by_sample(job.at(site.node), site, fact)
        else:
            yield from _by_batch(job.at(site.node), site, fact)


def _everywhere(job: Job, site: LoaderSite, fact: CallFact) -> Iterator[Answer]:
    shuffle, sampler = Arguments(job, fact).value("shuffle", 2), given(fact)
    if sampler is not None:
        yield from _sampled(job, site, fact, *sampler)
        return
    shuffled = shuffle is not None and shuffle.const is not False
    reason = site.reason or "its use is not followed"
    order = " It is no longer shuffled, so that all see the same batches." if shuffled else ""
    yield job.note(NAME, f"every process evaluates all of this data: {reason}.{order}", site.node)
    if shuffled:
        arguments = Arguments(job, fact)
        edits = [*arguments.drop_shuffle(), *arguments.finish()]
        if edits:
            yield job.change(NAME, "all processes evaluate in the same order", site.node, edits)
            yield from _left_out(job, site, fact) or _without_shuffling(job, site)


def _sampled(job: Job, site: LoaderSite, fact: CallFact, name: str, sampler: Value) -> Iterator[Answer]:
    """A sampler that shuffles is put in order; one that draws samples would draw others on each process."""
    node = Arguments(job, fact).node(name, POSITIONS[name])
    in_order = _in_order(job, sampler, job.segment(node)) if node is not None else None
    if in_order is None or node is None or (in_order and MAYBE_NONE in sampler.tags):
        yield job.refuse(
            NAME,
            f"an evaluation loader is given a {name} that may draw other samples on each process, so that their "
            "metrics would differ.",
            site.node,
            "Give it shuffle=False, or a SequentialSampler.",
            effort="one line",
        )
        return
    order = " It is no longer shuffled, so that all see the same batches." if in_order else ""
    yield job.note(NAME, f"every process evaluates all of this data: {site.reason}.{order}", site.node)
    if in_order:
        edits = replace_node(job.file_of(node), node, in_order)
        yield job.change(NAME, "all processes evaluate in the same order", site.node, edits)
        yield from _left_out(job, site, fact) or _without_shuffling(job, site)


def _in_order(job: Job, sampler: Value, text: str) -> str | None:
    """What gives the samples of a sampler in an order that stays; empty where it does, ``None`` where none does."""
    last = sampler.name.rpartition(".")[2]
    made = [made for number in sampler.sites for made in job.calls_of(job.facts.nodes[number])]
    if sampler.kind in (Kind.RANGE, Kind.LIST) or last == "SequentialSampler":
        return ""
    if last == "BatchSampler" and made:
        inner = made[0].argument(0, "sampler")
        return "" if inner is not None and _in_order(job, inner, "") == "" else None
    options = [name for each in made for name in each.keywords] + [value for each in made for value in each.args[1:]]
    if last == "SubsetRandomSampler":
        return f"{text}.indices"
    whole = last == "RandomSampler" and set(options) <= {"data_source", "generator"}
    return f"range(len({text}))" if whole else None


def _left_out(job: Job, site: LoaderSite, fact: CallFact) -> list[Answer]:
    """What is said where the samples that ``drop_last`` leaves out were random ones."""
    arguments = Arguments(job, fact)
    dropping = arguments.value("drop_last", 8)
    if dropping is None or dropping.const is False or not _is_shuffled(job, fact):
        return []
    review = job.review(
        NAME,
        "this data is no longer shuffled, so drop_last leaves out the last samples of the data set, not random ones.",
        site.node,
        "Evaluate all of the data, without drop_last.",
        differs=("coverage", "metrics"),
    )
    return [review]


def _without_shuffling(job: Job, site: LoaderSite) -> Iterator[Answer]:
    """What is said where an evaluation stops early: the first batches of a data set are no random ones."""
    if site.reason.startswith(LEFT_EARLY):
        yield job.review(
            NAME,
            "where this evaluation stops early it has seen the first batches of the data set, not random ones: all "
            "processes have to see the same.",
            site.node,
            "Evaluate all of the data, or a Subset that is drawn once.",
            differs=("coverage", "metrics"),
        )


def _by_sample(job: Job, site: LoaderSite, fact: CallFact) -> Iterator[Answer]:
    edits: list[Edit] = []
    dataset = dataset_expression(job, fact, edits)
    assert dataset is not None, "such a loader is not sharded"
    arguments = Arguments(job, fact)
    rank, world = job.target.rank, job.target.world_size
    sampler = named_if_long(job, site.node, f"range({rank}, len({dataset}), {world})", edits)
    edits += arguments.set_sampler(sampler)
    edits += arguments.finish()
    yield job.change(NAME, "each process evaluates every N-th sample", site.node, edits, Code("", (job.target.engine,)))
    yield from _in_order_now(job, site, fact)


def _by_batch(job: Job, site: LoaderSite, fact: CallFact) -> Iterator[Answer]:
    edits: list[Edit] = []
    dataset = dataset_expression(job, fact, edits)
    arguments = Arguments(job, fact)
    if dataset is None or arguments.mapping is not None or len(fact.node.args) > 3:
        yield job.refuse(
            NAME,
            "the arguments of this loader are given in a way that cannot be changed to whole batches.",
            site.node,
            "Give batch_size, shuffle and drop_last as keywords of the DataLoader call.",
            effort="one line",
        )
        return
    size = arguments.text("batch_size", 1) or "1"
    drop_last = arguments.text("drop_last", 8) or "False"
    batches = f"{job.target.library.name(_BATCHES)}(range(len({dataset})), {size}, drop_last={drop_last})"
    dealt = f"list({batches})[{job.target.rank}::{job.target.world_size}]"
    dealt = named_if_long(job, site.node, dealt, edits, "batches")
    for keyword in fact.node.keywords:
        if keyword.arg in ("batch_size", "shuffle", "drop_last", "sampler"):
            edits += remove_argument(job.file_of(fact.node), fact.node, keyword)
    for argument in fact.node.args[1:]:
        edits += remove_argument(job.file_of(fact.node), fact.node, argument)
    edits += arguments.set("batch_sampler", 99, dealt)
    code = Code("", (job.target.engine, job.target.library.imports(_BATCHES)))
    yield job.change(NAME, "each process evaluates every N-th batch", site.node, edits, code)
    yield from _left_out(job, site, fact) or _in_order_now(job, site, fact)


def _in_order_now(job: Job, site: LoaderSite, fact: CallFact) -> Iterator[Answer]:
    """What is said where data that is shared out was shuffled."""
    if _is_shuffled(job, fact):
        yield job.note(NAME, "each process evaluates its part of this data, which is no longer shuffled.", site.node)


def _is_shuffled(job: Job, fact: CallFact) -> bool:
    """Whether a loader draws its order by chance."""
    if given(fact) is not None:
        own = own_sampler(job.facts, fact)
        return own is None or OWN_SAMPLERS[own]
    shuffle = Arguments(job, fact).value("shuffle", 2)
    return shuffle is not None and shuffle.const is not False
