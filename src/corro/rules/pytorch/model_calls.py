"""Refuse compiled models and dynamic code, for now.

Why
---
A compiled model must be compiled after wrapping. Code in strings cannot be followed.

Before
------
::

    model = torch.compile(Net())

After
-----
::

    refused: the model is compiled

Source
------
PyTorch documentation, ``torch.compile``: "DDP … should be applied before compiling".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "model-calls"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """Refuse at the first call."""
    for fact in job.calls:
        if fact.name in ("exec", "eval") and fact.receiver is None:
            yield job.refuse(NAME, "code in a string cannot be followed.", fact.node, "Write it as a statement.")
            return
        if "compiled" in fact.result.tags and fact.name == "torch.compile":
            yield job.refuse(
                NAME, "the model is compiled, which is not converted yet.", fact.node, "Remove torch.compile for now."
            )
            return
