"""Refuse callbacks that steer training by what differs between processes.

Why
---
What a callback is told of a batch is of this process's shard of it; metrics are averaged at the end of an epoch. A
callback that ends training on the loss of a batch, or on the clock, ends it on one process: the others wait for it for
ever. One that sets the learning rate by such a value lets the weights drift apart; so does one that is there on rank 0
alone, because it is derived from one that writes, and what such a one puts into the logs is not there for the callbacks
of the others. Some of Keras' own callbacks, and of those around it, act on one process alone. What is only kept or
shown is of rank 0's shard, which a review says.

Before
------
::

    class TimeLimit(keras.callbacks.Callback):
        def on_epoch_end(self, epoch, logs=None):
            if time.time() > self.end:
                self.model.stop_training = True

After
-----
::

    refused: training ends depending on what differs between processes

Source
------
horovod issue 4027 (early stopping on local metrics); Keras guide, "Writing your own callbacks".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import TRAINED_BATCH
from corro.frontends.lineage import base_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job
    from corro.source import SourceFile

NAME = "keras-hooks"

_ALONE = {
    "TerminateOnNaN": (
        "stops one process in the middle of an epoch, and the others wait for it for ever.",
        "Leave it out, or stop at the end of an epoch.",
    ),
    "TimeStopping": (
        "stops each process by its own clock, so in different epochs: the others then wait for ever.",
        "Give fit a number of epochs.",
    ),
    "BackupAndRestore": (
        "goes on, after an interruption, from a later epoch on rank 0 alone.",
        "Keep checkpoints, and go on with load_weights and initial_epoch.",
    ),
}
_BY_THE_CLOCK = frozenset({"TimeStopping"})
"""Those that a strategy, which makes metrics equal, does not keep together either."""
_ENDS = "stop_training"
_SET_UP = frozenset({Kind.OPTIMIZER, Kind.SCHEDULER, Kind.CALLBACK})
_RATES = frozenset({"lr", "learning_rate", "momentum", "beta_1"})


def apply(job: Job) -> Iterable[Answer]:
    """One refusal for each callback of libraries that acts alone, one for the first of the script's own; one review."""
    if not job.has_ranks:
        return
    yield from _alone(job)
    if job.target.saves_together:
        yield from _running(job)
    place = next(_steering(job), None)
    if place is not None:
        yield job.refuse(
            NAME,
            "training ends, or the learning rate changes, depending on what differs between processes: the clock, "
            "the metrics of a batch, or a callback that rank 0 alone has.",
            place,
            "Decide at the end of an epoch, by its metrics or by its number.",
            effort="other training",
        )
    elif job.sharing is not None:
        yield from _told(job)


def _alone(job: Job) -> Iterator[Answer]:
    """What one process would do alone: end on the loss of one batch, or go on from a later epoch."""
    seen: set[str] = set()
    for fact in job.calls:
        of_keras = fact.result.kind is Kind.CALLBACK and fact.receiver is None
        name = fact.result.name if of_keras else fact.name.partition("tensorflow_addons.callbacks.")[2]
        if name in (_ALONE if job.sharing is not None else _BY_THE_CLOCK) and name not in seen:
            seen.add(name)
            message, advice = _ALONE[name]
            yield job.refuse(NAME, f"{name} {message}", fact.node, advice)


def _running(job: Job) -> Iterator[Answer]:
    """A callback that prints, and so belongs to rank 0, and runs a model, which all have to do together."""
    node = next((use for use in job.anatomy.uses if _is_on_one_process(job, use)), None)
    if node is not None:
        yield job.refuse(
            NAME,
            "a model is run in a callback that rank 0 alone has, because it prints; all workers have to run it.",
            node,
            "Write a callback of your own (a class) in place of the lambda.",
        )


# ---------------------------------------------------------------------- what steers


def _steering(job: Job) -> Iterator[ast.AST]:
    """Where training is ended or its rate is set by what differs between processes."""
    for fact in job.calls:
        name = canonical(fact.name) if fact.receiver is None else fact.name
        written = fact.node.func.value if isinstance(fact.node.func, ast.Attribute) else None
        sets = name == "keras.backend.set_value" or (name == "assign" and getattr(written, "attr", "") in _RATES)
        values = [*fact.args, *(test.value for test in fact.context.tests)]
        if sets and (_is_on_one_process(job, fact.node) or any(_differs(job, value) for value in values)):
            yield fact.node
    yield from _by_a_part(job)
    for file in job.files:
        for node in file.nodes.of(ast.Attribute, ast.Subscript):
            if isinstance(node, ast.Attribute):
                steers = isinstance(node.ctx, ast.Store) and _is_steering(job, file, node)
            else:
                steers = _is_told(job, file, node)
            if steers:
                yield node


