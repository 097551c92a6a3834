"""Make the gradients of a tape those of the global batch.

Why
---
Each process computes gradients for its shard of a batch. Horovod's tape averages them over the processes, which is
right for a loss that is the mean over the batch. A loss that is a sum over samples, also one that is divided by the
global batch size, needs the sum of the gradients; left alone, it would train with a learning rate N times too small. So
does one that is not reduced at all: TensorFlow adds up the gradients of all its numbers. An optimizer that computes the
gradients of a function itself is given such a tape. Gradients for a batch, as for a gradient penalty, stay as they are.

Before
------
::

    with tf.GradientTape() as tape:
        loss = loss_object(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)

After
-----
::

    with tf.GradientTape() as tape:
        loss = loss_object(labels, model(images, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py``; TensorFlow documentation, ``tf.nn.compute_average_loss``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.flow.values import Value, joined
from corro.frontends.keras.data import SUMMED
from corro.frontends.tensorflow.gradients import minimizes
from corro.frontends.tensorflow.operations import SHALLOW
from corro.frontends.tensors import POSITIONED
from corro.rules import outer, tapes
from corro.rules.tensorflow import _scaled
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each tape, or for each gradient where a tape serves for other things too."""
    sums: dict[ast.Call, bool] = {}
    for node in [site.node for site in job.anatomy.gradients if site.wanted is not Wanted.DATA]:
        loss = loss_of(job, node)
        if loss.form is Form.MEAN:
            sums[node] = False
        elif loss.form is Form.SUM or (loss.form is Form.SHARDED and not {SHALLOW, POSITIONED} & loss.tags):
            sums[node] = True
        else:
            met = outer.meeting(job)
            yield job.refuse(NAME, *((met.message, met.node, met.hint) if met is not None else _unknown(loss, node)))
            return
    yield from _added(job)
    if job.strategy is not None:
        yield from _scaled.answers(job, job.strategy, NAME, sums)
        return
    flat = frozenset(site.node for site in job.anatomy.gradients if site.wanted is Wanted.VARIABLES)
    for here, mine in job.by_file(sums):
        target = here.sharing
        assert target is not None
        own = {node: sums[node] for node in mine}
        changes = tapes.Changes(here, NAME, own, flat, target.wrap_tape, target.all_reduce, target.tf)
        yield from changes.answers(Code("", (target.engine,)))


def _added(job: Job) -> Iterator[Answer]:
    """Losses that layers add: they are taken for means, as those of Keras' regularisers are."""
    for fact in job.calls:
        given = fact.argument(0, "losses") if fact.name == "add_loss" else None
        if given is None:
            continue
        if SUMMED in given.tags or given.form not in (Form.MEAN, Form.REPLICATED):
            yield job.refuse(
                NAME,
                "a layer adds a loss that is not known to be a mean over the samples of the batch.",
                fact.node,
                "Add the mean over the batch: tf.reduce_mean().",
                effort="one line",
            )
            return


def loss_of(job: Job, node: ast.Call) -> Value:
    """What is known of the loss; of several, which TensorFlow adds up, what is known of all."""
    found: Value | None = None
    for fact in job.updates:
        if fact.node is node and minimizes(fact):
            found = fact.result if found is None else joined(found, fact.result)
        elif fact.node is node:
            target = fact.argument(0, "target") or Value()
            expression = node.args[0] if node.args else next(k.value for k in node.keywords if k.arg == "target")
            inner = job.facts.elements.get(expression) if target.obj else None
            if target.items:
                for item in target.items:
                    inner = item if inner is None else joined(inner, item)
            value = inner if inner is not None else target
            found = value if found is None else joined(found, value)
    return found if found is not None else Value()


def _unknown(loss: Value, node: ast.Call) -> tuple[str, ast.AST, str]:
    if POSITIONED in loss.tags:
        return (
            "the loss is that of samples chosen by their place in the batch, but each process holds only its shard.",
            node,
            "Compute it from all samples of the batch, or choose the samples by what they are.",
        )
    if loss.form is Form.SHARDED:
        return (
            "the loss is a mean over the last dimension, which may be that of the samples.",
            node,
            "Reduce it with tf.reduce_mean() or tf.reduce_sum().",
        )
    return (
        f"the loss is not known to be a mean or a sum over the samples of the batch ({loss.form.value}).",
        node,
        "Compute it with a loss of Keras, or with tf.reduce_mean() or tf.reduce_sum() over the batch; divide a sum "
        "that is added to a mean by the length of the batch itself, len(x).",
    )
