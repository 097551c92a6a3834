"""Make what has the size of a batch as large as a process's share of it.

Why
---
Noise for a generator, or labels that are all one, are often made with the script's batch size as a number. Each process
has 1/N of a batch, so it needs 1/N of them: with all of them the noise would weigh N times as much as the data, or the
shapes would not fit. Where the number is used in another way in the loop, to cut a batch or to count in it, the script
is refused. A sum over the samples that is divided by the number, and added to a mean, is divided by a share of it.

Before
------
::

    noise = tf.random.normal([BATCH_SIZE, 100])
    loss = tf.reduce_sum(errors) / BATCH_SIZE + tf.reduce_mean(divergences)

After
-----
::

    noise = tf.random.normal([BATCH_SIZE // hvd.size(), 100])
    loss = tf.reduce_sum(errors) / (BATCH_SIZE // hvd.size()) + tf.reduce_mean(divergences)

Source
------
TensorFlow tutorial, "Deep Convolutional Generative Adversarial Network", which does so under a strategy: "noise" of the
batch size per replica.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.batch_sources import Sizes, head_of
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.dividing import SHARED
from corro.frontends.tensorflow.gradients import pipelines
from corro.frontends.tensorflow.operations import SIZED, is_batch_size
from corro.frontends.tensorflow.semantics import TAPE
from corro.source import parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-batch-size"

_CONSTANT = frozenset({"ones", "zeros", "fill", "full"})
_MADE = (*(f"{module}.{name}" for module in ("tensorflow", "numpy") for name in sorted(_CONSTANT)),
         "tensorflow.random.", "numpy.random.")  # fmt: skip


def apply(job: Job) -> Iterable[Answer]:
    """One change for each tensor of the size of a batch; a refusal for the first other use."""
    if not job.is_strong:  # a process has as many samples as the script says
        return
    done: set[ast.expr] = set()
    for fact in job.calls:
        if SIZED not in fact.result.tags or fact.receiver is not None or not fact.context.passes:
            continue
        if job.strategy is not None and not job.replicated.contains(fact):
            yield job.refuse(
                NAME,
                "a tensor with the batch size in its shape is made in the loop, where a strategy has the global batch.",
                fact.node,
                "Make it in the training step, with the size of the batch there: tf.shape(x)[0].",
                effort="one line",
            )
            return
        head = _head(fact.node)
        if head in done or head is None or job.value(head).kind is not Kind.NUMBER:
            continue
        done.add(head)
        if not all(SIZED in f.result.tags for f in job.calls_of(fact.node)):
            yield job.refuse(
                NAME,
                "a tensor with the batch size in its shape is made where Corro cannot make it smaller, but each "
                "process holds only its shard.",
                fact.node,
                "Take the size from the batch itself: tf.shape(x)[0].",
                effort="one line",
            )
            return
        yield _smaller(job.at(head), fact.node, head)
    yield from _made_before(job)
    done.update(node.right for node in _divisions(job))
    yield from _divided(job)
    yield from _others(job, done)


def _divisions(job: Job) -> list[ast.BinOp]:
    return [n for n, v in job.facts.values.items() if isinstance(n, ast.BinOp) and SHARED in v.tags]


def _divided(job: Job) -> Iterator[Answer]:
    """Sums over the samples that are divided by the batch size, and added to means."""
    for node in _divisions(job):
        here = job.at(node)
        text = f"({parenthesised(here.source, node.right)} // {here.shares})"
        edits = replace_node(here.source, node.right, text)
        reason = "as many as a process has samples"
        yield here.change(NAME, reason, node, edits, Code("", (here.target.engine,)))


def _made_before(job: Job) -> Iterator[Answer]:
    """Tensors as long as a batch that are made before training, and that a loss is computed with."""
    sizes = _Sizes(job)
    for fact in job.calls:
        name = canonical(fact.name) if fact.receiver is None and not fact.context.passes else ""
        head = head_of(fact) if name.startswith(_MADE) else None
        if head is None or not fact.result.sites or not sizes.has(head):
            continue
        parts = job.nodes.of(ast.Name, ast.Attribute, ast.Subscript)
        held = [n for n in parts if isinstance(n.ctx, ast.Load) and job.value(n).sites & fact.result.sites]
        used = [node for node in held if _is_in_step(job, node)]
        if not used or (fact.context.loops and not _reaches_step(job, fact)):
            continue
        constant = name.rpartition(".")[2] in _CONSTANT
        if not constant or len(used) < len(held):
            yield job.refuse(
                NAME,
                "this tensor has the batch size in its shape, is made before training, and is used by a loss; each "
                "process holds only its shard of a batch.",
                fact.node,
                "Make it in the training step, as long as the batch: tf.ones([tf.shape(x)[0], 1]).",
            )
            return
        yield _smaller(job.at(head), fact.node, head)


def _smaller(job: Job, made: ast.Call, head: ast.expr) -> Answer:
    """A tensor as long as the shard of a process."""
    edits = replace_node(job.source, head, f"{parenthesised(job.source, head)} // {job.shares}")
    reason = "as many as a process has samples"
    return job.change(NAME, reason, made, edits, Code("", (job.target.engine,)))


def _reaches_step(job: Job, made: CallFact) -> bool:
    """Whether a function that a tape records is given something that was made in a loop around the batches."""
    recorded = (fact for fact in job.calls if "tape" in fact.context.modes and fact.context.passes)
    return any(v.sites & made.result.sites for f in recorded for v in (*f.args, *f.keywords.values()))


def _is_in_step(job: Job, node: ast.AST) -> bool:
    """Whether something is recorded by a tape: in its block, or in a function that is called there."""
    around = [a for a in job.ancestors(node) if isinstance(a, (ast.With, ast.FunctionDef))]
    if any(isinstance(a, ast.With) and any(job.value(i.context_expr).name == TAPE for i in a.items) for a in around):
        return True
    functions = {a for a in around if isinstance(a, ast.FunctionDef)}
    recorded = (f for f in job.calls if "tape" in f.context.modes and f.context.passes)
    return any(frame.scope.node in functions for fact in recorded for frame in fact.context.frame.path())


class _Sizes:
    """The batch sizes of the training loops."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._loops = [loop.iterable for fact in job.updates for loop in fact.context.passes]
        self._cuts = Sizes(job.facts, [node for node in job.facts.batches if not isinstance(node, ast.Name)])

    def has(self, node: ast.AST) -> bool:
        """Whether a number is one of them."""
        value = self._job.value(node)
        if value.kind is not Kind.NUMBER:
            return False
        return self._cuts.has(node) or any(is_batch_size(pipeline, value) for pipeline in self._loops)


