"""Let effects happen once: prints, saved models, files, plots.

Why
---
Under Horovod every process runs the whole script. What is printed, drawn or written happens on rank 0; a file opened
for writing is the null device elsewhere, and a writer of summaries writes nothing there. A strategy within one process
changes nothing here.

Before
------
::

    model.summary()
    model.save("model.h5")

After
-----
::

    if hvd.rank() == 0:
        model.summary()
        model.save("model.h5")

Source
------
Horovod documentation, "Horovod with Keras", step 6 (save checkpoints only on worker 0).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras.names import canonical
from corro.rules import once
from corro.rules.keras._arguments import Given
from corro.source import Wrap
from corro.targets.base import Code, RankedTarget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "keras-effects"


_BAR = "keras.utils.Progbar"
_WRITER = "tensorflow.summary.create_file_writer"


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each statement with an effect, one for each writer of summaries."""
    if isinstance(job.target, RankedTarget):
        yield from once.answers(job, NAME)
        yield from writers(job, NAME)
        yield from bars(job, NAME)


def writers(job: Job, rule: str) -> Iterator[Answer]:
    """Writers of summaries, in the name of a rule: elsewhere than on rank 0 they write nothing."""
    for node in dict.fromkeys(f.node for f in job.calls if canonical(f.name) == _WRITER and f.receiver is None):
        target = job.ranked
        tf = job.target.tf
        if not job.is_own(node):
            yield job.refuse(
                rule, "a module of the script's own writes summaries.", node, "Make the writer in the script itself."
            )
            continue
        elsewhere = f" if {target.is_first} else {tf}.summary.create_noop_writer()"
        brackets = ("", "") if isinstance(job.parent(node), (ast.Assign, ast.keyword)) else ("(", ")")
        edit = Wrap(job.span(node), brackets[0], f"{elsewhere}{brackets[1]}")
        yield job.change(rule, "summaries of rank 0", node, [edit], Code("", (target.engine, job.target.tf_import)))


def bars(job: Job, rule: str) -> Iterator[Answer]:
    """Keras' own progress bars, made by hand, in the name of a rule."""
    for node in dict.fromkeys(f.node for f in job.calls if canonical(f.name) == _BAR and f.receiver is None):
        given = Given(job, node, ("target", "width", "verbose"))
        if not job.is_own(node) or given.is_open:
            yield job.refuse(
                rule, "a progress bar is made where it cannot be made quiet.", node, "Make it in the script itself."
            )
            continue
        edits = given.set("verbose", f"{given.text('verbose') or '1'} if {job.ranked.is_first} else 0")
        yield job.change(rule, "one progress bar, on rank 0", node, edits, Code("", (job.ranked.engine,)))
        yield job.note(rule, "the progress bar shows rank 0's part.", node)
