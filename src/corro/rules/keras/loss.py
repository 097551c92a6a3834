"""Refuse losses that are not averages over samples.

Why
---
Gradients are averaged over processes or devices. The average of the averages of equal parts is the average of the
whole; the average of sums is 1/N of the sum, and a loss that mixes the samples of a batch (a ratio of sums as in Dice,
the root of a mean, a comparison of samples) has another value for the global batch than for its shards. Keras divides
what is added to a model by the number of devices of a strategy, and a loss object divides what it gives: one that is
called in a layer would be divided twice (measured with Keras 3.15 on TensorFlow 2.21: the loss of two devices was half
of that of one).

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
from itertools import islice
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.keras.names import canonical
from corro.frontends.lineage import lineage
from corro.frontends.tensorflow.losses import OF_PAIRS, plain
from corro.rules import outer
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.keras._mixing import is_unknown, mixes, place, reached

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-loss"

_OF_WHOLES = frozenset({"dice", "tversky", "circle", "weightedkappaloss"})
"""Losses that compare sums over a batch, or its samples."""
_OF_ADDED = ("keras.", "tensorflow.", "tensorflow_addons.", "tensorflow_probability.", "numpy.", "math.", "functools.",
             "einops.")  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each loss."""
    if not job.target.sees_shards:
        return
    yield from _sums(job)
    yield from _unreduced(job)
    yield from _along(job)
    yield from _added(job)
    yield from _meetings(job)
    yield from _twice(job)
    yield from _own(job)
    yield from _regularized(job)
    if job.target.scope is not None:
        yield from islice(_of_none(job), 1)


def _of_none(job: Job) -> Iterator[Answer]:
    """Averages that the script takes itself: Keras divides by the number of samples, where there are any."""
    added = [fact for fact in job.calls if _adds(fact) and any(v.form is Form.MEAN for v in _added_values(job, fact))]
    own = [_function(job, value) for _, value in job.losses]
    means = (f for f in own if f is not None and _is_mean(job.facts.returned.get(f)))
    for node in (*(fact.node for fact in added), *means):
        yield job.review(
            NAME,
            "a batch of fewer than N samples, such as the last one of an epoch or of evaluate, leaves a device without "
            "any; the average that the script takes of none is NaN, and so is the loss that is reported.",
            node,
            "Choose sizes that leave no such batch, or drop the rest: batch(..., drop_remainder=True).",
            differs=("metrics",),
        )


def _is_mean(gives: Value | None) -> bool:
    """Whether a function averages over the samples itself."""
    return gives is not None and any(part.form is Form.MEAN and part.scalar for part in gives.items or (gives,))


def _sums(job: Job) -> Iterator[Answer]:
    summed = {fact.node: fact for fact in job.calls if _reduces(fact, "sum")}
    made = [node for node, fact in summed.items() if fact.result.kind is Kind.LOSS]
    told = [node for node, fact in summed.items() if fact.name == "__init__"]
    for node in made or told:
        yield job.refuse(
            NAME,
            "the loss is a sum over samples: averaging its gradients over N processes divides them by N.",
            node,
            "Leave the reduction out, so that the loss is a mean, and adapt the learning rate.",
        )


def _unreduced(job: Job) -> Iterator[Answer]:
    """Losses that give one number a sample: TensorFlow adds their gradients up over the samples, also in ``fit``.

    A strategy adds up over its devices too, so that what comes out is the sum over all.
    """
    for _, value in job.losses if job.sharing is not None else ():
        made = [job.facts.nodes[number] for number in value.sites]
        own = lineage(job.facts, job.facts.classes[value.obj]) if value.obj in job.facts.classes else ()
        inside = {node for each in own for node in ast.walk(each)}
        told = (f for f in job.calls if f.node in made or (f.name == "__init__" and f.node in inside))
        place = next((fact.node for fact in told if _reduces(fact, "none")), None)
        if place is not None:
            yield job.refuse(
                NAME,
                "a model is compiled with a loss that is not reduced: its gradients are sums over the samples, and "
                "averaging them over N processes divides them by N.",
                place,
                "Leave the reduction out, so that the loss is a mean, and adapt the learning rate.",
            )
            return


def _along(job: Job) -> Iterator[Answer]:
    """Losses that compute along the samples, ``CosineSimilarity(axis=0)``."""
    for fact in job.calls:
        axis = fact.keywords.get("axis")
        name = canonical(fact.name)
        known = ".losses." in name or name.endswith(".softmax_cross_entropy_with_logits")
        if axis is not None and axis.const == 0 and known:
            yield _meeting(job, fact.node)
            return


def _added(job: Job) -> Iterator[Answer]:
    """Losses that are added to a model, by the script or in the ``call`` of a layer.

    One that is not reduced is added up over the samples: by TensorFlow where it is all that Keras 2 minimizes (where it
    is not, Keras 2 refuses it), by Keras 3 in any case.
    """
    for fact in filter(_adds, job.calls):
        for value in _added_values(job, fact):
            unread = {job.facts.nodes[number] for number in value.sources} & job.facts.opaque.keys()
            if value.placement.is_equal or (value.form is Form.MEAN and not unread):
                continue
            known = "is not known to be an average" if unread else "is no average"
            yield job.refuse(
                NAME,
                f"a loss that is added to the model {known} over the samples of a batch.",
                fact.node,
                "Average over samples last: tf.reduce_mean() of one number for each sample.",
                effort="one line",
            )
            return


