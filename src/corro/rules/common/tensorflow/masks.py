"""Refuse models whose predictions have a mask.

Why
---
Keras averages the loss of predictions with a mask over what the mask leaves of a batch: over words, and not over what
fills up a sentence. Parts of a batch have other numbers of words, and the average of their averages is not that of the
whole. A mask comes from ``Embedding(mask_zero=True)`` or ``Masking``, and goes through recurrent layers that give
sequences, ``Dense``, ``Dropout`` and the like to the loss. A loss object averages so in a loop with a tape, too; with
``reduction="none"`` it only leaves out what is masked, so that a script can divide by what it counts itself.

Before
------
::

    model = keras.Sequential([
        keras.layers.Embedding(1000, 32, mask_zero=True),
        keras.layers.LSTM(32, return_sequences=True),
        keras.layers.Dense(10, activation="softmax"),
    ])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
    model.fit(x, y)

After
-----
::

    refused: predictions have a mask

Source
------
``losses_utils.apply_valid_mask`` in Keras 2.15. Measured with it, 2 processes and sentences of 1 to 8 words: the
gradient differs by a fifth of its norm.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.masks import MAKES, MASKED

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-masks"
FRONTENDS = ("keras", "tensorflow")


def apply(job: Job) -> Iterator[Answer]:
    """One refusal for what is fitted, and one for loops with a tape, where the mask is made."""
    if not job.target.sees_shards:
        return
    fits = (*(site.node for site in job.anatomy.fits), *job.anatomy.others)
    fitted = (node for node in fits if any(MASKED in fact.result.tags for fact in job.calls_of(node)))
    averaged = (fact.node for fact in job.calls if _averages(fact))
    for nodes in (fitted, averaged):
        yield from (_refusal(job, node) for node in islice(nodes, 1))


def _averages(fact: CallFact) -> bool:
    """Whether a loss of predictions with a mask is computed to be differentiated, and is no number a sample."""
    called = fact.receiver is not None and fact.receiver.kind is Kind.LOSS and not {"sum", "none"} & fact.receiver.tags
    return called and "tape" in fact.context.modes and any(MASKED in value.tags for value in fact.args)


def _refusal(job: Job, node: ast.AST) -> Answer:
    """The refusal, where the mask is made, or at the node that has to do with it."""
    makers = (f.node for f in job.calls if f.receiver is None and MAKES in f.result.tags)
    return job.refuse(
        NAME,
        "predictions have a mask: the loss is a mean over the values that it leaves, and their number differs "
        "between shards of a batch.",
        next(makers, node),
        "Leave the mask out, and give padded values the weight zero with sample_weight.",
    )
