"""Let metric objects gather from all processes where they are fed with shards, and nowhere else.

Why
---
A metric object of torchmetrics gathers what it has kept from all processes when it is computed, as soon as
``torch.distributed`` is running. Fed where every process evaluates all of the data, it would count each sample N times,
so it is told not to. Fed in training, it gives the whole by itself, provided all processes compute it together: not
under a condition on the rank, where one would wait for the others forever. Other engines than ``torch.distributed`` it
does not know. Metrics of Ignite and of MONAI are not followed.

Before
------
::

    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10)
    for x, y in held_out:
        accuracy.update(model(x), y)
    print(accuracy.compute())

After
-----
::

    accuracy = torchmetrics.Accuracy(task="multiclass", num_classes=10, sync_on_compute=False)
    for x, y in held_out:
        accuracy.update(model(x), y)
    compute_result = accuracy.compute()
    if dist.get_rank() == 0:
        print(compute_result)

Source
------
torchmetrics, ``Metric`` (``sync_on_compute``; ``sync_context``: ``should_sync`` where ``torch.distributed`` is
initialized); Ignite, ``ignite.metrics.metric.sync_all_reduce``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.pytorch import metric_objects
from corro.rules.reducing import differs
from corro.source import add_keyword
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "library-metrics"
EVEN_SHARES = True

_OTHERS = ("ignite.metrics.", "torcheval.metrics.toolkit.", "monai.metrics.")
_GATHERING = frozenset({"sync_on_compute", "dist_sync_on_step", "process_group", "dist_sync_fn",
                        "distributed_available_fn"})  # fmt: skip
"""Arguments that say how a metric gathers."""
_ADVICE = "Sum up single numbers, for instance hits and samples, and divide at the end."
_AVERAGING, _SUMMING = frozenset({"MeanMetric"}), frozenset({"SumMetric"})
_OF_NUMBERS = _AVERAGING | _SUMMING | {"MinMetric", "MaxMetric", "CatMetric", "RunningMean", "RunningSum"}
"""What is fed with any numbers, such as losses, instead of samples."""


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each metric that is made and computed."""
    for fact in job.calls:
        if fact.name.startswith(_OTHERS) and fact.name.rpartition(".")[2][:1].isupper():
            yield job.refuse(
                NAME,
                "this metric gathers from all processes on its own, which is not converted yet.",
                fact.node,
                _ADVICE,
            )
            return
    made = {fact.node: fact.result for fact in job.calls if fact.result.kind is Kind.METRIC and _makes(job, fact)}
    for node, value in made.items():
        if isinstance(node, ast.Call):
            yield from _metric(job, node, value)


def _makes(job: Job, fact: CallFact) -> bool:
    """Whether a call makes a metric, and does not only give one."""
    return job.facts.number(fact.node) in fact.result.sites


def _metric(job: Job, made: ast.Call, value: Value) -> Iterator[Answer]:
    users = _sites_with(job, value)
    used = [fact for fact in job.calls if fact.receiver is not None and fact.receiver.sites & users]
    feeding = [fact for fact in used if metric_objects.is_fed(fact)]
    computing = [fact for fact in used if fact.name == "compute"]
    told = next((k for k in made.keywords if k.arg is None or k.arg in _GATHERING), None)
    if not computing and told is None:
        return
    shards = [fact for fact in feeding if any(differs(job, given) for given in _given(fact))]
    if not shards and told is None:
        yield from _alone(job, made, value)
        return
    if told is not None or len(shards) < len(feeding):
        what = "is told how to gather" if told is not None else "is fed with shards and with what all processes have"
        yield job.refuse(NAME, f"this metric {what}: what it computes then is not converted.", made, _ADVICE)
        return
    yield from _gathered(job, made, value, shards, computing)


def _sites_with(job: Job, value: Value) -> frozenset[int]:
    """A metric, and the collections that it is in."""
    number = value.sites
    collections = (f.result for f in job.calls if f.result.name == metric_objects.COLLECTION)
    return number.union(*(each.sites for each in collections if _holds(job, each, value)))


def _holds(job: Job, collection: Value, value: Value) -> bool:
    made = job.facts.nodes[next(iter(collection.sites))]
    return any(job.value(part).sites == value.sites for part in ast.walk(made))


def _given(fact: CallFact) -> tuple[Value, ...]:
    return (*fact.args, *fact.keywords.values())


def _alone(job: Job, made: ast.Call, value: Value) -> Iterator[Answer]:
    """All processes feed it with the same."""
    if not job.target.starts_torch_distributed or value.name == metric_objects.COLLECTION:
        return
    edits = add_keyword(job.file_of(made), made, "sync_on_compute", "False")
    yield job.change(NAME, "every process has fed this with all of the data", made, edits, Code(""))


def _gathered(
    job: Job, made: ast.Call, value: Value, shards: Sequence[CallFact], computing: Sequence[CallFact]
) -> Iterator[Answer]:
    """Each process feeds it with its shard."""
    if not job.target.starts_torch_distributed:
        yield job.refuse(
            NAME,
            "this metric gathers by torch.distributed, which this target does not start.",
            made,
            f"{_ADVICE[:-1]}, or compile for ddp.",
        )
        return
    unsure = next((fact for fact in shards if not _is_whole_when_gathered(value, fact)), None)
    if unsure is not None:
        yield job.refuse(
            NAME,
            "this metric is fed with something of which gathering does not give the whole.",
            unsure.node,
            "Feed it with samples, or a MeanMetric with a mean over the batch.",
        )
        return
    for fact in computing:
        if not job.is_uniform(fact.context):
            yield job.refuse(
                NAME,
                "this metric gathers from all processes, which do not all get here.",
                fact.node,
                "Compute it under conditions that are equal on all processes.",
            )
            return
    read = _state_read(job, value)
    if read is not None:
        yield job.refuse(
            NAME,
            "this is what the metric of one process has kept of its shard of the data.",
            read,
            "Use what compute() gives.",
        )


def _is_whole_when_gathered(value: Value, fact: CallFact) -> bool:
    """Whether sums and lists of what processes were given are those of the whole."""
    forms = {each.form for each in _given(fact)}
    if value.name in _OF_NUMBERS:
        first = fact.args[0].form if fact.args else Form.UNKNOWN
        allowed = {Form.SHARDED} | ({Form.MEAN} if value.name in _AVERAGING else set())
        allowed |= {Form.SUM, Form.COUNT} if value.name in _SUMMING else set()
        return first in allowed and forms - {first} <= {Form.COUNT, Form.REPLICATED}
    return forms <= {Form.SHARDED, Form.REPLICATED}


def _state_read(job: Job, value: Value) -> ast.Attribute | None:
    """An attribute of a metric that is read, methods aside."""
    for node in job.nodes.of(ast.Attribute):
        if job.value(node.value).kind is Kind.METRIC:
            user = job.parent(node)
            called = isinstance(user, ast.Call) and user.func is node
            if not called and job.value(node.value).sites & value.sites and isinstance(node.ctx, ast.Load):
                return node
    return None
