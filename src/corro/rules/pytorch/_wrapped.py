"""Shared by rules that look at what happens once the model is wrapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

    from corro.flow.facts import Context
    from corro.rules.pytorch._job import Job


def is_after_wrapping(job: Job, node: ast.AST, context: Context) -> bool:
    """Whether something is done by the statement before which the model is wrapped."""
    anchors = {site.anchor for site in job.anatomy.models} | {step.outermost for step in job.anatomy.steps}
    called = [frame.call for frame in context.frame.path() if frame.call is not None]
    return any(a in anchors for each in (node, *called) for a in job.ancestors(each))
