"""Divide the loss of a model's own ``train_step`` by the number of replicas.

Why
---
A strategy adds up the gradients of its replicas. Keras' own loss is divided for that; a mean that a ``train_step``
computes itself is not, and its gradients would come out N times too large. What is no mean over the samples is refused.
Loss objects are divided by Keras 3 already, so that nothing is left to do; Keras 2 does not average them under a
strategy, and they are refused. A metric that takes Keras' own loss takes a part of it, which is said.

Before
------
::

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
        gradients = tape.gradient(loss, self.trainable_variables)

After
-----
::

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
            scaled_loss = loss / strategy.num_replicas_in_sync
        gradients = tape.gradient(scaled_loss, self.trainable_variables)

Source
------
TensorFlow guide, "Custom training with tf.distribute.Strategy", section "How do you calculate the loss?";
``scale_loss_for_distribution`` in Keras 3. Measured with Keras 3.15 on TensorFlow 2.21, 2 devices: with a loss object
the weights are those of one device, what is shown of it is half.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.frontends.keras.presence import only_keras_3
from corro.frontends.tensorflow.gradients import computes, minimizes, wanted
from corro.rules import tapes
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-replica-loss"


def apply(job: Job) -> Iterable[Answer]:
    """A change for each gradient of a ``train_step`` with a loss of its own, or a refusal."""
    replicas = job.target.replicas
    if not replicas:
        return
    yield from _shown(job)
    yield from _tracked(job, replicas)
    for method in _steps(job):
        if not _has_own_loss(job, method):
            continue
        facts = _made_by(job, method)
        gradients = {f.node: f for f in facts if computes(f)}
        divided = _has_objects(job, facts)
        obstacle = _mixture(job, facts, gradients) if divided else _obstacle(job, method, facts, gradients)
        if obstacle is not None:
            message, advice = obstacle
            yield job.refuse(NAME, message, method, advice)
            return
        for node in gradients if not divided else ():
            assert isinstance(node, ast.Call)
            yield tapes.divided(job, NAME, node, replicas, Code(""))


def _steps(job: Job, *names: str) -> Iterator[ast.FunctionDef]:
    """Each ``train_step`` of the script's own, or the methods of other names."""
    for node in dict.fromkeys(job.facts.classes.values()):
        yield from (n for n in node.body if isinstance(n, ast.FunctionDef) and n.name in (names or ("train_step",)))


def _made_by(job: Job, method: ast.FunctionDef) -> list[CallFact]:
    """The calls in a method, and in what it calls."""
    return [f for f in job.calls if any(frame.scope.node is method for frame in f.context.frame.path())]


def _has_own_loss(job: Job, method: ast.FunctionDef) -> bool:
    """Whether gradients are computed with a tape, here or in what is called, and Keras is not asked for the loss."""
    written = _attributes(method)
    taped = "GradientTape" in written or any(map(computes, _made_by(job, method)))
    return taped and not _asks_keras(job, method)


def _asks_keras(job: Job, method: ast.FunctionDef) -> bool:
    """Whether a method, or what it calls, has the loss computed by Keras."""
    asked = _attributes(method) | {fact.name for fact in _made_by(job, method)}
    return bool(asked & {"compiled_loss", "compute_loss"})


def _is_divided(job: Job, method: ast.FunctionDef) -> bool:
    """Whether Keras 3 divides the loss, or a part of it, by the number of replicas."""
    return _asks_keras(job, method) or _has_objects(job, _made_by(job, method))


def _has_objects(job: Job, facts: list[CallFact]) -> bool:
    """Whether loss objects of Keras 3 are called, which divide what they give by the number of replicas."""
    called = (fact.receiver.kind is Kind.LOSS for fact in facts if fact.receiver is not None)
    return only_keras_3(job.files) and any(called)


def _mixture(job: Job, facts: list[CallFact], gradients: dict[ast.Call, CallFact]) -> tuple[str, str] | None:
    """What keeps gradients of losses that Keras 3 has divided from being those of the whole, and what to do."""
    if any(map(_averages, facts)):
        return (
            "a train_step computes a mean of its own beside a loss object, but Keras 3 divides only the loss object "
            "by the number of replicas.",
            "Compute the loss with loss objects, or with self.compute_loss.",
        )
    if not gradients or not all(_is_mean(job, fact) for fact in gradients.values()):
        return (
            "the loss of a train_step is not known to be a mean over the samples of the batch.",
            "Compute the loss with self.compute_loss.",
        )
    return None


