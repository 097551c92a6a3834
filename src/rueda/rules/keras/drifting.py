"""Refuse noise that is added to weights, or to gradients that are averaged already.

Why
---
Processes and devices stay alike because each makes the same steps with the same gradients. Noise is drawn by each for
itself: within a model it does no harm, as its gradients are averaged, but an optimizer, a constraint or a
``train_step`` that draws random numbers for the weights changes those of each process in another way, and nothing makes
them equal again. So does a callback, which every process has.

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
Horovod 0.28.1 on 2 processes: the weights of the ranks differ behind the first step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form
from rueda.frontends.keras.recognise import in_step
from rueda.frontends.tensorflow.semantics import VARIABLE
from rueda.rules import noise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-drifting"


def apply(job: Job) -> Iterable[Answer]:
    """One refusal, at the first place."""
    if job.target.backend != "tensorflow":  # one program over all devices, with one draw
        return
    yield from noise.answers(job, NAME, hooks=job.sharing is not None)
    for fact in job.calls if job.sharing is None else ():  # where processes share data, the rule for steps says so
        kind = fact.receiver.kind if fact.receiver is not None else None
        variable = fact.receiver is not None and VARIABLE in fact.receiver.tags and fact.name.startswith("assign")
        updates = variable or (kind is Kind.OPTIMIZER and fact.name == "apply_gradients")
        if updates and in_step(fact) and any(placement.form is Form.LOCAL for placement in fact.depends):
            yield job.refuse(
                NAME,
                "a train_step changes the model by random numbers, of which each device draws its own: its copies "
                "would drift apart.",
                fact.node,
                "Put noise into what the gradients are computed from: a layer such as GaussianNoise, or the loss.",
            )
            return
