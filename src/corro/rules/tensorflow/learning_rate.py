"""Scale the learning rate of loops with the global batch (weak scaling only).

Why
---
Weak scaling keeps the batch size of each process, so the global batch grows N-fold and there are N times fewer steps.
The gradient is the mean over that batch, and the learning rate grows with it: linearly, as for ``fit`` (see
``keras-learning-rate``), a schedule in the optimizer as a whole, over 1/N of its steps. A loop has no callbacks, so
there is no warm-up. Where the loop itself counts steps, or numbers are made of the batch size, the script is refused.

Before
------
::

    optimizer = tf.keras.optimizers.SGD(0.01)

After
-----
::

    optimizer = tf.keras.optimizers.SGD(0.01 * hvd.size())

Source
------
Goyal et al., "Accurate, Large Minibatch SGD", arXiv 1706.02677; Horovod, ``examples/tensorflow2/tensorflow2_mnist.py``
(``tf.optimizers.Adam(0.001 * hvd.size())``).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.anatomy.tapes import Wanted
from corro.frontends.tensorflow.gradients import assigns, pipelines
from corro.frontends.tensorflow.operations import is_batch_size
from corro.rules import parting
from corro.rules.keras.learning_rate import by_hand, scaled
from corro.rules.tensorflow.pipelines import training_loops
from corro.rules.tensorflow.tape import loss_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-learning-rate"

_UPDATES = frozenset({"apply_gradients", "minimize"})
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)


def apply(job: Job) -> Iterable[Answer]:
    """Scale the rates of all optimizers; refuse what counts steps."""
    if job.is_strong or job.sharing is None:
        return
    obstacle = next(_obstacles(job), None)
    if obstacle is not None:
        yield obstacle
        return
    yield from by_hand(job, NAME)
    done: set[ast.AST] = set()
    made: list[ast.AST] = []
    for fact in job.calls:
        receiver = fact.receiver
        if receiver is None or receiver.kind is not Kind.OPTIMIZER or fact.name not in _UPDATES:
            continue
        for number in sorted(receiver.sites):
            node = job.facts.nodes[number]
            if node in done:
                continue
            done.add(node)
            made.append(node)
            if not isinstance(node, ast.Call):
                yield job.refuse(
                    NAME,
                    "where the optimizer is made is not known.",
                    fact.node,
                    "Make the optimizer in the script.",
                    effort="one line",
                )
                return
            yield from scaled(job, NAME, node, done)
    if made:
        yield job.review(
            NAME,
            "the rate is scaled without warm-up: a loop has no callbacks.",
            made[0],
            "Check that the loss does not diverge in the first epochs.",
        )


def _obstacles(job: Job) -> Iterator[Answer]:
    """What weak scaling would make another training of."""
    sums = [site.node for site in job.anatomy.gradients if site.wanted is not Wanted.DATA]
    node = next((node for node in sums if loss_of(job, node).form is not Form.MEAN), None)
    if node is not None:
        yield job.refuse(
            NAME,
            "the loss is a sum over samples, and weak scaling has N times as many in a batch.",
            node,
            "Average it over the batch, or use --scaling strong.",
            effort="one line",
        )
    for fact in job.calls:
        if assigns(fact) and fact.context.passes:
            yield job.refuse(
                NAME,
                "variables are changed by hand, at a rate that cannot be scaled safely.",
                fact.node,
                "Use an optimizer, or --scaling strong.",
                effort="one line",
            )
    yield from (parting.too_many(job, NAME, node) for node in parting.after_steps(job))
    for fact in job.updates:
        turning = next((loop.node for loop in fact.context.loops if isinstance(loop.node, ast.While)), None)
        if turning is not None:
            yield parting.too_many(job, NAME, turning)
    sizes = [value for loop in training_loops(job) for value in pipelines(loop.iterable)]
    for part in job.nodes.of(ast.BinOp):
        value = job.value(part.right) if isinstance(part.op, _DIVISIONS) else None
        if value is None or value.kind is not Kind.NUMBER or not value.origins:
            continue
        if any(is_batch_size(size, value.but(const=None)) for size in sizes):
            yield job.refuse(
                NAME,
                "a number is divided by the batch size; weak scaling makes N times as large batches, and fewer steps.",
                part,
                "Count the batches of the pipeline with len(), or use --scaling strong.",
                effort="one line",
            )
