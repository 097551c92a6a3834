"""Reduce metrics of training loops to their global values before anything reads them.

Why
---
Each process sees its own shard of the data, so a metric of Keras that it updates holds the truth of a part. What such a
metric keeps are sums, and what it reports is a quotient of them: averaged over the processes its variables give the
result over all samples, however often that is done, and whether the metric is reset afterwards or goes on. Losses and
counts that the loop adds up itself are reduced after it, and values that are reported on the way where they are
reported.

Before
------
::

    for x, y in train:
        train_step(x, y)
    print("accuracy", accuracy.result())

After
-----
::

    for x, y in train:
        train_step(x, y)
    for variable in accuracy.variables:
        variable.assign(hvd.allreduce(variable))
    if hvd.rank() == 0:
        print("accuracy", accuracy.result())

Source
------
Horovod documentation, ``MetricAverageCallback``; Keras documentation, ``keras.metrics`` (``MeanMetricWrapper`` keeps
``total`` and ``count``).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.rules import wholes
from corro.rules.keras import metrics as keras_metrics
from corro.rules.places import blocks
from corro.rules.reducing import differs
from corro.source import Before, position
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-metrics"

_QUOTIENTS = frozenset(
    {"Mean", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "SparseCategoricalAccuracy",
     "TopKCategoricalAccuracy", "SparseTopKCategoricalAccuracy", "MeanSquaredError", "MeanAbsoluteError",
     "MeanAbsolutePercentageError", "MeanSquaredLogarithmicError", "RootMeanSquaredError", "LogCoshError",
     "BinaryCrossentropy", "CategoricalCrossentropy", "SparseCategoricalCrossentropy", "KLDivergence", "Poisson",
     "Hinge", "SquaredHinge", "CategoricalHinge", "CosineSimilarity", "Precision", "Recall", "AUC", "MeanIoU",
     "BinaryIoU", "MeanRelativeError"}
)  # fmt: skip
"""Metrics whose result stays when all their variables are multiplied by one number."""
_UPDATES = frozenset({"", "update_state", "__call__"})
_KEPT = frozenset({"total", "count", "merge_state", "true_positives", "false_positives", "true_negatives",
                   "false_negatives", "total_cm", "get_weights"})  # fmt: skip
"""What gives away the sums that a metric keeps, of which each process has a part."""


def apply(job: Job) -> Iterable[Answer]:
    """Keras' metrics where they are read, then what the script adds up and reports itself."""
    if job.anatomy.fits:
        yield from keras_metrics.apply(job)
    if job.strategy is not None:  # its metrics are those of all replicas, and what a step returns is reduced there
        return
    yield from _Objects(job).answers()
    yield from wholes.answers(job, NAME)