def _head(call: ast.Call) -> ast.expr | None:
    """The expression for the first dimension of a shape."""
    shape = next((k.value for k in call.keywords if k.arg in ("shape", "size")), call.args[0] if call.args else None)
    if isinstance(shape, (ast.List, ast.Tuple)):
        return shape.elts[0] if shape.elts else None
    return shape


def _others(job: Job, done: set[ast.expr]) -> Iterator[Answer]:
    """Other uses of the batch size in the training loop and in what it calls, where it would have to be smaller."""
    loops = [loop for fact in job.updates for loop in fact.context.passes]
    sizes = [value for loop in loops for value in pipelines(loop.iterable)]
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if (
            fact.node in seen
            or not any(loop in loops for loop in fact.context.loops)
            or job.file_of(fact.node) is not job.script
        ):
            continue
        seen.add(fact.node)
        for node in ast.walk(fact.node):
            user = job.parent(node)
            value = job.facts.values.get(node)
            if value is None or value.kind is not Kind.NUMBER or not value.origins or node in done:
                continue
            shaped = isinstance(user, (ast.List, ast.Tuple)) and isinstance(job.parent(user), ast.Call)
            cuts = isinstance(user, (ast.Slice, ast.Subscript)) or (
                isinstance(user, ast.Call) and getattr(user.func, "id", "") == "range"
            )
            known = any(is_batch_size(size, value.but(const=None)) for size in sizes)
            if known and (cuts or (shaped and isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)))):
                yield job.refuse(
                    NAME,
                    "the batch size is used to cut or to shape a batch; each process has only its share of it.",
                    node,
                    "Take the size from the batch itself: tf.shape(x)[0].",
                    effort="one line",
                )
                return
