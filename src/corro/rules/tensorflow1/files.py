"""Wait for rank 0's file before other processes of a script with sessions read it.

Why
---
Files are written by rank 0 only. A process that reads one right after may look for a file that is not there yet, or
read half of it. Variables that a saver restores are another matter (see ``session-variables``).

Before
------
::

    np.save("features.npy", features)
    features = np.load("features.npy")

After
-----
::

    if hvd.rank() == 0:
        np.save("features.npy", features)
    with tf.Graph().as_default(), tf.Session(config=config):
        hvd.allreduce(tf.constant(0.0)).eval()
    features = np.load("features.npy")

Source
------
Horovod documentation, "Horovod with TensorFlow", step 6.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.effects import EffectKind
from corro.rules.alone import around
from corro.rules.common.tensorflow import checkpoints
from corro.rules.tensorflow1._job import is_saver
from corro.source import Before
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-files"


def apply(job: Job) -> Iterable[Answer]:
    """One barrier before each statement that may read what rank 0 has written."""
    seen: set[ast.stmt] = set()
    for fact in _reading(job):
        statement = around(job, checkpoints.opening(job, job.statement(fact.node)))
        if statement in seen:
            continue
        seen.add(statement)
        named = any(value.form is Form.LOCAL for value in fact.args)
        if named or not job.is_uniform(fact.context) or isinstance(statement, (ast.If, ast.While)):
            yield job.refuse(
                NAME,
                "a file that rank 0 writes is read on a path that not all processes take, or under a name of their "
                "own.",
                fact.node,
                "Read it in a statement that every process runs, under a name that is equal everywhere.",
            )
            return
        target = job.at(statement).target
        code = Code(target.barrier, (target.engine, *target.tf_imports))
        edits = [Before(statement, code.text, order=-9)]
        yield job.change(NAME, "rank 0 has written it by then", fact.node, edits, code)


def waits(job: Job) -> bool:
    """Whether processes wait for a file of rank 0."""
    last = written(job)
    restores = any(is_saver(f) and f.name == "restore" and last is not None and f.order > last for f in job.calls)
    return restores or any(_reading(job))


def written(job: Job) -> int | None:
    """The place in the run from which on rank 0 may have written a file."""
    orders = [effect.fact.order for effect in job.effects if effect.kind is EffectKind.SAVE]
    return min([*orders, *(fact.order for fact in job.calls if fact.node in job.named_checkpoints)], default=None)


def _reading(job: Job) -> Iterator[CallFact]:
    start = written(job)
    later = {f for f in job.calls if start is not None and f.order > start}
    again = checkpoints.rereads(job)
    return (fact for fact in job.calls if fact in again or (fact in later and checkpoints.loads(fact)))
