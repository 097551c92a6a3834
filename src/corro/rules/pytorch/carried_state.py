"""Refuse state carried from batch to batch, for now.

Why
---
A hidden state that goes on in the next batch belongs to the samples at the same place of it; shared out, the next
batch has other samples there.

Before
------
::

    output, hidden = model(batch, hidden)

After
-----
::

    refused: hidden is carried from batch to batch

Source
------
salesforce/awd-lstm-lm, ``main.py`` (hidden state repackaged between batches).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.pytorch._set_anew import is_given, is_set_anew

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "carried-state"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first place."""
    loops = {step.loop for step in job.anatomy.steps}
    labels = frozenset().union(*(each.uses for each in job.fills))
    for node, context in job.facts.carried.items():
        steps = [loop.node for loop in context.loops if loop.node in loops]
        if is_given(job, node, steps):
            continue
        if node not in labels and steps and not all(is_set_anew(job, node, loop) for loop in steps):
            name = f"{ast.unparse(node)!r}"
            yield job.refuse(
                NAME,
                f"{name} is carried from one batch to the next, but each process has only its shard of each batch.",
                node,
                "Reset it for each batch.",
                effort="other training",
            )
            return
