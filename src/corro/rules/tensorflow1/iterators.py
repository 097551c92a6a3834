"""Let each process take its shard of every batch from the iterator of a pipeline.

Why
---
A graph that takes its batches has a part of one in every run, also in those that do not train. An endless stream of
samples is sharded in front of ``batch``, or in front of ``shuffle``, and the batch is 1/N of the script's: together
the processes take the samples of the batch that one would take. Every run takes a batch, so all processes make all
runs, and what is fetched is reduced. A stream with an end would end at different steps, and is refused.

Before
------
::

    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat()
    dataset = dataset.batch(128)
    x, y = dataset.make_one_shot_iterator().get_next()

After
-----
::

    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat()
    dataset = dataset.shard(hvd.size(), hvd.rank()).batch(128 // hvd.size())
    x, y = dataset.make_one_shot_iterator().get_next()

Source
------
TensorFlow documentation, ``tf.data.Dataset.shard``: shard before any randomising operator and before batch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import Value
from corro.frontends.keras.semantics import BATCHNORM
from corro.frontends.tensorflow1.graphs import PLACEHOLDER, SUMMARY
from corro.frontends.tensorflow1.semantics import GRAPH_ITERATOR
from corro.rules.keras._arguments import Given
from corro.rules.keras._batches import check, too_small
from corro.rules.tensorflow1._job import uses_iterator
from corro.source import Insert
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job
    from corro.source import Edit

NAME = "session-iterators"
GATE = 1

_KNOWN = frozenset({"repeat", "shuffle", "batch", "prefetch", "cache"})
_ARRAYS = frozenset({Kind.TENSOR, Kind.TABLE})


def apply(job: Job) -> Iterable[Answer]:
    """One change for the pipeline that the graph takes from; or the first obstacle."""
    if not job.iterates:
        return
    uses = [fact for fact in job.calls if uses_iterator(fact)]
    obstacle = _unknown_use(job, uses) or _other_runs(job)
    if obstacle is not None:
        yield job.refuse(NAME, *obstacle)
        return
    pipeline = next(fact.receiver.items[0] for fact in uses if fact.receiver is not None and fact.name == "get_next")
    obstacle = _source(job, pipeline) or _stages(job, pipeline)
    if obstacle is not None:
        yield job.refuse(NAME, *obstacle)
        return
    yield from _shared(job, pipeline)


_Obstacle = tuple[str, ast.AST, str]


def _unknown_use(job: Job, uses: list[CallFact]) -> _Obstacle | None:
    """Why it is not one iterator of one pipeline, which gives the batch in one place."""
    made = [fact for fact in uses if fact.name.rpartition(".")[2].startswith("make_")]
    taken = [fact for fact in uses if fact.name == "get_next"]
    advice = "Feed the batches to placeholders, or take them from one iterator: dataset.make_one_shot_iterator()."
    known = len(made) == len(taken) == 1 and len(uses) == 2
    iterator = taken[0].receiver if known else None
    same = iterator is not None and iterator.sites == {job.facts.number(made[0].node)}
    if iterator is None or not same or iterator.name != GRAPH_ITERATOR or not iterator.items:
        return (
            "the graph takes its batches from iterators of tf.data in a way that is not converted.",
            uses[0].node,
            advice,
        )
    for fact in uses:
        given = len(fact.args) + len(fact.keywords)
        if not _is_once(job, fact) or given != (0 if fact.receiver is not None else 1):
            return "an iterator of tf.data is made or used in a way that is not converted.", fact.node, advice
    return None


def _is_once(job: Job, fact: CallFact) -> bool:
    """Whether a call is made once."""
    return len(job.calls_of(fact.node)) == 1 and not fact.context.loops


def _other_runs(job: Job) -> _Obstacle | None:
    """What is not known to go on with parts of batches in all runs."""
    if job.anatomy.monitored:
        return (
            "a monitored session, whose hooks run the graph too, takes batches from an iterator.",
            job.anatomy.monitored[0],
            "Use tf.Session().",
        )
    chosen = next((site.node for site in job.anatomy.runs if _is_chosen(job, site.node)), None)
    if chosen is not None:
        return (
            "a batch is taken within an expression that may leave it out.",
            chosen,
            "Take it in a statement of its own.",
        )
    for fact in job.calls:
        if BATCHNORM in fact.result.tags or SUMMARY in fact.result.tags:
            what = "batch normalisation" if BATCHNORM in fact.result.tags else "a summary"
            return (
                f"{what} in a graph that takes its batches from an iterator is not converted yet.",
                fact.node,
                "Leave it out, or feed the batches to placeholders.",
            )
    return None


def _is_chosen(job: Job, node: ast.AST) -> bool:
    """Whether a call stands in a part of an expression that is not always, or not as often, evaluated."""
    within = job.ancestors(node)
    return any(isinstance(above, (ast.IfExp, ast.BoolOp, ast.Lambda, ast.GeneratorExp)) for above in within)


def _source(job: Job, pipeline: Value) -> _Obstacle | None:
    """Why it is not known what the samples are, and that all processes have them in one order."""
    stages = pipeline.items if pipeline.kind is Kind.DATASET else ()
    if not stages or any(len(stage.sites) != 1 or not stage.name for stage in stages):
        place = next(fact.node for fact in job.calls if uses_iterator(fact))
        return "Corro cannot follow the pipeline that batches are taken from.", place, "Make it in one place."
    node = _node(job, stages[0])
    fact = job.calls_of(node)[0]
    data = fact.argument(0, "tensors")
    parts = data.items if data is not None and data.kind is Kind.TUPLE else (data or Value(),)
    if any(PLACEHOLDER in part.tags for part in parts):
        return (
            "data is fed to an iterator, so that it may take from other data later.",
            node,
            "Give the arrays themselves to tf.data.Dataset.from_tensor_slices().",
        )
    if any(part.form is not Form.REPLICATED for part in parts) or any(not p.is_equal for p in fact.depends):
        return "the data is random, and differs between processes.", node, "Read it in a fixed order."
    arrays = bool(parts) and all(part.kind in _ARRAYS for part in parts)
    if stages[0].name != "from_tensor_slices" or not arrays or not _is_once(job, fact):
        return (
            "batches are taken from a pipeline that is not made of arrays.",
            node,
            "Make it with tf.data.Dataset.from_tensor_slices((images, labels)).",
        )
    return None


def _stages(job: Job, pipeline: Value) -> _Obstacle | None:
    """Why its samples cannot be dealt out so that every step has the same batch."""
    stages = pipeline.items
    if len({job.file_of(_node(job, stage)).path for stage in stages}) > 1:
        place = _node(job, stages[-1])
        return "the pipeline that batches are taken from is made in several files.", place, "Make it in one file."
    own = {_node(job, stage) for stage in stages}
    for fact in job.calls:
        of_data = fact.receiver is not None and fact.receiver.kind is Kind.DATASET
        given = any(value.kind is Kind.DATASET for value in (*fact.args, *fact.keywords.values()))
        if fact.node not in own and not uses_iterator(fact) and (of_data or given or fact.result.kind is Kind.DATASET):
            return "the script has data in other pipelines too.", fact.node, "Make one pipeline, to train on."
    for stage in stages[1:]:
        node = _node(job, stage)
        if stage.name not in _KNOWN or not all(_is_once(job, fact) for fact in job.calls_of(node)):
            return (
                f"{stage.name}() in a pipeline that a graph takes from is not converted.",
                node,
                "Use repeat(), shuffle(), batch() and prefetch(), each once.",
            )
        if Given(job, node, ()).is_open or (stage.name == "cache" and (node.args or node.keywords)):
            return f"{stage.name}() is called in a way that Corro cannot follow.", node, "Write its arguments there."
    names = [stage.name for stage in stages]
    batch = names.index("batch") if names.count("batch") == 1 else 0
    if not batch or set(names[batch + 1 :]) - {"prefetch"}:
        return (
            "samples can be sharded, with the same batch in every step, only if they are batched last.",
            _node(job, stages[-1]),
            "Write dataset.repeat().batch(size), with nothing but prefetch() after it.",
        )
    if not any(_is_endless(job, stage) for stage in stages[:batch]):
        return (
            "a pipeline with an end could give processes unequal numbers of batches.",
            _node(job, stages[batch]),
            "Repeat it for ever in front of batch(), dataset.repeat(), and count the steps.",
        )
    size = Given(job, _node(job, stages[batch]), ("batch_size",)).value("batch_size")
    if size is None or size.kind is not Kind.NUMBER or not size.placement.is_equal:
        return (
            "the batch size is not known to be a number of the script.",
            _node(job, stages[batch]),
            "Write dataset.batch(size), with a number that is not fed.",
        )
    return None


def _is_endless(job: Job, stage: Value) -> bool:
    if stage.name != "repeat":
        return False
    count = Given(job, _node(job, stage), ("count",)).value("count")
    return count is None or count.kind is Kind.NONE or count.const == -1


def _node(job: Job, stage: Value) -> ast.Call:
    node = job.facts.nodes[next(iter(stage.sites))]
    assert isinstance(node, ast.Call)
    return node


def _shared(job: Job, pipeline: Value) -> Iterator[Answer]:
    """The samples are dealt out in front of the first stage that orders them by chance, or of the batches."""
    stages = pipeline.items
    job = job.at(_node(job, stages[0]))
    target = job.target
    batch = next(_node(job, stage) for stage in stages if stage.name == "batch")
    first = next(_node(job, stage) for stage in stages if stage.name in ("shuffle", "batch"))
    size = Given(job, batch, ("batch_size",))
    known, text = size.value("batch_size"), size.text("batch_size") or ""
    if known is not None and known.const == 1:
        yield too_small(job, NAME, batch)
        return
    assert isinstance(first.func, ast.Attribute)
    end = job.span(first.func.value).end
    edits: list[Edit] = [Insert(end, f".shard({target.world_size}, {target.rank})")]
    edits.append(check(target, job.statement(batch), text))
    edits += size.set("batch_size", f"{text} // {target.world_size}")
    code = Code("", (target.engine,))
    yield job.change(NAME, "each process takes its own shard of every batch", batch, edits, code)
