"""Wait for rank 0's file before other processes read it.

Why
---
Models and weights are saved on rank 0 only. A process that loads them right after may look for a file that is not there
yet, or read half of it. So all wait for rank 0 before they load.

Before
------
::

    model.fit(x, y, callbacks=[ModelCheckpoint("best.h5")])
    model.load_weights("best.h5")

After
-----
::

    model.fit(x, y, callbacks=[..., *([ModelCheckpoint("best.h5")] if hvd.rank() == 0 else [])])
    hvd.allreduce(0.0)
    model.load_weights("best.h5")

Source
------
Horovod documentation, "Horovod with Keras", step 6. Measured with Keras 2.15: under a strategy ``load_weights`` fails
with a TypeError on files called ``.weights.h5``, and loads others.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.effects import EffectKind
from rueda.frontends.keras.effects import keras_effects
from rueda.frontends.keras.names import canonical
from rueda.source import Before
from rueda.targets.base import Code, RankedTarget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.flow.facts import CallFact
    from rueda.rules.base import Answer
    from rueda.rules.keras._job import Job

NAME = "keras-checkpoints"

_LOADS = frozenset({"keras.models.load_model", "numpy.load", "keras.models.model_from_json", "pickle.load"})


def apply(job: Job) -> Iterable[Answer]:
    """One barrier before each statement that may read what rank 0 has written."""
    yield from _format(job)
    if not isinstance(job.target, RankedTarget):
        return
    written = _written(job)
    seen: set[ast.stmt] = set()
    for fact in job.calls:
        if not _loads(fact) or written is None or fact.order < written:
            continue
        if not job.is_own(fact.node):
            continue
        statement = job.source.statement(fact.node)
        if statement in seen:
            continue
        seen.add(statement)
        if not job.is_uniform(fact.context) or isinstance(statement, (ast.If, ast.While)):
            yield job.refuse(
                NAME,
                "a file that rank 0 writes is read where not all processes come by.",
                fact.node,
                "Load it in a statement that every process passes.",
            )
            continue
        code = Code(job.ranked.barrier, (job.ranked.engine,))
        yield job.change(NAME, "rank 0 has written it by then", fact.node, [Before(statement, code.text, -6)], code)


def _format(job: Job) -> Iterator[Answer]:
    """Keras 2 reads some variables of a strategy in a way that its newer file format does not allow."""
    for fact in job.calls if job.target.scope is not None else ():
        path = fact.args[0].const if fact.args and _loads(fact) else None
        if fact.name == "load_weights" and isinstance(path, str) and path.endswith(".weights.h5"):
            yield job.refuse(
                NAME,
                "Keras 2 cannot load a file in the format of .weights.h5 into a model that a strategy shares out.",
                fact.node,
                "Save and load the weights as .h5 (best.h5 in the place of best.weights.h5).",
            )
            return


def _loads(fact: CallFact) -> bool:
    on_model = fact.receiver is not None and fact.receiver.kind is Kind.MODULE
    return (on_model and fact.name == "load_weights") or (fact.receiver is None and canonical(fact.name) in _LOADS)


def _written(job: Job) -> int | None:
    """The place in the run from which on rank 0 may have written a model."""
    orders = [effect.fact.order for effect in keras_effects(job.calls) if effect.kind is EffectKind.SAVE]
    for fact in job.calls:
        if fact.result.kind is Kind.CALLBACK and fact.result.name in ("ModelCheckpoint", "BackupAndRestore"):
            orders.append(fact.order)
    return min(orders, default=None)