class _Objects:
    """The metric objects of a script that see a part of the data."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._updates = [f for f in job.calls if _is_metric(f) and f.name in _UPDATES and _sees_part(job, f)]
        self._sites = frozenset(number for f in self._updates if f.receiver for number in f.receiver.sites)

    def answers(self) -> Iterator[Answer]:
        """A reduction before the first statement of each block that reads results."""
        for fact in self._updates:
            wrong = obstacle(self._job, NAME, fact)
            if wrong is not None:
                yield wrong
                return
        kept = next((node for node in self._job.nodes.of(ast.Attribute) if self._gives_away(node)), None)
        if kept is not None:
            yield self._job.refuse(
                NAME,
                "what a metric keeps is read, but on each process it covers only its shard.",
                kept,
                "Read its result(), or keep a metric of its own for this.",
            )
            return
        readers: dict[ast.stmt, dict[str, ast.expr]] = {}
        for fact in self._job.calls:
            if not _is_metric(fact) or fact.name != "result" or not self._reads(fact):
                continue
            statement = self._statement(fact)
            if statement is None:
                yield self._job.refuse(
                    NAME,
                    "the result of a metric is read where it cannot be reduced before.",
                    fact.node,
                    "Read it in a statement of its own, which every process runs.",
                    effort="one line",
                )
                return
            assert isinstance(fact.node.func, ast.Attribute)
            owner = fact.node.func.value
            readers.setdefault(statement, {})[self._job.segment(owner)] = owner
        yield from self._reductions(readers)

    def _gives_away(self, node: ast.Attribute) -> bool:
        """Whether the sums of a metric that sees a part are read, or added to another metric."""
        if node.attr in _KEPT:
            owner = self._job.value(node.value)
            call = self._job.parent(node)
            given = call.args if isinstance(call, ast.Call) and call.func is node else []
            others = [self._job.facts.elements.get(each, self._job.value(each)) for each in given]
            return any(v.kind is Kind.METRIC and bool(v.sites & self._sites) for v in (owner, *others))
        return False

    def _reads(self, fact: CallFact) -> bool:
        return fact.receiver is not None and bool(fact.receiver.sites & self._sites)

    def _statement(self, fact: CallFact) -> ast.stmt | None:
        """The statement before which a result can be made whole; ``None`` when there is none."""
        job = self._job
        if not isinstance(fact.node.func, ast.Attribute):
            return None
        if not all(job.is_uniform(f.context) for f in job.calls_of(fact.node)):
            return None
        statement = job.statement(fact.node)
        parent = job.parent(statement)
        if isinstance(statement, (ast.While, ast.For, ast.FunctionDef)) or (
            isinstance(statement, ast.If) and isinstance(parent, ast.If) and statement in parent.orelse
        ):
            return None
        while isinstance(parent, ast.With):
            statement, parent = parent, job.parent(parent)
        root: ast.expr = fact.node.func.value
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        if not isinstance(root, ast.Name):
            return None
        names = job.names_of(statement)
        same = names.lookup(root.id, names.scope(statement)) is names.binding(root)
        return statement if same else None

    def _reductions(self, readers: dict[ast.stmt, dict[str, ast.expr]]) -> Iterator[Answer]:
        """One reduction for the readers of a block that no training stands between."""
        groups: list[tuple[ast.AST | None, list[ast.stmt]]] = []
        for statement in sorted(readers, key=position):
            parent = self._job.parent(statement)
            last = next((group for group in reversed(groups) if group[0] is parent), None)
            if last is not None and not self._trains_between(last[1][0], statement):
                last[1].append(statement)
            else:
                groups.append((parent, [statement]))
        for _, statements in groups:
            names = dict.fromkeys(name for statement in statements for name in readers[statement])
            yield self._reduction(statements[0], list(names))

    def _reduction(self, statement: ast.stmt, names: list[str]) -> Answer:
        job = self._job.at(statement)
        target = job.sharing
        assert target is not None
        variable = job.names.fresh("variable")
        listed = f"{names[0]}.variables" if len(names) == 1 else f"[{', '.join(f'*{n}.variables' for n in names)}]"
        text = f"for {variable} in {listed}:\n    {variable}.assign({target.all_reduce(variable, summed=False)})"
        reason = f"each process has seen only its shard of the data: {', '.join(names)}"
        return job.change(NAME, reason, statement, [Before(statement, text, order=-6)], Code("", (target.engine,)))

    def _trains_between(self, first: ast.stmt, later: ast.stmt) -> bool:
        """Whether metrics may be updated between two statements of a block, the first one included."""
        job = self._job
        updating: set[ast.AST] = set()
        for fact in self._updates:
            updating.add(fact.node)
            updating |= {f.call for f in fact.context.frame.path() if f.call is not None}
        block = next((each for each in blocks(job.parent(first)) if first in each and later in each), None)
        if block is None:
            return True
        between = block[block.index(first) : block.index(later)]
        return any(node in updating for statement in between for node in ast.walk(statement))


def _is_metric(fact: CallFact) -> bool:
    return fact.receiver is not None and fact.receiver.kind is Kind.METRIC


def _sees_part(job: Job, fact: CallFact) -> bool:
    return any(differs(job, value) for value in (*fact.args, *fact.keywords.values()))


def obstacle(job: Job, rule: str, fact: CallFact) -> Answer | None:
    """Why averaging would be wrong over the processes would be wrong for what an update of a metric does."""
    kinds = _kinds(job, fact)
    if not kinds or not kinds <= _QUOTIENTS:
        name = next(iter(sorted(kinds - _QUOTIENTS)), "") or "A metric of its own"
        return job.refuse(
            rule,
            f"{name} sees a shard of the data on each process, and is not known to be a quotient of sums.",
            fact.node,
            "Use a metric that reports a mean, or update it in an evaluation, which every process makes in full.",
        )
    given = [*fact.args, *fact.keywords.values()]
    summed = next((v for v in given if v.form in (Form.SUM, Form.COUNT) and differs(job, v)), None)
    if summed is not None:
        return job.refuse(
            rule,
            "a metric averages sums over the samples of a batch, but each process holds only its shard.",
            fact.node,
            "Update it with the mean over the batch, or with one number for each sample.",
        )
    if any(v.form in (Form.UNKNOWN, Form.LOCAL) for v in given):
        return job.refuse(
            rule,
            "a metric is updated with what is no mean over the batch and no number for each sample.",
            fact.node,
            "Update it with the mean over the batch, or with one number for each sample.",
        )
    return None


def _kinds(job: Job, fact: CallFact) -> set[str]:
    """The classes of the metrics that a call may update; none for those of the script's own."""
    sites = fact.receiver.sites if fact.receiver is not None else frozenset()
    nodes = [job.facts.nodes[number] for number in sites]
    made = [f.result for node in nodes for f in job.calls_of(node)]
    return {value.name if not value.obj else "" for value in made}
