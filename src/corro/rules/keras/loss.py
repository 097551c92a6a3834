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
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.data import SYMBOLIC
from corro.frontends.keras.names import canonical
from corro.rules import outer
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.keras._classes import computing
from corro.rules.keras._rearranged import rearranged
from corro.rules.keras._reductions import (
    by_another_name,
    called,
    callee,
    counting,
    mixing,
    no_average,
    pairs_up,
    parameters,
    renamed,
    sample_names,
    sources,
    uses,
    variable,
)
from corro.rules.lineage import base_names, lineage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-loss"

_OF_PAIRS = frozenset({"tripletsemihard", "triplethard", "npairs", "npairsmultilabel", "liftedstruct", "simclr"})
"""Losses of libraries, as classes and as functions, that compare the samples of a batch."""
_PROCESSES = frozenset({"GaussianProcess", "GaussianProcessRegressionModel", "VariationalGaussianProcess",
                        "StudentTProcess", "MultiTaskGaussianProcess"})  # fmt: skip
"""Distributions of all samples at once, which each depends on all others."""
_OF_WHOLES = frozenset({"dice", "tversky", "circle", "weightedkappaloss"})
"""Losses that compare sums over a batch, or its samples."""
_OF_EACH = frozenset({"log_prob", "prob", "log_cdf", "cdf", "mean", "mode", "stddev", "variance", "quantile", "sample",
                      "get_shape", "set_shape"})  # fmt: skip
"""Methods of distributions, and of tensors, that give something of each sample."""
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
        own = lineage(job, job.facts.classes[value.obj]) if value.obj in job.facts.classes else ()
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
    """Losses that are added to a model, by the script or in the ``call`` of a layer."""
    symbolic = {variable(n) for n in job.source.nodes if SYMBOLIC in job.value(n).tags} - {""}
    places = [(job.source.tree, frozenset(symbolic)), *((part, sample_names(part)) for part in computing(job))]
    for function, samples in places:
        adding = [n for n in ast.walk(function) if isinstance(n, ast.Call) and callee(n) == "add_loss"]
        given = [argument for call in adding for argument in call.args]
        wrong = no_average(function, given, samples)
        unread = (n for n in sources(function, given) if uses(n, samples) and _is_foreign(job, n))
        found = wrong or next(unread, None)
        hidden = next((call for call in renamed(job, sources(function, given)) if uses(call, samples)), None)
        if hidden is not None:
            yield job.refuse(NAME, *by_another_name(hidden))
            return
        if found is not None:
            known = "is no average" if wrong is not None else "is not known to be an average"
            yield job.refuse(
                NAME,
                f"a loss that is added to the model {known} over the samples of a batch.",
                found,
                "Average over samples last: tf.reduce_mean() of one number for each sample.",
            )
            return


def _is_foreign(job: Job, node: ast.expr) -> bool:
    """Whether a function or an object of a library is called that is not read here."""
    return any(
        fact.receiver.kind is Kind.UNKNOWN and not fact.name
        if fact.receiver is not None
        else "." in fact.name and not canonical(fact.name).startswith(_OF_ADDED)
        for fact in job.calls_of(node)
    )


def _reduces(fact: CallFact, how: str) -> bool:
    """Whether a loss is made, or its base class is told, to add up over samples (``sum``), or to leave them apart."""
    given = fact.keywords.get("reduction")
    words = [str(given.const if given.is_const else given.name).lower()] if given is not None else []
    words += [value.name.lower() for value in fact.args if ".Reduction." in value.name]
    return any(word.rpartition(".")[2] == how for word in words)


def _meetings(job: Job) -> Iterator[Answer]:
    """Losses that compare the samples of a batch with each other: a shard of the batch has fewer pairs."""
    for fact in job.calls:
        if fact.receiver is None and plain(fact.name).removesuffix("loss") in _OF_PAIRS:
            yield _meeting(job, fact.node)
            return
    for call, value in job.losses:
        name = str(value.const) if value.is_const else value.name
        if plain(name) in _OF_WHOLES or plain(name).removesuffix("loss") in _OF_PAIRS:
            yield _meeting(job, Given(job, call, COMPILE).node("loss") or call)
            return
    steps = (method for method in _methods(job) if method.name == "train_step")
    found = next((n for step in steps for n in ast.walk(step) if pairs_up(n)), None)
    if found is not None:
        yield _meeting(job, found)


def _methods(job: Job) -> Iterator[ast.FunctionDef]:
    """Methods that compute losses: those of models, and of losses that are classes."""
    for node in dict.fromkeys(job.facts.classes.values()):
        is_loss = any(canonical(name).startswith("keras.losses.") for name in base_names(job, node))
        computing = ("train_step", "compute_loss", *(("call", "__call__") if is_loss else ()))
        for each in lineage(job, node):
            yield from (m for m in each.body if isinstance(m, ast.FunctionDef) and m.name in computing)


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
                )
                return


def makes_loss(job: Job, node: ast.AST) -> bool:
    """Whether an object of one of Keras' losses is made."""
    names = {canonical(fact.name) for fact in job.calls_of(node)}
    return any(n.startswith("keras.losses.") and n.rpartition(".")[2][:1].isupper() for n in names)


