"""Make the gradients of a tape those of the global batch.

Why
---
Each process computes gradients for its part of a batch. Horovod's tape averages them over the processes, which is right
for a loss that is the mean over the batch. A loss that is a sum over samples, also one that is divided by the global
batch size, needs the sum of the gradients; left alone, it would train with a learning rate N times too small. So does
one that is not reduced at all: TensorFlow adds up the gradients of all its numbers. An optimizer that computes the
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

from rueda.anatomy.placement import Form
from rueda.anatomy.tapes import Wanted
from rueda.flow.values import Value, joined
from rueda.frontends.keras.data import SUMMED
from rueda.frontends.tensorflow.operations import SHALLOW
from rueda.frontends.tensorflow.recognise import minimizes
from rueda.source import AddArgument, After, Edit, Wrap
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job

NAME = "tape"

_REASON = "gradients of the whole batch"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each tape, or for each gradient where a tape serves for other things too."""
    sums: dict[ast.Call, bool] = {}
    for node in [site.node for site in job.anatomy.gradients if site.wanted is not Wanted.DATA]:
        loss = _loss(job, node)
        if loss.form is Form.MEAN:
            sums[node] = False
        elif loss.form is Form.SUM or (loss.form is Form.SHARDED and SHALLOW not in loss.tags):
            sums[node] = True
        else:
            yield job.refuse(NAME, *_unknown(loss, node))
            return
    yield from _added(job)
    yield from _wrapped(job, sums)


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
            )
            return


def _loss(job: Job, node: ast.Call) -> Value:
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
    if loss.form is Form.SHARDED:
        return (
            "the loss is a mean over the last dimension, which may be that of the samples.",
            node,
            "Reduce it with tf.reduce_mean() or tf.reduce_sum().",
        )
    return (
        f"the loss is not known to be a mean or a sum over the samples of the batch ({loss.form.value}).",
        node,
        "Compute it with a loss of Keras, or with tf.reduce_mean() or tf.reduce_sum() over the batch.",
    )


def _wrapped(job: Job, sums: dict[ast.Call, bool]) -> Iterator[Answer]:
    done: set[ast.Call] = set()
    code = Code("", (job.target.engine,))
    for node, summed in sums.items():
        if node in done:
            continue
        with_ = _recording(job, node)
        if with_ is not None and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            name = node.func.value.id
            users = list(_uses(job, with_, name))
            mine = [user for user in users if isinstance(user, ast.Call) and sums.get(user) is summed]
            if len(mine) == len(users) and all(_is_flat(job, user) for user in mine):
                done.update(mine)
                text = f"{name} = {job.target.wrap_tape(name, summed=summed)}"
                yield job.change(NAME, _REASON, node, [After(with_, text)], code)
                continue
        done.add(node)
        yield job.change(NAME, _REASON, node, [_in_place(job, node, summed)], code)


def _in_place(job: Job, node: ast.Call, summed: bool) -> Edit:
    """The gradient made whole where it is computed."""
    if any(minimizes(fact) for fact in job.calls_of(node)):
        tape = job.target.wrap_tape(f"{job.target.tf}.GradientTape()", summed=summed)
        return AddArgument(node, f"tape={tape}")
    if _is_flat(job, node):
        assert isinstance(node.func, ast.Attribute)
        before, _, after = job.target.wrap_tape("\0", summed=summed).partition("\0")
        return Wrap(job.source.span(node.func.value), before, after)
    before, _, after = job.target.all_reduce("\0", summed=summed).partition("\0")
    return Wrap(job.source.span(node), before, after)


def _is_flat(job: Job, node: ast.Call) -> bool:
    return any(site.node is node and site.wanted is Wanted.VARIABLES for site in job.anatomy.gradients)


def _recording(job: Job, node: ast.Call) -> ast.With | None:
    """The ``with`` statement of the tape, where it stands before the gradient in the same block."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(owner, ast.Name):
        return None
    sites = {job.facts.nodes[number] for number in job.value(owner).sites}
    for block, position in _blocks(job, node):
        for statement in reversed(block[:position]):
            if isinstance(statement, ast.With) and any(
                item.context_expr in sites
                and isinstance(item.optional_vars, ast.Name)
                and item.optional_vars.id == owner.id
                for item in statement.items
            ):
                return statement
            names = (n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == owner.id)
            if any(not isinstance(name.ctx, ast.Load) for name in names):
                return None
    return None


def _blocks(job: Job, node: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """The block that a node stands in, with its place there."""
    statement = job.source.statement(node)
    parent = job.source.parent(statement)
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if isinstance(block, list) and statement in block:
            yield block, block.index(statement)


def _uses(job: Job, with_: ast.With, name: str) -> Iterator[ast.expr]:
    """What a tape is used for behind its block, up to the next one of the name: calls of its methods, or its name."""
    parent = job.source.parent(with_)
    block = next(b for field in ("body", "orelse", "finalbody") if with_ in (b := getattr(parent, field, None) or []))
    for statement in block[block.index(with_) + 1 :]:
        if isinstance(statement, ast.With) and any(
            isinstance(i.optional_vars, ast.Name) and i.optional_vars.id == name for i in statement.items
        ):
            return
        for part in ast.walk(statement):
            if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
                attribute = job.source.parent(part)
                call = job.source.parent(attribute) if isinstance(attribute, ast.Attribute) else None
                yield call if isinstance(call, ast.Call) and call.func is attribute else part
