"""Refuse noise that is added to weights by optimizers and constraints.

Why
---
Every process, or device, makes the same step with the gradients of the whole batch. Random numbers that an optimizer or
a constraint of the script's own draws for the weights are others on each, so that the weights would drift apart; those
that a loop adds to gradients itself are refused where they are applied.

Before
------
::

    class Jitter(keras.constraints.Constraint):
        def __call__(self, w):
            return w + 0.01 * tf.random.normal(tf.shape(w))

After
-----
::

    refused: weights are changed by random numbers here

Source
------
Welling and Teh, "Bayesian Learning via Stochastic Gradient Langevin Dynamics" (2011).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules import noise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-drifting"


def apply(job: Job) -> Iterable[Answer]:
    """One refusal, at the first place."""
    yield from noise.answers(job, NAME, hooks=job.sharing is not None)
