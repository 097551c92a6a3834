"""Make the gradients of the training step those of the global batch.

Why
---
Each process computes gradients for its shard of the batch. Horovod's optimizer averages them over the processes, which
is right for a loss that is the mean over the batch. A loss that is a sum over samples, also one that is divided by a
number of samples, needs their sum; left alone, it would train with a learning rate N times too small. Any other loss is
refused: the mean over shards is not the value of the global batch. An optimizer of Horovod reduces nothing that
``tf.gradients`` has computed, so those gradients are reduced where they are made.

Before
------
::

    optimizer = tf.train.AdamOptimizer(0.001)
    train = optimizer.minimize(loss)

After
-----
::

    optimizer = tf.train.AdamOptimizer(0.001)
    optimizer = hvd.DistributedOptimizer(optimizer)
    train = optimizer.minimize(loss)

Source
------
Horovod documentation, "Horovod with TensorFlow", step 4. Horovod 0.28.1, ``DistributedOptimizer.apply_gradients``.
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.tensorflow.operations import SHALLOW
from corro.rules import outer
from corro.rules.wrapping import wrapped
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-optimizer"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each optimizer, one for each call of ``tf.gradients``."""
    sums: dict[ast.AST, bool] = {}
    for fact in job.calls:
        if fact.node not in job.anatomy.updates:
            continue
        refusal = _refusal(job, fact)
        if refusal is not None:
            yield refusal
            return
        assert fact.receiver is not None
        summed = _loss_form(fact) is Form.SUM
        for number in fact.receiver.sites:
            node = job.facts.nodes[number]
            if sums.setdefault(node, summed) is not summed:
                yield job.refuse(
                    NAME,
                    "an optimizer minimises both a mean and a sum over the samples of the batch.",
                    fact.node,
                    "Make an optimizer for each.",
                )
                return
    for node, summed in sums.items():
        assert isinstance(node, ast.Call)
        target = job.at(node).target
        edits, code = wrapped(job, node, partial(target.optimizer, summed=summed)), Code("", (target.engine,))
        how = "summed" if summed else "averaged"
        yield job.change(NAME, f"gradients are {how} over the processes", node, edits, code)
    yield from _gradients(job)
    yield from _applied(job)


def _loss_form(fact: CallFact) -> Form:
    loss = fact.argument(0, "loss")
    return loss.form if loss is not None and SHALLOW not in loss.tags else Form.UNKNOWN


def _refusal(job: Job, fact: CallFact) -> Answer | None:
    made = [job.facts.nodes[n] for n in fact.receiver.sites] if fact.receiver is not None else []
    if not made or not all(isinstance(node, ast.Call) for node in made):
        return job.refuse(
            NAME,
            "the optimizer is made in a way that Corro cannot follow.",
            fact.node,
            "Make it with a class of tf.train, in a statement of its own.",
            effort="one line",
        )
    for node in made:
        for each in job.calls_of(node):
            if any(not p.is_equal for p in each.depends):
                return job.refuse(
                    NAME,
                    "the optimizer is set by what differs between processes.",
                    node,
                    "Feed its learning rate as a number: tf.placeholder(tf.float32, []).",
                )
    loss = fact.argument(0, "loss")
    form = _loss_form(fact)
    if form in (Form.MEAN, Form.SUM) and loss is not None and not loss.batch_dim:
        return None
    if form is Form.REPLICATED:
        return job.refuse(
            NAME,
            "the loss does not depend on what is fed, so there is nothing to shard.",
            fact.node,
            "Feed the batch to a placeholder whose first dimension is None.",
        )
    if form is Form.SHARDED:
        return job.refuse(
            NAME,
            "the loss is not one number, or not known to be: it may have one for each sample.",
            fact.node,
            "Reduce it with tf.reduce_mean() or tf.reduce_sum().",
        )
    met = outer.meeting(job)
    if met is not None:
        return job.refuse(NAME, met.message, met.node, met.hint)
    return job.refuse(
        NAME,
        f"the loss is not known to be a mean or a sum over the samples of the batch ({form.value}).",
        fact.node,
        "Compute it with tf.reduce_mean() or tf.reduce_sum() over what each sample has.",
    )


def _gradients(job: Job) -> Iterator[Answer]:
    """Gradients that ``tf.gradients`` computes for variables."""
    for node in job.anatomy.gradients:
        forms = {tag for fact in job.calls_of(node) for tag in fact.result.tags} & {Form.MEAN.name, Form.SUM.name}
        known = all(fact.result.placement.is_equal for fact in job.calls_of(node))
        if not known or len(forms) != 1:
            yield job.refuse(
                NAME,
                "the gradients are not known to be those of a mean or a sum over the samples of the batch.",
                node,
                "Use optimizer.minimize(), or tf.gradients(loss, variables) of such a loss.",
            )
            return
        name, target = job.names_of(node).fresh("gradient"), job.at(node).target
        reduced = target.all_reduce(name, summed=Form.SUM.name in forms)
        edit = Wrap(job.span(node), f"[{reduced} for {name} in ", "]")
        yield job.change(NAME, "gradients of the global batch", node, [edit], Code("", (target.engine,)))


def _applied(job: Job) -> Iterator[Answer]:
    """What an optimizer is given to apply must be whole."""
    for fact in job.calls:
        of_optimizer = fact.receiver is not None and fact.receiver.kind is Kind.OPTIMIZER
        if of_optimizer and fact.name == "apply_gradients" and any(not p.is_equal for p in fact.depends):
            yield job.refuse(
                NAME,
                "the gradients that are applied are not known to be equal on all processes.",
                fact.node,
                "Compute them with optimizer.compute_gradients() or tf.gradients().",
            )
            return