def _averages(fact: CallFact) -> bool:
    """Whether samples are averaged by something else than a loss object."""
    of_object = fact.receiver is not None and fact.receiver.kind is Kind.LOSS
    given = (*fact.args, *fact.keywords.values(), *((fact.receiver,) if fact.receiver is not None else ()))
    return not of_object and fact.result.form is Form.MEAN and any(value.form is Form.SHARDED for value in given)


def _attributes(method: ast.FunctionDef) -> set[str]:
    return {n.attr for n in ast.walk(method) if isinstance(n, ast.Attribute)}


def _obstacle(
    job: Job, method: ast.FunctionDef, facts: list[CallFact], gradients: dict[ast.Call, CallFact]
) -> tuple[str, str] | None:
    """What keeps the gradients of a ``train_step`` from being divided, and what to do."""
    if any(f.receiver is not None and f.receiver.kind is Kind.LOSS for f in facts):
        return (
            "a train_step calls a loss object, which Keras 2 does not average under a strategy.",
            "Compute the loss with self.compute_loss.",
        )
    divides = next((name for fact in facts if (name := tapes.divides(fact))), "")
    if divides:
        return f"{divides} divides by the number of replicas already: it would be done twice.", tapes.AVERAGE
    known = gradients and all(
        wanted(fact) is Wanted.VARIABLES and not minimizes(fact) and _is_mean(job, fact) for fact in gradients.values()
    )
    plain = all(tapes.is_only_applied(job, node, gradients) and tapes.recorded(job, node) for node in gradients)
    if known and plain:
        return None
    return (
        "a train_step has a loss of its own, whose gradients a strategy sums over devices.",
        "Compute the loss with self.compute_loss, or divide it by the number of replicas.",
    )


def _is_mean(job: Job, fact: CallFact) -> bool:
    values = [each.argument(0, "target") for each in job.calls_of(fact.node)]
    return all(value is not None and value.form is Form.MEAN for value in values)


def _shown(job: Job) -> Iterator[Answer]:
    """What a step returns beside the results of all metrics by their names, which Keras makes whole.

    Keras adds up what replicas return (``reduce_per_replica`` in Keras 2.15's ``engine/training.py``): parts of Keras'
    own loss make the whole, means of parts do not, nor do results that are equal on all workers.
    """
    for method in _steps(job, "train_step", "test_step"):
        keras_3 = only_keras_3(job.files)
        own_in_2 = _has_own_loss(job, method) if method.name == "train_step" else not _asks_keras(job, method)
        own = _is_divided(job, method) if keras_3 else own_in_2
        for values in _returned(method):
            results = [v for v in values if isinstance(v, ast.Call) and getattr(v.func, "attr", "") == "result"]
            wrong = [v for v in values if v not in results] if own else []
            wrong += results if job.has_ranks else []
            if wrong:
                how = "averaged, and Keras' own losses are divided by their number" if keras_3 else "added up"
                yield job.review(
                    NAME,
                    f"what this {method.name} returns under names that no metric has is {how} over the replicas.",
                    wrong[0],
                    "Return {m.name: m.result() for m in self.metrics}.",
                    differs=("metrics",),
                )
                return


def _returned(method: ast.FunctionDef) -> Iterator[list[ast.expr]]:
    """The values of each dict that a method returns, as a display or by a name."""
    returned = [node.value for node in ast.walk(method) if isinstance(node, ast.Return)]
    names = {value.id for value in returned if isinstance(value, ast.Name)}
    for node in ast.walk(method):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id in names for t in node.targets):
            returned.append(node.value)
    yield from (value.values for value in returned if isinstance(value, ast.Dict))


def _tracked(job: Job, replicas: str) -> Iterator[Answer]:
    """Where a metric takes Keras' own loss, which a strategy has divided for the gradients: a part of what it is."""
    for method in _steps(job, "train_step", "test_step"):
        facts = _made_by(job, method)
        of_objects = _has_objects(job, facts)
        for fact in facts if of_objects or _asks_keras(job, method) else ():
            value = fact.argument(0, "values")
            if fact.name != "update_state" or value is None or not value.scalar:
                continue
            if value.placement.data_dependent or (of_objects and value.form is Form.MEAN):
                yield job.review(
                    NAME,
                    "Keras' own loss is divided by the number of replicas here: a metric that takes it shows less.",
                    fact.node,
                    f"Multiply it for the metric: loss * {replicas}.",
                    differs=("metrics",),
                )
                break