def plain(name: str) -> str:
    """The name of a loss in small letters, without its module and what stands between words."""
    return name.rpartition(".")[2].replace("_", "").lower()


def _meeting(job: Job, node: ast.AST) -> Answer:
    return job.refuse(
        NAME,
        "the loss compares samples of the batch with each other, but each process or device holds only its shard.",
        node,
        "Compare within each sample, or use --to keras-distribution.",
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
            )
            return


def _own(job: Job) -> Iterator[Answer]:
    """Losses that are functions or methods of the script's own."""
    functions = dict.fromkeys(_functions(job))
    makers = {f for f in functions for part in ast.walk(f) if part is not f and part in functions}
    found = (_mixed(job, function) for function in functions if function not in makers)
    yield from dict.fromkeys(answer for answer in found if answer is not None)


def _asks(node: ast.AST, given: frozenset[str]) -> bool:
    """Whether a method of something that a loss is given is called; those that give something of each sample aside."""
    method = node.func if isinstance(node, ast.Call) else None
    owner = method.value if isinstance(method, ast.Attribute) else None
    own = isinstance(owner, ast.Name) and owner.id in given
    return own and isinstance(method, ast.Attribute) and method.attr not in _OF_EACH


def _computes_elsewhere(job: Job, node: ast.AST) -> bool:
    """Whether a library that is not read here is given something of the samples."""
    given = [value for fact in job.calls_of(node) for value in (*fact.args, *fact.keywords.values())]
    return isinstance(node, ast.Call) and any(value.sources for value in given) and _is_foreign(job, node)


def _is_process(node: ast.AST) -> bool:
    """Whether a distribution is made in which the samples depend on each other."""
    return isinstance(node, ast.Call) and callee(node) in _PROCESSES


def _counts_weights(job: Job, node: ast.AST) -> bool:
    """A loss of TensorFlow 1 with weights: ``tf.compat.v1.losses.mean_squared_error(y, p, weights=w)``."""
    if not isinstance(node, ast.Call) or not any(k.arg == "weights" for k in node.keywords):
        return False
    return any(".losses." in name for name in job.names_of(node).qualified(node.func))


def _functions(job: Job) -> Iterator[ast.AST]:
    """The script's own functions and methods that compute the losses of its models."""
    for _, value in job.losses:
        if value.obj in job.facts.functions:
            yield job.facts.functions[value.obj]
        elif value.obj in job.facts.classes:
            owner = job.facts.classes[value.obj]
            yield from (m for m in owner.body if getattr(m, "name", "") in ("call", "__call__"))
    yield from (method for method in _methods(job) if method.name != "train_step")


def _mixed(job: Job, function: ast.AST) -> Answer | None:
    """Where a loss is no average over samples."""
    summed = counting(job, function)
    if summed is not None:
        return job.refuse(
            NAME,
            "the loss adds up over all samples of a batch: the mean over shards is not the loss of the global batch.",
            summed,
            "Give the sum an axis other than 0, and let Keras average over samples.",
        )
    parts = set(called(job, function))
    unread = next((call for part in parts for call in renamed(job, ast.walk(part))), None)
    if unread is not None:
        return job.refuse(NAME, *by_another_name(unread))
    met = next((m for m in outer.meetings(job) if parts & set(job.ancestors(m.node))), None)
    if met is not None:
        return job.refuse(NAME, met.message, met.node, met.hint)
    asked = next((n for part in parts for n in ast.walk(part) if _asks(n, parameters(part))), None)
    if asked is not None:
        return job.refuse(
            NAME,
            "this method of the model's output is not known to take each sample of the batch by itself.",
            asked,
            "Compute the loss of each sample, for instance with log_prob, and let Keras average over samples.",
        )
    foreign = next((n for part in parts for n in ast.walk(part) if _computes_elsewhere(job, n)), None)
    if foreign is not None:
        return job.refuse(
            NAME,
            "this function of another library is not known to take each sample of the batch by itself.",
            foreign,
            "Compute the loss of each sample in the script, and let Keras average over samples.",
        )
    process = next((n for part in parts for n in ast.walk(part) if _is_process(n)), None)
    if process is not None:
        return _meeting(job, process)
    weighed = next((n for part in parts for n in ast.walk(part) if _counts_weights(job, n)), None)
    if weighed is not None:
        return job.refuse(
            NAME,
            "the loss is divided by the number of weights that are not zero, which differs between shards of a batch.",
            weighed,
            "Weigh the loss of each sample, and let Keras average over samples.",
        )
    mixed = mixing(job, function)
    if mixed is not None and pairs_up(mixed):
        return _meeting(job, mixed)
    if mixed is not None:
        return job.refuse(
            NAME,
            "the loss computes with all samples of a batch at once (the root of a mean over them, a comparison of "
            "them): the mean over shards is not the loss of the global batch.",
            mixed,
            "Compute one number for each sample and let Keras average them (for instance the square instead of its "
            "root).",
        )
    apart = rearranged(job, function)
    if apart is not None:
        return job.refuse(
            NAME,
            "the loss moves the samples into another dimension (a reshape to one row, a transposed batch) and "
            "combines them there, but each process or device holds only its shard.",
            apart,
            "Keep the samples in the first dimension: tf.reshape(y, [tf.shape(y)[0], -1]).",
        )
    return None
