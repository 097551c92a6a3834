"""Refuse loops that are not understood, or that have no data-parallel meaning.

Why
---
A script is converted when every gradient for a model's variables was followed to a loop over the batches of a
``tf.data`` pipeline: the batches can then be shared out, and the gradients reduced. What takes its data in another
way would go on alone on every process, and so would what trains with sessions or estimators. A single step in front of
such a loop is reduced like those in it, if its batch is taken from the same pipeline.

Before
------
::

    for step in range(1000):
        with tf.GradientTape() as tape:
            loss = loss_of(model(images), labels)

After
-----
::

    refused: the gradient is not computed in a loop over the batches of a tf.data pipeline

Source
------
Horovod documentation, "Horovod with TensorFlow"; TensorFlow guide, "Custom training loops".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import only_keras_3
from corro.frontends.tensorflow.gradients import applies_gradients, assigns
from corro.frontends.tensorflow.presence import tapes
from corro.frontends.tensorflow.semantics import TAPE
from corro.rules.keras import training
from corro.rules.keras._abilities import shares_by_program
from corro.rules.reached import is_mentioned
from corro.rules.reducing import differs
from corro.rules.tensorflow._starting import begins_with

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-training"
GATE = 1

_ARGUMENTS = ("target", "sources", "loss", "var_list")
_EARLY = (".enable_eager_execution", ".eager.implicit_gradients", ".eager.implicit_value_and_gradients")
_SETS = frozenset({"keras.backend.set_value", "keras.backend.batch_set_value"})
_UPDATES = frozenset({"get_updates", "compute_gradients", "get_scaled_loss", "get_gradients"})


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal for each way of training."""
    yield from _unfit(job)
    yield from _others(job)
    yield from _unseen(job)
    yield from _gradients(job)
    yield from _updates(job)
    yield from _assigned(job)
    yield from _carried(job)
    if job.anatomy.gradients:
        yield from training.unknown(job)
    if not job.is_strong and job.sharing is None:
        place = job.anatomy.gradients[0].node if job.anatomy.gradients else job.script.tree
        yield job.refuse(
            NAME,
            f"weak scaling is not supported for {job.target.title} yet.",
            place,
            job.or_target("Leave out --scaling weak", shares_by_program),
            effort="one line",
        )


def _unfit(job: Job) -> Iterator[Answer]:
    """What has no data that could be shared out, and what the engine cannot run."""
    yield from training.played(job, NAME)
    reason = job.target.needs_keras_2
    nodes = [*(site.node for site in job.anatomy.gradients), *(site.node for site in job.anatomy.fits)]
    place = next(iter(nodes), None)
    if reason and only_keras_3(job.files) and place is not None:
        message = f"the script is for Keras 3: {reason}."
        yield job.refuse(NAME, message, place, "Write it for Keras 2, which TensorFlow 2.15 brings.")


def _others(job: Job) -> Iterator[Answer]:
    for node in job.anatomy.loops[:1]:
        yield job.refuse(
            NAME,
            "the script trains with an estimator, or with tapes and sessions; that is not converted yet.",
            node,
            "Write the loop with tf.GradientTape, or train with model.compile and model.fit.",
        )
    fits = [*(site.node for site in job.anatomy.fits), *job.anatomy.others]
    obstacle = _beside(job)
    if fits and obstacle:
        yield job.refuse(NAME, obstacle, fits[0], "Make one script for each way of training.")
    elif fits:
        yield from training.of_fits(job)
        yield from _within(job)


def _within(job: Job) -> Iterator[Answer]:
    """A model that is fitted to what is a part already."""
    fits = {site.node for site in job.anatomy.fits}
    for fact in job.calls:
        inside = any(loop.node in job.trained_loops for loop in fact.context.loops)
        if fact.node in fits and (
            inside or any(differs(job, value) for value in (*fact.args, *fact.keywords.values()))
        ):
            yield job.refuse(
                NAME,
                "a model is fitted within a loop that trains with a tape, whose batches are shared out already.",
                fact.node,
                "Fit it after the loop over the batches.",
            )
            return