def _by_a_part(job: Job) -> Iterator[ast.AST]:
    """Where training goes on, or is set up, by what a callback has kept of batches: after it, processes differ."""
    if job.sharing is None:
        return
    fits = {site.node for site in job.anatomy.fits}
    trained = {*fits, *job.anatomy.others}
    for fact in job.calls:
        if fact.node in trained and any(_is_part(test.value) for test in fact.context.tests):
            yield fact.node
        made = fact.receiver is None and fact.result.kind in _SET_UP
        if (made or fact.node in fits) and any(_is_part(v) for v in (*fact.args, *fact.keywords.values())):
            yield fact.node
    loops = {loop.node for fact in job.calls if fact.node in trained for loop in fact.context.loops}
    for leave in job.facts.exits:
        inside = any(loop.node in loops for loop in leave.context.loops)
        if inside and any(_is_part(test.value) for test in leave.context.tests):
            yield leave.node


def _is_part(value: Value) -> bool:
    """Whether a value comes from batches of which each process has a part."""
    return bool(value.placement.sources) and not value.placement.is_equal


def _is_steering(job: Job, file: SourceFile, node: ast.Attribute) -> bool:
    """Whether an attribute that ends training or is a rate is set by what differs between processes."""
    if node.attr != _ENDS and not (node.attr in _RATES and job.value(node.value).kind is Kind.OPTIMIZER):
        return False
    above = [a for a in file.ancestors(node) if isinstance(a, (ast.If, ast.While, ast.FunctionDef))]
    functions = [a for a in above if isinstance(a, ast.FunctionDef)]
    if node.attr == _ENDS and job.sharing is not None and any(f.name in TRAINED_BATCH for f in functions):
        return True
    if _is_on_one_process(job, node):
        return True
    values = [job.value(node), *(job.value(a.test) for a in above if isinstance(a, (ast.If, ast.While)))]
    called = {function.name for function in functions}
    for fact in job.calls:  # helpers, by the conditions under which they are called
        if getattr(fact.node.func, "attr", getattr(fact.node.func, "id", "")) in called:
            values += [test.value for test in fact.context.tests]
    return any(_differs(job, value) for value in values)


def _is_told(job: Job, file: SourceFile, node: ast.Subscript) -> bool:
    """Whether a callback that rank 0 alone has puts something into the logs, which the others' callbacks read."""
    if not isinstance(node.ctx, ast.Store):
        return False
    function = next((above for above in file.ancestors(node) if isinstance(above, ast.FunctionDef)), None)
    named = [argument.arg for argument in function.args.args] if function is not None else []
    hook = function is not None and function.name.startswith("on_")
    return hook and getattr(node.value, "id", "") in named and _is_on_one_process(job, node)


def _is_on_one_process(job: Job, node: ast.AST) -> bool:
    """Whether a node stands in a callback that rank 0 alone has, because it writes."""
    made = job.callback_of(node)
    if made is not None and job.facts.number(made) in job.saying_callbacks:
        return True
    classes = (above for above in job.ancestors(node) if isinstance(above, ast.ClassDef))
    return any(
        base.rpartition(".")[2] in job.target.writing for each in classes for base in base_names(job.facts, each)
    )


def _differs(job: Job, value: Value) -> bool:
    """Whether processes have other values; a strategy makes the metrics of a batch those of all devices."""
    return value.form is Form.LOCAL or (job.sharing is not None and not value.placement.is_equal)


# ---------------------------------------------------------------------- what is told


def _told(job: Job) -> Iterator[Answer]:
    """What a callback is told of a batch."""
    places: list[ast.AST] = []
    for node in job.facts.classes.values():
        methods = (m for m in node.body if isinstance(m, ast.FunctionDef) and m.name in TRAINED_BATCH)
        places += [m for m in methods if _uses(m, m.args.args[-1:])]
    for fact in job.calls:
        if fact.result.kind is Kind.CALLBACK and fact.receiver is None:
            given = [k.value for k in fact.node.keywords if k.arg in TRAINED_BATCH]
            lambdas = (v for v in given if isinstance(v, ast.Lambda))
            places += [v for v in given if not isinstance(v, ast.Lambda)]
            places += [v for v in lambdas if _uses(v, v.args.args[-1:])]
    if places:
        yield job.review(
            NAME,
            "the metrics of a batch that a callback is given are those of this process's shard; they are averaged "
            "over the processes at the end of an epoch.",
            places[0],
            "Use on_epoch_end for what has to cover all samples.",
            differs=("metrics",),
        )


def _uses(function: ast.FunctionDef | ast.Lambda, names: list[ast.arg]) -> bool:
    body = function.body if isinstance(function.body, list) else [function.body]
    used = {n.id for part in body for n in ast.walk(part) if isinstance(n, ast.Name)}
    return any(each.arg in used for each in names)
