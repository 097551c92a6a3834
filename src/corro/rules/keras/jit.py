"""Leave the training step to TensorFlow's own runtime.

Why
---
XLA compiles a whole step, and knows nothing of the all-reduce in it: with ``jit_compile=True`` the first step fails
(measured with TensorFlow 2.15, Horovod 0.28.1 and the strategies on the CPU). What is computed stays the same.

Before
------
::

    model.compile("adam", "mse", jit_compile=True)

After
-----
::

    model.compile("adam", "mse", jit_compile=False)

Source
------
Horovod documentation, ``HOROVOD_ENABLE_XLA_OPS``, which its builds with XLA need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.rules.keras._arguments import COMPILE, Given

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-jit"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each ``compile`` that may ask for XLA."""
    if job.target.backend != "tensorflow":
        return
    for call in job.anatomy.compiles:
        given = Given(job, call, COMPILE)
        value = given.value("jit_compile")
        if value is not None and value.const not in (False, "auto") and job.is_own(call):
            edits = given.set("jit_compile", "False")
            yield job.change(NAME, "a step that XLA does not compile", call, edits)
            yield job.note(NAME, "XLA cannot compile the all-reduce in a step: jit_compile is switched off.", call)