def _beside(job: Job) -> str:
    """Why ``fit`` beside loops is not converted; empty where it is."""
    if job.anatomy.others:
        return "the script trains with train_on_batch and with loops of its own; that is not converted yet."
    if job.sharing is None:
        return (
            f"the script trains with fit and with loops of its own; that is not supported for {job.target.title} yet."
        )
    if not job.is_strong:
        return "the script trains with fit and with loops of its own; weak scaling is not supported for both yet."
    return ""


def _unseen(job: Job) -> Iterator[Answer]:
    """Tapes and updates in code that nobody was seen to call."""
    found = tapes(job.nodes)
    for node in found:
        around = [a for a in job.ancestors(node) if isinstance(a, (ast.FunctionDef, ast.AsyncFunctionDef))]
        if job.value(node).name != TAPE and all(is_mentioned(job, function) for function in around):
            yield job.refuse(
                NAME,
                "this tape is made in a way that Corro cannot follow.",
                node,
                "Call the function it is in directly.",
            )
            return
    if not job.updates and not job.anatomy.loops and not job.anatomy.fits:
        early = next((f.node for f in job.calls if f.name.endswith(_EARLY)), None)
        if early is not None:
            yield job.refuse(
                NAME,
                "the script trains in TensorFlow 1's own eager mode, which TensorFlow 2 does not have any more.",
                early,
                "Write the loop with tf.GradientTape, for TensorFlow 2.",
            )
            return
        place = next(iter(found), None) or _named(job) or job.script.tree
        yield job.refuse(
            NAME,
            "no gradient of a loss for the variables of a model was found.",
            place,
            "Compute it with tape.gradient(loss, variables) in a loop over the batches of a tf.data pipeline.",
        )


def _named(job: Job) -> ast.AST | None:
    return next((n for n in job.nodes.of(ast.Attribute) if n.attr in ("minimize", "apply_gradients")), None)


def _gradients(job: Job) -> Iterator[Answer]:
    for site in job.anatomy.gradients:
        if site.wanted is Wanted.UNKNOWN and not any(_trains(fact) for fact in job.calls):
            yield job.refuse(
                NAME,
                "nothing is trained: gradients are computed for what are no variables of a model, and no optimizer "
                "applies them.",
                site.node,
                "There are no batches of data to share out; run the script as it is.",
                effort="none",
            )
            return
        if site.wanted is Wanted.UNKNOWN:
            yield job.refuse(
                NAME,
                "what the gradients are computed for is neither a list of variables nor a batch.",
                site.node,
                "Give it a flat list such as model.trainable_variables; minimize() also a function for the loss.",
                effort="one line",
            )
            return
    for fact in job.updates:
        reason = _obstacle(job, fact)
        if reason is not None:
            yield job.refuse(NAME, reason[0], fact.node, reason[1])
            return


def _trains(fact: CallFact) -> bool:
    """Whether a call changes variables by gradients, or may."""
    if fact.receiver is None:
        return False
    return fact.name in _UPDATES | {"apply_gradients", "minimize"} or assigns(fact)


def _obstacle(job: Job, fact: CallFact) -> tuple[str, str] | None:
    """Why a gradient cannot be made whole, and what to do."""
    if any(k.arg not in _ARGUMENTS for k in fact.node.keywords) or len(fact.node.args) > 2:
        return (
            "gradients with options of their own are not converted yet.",
            "Give tape.gradient() or minimize() the loss and the variables only.",
        )
    if not fact.context.passes and not begins_with(job, fact):
        return _nothing_to_share(job, fact)
    if not all(isinstance(loop.node, ast.For) for loop in fact.context.passes):
        if any(isinstance(loop.node, ast.While) for loop in fact.context.passes):
            return _WHILE
        return "the loop over the batches is a comprehension.", "Write it as a for loop."
    if _is_nested(job, fact):
        return (
            "the gradient is part of what another tape records.",
            "Compute gradients for variables outside of other tapes.",
        )
    return None


