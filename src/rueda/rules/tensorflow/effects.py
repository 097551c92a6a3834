"""Let effects of scripts with a loop of their own happen once: prints, summaries, checkpoints, files, plots.

Why
---
Every process runs the whole script. What is printed, drawn or written happens on rank 0. A writer of summaries writes
nothing on the other ranks, so that the code around it stays as it is.

Before
------
::

    writer = tf.summary.create_file_writer("logs")
    checkpoint.save("ckpt")

After
-----
::

    writer = tf.summary.create_file_writer("logs") if hvd.rank() == 0 else tf.summary.create_noop_writer()
    if hvd.rank() == 0:
        checkpoint.save("ckpt")

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py`` (checkpoints on worker 0 only).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.frontends.keras.names import canonical
from rueda.rules import once
from rueda.rules.keras._arguments import Given
from rueda.source import Wrap
from rueda.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.tensorflow._job import Job

NAME = "tape-effects"

_BAR = "keras.utils.Progbar"
_WRITERS = frozenset({"tensorflow.summary.create_file_writer"})


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each statement with an effect, one for each writer of summaries."""
    if not job.puts_under_conditions:
        return
    yield from once.answers(job, NAME)
    yield from _writers(job)
    yield from _bars(job)
    yield from _paths(job)


def _writers(job: Job) -> Iterator[Answer]:
    for node in dict.fromkeys(f.node for f in job.calls if canonical(f.name) in _WRITERS and f.receiver is None):
        target = job.ranked
        tf = job.target.tf
        if not job.is_own(node):
            yield job.refuse(
                NAME, "a module of the script's own writes summaries.", node, "Make the writer in the script itself."
            )
            continue
        elsewhere = f" if {target.is_first} else {tf}.summary.create_noop_writer()"
        brackets = ("", "") if isinstance(job.source.parent(node), (ast.Assign, ast.keyword)) else ("(", ")")
        edit = Wrap(job.source.span(node), brackets[0], f"{elsewhere}{brackets[1]}")
        yield job.change(NAME, "summaries of rank 0", node, [edit], Code("", (target.engine, job.target.tf_import)))


def _bars(job: Job) -> Iterator[Answer]:
    """Keras' own progress bars, made by hand."""
    for node in dict.fromkeys(f.node for f in job.calls if canonical(f.name) == _BAR and f.receiver is None):
        given = Given(job, node, ("target", "width", "verbose"))
        if not job.is_own(node) or given.is_open:
            yield job.refuse(
                NAME, "a progress bar is made where it cannot be made quiet.", node, "Make it in the script itself."
            )
            continue
        edits = given.set("verbose", f"{given.text('verbose') or '1'} if {job.ranked.is_first} else 0")
        yield job.change(NAME, "one progress bar, on rank 0", node, edits, Code("", (job.target.engine,)))
        yield job.note(NAME, "the progress bar shows rank 0's part.", node)


def _paths(job: Job) -> Iterator[Answer]:
    """Checkpoints whose path gets a name: nobody but rank 0 has one."""
    for node in job.named_checkpoints:
        edit = Wrap(job.source.span(node), "", f" if {job.ranked.is_first} else None")
        yield job.change(NAME, "writes a file once", node, [edit], Code("", (job.target.engine,)))
