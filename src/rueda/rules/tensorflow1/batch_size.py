"""Refuse the batch size where it is written into a graph.

Why
---
A process's part of the batch has fewer rows. Something in the graph that is made for the batch size of the script, such
as random numbers or labels for all rows, does not fit it.

Before
------
::

    noise = tf.random_uniform([batch_size, 1])

After
-----
::

    refused: the batch size is written into the graph

Source
------
TensorFlow documentation, ``tf.shape``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.frontends.tensorflow1.names import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rueda.rules.base import Answer
    from rueda.rules.tensorflow1._job import Job

NAME = "session-batch-size"
GATE = 1


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal."""
    sizes = frozenset(_sizes(job))
    for fact in job.calls:
        if fact.receiver is not None or not plain(fact.name).startswith("tensorflow.") or not sizes:
            continue
        for node in (*fact.node.args, *(k.value for k in fact.node.keywords)):
            head = node.elts[0] if isinstance(node, (ast.List, ast.Tuple)) and node.elts else node
            value = job.value(head)
            if value.kind is Kind.NUMBER and value.origins & sizes and fact.name.rpartition(".")[2] != "placeholder":
                yield job.refuse(
                    NAME,
                    "the batch size is written into the graph, and each process has only its part of the batch.",
                    head,
                    "Take the number of rows from the batch itself: tf.shape(x)[0].",
                )
                return


def _sizes(job: Job) -> Iterator[int]:
    """Where the numbers come from that say how many samples a batch is to have."""
    fed = {value for site in job.steps() if site.feed is not None for value in site.feed.values}
    for fact in job.calls:
        if "drawn" in fact.result.tags or fact.node in fed:
            for value in fact.args[:1]:
                yield from value.origins
