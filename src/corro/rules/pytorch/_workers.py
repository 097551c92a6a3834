"""What workers of a loader may do: they are no ranks, and cannot wait for those."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.reached import may_be_asked_by_others

if TYPE_CHECKING:
    from corro.rules.pytorch._job import Job

_ASKED = frozenset({"__getitem__", "__getitems__", "__iter__"})
"""Methods by which a loader asks for samples."""


def may_run(job: Job, node: ast.AST) -> bool:
    """Whether workers of a loader may come to a place: in what gives samples, or in a function that a loader has."""
    frames = (frame for fact in job.calls_of(node) for frame in fact.context.frame.path())
    if any(getattr(frame.scope.node, "name", "") in _ASKED for frame in frames):
        return True
    return may_be_asked_by_others(job, node, lambda call: job.value(call).kind is Kind.LOADER)
