"""Refuse losses of predictions with a mask, in loops with a tape and in ``fit`` beside them.

Why
---
A loss object of Keras averages over what the mask of predictions leaves of a batch, in a loop as under ``fit``. Parts
of a batch have other numbers of it. With ``reduction="none"`` it only leaves out what is masked, so that a script can
divide by what it counts itself.

Before
------
::

    model = keras.Sequential([keras.layers.Embedding(1000, 32, mask_zero=True), keras.layers.Dense(10)])
    loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    for words, tags in data:
        with tf.GradientTape() as tape:
            loss = loss_of(tags, model(words))

After
-----
::

    refused: predictions have a mask

Source
------
``losses_utils.apply_valid_mask`` in Keras 2.15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.masks import MASKED
from corro.rules.keras import masks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job

NAME = "tape-masks"


def apply(job: Job) -> Iterable[Answer]:
    """One refusal for the loops, and what the rule for ``fit`` says."""
    yield from masks.apply(job)
    node = next((fact.node for fact in job.calls if _averages(fact)), None)
    if node is not None:
        yield masks.masked(job, NAME, node)


def _averages(fact: CallFact) -> bool:
    """Whether a loss of predictions with a mask is computed to be differentiated, and is no number a sample."""
    called = fact.receiver is not None and fact.receiver.kind is Kind.LOSS and not {"sum", "none"} & fact.receiver.tags
    return called and "tape" in fact.context.modes and any(MASKED in value.tags for value in fact.args)
