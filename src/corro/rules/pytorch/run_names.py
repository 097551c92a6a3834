"""Take rank 0's name where each process would make up one of its own: a temporary folder, the time, the process id.

Why
---
Rank 0 alone writes files. Where their path has the time, the process id, a random word or a temporary folder in it,
every process has made up another one, and the others do not find what rank 0 has written. So rank 0 tells its path. It
does, too, where all make a folder: those of the others would stay empty. A temporary folder that is removed at the end
of its block is kept until all have read.

Names of files that only rank 0 uses, such as those of logs, stay as they are.

Before
------
::

    run = "run-" + uuid.uuid4().hex[:8]
    ...
    model.load_state_dict(torch.load(f"{run}/best.pt"))

After
-----
::

    shared = ["run-" + uuid.uuid4().hex[:8]]
    dist.broadcast_object_list(shared)
    run = shared[0]

Source
------
PyTorch documentation, ``torch.distributed.broadcast_object_list``; Horovod documentation, ``hvd.broadcast_object``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules import told

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job
    from corro.targets.base import Code

NAME = "run-names"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each name that all processes need."""

    def share(place: ast.AST, expression: str) -> tuple[Code, str]:
        return job.at(place).share(expression)

    return told.answers(job, NAME, told.needing(job), share)
