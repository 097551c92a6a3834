"""Give each process every N-th sample of the ``tf.data`` pipeline that a training loop passes over.

Why
---
The pipeline of a loop is shared out as that of ``fit`` is (see ``keras-pipelines``): before it is shuffled and batched,
after ``take`` and ``skip``, in equal parts, with 1/N of the batch. So the number of steps and the learning rate stay.
Other loops over the same data, such as an evaluation, pass over all of it. Where samples cannot be told apart before
they are batched, all processes read everything in one order and train on their shard of each batch.

Before
------
::

    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1024).batch(64)
    for x, y in train:

After
-----
::

    samples = tf.data.Dataset.from_tensor_slices((x, y))
    samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
    train = samples.shuffle(1024).batch(64 // hvd.size())
    for x, y in train:

Source
------
TensorFlow documentation, ``tf.data.Dataset.shard``; Horovod, ``examples/tensorflow2/tensorflow2_mnist.py`` (which
counts steps instead).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.batch_sources import ROWS
from corro.frontends.tensorflow.gradients import pipelines
from corro.rules.keras import pipelines as keras_pipelines
from corro.rules.keras.pipelines import Pipeline, Use

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact, Loop
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-pipelines"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each pipeline that a loop trains on."""
    done: set[object] = set()
    fitted = keras_pipelines.of_fits(job, done)
    in_loops: list[Pipeline] = []
    for loop in training_loops(job) if job.sharing is not None else ():
        found = list(pipelines(loop.iterable))
        if not found and loop.iterable.name == ROWS and not loop.iterable.items and _cuts(job, loop):
            continue
        if not found:
            yield job.refuse(
                NAME,
                "the loop trains on batches that Corro cannot follow to a tf.data pipeline.",
                loop.node,
                "Loop over the tf.data.Dataset itself.",
            )
            return
        in_loops += [Looped(job, loop, value, done) for value in found]
    yield from keras_pipelines.clash(job, NAME, [*fitted, *in_loops])
    for pipeline in (*fitted, *in_loops):
        yield from pipeline.answers()


def ordering(job: Job) -> tuple[str, ...]:
    """The libraries whose random numbers put samples into an order that all processes must share."""
    found = looped(job)
    if any(pipeline.goes_by_batch for pipeline in found):
        return ("numpy", "tensorflow")
    return ("tensorflow",) if any(pipeline.is_ordered_by_chance for pipeline in found) else ()


def looped(job: Job) -> list[Looped]:
    """The pipelines that loops train on."""
    return [Looped(job, loop, value, set()) for loop in training_loops(job) for value in pipelines(loop.iterable)]


def _cuts(job: Job, loop: Loop) -> bool:
    """Whether batches are made by every process in a loop, which ``tape-batches`` shares out."""
    return any(
        running.node is loop.node for fact in job.facts.batches.values() for running in fact.context.loops
    ) or any(node in ast.walk(loop.node.iter) for node in job.facts.batches if isinstance(loop.node, ast.For))


def training_loops(job: Job) -> list[Loop]:
    """The loops over batches that gradients are computed in, one for each place and pipeline."""
    found: dict[tuple[ast.AST, frozenset[int]], Loop] = {}
    for fact in job.updates:
        for loop in fact.context.passes:
            found.setdefault((loop.node, loop.loaders), loop)
    return list(found.values())


class Looped(Pipeline):
    """The pipeline of one loop."""

    rule = NAME

    def __init__(self, job: Job, loop: Loop, value: Value, done: set[object]) -> None:
        data = _expression(job, loop, value)
        place = data if data is not None and loop.iterable.name == ROWS else loop.node
        super().__init__(job, Use(place, data, value.items, bounded=True), done)
        if loop.iterable.name == ROWS:  # batches are taken by next()
            self.looking = frozenset()

    @property
    def _is_endless(self) -> bool:
        """Only what is repeated before it is batched goes on from one round to the next within a batch."""
        repeats = [stage for stage in self._stages[: self._position] if stage.name == "repeat"]
        nodes = [self._node(stage) for stage in repeats]
        return any(not node.args and not node.keywords for node in nodes)


def _expression(job: Job, loop: Loop, value: Value) -> ast.expr | None:
    """The expression that gives a pipeline, in the head of a loop or where the iterator is made that it takes from."""
    if loop.iterable.name == ROWS:
        made = (_iterated(fact) for fact in job.calls)
        found = {node for node in made if node is not None and job.value(node).sites == value.sites}
        return found.pop() if len(found) == 1 else None  # else each of them would have to be shared out
    if not isinstance(loop.node, ast.For):
        return None
    return next((n for n in ast.walk(loop.node.iter) if isinstance(n, ast.expr) and job.value(n) == value), None)


def _iterated(fact: CallFact) -> ast.expr | None:
    """What a call makes an iterator of."""
    if fact.name == "iter" and fact.node.args:
        return fact.node.args[0]
    method = fact.name == "as_numpy_iterator" and isinstance(fact.node.func, ast.Attribute)
    return fact.node.func.value if method and isinstance(fact.node.func, ast.Attribute) else None
