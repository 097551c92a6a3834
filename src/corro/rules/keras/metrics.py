"""Say which numbers of an epoch are averages of the processes' own.

Why
---
The metrics of training are averaged over processes. That is the metric of all samples for the loss, for accuracies and
all other averages over samples. It is not for what is computed from counts or roots (AUC, precision, recall, RMSE) or
divided by weights of samples, and a count comes out as 1/N of itself. A strategy adds up the variables of metrics
over devices instead: sums and counts are exact, and what is assigned, such as a maximum, is not. Validation is exact,
because every process computes all of it. Batch normalisation uses the statistics of each process's or device's part
of a batch; so the moving averages are each process's own, and validation is that of rank 0's model where all take
rank 0's first (`keras-callbacks`), and an average over different models where they cannot.

Before
------
::

    model.compile("adam", "binary_crossentropy", metrics=[keras.metrics.AUC()])

After
-----
::

    # the same, with a review: the training value of AUC is an average over processes

Source
------
Horovod documentation, ``MetricAverageCallback``; Keras documentation, ``BatchNormalization`` under a strategy.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import Value
from corro.frontends.keras.names import canonical
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.keras._mixing import mixes
from corro.rules.keras._statistics import batch_normalisation, unequal, validates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-metrics"

_NO_AVERAGES = frozenset(
    {"AUC", "Precision", "Recall", "TruePositives", "TrueNegatives", "FalsePositives", "FalseNegatives", "F1Score",
     "FBetaScore", "MeanIoU", "IoU", "BinaryIoU", "OneHotIoU", "OneHotMeanIoU", "RootMeanSquaredError", "R2Score",
     "PrecisionAtRecall", "RecallAtPrecision", "SensitivityAtSpecificity", "SpecificityAtSensitivity", "Sum"}
)  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """At most one review for metrics, and one for batch normalisation."""
    if job.sharing is not None:
        yield from _metrics(job)
    elif job.target.sees_shards:
        yield from _under_a_strategy(job)
    yield from _batchnorm(job)


def _metrics(job: Job) -> Iterator[Answer]:
    found: dict[str, ast.AST] = {}
    own = {node.name for node in job.facts.classes.values()}
    in_functions = set(job.anatomy.compiles)
    for fact in job.calls:
        if in_functions & {frame.call for frame in fact.context.frame.path()}:
            continue
        named = fact.result.name in _NO_AVERAGES | own
        if fact.result.kind is Kind.METRIC and fact.receiver is None and named:
            found.setdefault(fact.result.name, fact.node)
    for call in job.anatomy.compiles:
        given = Given(job, call, COMPILE)
        metrics, weighted = given.node("metrics"), given.node("weighted_metrics")
        if weighted is not None:
            found.setdefault("weighted metrics", weighted)
        for node in ast.walk(metrics) if metrics is not None else ():
            name = _mixes(job, node) or _of_library(job, node)
            if name:
                found.setdefault(name, node)
            if isinstance(node, ast.Constant) and node.value in _NO_AVERAGES:
                found.setdefault(str(node.value), node)
    if found:
        names = ", ".join(found)
        yield job.review(
            NAME,
            f"the training value of {names} is an average over processes, not that of all samples; validation and "
            "evaluate are exact.",
            next(iter(found.values())),
            differs=("metrics",),
        )


def _mixes(job: Job, node: ast.AST) -> str:
    """The name of a metric of the script's own that is no average over samples; empty for all others."""
    function, above = job.facts.functions.get(job.value(node).obj), job.parent(node)
    if function is None or (isinstance(above, ast.Call) and above.func is node):  # what is called makes the metric
        return ""
    gives = job.facts.returned.get(function)
    return "" if gives is not None and not mixes(gives) else getattr(function, "name", "a function")


def _of_library(job: Job, node: ast.AST) -> str:
    """The name of a metric that neither Keras nor the script has; empty for all others."""
    around = job.parent(node)
    value = job.value(node)
    if not isinstance(node, ast.expr) or isinstance(around, (ast.Attribute, ast.Call)):
        return ""
    named = value.kind is Kind.LIBRARY and not canonical(value.name).startswith(("keras.", "tensorflow"))
    named = named or value.but(locations=frozenset()) == Value()
    return " ".join(job.segment(node).split()) if named else ""


def _under_a_strategy(job: Job) -> Iterator[Answer]:
    """A strategy adds up what Keras' own metrics count; of the script's own it averages the results."""
    for call in job.anatomy.compiles:
        metrics = Given(job, call, COMPILE).node("metrics")
        parts = ast.walk(metrics) if metrics is not None else ()
        names = {node: _mixes(job, node) or _of_library(job, node) for node in parts}
        node = next((node for node, name in names.items() if name), None)
        if node is not None:
            yield job.review(
                NAME,
                f"{names[node]} is computed from one shard of the batch on each device; its value is a mean over "
                "devices.",
                node,
                "Use a metric object of Keras, which keeps sums and counts.",
                differs=("metrics",),
            )
            return
    own = {node.name: node for node in job.facts.classes.values()}
    for fact in job.calls:
        made = fact.result
        if made.kind is Kind.METRIC and fact.receiver is None and made.name in own and _replaces(own[made.name]):
            yield job.review(
                NAME,
                f"{made.name} keeps values that are no sums over samples, but a strategy adds them up over devices.",
                fact.node,
                "Add to its variables with assign_add, sums and counts, and divide in result.",
                differs=("metrics",),
            )
            return


def _replaces(metric: ast.ClassDef) -> bool:
    """Whether a metric's ``update_state`` gives a variable a value that is not what it had and something more."""
    for method in metric.body:
        for node in ast.walk(method) if getattr(method, "name", "") == "update_state" else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "assign":
                new, old = node.args[0] if node.args else node, ast.dump(node.func.value)
                if not (isinstance(new, ast.BinOp) and isinstance(new.op, ast.Add) and ast.dump(new.left) == old):
                    return True
    return False


def _batchnorm(job: Job) -> Iterator[Answer]:
    fact = batch_normalisation(job)
    if fact is None or not job.target.sees_shards:
        return
    parts = "process" if job.has_ranks else "device"
    yield job.review(
        NAME,
        f"batch normalisation uses the statistics of each {parts}'s shard of a batch.",
        fact.node,
        "Keep the shards large enough, or use another normalisation.",
        differs=("metrics",),
    )
    site = unequal(job)
    if site is not None and validates(job, site):
        yield job.review(
            NAME,
            "validation is an average over processes, each with the moving averages of its own batch normalisation.",
            site.node,
            "Assign the model to a name, and call fit on that name.",
            differs=("metrics",),
        )
