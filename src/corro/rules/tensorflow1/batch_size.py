"""Make what has the size of a batch in a graph as large as a process's share of it.

Why
---
A process's shard of the batch has fewer rows. Random numbers or labels that are made for the batch size of the script
are made for 1/N of it, where the graph uses them in training steps only; a run that is fed the whole would not fit
them. Where the number is written into the graph in another way, to shape what is fed, the script is refused; and where
the labels of all rows are written into it, and parts of the rows are fed.

Before
------
::

    noise = tf.random_uniform([batch_size, 1])

After
-----
::

    if batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
    noise = tf.random_uniform([batch_size // hvd.size(), 1])

Source
------
TensorFlow tutorial, "Deep Convolutional Generative Adversarial Network", which does so under a strategy.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.tensorflow.operations import SIZED
from corro.frontends.tensorflow.semantics import VARIABLE
from corro.frontends.tensorflow1.graphs import ROWS, STATE, SUMMARY
from corro.frontends.tensorflow1.names import plain
from corro.rules.keras._batches import check
from corro.rules.tensorflow1._rows import rows
from corro.source import parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.sessions import RunSite
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow1._job import Job

NAME = "session-batch-size"
GATE = 1

_CROSSING = frozenset({"matmul", "tensordot", "einsum", "gather", "gather_nd", "embedding_lookup"})
"""Functions whose arguments need not have the same rows."""


def apply(job: Job) -> Iterable[Answer]:
    """At most one refusal; or a change for each part of the graph."""
    sized: dict[ast.Call, ast.expr] = {}
    for fact in job.calls:
        if fact.receiver is not None or not plain(fact.name).startswith("tensorflow.") or not job.anatomy.sizes:
            continue
        for node in (*fact.node.args, *(k.value for k in fact.node.keywords)):
            head = node.elts[0] if isinstance(node, (ast.List, ast.Tuple)) and node.elts else node
            value = job.value(head)
            known = value.kind is Kind.NUMBER and value.origins & job.anatomy.sizes
            if not known or fact.name.rpartition(".")[2] == "placeholder":
                continue
            if SIZED not in fact.result.tags:
                yield job.refuse(
                    NAME,
                    "the batch size is written into the graph, but each process holds only its shard of the batch.",
                    head,
                    "Take the number of rows from the batch itself: tf.shape(x)[0].",
                    effort="one line",
                )
                return
            sized[fact.node] = head
    whole = _whole_operand(job)
    if whole is not None:
        yield job.refuse(
            NAME,
            "the graph computes with all rows of this, but each process feeds only its shard of the rows.",
            whole,
            "Feed it to a placeholder too.",
        )
        return
    numbers = frozenset(job.facts.number(call) for call in sized)
    for fact in job.calls if numbers else ():
        if VARIABLE in fact.result.tags and any(v.sources & numbers for v in (*fact.args, *fact.keywords.values())):
            yield job.refuse(
                NAME,
                "a variable has the size of a batch, but each process holds only its shard.",
                fact.node,
                "Give variables sizes that do not depend on the batch.",
            )
            return
    used = _used_by_wholes(job, numbers)
    if used is not None:
        yield job.refuse(
            NAME,
            "something as long as a batch may be used in a run that does not train, which is fed the whole batch.",
            used,
            "Take the number of rows from the batch itself: tf.shape(x)[0].",
            effort="one line",
        )
        return
    checked: set[tuple[ast.AST, str]] = set()
    for call, head in sized.items():
        job = job.at(call)
        size = parenthesised(job.file_of(head), head)
        edits = [*replace_node(job.file_of(head), head, f"{size} // {job.target.world_size}")]
        if (job.source.tree, size) not in checked:
            checked.add((job.source.tree, size))
            edits.append(check(job.target, job.statement(call), size))
        reason = "as many as a process has samples"
        yield job.change(NAME, reason, call, edits, Code("", (job.target.engine,)))


def _whole_operand(job: Job) -> ast.expr | None:
    """What is computed with beside a part of a batch, row by row, and has the rows of what training steps are fed."""
    items = [pair for site in job.steps() if site.feed is not None for pair in _pairs(site)]
    given = [value for key, value in items if ROWS in job.value(key).tags]
    fed = frozenset(mark for value in given for mark in rows(job, value))
    for together in _operands(job) if fed else ():
        if any(job.value(node).sources for node in together):
            for node in together:
                value = job.value(node)
                if not value.sources and not value.scalar and VARIABLE not in value.tags and rows(job, node) & fed:
                    return node
    return None


def _pairs(site: RunSite) -> Iterator[tuple[ast.expr, ast.expr]]:
    assert site.feed is not None
    return ((key, value) for key, value in zip(site.feed.keys, site.feed.values, strict=True) if key is not None)


def _operands(job: Job) -> Iterator[tuple[ast.expr, ...]]:
    """What operators and functions of TensorFlow put together row by row."""
    for node in job.nodes.of(ast.BinOp):
        if not isinstance(node.op, ast.MatMult):
            yield node.left, node.right
    for fact in job.calls:
        name = plain(fact.name)
        of_rows = name.startswith("tensorflow.") and name.rpartition(".")[2] not in _CROSSING
        if fact.receiver is None and of_rows:
            given = (*fact.node.args, *(each.value for each in fact.node.keywords))
            yield tuple(each for each in given if not isinstance(each, (ast.List, ast.Tuple)))  # those are shapes


def _used_by_wholes(job: Job, numbers: frozenset[int]) -> ast.AST | None:
    """What is fetched in a run that does not train, and is made of something of the size of a batch, or may be."""
    if numbers and job.anatomy.monitored:
        return job.anatomy.monitored[0]  # its hooks look at more
    for site in job.anatomy.runs if numbers else ():
        for node in site.fetches or () if not site.trains else ():
            if _may_use(job.part(site, node), numbers):
                return node
    return None


def _may_use(part: Value, numbers: frozenset[int]) -> bool:
    lost = part.form is Form.UNKNOWN and STATE not in part.tags
    return bool(part.sources & numbers) or lost or SUMMARY in part.tags
