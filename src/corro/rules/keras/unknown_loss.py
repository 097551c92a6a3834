"""Refuse losses of which it is not known whether they average over samples.

Why
---
What a loss does with the samples of a batch is read where the script, or a module of its own, has it, and known of
Keras' own. Losses of other libraries are not read, and many compare whole batches, as Dice and Jaccard do; nor is it
known which of several functions a program takes when it runs. A name that the command line gives is one of Keras',
where the script tells Keras of none of its own.

Before
------
::

    import segmentation_models as sm

    model.compile("adam", loss=sm.losses.DiceLoss())

After
-----
::

    refused: whether this loss averages over samples is not known

Source
------
``segmentation_models/base/functional.py``: with ``per_image=False``, the default, scores are of the whole batch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.losses import plain
from corro.rules.keras._arguments import COMPILE, Given
from corro.rules.keras.loss import makes_loss

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-unknown-loss"

_TELLING = frozenset({"register_keras_serializable", "get_custom_objects", "custom_object_scope", "CustomObjectScope"})
"""Functions that tell Keras of names of the script's own."""

_KNOWN = ("keras.", "tensorflow.", "tensorflow_addons.")
_NAMES = frozenset(
    {"bce", "binarycrossentropy", "binaryfocalcrossentropy", "categoricalcrossentropy",
     "categoricalfocalcrossentropy", "categoricalgeneralizedcrossentropy", "categoricalhinge", "circle",
     "cosineproximity", "cosinesimilarity", "ctc", "dice", "hinge", "huber", "huberloss", "kld", "kldivergence",
     "kullbackleiblerdivergence", "logcosh", "mae", "mape", "mean", "meanabsoluteerror",
     "meanabsolutepercentageerror", "meansquarederror", "meansquaredlogarithmicerror", "mse", "msle", "poisson",
     "sparsecategoricalcrossentropy", "squaredhinge", "tversky"}
)  # fmt: skip
"""What Keras calls its losses."""


def apply(job: Job) -> Iterable[Answer]:
    """One refusal for each such loss."""
    if not job.target.sees_shards:
        return
    for call, value in job.losses:
        if not _is_known(job, value):
            yield job.refuse(
                NAME,
                "whether this loss averages over samples is not known: it is neither Keras' own nor one function or "
                "class of the script.",
                Given(job, call, COMPILE).node("loss") or call,
                "Use a loss of Keras, or write it in the script; choose between losses by their names.",
            )


def _is_known(job: Job, value: Value) -> bool:
    if value.obj:
        return value.obj in job.facts.functions or value.obj in job.facts.classes
    if value.kind is Kind.TEXT:
        return plain(value.const) in _NAMES if value.is_const else not _tells_names(job)
    if value.kind is Kind.LIBRARY:
        return canonical(value.name).startswith(_KNOWN)
    if value.kind is Kind.LOSS:
        return all(makes_loss(job, job.facts.nodes[number]) for number in value.sites)
    options = [job.facts.nodes[number] for number in value.origins]
    chosen = (isinstance(n, ast.Attribute) and job.value(n.value).kind is Kind.NAMESPACE for n in options)
    return value.kind is Kind.NONE or (bool(options) and all(chosen) and not _tells_names(job))


def _tells_names(job: Job) -> bool:
    """Whether a name may stand for a loss of the script's own."""
    return any(fact.name.rpartition(".")[2] in _TELLING for fact in job.calls)
