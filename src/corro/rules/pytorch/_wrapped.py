"""Shared by rules that look at what happens once the model is wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.pytorch.forwards import training_forwards
from corro.frontends.pytorch.steering import COPY, Steered, writes

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from corro.flow.facts import Context
    from corro.frontends.pytorch.steering import Write
    from corro.rules.pytorch._job import Job


def is_after_wrapping(job: Job, node: ast.AST, context: Context) -> bool:
    """Whether something is done by the statement before which the model is wrapped."""
    anchors = {site.anchor for site in job.anatomy.models} | job.anatomy.training_loops
    called = [frame.call for frame in context.frame.path() if frame.call is not None]
    return any(a in anchors for each in (node, *called) for a in job.ancestors(each))


def changes(job: Job) -> Iterator[Write]:
    """What freezes, unfreezes or adds parameters of a model that is trained, after wrapping."""
    for write in writes(job.facts):
        is_change = write.what in (Steered.TRAINABLE, Steered.STRUCTURE) and not _is_of_copy(job, write)
        if is_change and is_after_wrapping(job, write.node, write.context):
            yield write


def _is_of_copy(job: Job, write: Write) -> bool:
    """Whether what is changed belongs to a copy of the model that is not trained, such as a teacher."""
    trained = (fact.receiver for step in job.anatomy.steps for fact in training_forwards(job.facts, step))
    return COPY in write.owner.tags and not any(model is not None and COPY in model.tags for model in trained)