def _adds(fact: CallFact) -> bool:
    """Whether a loss is added to a model."""
    return fact.name.rpartition(".")[2] == "add_loss"


def _added_values(job: Job, fact: CallFact) -> Iterable[Value]:
    """What is added, one by one."""
    given = fact.argument(0, "losses") or fact.keywords.get("loss")
    if given is None:
        return ()
    held = job.facts.elements.get(fact.node.args[0]) if given.obj and fact.node.args else None
    return given.items if given.kind is Kind.TUPLE else (held or given,)


def _reduces(fact: CallFact, how: str) -> bool:
    """Whether a loss is made, or its base class is told, to add up over samples (``sum``), or to leave them apart."""
    given = fact.keywords.get("reduction")
    words = [str(given.const if given.is_const else given.name).lower()] if given is not None else []
    words += [value.name.lower() for value in fact.args if ".Reduction." in value.name]
    return any(word.rpartition(".")[2] == how for word in words)


def _meetings(job: Job) -> Iterator[Answer]:
    """Losses that compare the samples of a batch with each other: a shard of the batch has fewer pairs."""
    for fact in job.calls:
        if fact.receiver is None and plain(fact.name).removesuffix("loss") in OF_PAIRS:
            yield _meeting(job, fact.node)
            return
    for call, value in job.losses:
        name = str(value.const) if value.is_const else value.name
        if plain(name) in _OF_WHOLES or plain(name).removesuffix("loss") in OF_PAIRS:
            yield _meeting(job, Given(job, call, COMPILE).node("loss") or call)
            return


def _twice(job: Job) -> Iterator[Answer]:
    """Under a strategy Keras divides what is added to a model by the number of devices, and its loss objects too."""
    for node in dict.fromkeys(job.facts.classes.values()) if job.target.scope is not None else ():
        methods = [m for m in node.body if isinstance(m, ast.FunctionDef)]
        objects = {
            target.attr
            for method in methods
            for part in ast.walk(method)
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call) and makes_loss(job, part.value)
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
                    effort="one line",
                )
                return


def makes_loss(job: Job, node: ast.AST) -> bool:
    """Whether an object of one of Keras' losses is made."""
    names = {canonical(fact.name) for fact in job.calls_of(node)}
    return any(n.startswith("keras.losses.") and n.rpartition(".")[2][:1].isupper() for n in names)


def _meeting(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "the loss compares samples of the batch with each other, but each process or device holds only its shard.",
        node,
        job.or_target("", lambda target: not target.sees_shards),
    )


def _regularized(job: Job) -> Iterator[Answer]:
    """What Keras divides by the number of samples: right for sums over them, as its own regularizers give."""
    for fact in job.calls:
        given = fact.keywords.get("activity_regularizer")
        if given is None or given.kind in (Kind.NONE, Kind.TEXT):
            continue
        node = next((k.value for k in fact.node.keywords if k.arg == "activity_regularizer"), fact.node)
        made = [canonical(call.name) for call in job.calls_of(node)]
        if not made or not all(name.startswith("keras.regularizers.") for name in made):
            yield job.refuse(
                NAME,
                "Keras divides what this regularizer gives by the number of samples in a shard, and it is not known "
                "to be a sum over them.",
                node,
                "Use one of keras.regularizers, made here.",
                effort="one line",
            )
            return


def _own(job: Job) -> Iterator[Answer]:
    """Losses that are functions or methods of the script's own."""
    for function in dict.fromkeys(_function(job, value) for _, value in job.losses):
        gives = job.facts.returned.get(function) if function is not None else None
        if function is not None and gives is not None and mixes(gives):
            yield _mixed(job, function, gives)


def _function(job: Job, loss: Value) -> ast.AST | None:
    """The function or method of the script that computes a loss."""
    if loss.obj in job.facts.functions:
        return job.facts.functions[loss.obj]
    names = ("compute_loss",) if loss.kind is Kind.MODULE else ("call", "__call__")
    own = lineage(job.facts, job.facts.classes[loss.obj]) if loss.obj in job.facts.classes else ()
    return next((m for each in own for m in each.body if getattr(m, "name", "") in names), None)


def _mixed(job: Job, function: ast.AST, gives: Value) -> Answer:
    """Where a loss is no average over samples."""
    parts = frozenset(reached(job, function))
    met = next((m for m in outer.meetings(job) if parts & set(job.ancestors(m.node))), None)
    if met is not None:
        return job.refuse(NAME, met.message, met.node, met.hint)
    node = place(job, function, gives)
    if gives.form is Form.SUM:
        return job.refuse(
            NAME,
            "the loss adds up over all samples of a batch: the mean over shards is not the loss of the global batch.",
            node,
            "Give the sum an axis other than 0, and let Keras average over samples.",
            effort="one line",
        )
    if is_unknown(job, node):
        return job.refuse(
            NAME,
            "this is not known to treat each sample of the batch independently, so whether the loss is an average over "
            "samples is not known.",
            node,
            "Compute the loss of each sample with functions of TensorFlow, and let Keras average over samples.",
        )
    return job.refuse(
        NAME,
        "the loss combines the samples of a batch here (the root of a mean over them, a ratio of sums, a comparison of "
        "samples): the mean over shards is not the loss of the global batch.",
        node,
        "Compute one number for each sample and let Keras average them (for instance the square instead of its root).",
        effort="other training",
    )
