"""Let summaries that a training step makes show the whole batch where they are numbers.

Why
---
A summary that is fetched in the training step is made of a process's shard of the batch. A number in it is averaged, or
added up, in the graph; all processes fetch it together, and rank 0 writes it. A histogram or an image shows rank 0's
shard, which a review says. The summaries that a monitored session makes by itself are fetched on rank 0 alone: a
collective in them would wait for ever, so they show rank 0's part.

Before
------
::

    tf.summary.scalar("loss", loss)

After
-----
::

    tf.summary.scalar("loss", hvd.allreduce(loss))

Source
------
Horovod documentation, "Horovod with TensorFlow", ``hvd.allreduce``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.placement import Form
from corro.frontends.tensorflow1.graphs import SUMMARY
from corro.frontends.tensorflow1.names import plain
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-summaries"


def apply(job: Job) -> Iterable[Answer]:
    """One change or review for each summary of something in the graph."""
    runs = job.anatomy.runs
    showing = [s for s in runs if any(SUMMARY in job.part(s, node).tags for node in s.fetches or ())]
    fetched = any(site.trains for site in showing)
    alone = bool(job.anatomy.monitored)
    if not fetched and not alone:
        return
    done: set[ast.AST] = set()
    for fact in job.calls:
        if fact.receiver is not None or not plain(fact.name).startswith("tensorflow.summary.") or fact.node in done:
            continue
        node = _shown(fact.node)
        value = job.value(node) if node is not None else None
        if node is None or value is None or value.placement.is_equal:
            continue
        done.add(fact.node)
        if fetched and value.form is Form.SUM and not all(site.trains for site in showing):
            yield job.refuse(
                NAME,
                "a summary holds a sum. It is summed over the processes, so it is N times too large in a run that "
                "every process feeds with the whole batch.",
                fact.node,
                "Show the mean, or make another summary for runs that do not train.",
            )
            return
        number = plain(fact.name) == "tensorflow.summary.scalar" and value.form in (Form.MEAN, Form.SUM)
        if number and not alone:
            target = job.at(node).target
            before, _, after = target.all_reduce("\0", summed=value.form is Form.SUM).partition("\0")
            edit = Wrap(job.span(node), before, after)
            yield job.change(NAME, "the whole batch in the summary", fact.node, [edit], Code("", (target.engine,)))
        else:
            text = "the summary shows rank 0's shard of each batch."
            yield job.review(NAME, text, fact.node, differs=("metrics",), only_here=True)


def _shown(node: ast.Call) -> ast.expr | None:
    named = (k.value for k in node.keywords if k.arg in ("tensor", "values"))
    return next(named, node.args[1] if len(node.args) > 1 else None)
