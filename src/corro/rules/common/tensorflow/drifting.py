"""Refuse noise that is added to weights or to averaged gradients, and variables that a device changes by its shard.

Why
---
Processes and devices stay alike because each makes the same steps with the same gradients. Noise is drawn by each for
itself: within a model it does no harm, as its gradients are averaged, but an optimizer, a constraint or a
``train_step`` that draws random numbers for the weights changes those of each process in another way, and nothing makes
them equal again. So does a callback, which every process has. A ``train_step`` runs on each device of a strategy with
its shard of the batch, and so does what it assigns to variables.

Before
------
::

    class Langevin(keras.optimizers.SGD):
        def update_step(self, gradient, variable):
            super().update_step(gradient + 0.1 * tf.random.normal(gradient.shape), variable)

After
-----
::

    refused: weights are changed by random numbers here

Source
------
Welling and Teh, "Bayesian Learning via Stochastic Gradient Langevin Dynamics" (2011). Measured with TensorFlow 2.15 and
Horovod 0.28.1 on 2 processes: the weights of the ranks differ after the first step; and with
``MirroredStrategy`` on 2 devices: each copy of a variable keeps what its device has assigned, without a word.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.keras.recognise import in_step
from corro.frontends.tensorflow.gradients import applies_gradients, assigns
from corro.rules import noise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-drifting"
FRONTENDS = ("keras", "tensorflow")


def apply(job: Job) -> Iterable[Answer]:
    """One refusal, at the first place."""
    if not job.target.sees_shards:
        return
    yield from noise.answers(job, NAME, hooks=job.sharing is not None)
    if job.sharing is None:  # where processes share data, the rule for steps says so
        yield from islice(_in_steps(job), 1)


def _in_steps(job: Job) -> Iterator[Answer]:
    for fact in filter(in_step, job.calls):
        if not (assigns(fact) or applies_gradients(fact)):
            continue
        if any(placement.form is Form.LOCAL for placement in fact.depends):
            yield job.refuse(
                NAME,
                "a train_step changes the model by random numbers, which differ between devices: the copies of the "
                "model would drift apart.",
                fact.node,
                "Add noise in a layer, such as GaussianNoise, or in the loss.",
                effort="other training",
            )
        elif assigns(fact) and any(not placement.is_equal for placement in fact.depends):
            yield job.refuse(
                NAME,
                "a train_step gives a variable a value that each device computes from its shard of the batch: the "
                "copies of the model would drift apart.",
                fact.node,
                "Change variables by gradients, or by values that are equal everywhere; count with a metric.",
                effort="other training",
            )
