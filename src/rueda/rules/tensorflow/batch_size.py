"""Make what has the size of a batch as large as a process's share of it.

Why
---
Noise for a generator, or labels that are all one, are often made with the script's batch size as a number. Each process
has 1/N of a batch, so it needs 1/N of them: with all of them the noise would weigh N times as much as the data, or the
shapes would not fit. Where the number is used in another way in the loop, to cut a batch or to count in it, the script
is refused.

Before
------
::

    noise = tf.random.normal([BATCH_SIZE, 100])

After
-----
::

    noise = tf.random.normal([BATCH_SIZE // hvd.size(), 100])

Source
------
TensorFlow tutorial, "Deep Convolutional Generative Adversarial Network", which does so under a strategy: "noise" of the
batch size per replica.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.tensorflow.operations import SIZED, is_batch_size
from rueda.frontends.tensorflow.recognise import pipelines
from rueda.source import parenthesised, replace_node
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job

NAME = "tape-batch-size"

_SHAPING = frozenset({"reshape", "zeros", "ones", "fill", "random", "range", "tile", "split", "broadcast_to"})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each tensor of the size of a batch; a refusal for the first other use."""
    if not job.is_strong:  # a process has as many samples as the script says
        return
    done: set[ast.expr] = set()
    shares = job.sharing.world_size if job.sharing is not None else job.strategy.replicas if job.strategy else "1"
    for fact in job.calls:
        if SIZED not in fact.result.tags or fact.receiver is not None or not fact.context.passes:
            continue
        if job.strategy is not None and not job.replicated.contains(fact):
            yield job.refuse(
                NAME,
                "something of the size of a batch is made in the loop, where a strategy has the whole batch.",
                fact.node,
                "Make it in the training step, with the size of the batch there: tf.shape(x)[0].",
            )
            return
        head = _head(fact.node)
        if head in done or head is None or not _is_number(job, fact.node, head):
            continue
        done.add(head)
        if not job.is_own(head) or not all(SIZED in f.result.tags for f in job.calls_of(fact.node)):
            yield job.refuse(
                NAME,
                "something of the size of a batch is made where it cannot be made smaller.",
                fact.node,
                "Take the size from the batch itself: tf.shape(x)[0].",
            )
            return
        edits = replace_node(job.source, head, f"{parenthesised(job.source, head)} // {shares}")
        reason = "as many as a process has samples"
        yield job.change(NAME, reason, fact.node, edits, Code("", (job.target.engine,)))
    yield from _others(job, done)


def _head(call: ast.Call) -> ast.expr | None:
    """The expression for the first dimension of a shape."""
    shape = next((k.value for k in call.keywords if k.arg in ("shape", "size")), call.args[0] if call.args else None)
    if isinstance(shape, (ast.List, ast.Tuple)):
        return shape.elts[0] if shape.elts else None
    return shape


def _is_number(job: Job, call: ast.Call, head: ast.expr) -> bool:
    return job.value(head).kind is Kind.NUMBER


def _others(job: Job, done: set[ast.expr]) -> Iterator[Answer]:
    """Other uses of the batch size in the training loop and in what it calls, where it would have to be smaller."""
    loops = [loop for fact in job.updates for loop in fact.context.passes]
    sizes = [value for loop in loops for value in pipelines(loop.iterable)]
    seen: set[ast.AST] = set()
    for fact in job.calls:
        if fact.node in seen or not any(loop in loops for loop in fact.context.loops) or not job.is_own(fact.node):
            continue
        seen.add(fact.node)
        for node in ast.walk(fact.node):
            user = job.source.parent(node)
            value = job.facts.values.get(node)
            if value is None or value.kind is not Kind.NUMBER or not value.origins or node in done:
                continue
            shaped = isinstance(user, (ast.List, ast.Tuple)) and isinstance(job.source.parent(user), ast.Call)
            cuts = isinstance(user, (ast.Slice, ast.Subscript)) or (
                isinstance(user, ast.Call) and getattr(user.func, "id", "") == "range"
            )
            known = any(is_batch_size(size, value.but(const=None)) for size in sizes)
            if known and (cuts or (shaped and isinstance(node, ast.Name))):
                yield job.refuse(
                    NAME,
                    "the batch size is used to cut or to shape a batch; each process has only its share of it.",
                    node,
                    "Take the size from the batch itself: tf.shape(x)[0].",
                )
                return