_WHILE = "the loop that trains is a while loop.", "Write it as a for loop, over batches or over a range."


def _nothing_to_share(job: Job, fact: CallFact) -> tuple[str, str]:
    """Why no batches were found that a loss comes from."""
    if not any(isinstance(loop.node, ast.For) for loop in fact.context.loops):
        if fact.context.loops:
            return _WHILE
        return (
            "the gradient is computed outside of loops: no batches are trained on that could be shared out.",
            "Train in a loop over the batches of the data.",
        )
    return (
        "Corro found no batch of data in the training loop that this loss is computed from.",
        "Loop over the batches of a tf.data.Dataset, take them with next(), or cut them from arrays in the loop.",
    )


def _is_nested(job: Job, fact: CallFact) -> bool:
    """Whether a tape other than its own is running where a gradient is computed."""
    own = {job.facts.nodes[number] for number in (fact.receiver.sites if fact.receiver is not None else ())}
    withs = [a for a in job.ancestors(fact.node) if isinstance(a, ast.With)]
    here = [i for w in withs for i in w.items if job.value(i.context_expr).name == TAPE]
    if any(item.context_expr not in own for item in here):
        return True
    for frame in fact.context.frame.path():
        if frame.call is None:
            continue
        for around in job.ancestors(frame.call):
            if isinstance(around, ast.With) and any(job.value(i.context_expr).name == TAPE for i in around.items):
                return True
    return False


def _updates(job: Job) -> Iterator[Answer]:
    """What changes variables from a part of the data; before the first step all get rank 0's."""
    singles = any(begins_with(job, fact) for fact in job.updates)
    for fact in job.calls:
        kind = fact.receiver.kind if fact.receiver is not None else None
        if kind is Kind.OPTIMIZER and fact.name in _UPDATES:
            yield job.refuse(
                NAME,
                f"{fact.name} computes its own gradients; that is not converted yet.",
                fact.node,
                "Write tape.gradient() and optimizer.apply_gradients().",
            )
            return
        if canonical(fact.name).startswith("keras.mixed_precision."):
            yield job.refuse(
                NAME,
                "mixed precision in a loop of its own is not converted yet.",
                fact.node,
                "Train in float32.",
                effort="other training",
            )
            return
        sets = fact.name == "set_weights" or canonical(fact.name) in _SETS
        if not (assigns(fact) or applies_gradients(fact) or sets) or not (fact.context.loops or singles):
            continue
        given = [p for p in fact.depends if p.sources or not p.is_equal]
        if any(not p.is_equal for p in given):
            yield job.refuse(
                NAME,
                "a variable is changed by what differs between processes.",
                fact.node,
                "Change variables by gradients of tape.gradient(), or by values that are equal everywhere.",
            )
            return


def _assigned(job: Job) -> Iterator[Answer]:
    """Settings of an optimizer, such as its learning rate, that are assigned."""
    for node, value in job.facts.values.items():
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        setting = stored and isinstance(node, ast.Attribute) and job.value(node.value).kind is Kind.OPTIMIZER
        if setting and (value.form is Form.LOCAL or differs(job, value)):
            yield job.refuse(
                NAME,
                "the optimizer is set by what differs between processes.",
                node,
                "Use a schedule, or a value that is equal on all processes.",
            )
            return


def _carried(job: Job) -> Iterator[Answer]:
    """What a batch leaves to the next one would be another process's."""
    loops = {loop.node for fact in job.updates for loop in fact.context.passes}
    for node, context in job.facts.carried.items():
        if any(loop.node in loops for loop in context.loops):
            name = f"{ast.unparse(node)!r}"
            yield job.refuse(
                NAME,
                f"{name} is carried from one batch to the next, but each process has only its shard of each batch.",
                node,
                "Reset it for each batch.",
                effort="other training",
            )
            return
