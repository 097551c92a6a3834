"""Let ``fit`` beside loops of the script's own follow the rules for Keras.

Why
---
A script may train one model with ``fit`` and another, or the same, in a loop with a gradient tape. Each way keeps its
own rules: Horovod's optimizer averages what ``fit`` computes, Horovod's tape what a loop computes. An optimizer that
serves both is no trouble, as its ``apply_gradients`` averages nothing (measured with Horovod 0.28.1); its ``minimize``
averages by itself, so that it is refused in a loop. What concerns the whole script, such as the start, files and the
seeds, is done once.

Before
------
::

    model.compile(tf.keras.optimizers.Adam(), "mse")
    model.fit(x, y, batch_size=32, epochs=2)
    for features, targets in data:
        with tf.GradientTape() as tape:
            loss = loss_of(model(features), targets)
        gradients = tape.gradient(loss, model.trainable_variables)

After
-----
::

    model.compile(hvd_keras.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd_keras.callbacks.MetricAverageCallback(),
    ]
    model.fit(x[shard], y[shard], batch_size=32 // hvd.size(), epochs=2, callbacks=callbacks)
    for features, targets in data:
        with tf.GradientTape() as tape:
            loss = loss_of(model(features), targets)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_keras_mnist.py`` and ``examples/tensorflow2/tensorflow2_mnist.py``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.tensorflow.gradients import minimizes
from corro.rules.base import find_rules
from corro.rules.keras.optimizer import wrapped_optimizers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer, Rule
    from corro.rules.tensorflow._job import Job

NAME = "tape-fits"


def apply(job: Job) -> Iterable[Answer]:
    """What the rules for Keras answer, but for those that have a twin here: the twin speaks for both."""
    if not job.anatomy.fits:
        return
    yield from _averaged_twice(job)
    twins = {_file(rule) for rule in find_rules("tensorflow")}
    for rule in find_rules("keras"):
        if _file(rule) not in twins:
            yield from rule.apply(job)


def _file(rule: Rule) -> str:
    return rule.__name__.rpartition(".")[2]


def _averaged_twice(job: Job) -> Iterator[Answer]:
    """``minimize`` of an optimizer that a model is compiled with."""
    sites = wrapped_optimizers(job)
    for fact in job.updates:
        receiver = fact.receiver
        if minimizes(fact) and receiver is not None and (receiver.sites & sites or not receiver.sites):
            yield job.refuse(
                NAME,
                "one optimizer serves fit and minimizes in a loop too, where it would average again what Horovod's "
                "tape has averaged.",
                fact.node,
                "Make one optimizer for each, or write tape.gradient() and optimizer.apply_gradients().",
            )
            return
