"""Refuse losses that are not averages over samples.

Why
---
Gradients are averaged over processes or devices. The average of the averages of equal parts is the average of the
whole; the average of sums is 1/N of the sum, and a loss that mixes the samples of a batch (a ratio of sums as in Dice,
the root of a mean, a comparison of samples) has another value for the whole than for its parts. Keras divides what is
added to a model by the number of devices of a strategy, and a loss object divides what it gives: one that is called in
a layer would be divided twice (measured with Keras 3.15 on TensorFlow 2.21: the loss of two devices was half of that of
one).

Before
------
::

    model.compile("adam", loss=keras.losses.MeanSquaredError(reduction="sum"))

After
-----
::

    refused: the loss is a sum over samples

Source
------
TensorFlow guide, "Distributed training", losses under a strategy; ``tf.nn.compute_average_loss``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.keras.data import SUMMED
from rueda.frontends.keras.names import canonical
from rueda.rules.keras._arguments import COMPILE, Given
from rueda.rules.keras._reductions import counting, mixing, pairs_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-loss"

_OF_PAIRS = frozenset({"TripletSemiHardLoss", "TripletHardLoss", "NpairsLoss", "NpairsMultilabelLoss",
                       "LiftedStructLoss", "SimCLRLoss"})  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each loss."""
    seen: set[ast.AST] = set()
    for fact in job.calls:
        reduction = fact.keywords.get("reduction")
        if fact.result.kind is Kind.LOSS and fact.node not in seen and reduction is not None:
            seen.add(fact.node)
            said = str(reduction.const if reduction.is_const else reduction.name).lower()
            if said.rpartition(".")[2] == "sum":
                yield job.refuse(
                    NAME,
                    "the loss is a sum over samples, of which averaged gradients make 1/N.",
                    fact.node,
                    "Let it average: leave reduction out, and adapt the learning rate.",
                )
    for fact in job.calls:
        if fact.name == "add_loss" and any(SUMMED in value.tags for value in fact.args):
            yield job.refuse(
                NAME,
                "a loss that is added to the model sums over all samples of a batch.",
                fact.node,
                "Average it over samples.",
            )
    yield from _steps(job)
    yield from _meetings(job)
    yield from _twice(job)
    for call in job.anatomy.compiles:
        loss = Given(job, call, COMPILE).node("loss")
        for part in _functions(job, loss) if loss is not None else ():
            if part not in seen:
                seen.add(part)
                yield from _function(job, part)


def _steps(job: Job) -> Iterator[Answer]:
    """Under a strategy gradients are summed over devices, which Keras' own loss allows for."""
    for node in job.facts.classes.values() if job.target.scope is not None else ():
        for method in node.body:
            if not isinstance(method, ast.FunctionDef) or method.name != "train_step":
                continue
            attributes = {n.attr for n in ast.walk(method) if isinstance(n, ast.Attribute)}
            if "GradientTape" in attributes and not attributes & {"compiled_loss", "compute_loss"}:
                yield job.refuse(
                    NAME,
                    "a train_step has a loss of its own, whose gradients a strategy sums over devices.",
                    method,
                    "Compute the loss with self.compute_loss, or divide it by the number of replicas.",
                )
                return
            kept = next((n for n in ast.walk(method) if _keeps_loss(n)), None)
            if kept is not None:
                yield job.review(
                    NAME,
                    "the loss that this train_step shows is divided by the number of devices, as a strategy needs it.",
                    kept,
                    "Multiply what is shown by strategy.num_replicas_in_sync.",
                    differs=("metrics",),
                )
                return


def _meetings(job: Job) -> Iterator[Answer]:
    """Losses that compare the samples of a batch with each other: a part of the batch has fewer pairs."""
    if job.target.backend != "tensorflow":  # one program over all devices: whole batches
        return
    for fact in job.calls:
        if fact.receiver is None and fact.name.rpartition(".")[2] in _OF_PAIRS:
            yield _meeting(job, fact.node)
            return
    functions: list[ast.AST] = []
    for node in dict.fromkeys(job.facts.classes.values()):
        bases = {name.rpartition(".")[2] for base in node.bases for name in job.names.qualified(base)}
        for method in (m for m in node.body if isinstance(m, ast.FunctionDef)):
            trains = method.name in ("train_step", "compute_loss")
            if trains or (method.name in ("call", "__call__") and "Loss" in bases):
                functions.append(method)
    for function in functions:
        found = next((n for n in ast.walk(function) if pairs_up(n)), None)
        if found is not None:
            yield _meeting(job, found)
            return


def _keeps_loss(node: ast.AST) -> bool:
    """``self.loss_tracker.update_state(loss)``."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "update_state"
    given = node.args[0] if isinstance(node, ast.Call) and named and node.args else None
    return isinstance(given, ast.Name) and "loss" in given.id


def _twice(job: Job) -> Iterator[Answer]:
    """Under a strategy Keras divides what is added to a model by the number of devices, and its loss objects too."""
    for node in dict.fromkeys(job.facts.classes.values()) if job.target.scope is not None else ():
        methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
        objects = {
            target.attr
            for method in methods
            for part in ast.walk(method)
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call) and _is_loss(job, part.value)
            for target in part.targets
            if isinstance(target, ast.Attribute)
        }
        for method in methods:
            calls = [n for n in ast.walk(method) if isinstance(n, ast.Call)]
            called = {n.func.attr: n for n in calls if isinstance(n.func, ast.Attribute)}
            used = next((call for name, call in called.items() if name in objects), None)
            if "add_loss" in called and used is not None:
                yield job.refuse(
                    NAME,
                    "a loss object is called in a layer and added to the model: under a strategy Keras divides it by "
                    "the number of devices twice.",
                    used,
                    "Call the function, keras.losses.mean_squared_error, and average over samples.",
                )
                return


def _is_loss(job: Job, call: ast.Call) -> bool:
    names = {canonical(name) for name in job.names.qualified(call.func)}
    return any(n.startswith("keras.losses.") and n.rpartition(".")[2][:1].isupper() for n in names)


def _meeting(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "the loss compares the samples of a batch with each other, and each process or device sees a part of them.",
        node,
        "Compare within each sample, or use --to keras-distribution.",
    )


def _functions(job: Job, loss: ast.expr) -> Iterator[ast.AST]:
    """The script's own functions among the losses of a model."""
    for node in (loss, *ast.walk(loss)):
        value = job.value(node)
        if value.kind is Kind.FUNCTION and value.obj in job.facts.functions:
            yield job.facts.functions[value.obj]
    items = job.facts.elements.get(loss)
    if items is not None and items.kind is Kind.FUNCTION and items.obj in job.facts.functions:
        yield job.facts.functions[items.obj]


def _function(job: Job, function: ast.AST) -> Iterator[Answer]:
    node = counting(job, function)
    if node is not None:
        yield job.refuse(
            NAME,
            "the loss adds up over all samples of a batch, so that the average over parts of it is something else.",
            node,
            "Give the sum an axis other than 0, and let Keras average over samples.",
        )
        return
    mixed = mixing(job, function) if job.target.backend == "tensorflow" else None
    if mixed is not None:
        yield job.refuse(
            NAME,
            "the loss computes with all samples of a batch at once (the root of an average over them, a comparison of "
            "them), so that the average over parts of the batch is something else.",
            mixed,
            "Average over samples last, which can be left to Keras (the square in the place of its root, say).",
        )
