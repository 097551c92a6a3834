"""Let writers of summaries, bars of progress and checkpoints whose path gets a name be rank 0's.

Why
---
What writes summaries is made on every process, as the code around it uses it; elsewhere than on rank 0 it writes
nothing. A bar of Keras' own is quiet there, and the name for a checkpoint's path stands for nothing.

Before
------
::

    writer = tf.summary.create_file_writer("logs")
    path = checkpoint.save("ckpt")

After
-----
::

    writer = tf.summary.create_file_writer("logs") if hvd.rank() == 0 else tf.summary.create_noop_writer()
    path = checkpoint.save("ckpt") if hvd.rank() == 0 else None

Source
------
Horovod, ``examples/tensorflow2/tensorflow2_mnist.py``; Horovod documentation, "Horovod with TensorFlow", step 6
(checkpoints on worker 0 only).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras.names import canonical
from corro.rules.keras._arguments import Given
from corro.rules.once import lifts
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.keras._job import Job

NAME = "writers"

_BAR = "keras.utils.Progbar"
_WRITER = "tensorflow.summary.create_file_writer"


def apply(job: Job) -> Iterable[Answer]:
    """One answer for each of them."""
    if job.has_ranks:
        yield from _writers(job)
        yield from _bars(job)
        yield from _paths(job)


def _writers(job: Job) -> Iterator[Answer]:
    for node in dict.fromkeys(f.node for f in job.calls if canonical(f.name) == _WRITER and f.receiver is None):
        here = job.at(node)
        elsewhere = f" if {here.ranked.is_first} else {here.target.tf}.summary.create_noop_writer()"
        brackets = ("", "") if isinstance(job.parent(node), (ast.Assign, ast.keyword)) else ("(", ")")
        edits = (*lifts(job, node), Wrap(job.span(node), brackets[0], f"{elsewhere}{brackets[1]}"))
        code = Code("", (here.target.engine, here.target.tf_import))
        yield job.change(NAME, "summaries of rank 0", node, edits, code)


def _bars(job: Job) -> Iterator[Answer]:
    for node in dict.fromkeys(f.node for f in job.calls if canonical(f.name) == _BAR and f.receiver is None):
        given = Given(job, node, ("target", "width", "verbose"))
        if given.is_open:
            yield job.refuse(
                NAME,
                "a progress bar is given arguments by * or **, so that it cannot be limited to rank 0.",
                node,
                "Write the arguments into the call.",
                effort="one line",
            )
            continue
        target = job.at(node).ranked
        edits = given.set("verbose", f"{given.text('verbose') or '1'} if {target.is_first} else 0")
        yield job.change(NAME, "one progress bar, on rank 0", node, edits, Code("", (target.engine,)))
        yield job.note(NAME, "the progress bar shows rank 0's shard only.", node)


def _paths(job: Job) -> Iterator[Answer]:
    """Nobody but rank 0 has a path."""
    for node in job.named_checkpoints:
        target = job.at(node).ranked
        edit = Wrap(job.span(node), "", f" if {target.is_first} else None")
        yield job.change(NAME, "writes a file once", node, [edit], Code("", (target.engine,)))
