"""Let each process train on its rows of every batch that the script makes itself.

Why
---
Batches that are cut from arrays, drawn by random indices or made by a function of the script are the same on every
process, because all draw from equal seeds. Each process takes every N-th row of them: the step is that of the whole
batch, once the gradients are averaged, and the batches and their number are those of the script. Noise that is as long
as a batch is shared out in the same way, so that the run is that of one process. Such a batch is recognised by what the
loss comes from, not by names; where it is a batch for something else too, it stays whole.

Before
------
::

    for step in range(1000):
        rows = np.random.randint(0, len(x), 64)
        train_step(x[rows], y[rows])

After
-----
::

    def share_rows(batch):
        mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
        return batch[mine]


    for step in range(1000):
        rows = np.random.randint(0, len(x), 64)
        train_step(share_rows(x[rows]), share_rows(y[rows]))

Source
------
Horovod documentation, "Horovod with TensorFlow": partition the data by rank. See ``keras-batchwise``, which does so for
``train_on_batch``.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends.batch_sources import leaves
from corro.frontends.keras.data import OF_TENSORFLOW
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.semantics import GRAPH
from corro.rules.batch_sources import all_rows, in_order, is_head, is_whole, obstacles, steered
from corro.rules.places import defined_before
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.source import Import

NAME = "tape-batches"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place where a batch is taken, or the first reason against it."""
    if job.sharing is None:
        return
    batches = in_order(job)
    obstacle = next(_obstacles(job, batches), None) if batches else None
    if obstacle is not None:
        yield obstacle
        return
    whole = [node for node in batches if isinstance(node, ast.Name) and is_whole(job, node)]
    yield from all_rows(job, NAME, whole)
    made = [node for node in batches if node not in whole]
    for here, mine in job.by_file(made):
        yield from _cut_and_made(here, mine)
    if made:
        yield from _said(job, made)


def _cut_and_made(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    """Each step trains on a batch that all processes make; the batches stand in one file."""
    name = job.names.fresh("share_rows")
    code = _function(job, name, batches)
    yield job.change(
        NAME, "the rows of a process in a batch", batches[0], [defined_before(job, batches[0], code.text)], code
    )
    for node in batches:
        before = f"map({name}, " if is_head(job, node) else f"{name}("
        reason = "each process trains on its own rows of every batch"
        yield job.change(NAME, reason, node, [Wrap(job.span(node), before, ")")], code)


def _said(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    yield job.note(
        NAME, "a batch that N does not divide is filled up with its own first rows, at most N-1 of them.", batches[0]
    )
    made = next((node for node in batches if not isinstance(node, ast.Subscript)), None)
    if made is not None:
        yield job.review(
            NAME,
            "every process makes all batches, and trains on its rows of each; they must come in the same order "
            "everywhere.",
            made,
            "If threads, the clock or unseeded random numbers influence the batches, make their order fixed.",
        )


def _obstacles(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    """Why batches cannot be shared out where they are taken."""
    for node in batches:
        if GRAPH in job.facts.batches[node].context.modes and not is_whole(job, node):
            message = "a batch is made inside a tf.function."
            yield job.refuse(NAME, message, node, "Make it outside, and give it to the function.")
    yield from obstacles(job, NAME, batches)
    yield from _whole_labels(job)
    yield from steered(job, NAME, batches)
    kinds = {kind for node in batches if not is_whole(job, node) for kind in _kinds(job, node)}
    if "table" in kinds and len(kinds) > 1:
        message = "some batches are rows of tables, others of arrays."
        yield job.refuse(NAME, message, batches[0], "Make arrays of the tables: table.to_numpy().", effort="one line")


def _whole_labels(job: Job) -> Iterator[Answer]:
    """A loss of a share of the predictions and of labels that were not followed to a batch."""
    for fact in job.calls:
        loss = fact.receiver is not None and fact.receiver.kind is Kind.LOSS
        named = fact.receiver is None and canonical(fact.name).startswith(("keras.losses.", "tensorflow.nn."))
        if not fact.context.passes or not (loss or named):
            continue
        given = [*fact.args, *fact.keywords.values()]
        shares = any(value.form is Form.SHARDED for value in given)
        if shares and any(value.placement.is_equal and value.kind in (Kind.UNKNOWN, Kind.LIST) for value in given):
            message = "a loss is given a shard of a batch, and something else that Corro cannot follow to rows of data."
            yield job.refuse(NAME, message, fact.node, "Make arrays of it, and cut them as the inputs are cut.")
            return


def _parts(job: Job, node: ast.expr) -> tuple[Value, ...]:
    value = job.value(node)
    return leaves(value.items[0] if is_head(job, node) else value)


def _kinds(job: Job, node: ast.expr) -> set[str]:
    """What the parts of a batch are: tensors of TensorFlow, arrays, or tables."""
    if isinstance(node, ast.Subscript) and job.value(node.value).kind is Kind.TABLE:
        return {"table"}
    if any(canonical(fact.name).startswith("tensorflow.") for fact in job.calls_of(node)):
        return {"tensor"}
    return {"tensor" if OF_TENSORFLOW in part.tags else "array" for part in _parts(job, node)}


def _function(job: Job, name: str, batches: list[ast.expr]) -> Code:
    """The function that takes the rows of a process."""
    target = job.sharing
    assert target is not None
    np, rank, size = target.library.name("numpy", "np"), target.rank, target.world_size
    imports: tuple[Import, ...] = (target.engine, target.library.imports("numpy", "np"))
    kinds = {kind for node in batches for kind in _kinds(job, node)}
    nested = any(job.value(n).kind is Kind.TUPLE or (is_head(job, n) and len(_parts(job, n)) > 1) for n in batches)
    part = "part" if nested else "batch"
    taken = {
        frozenset({"array"}): f"{part}[mine]",
        frozenset({"table"}): f"{part}.iloc[mine]",
        frozenset({"tensor"}): f"{target.tf}.gather({part}, mine)",
    }.get(frozenset(kinds), f"{target.tf}.gather({part}, mine) if {target.tf}.is_tensor({part}) else {part}[mine]")
    if target.tf in taken or nested:
        imports = (*imports, target.tf_import)
    rows = f"len({target.tf}.nest.flatten(batch)[0])" if nested else "len(batch)"
    lines = [f"def {name}(batch):"]
    if nested:
        lines.append(f"    rows = {rows}")
        rows = "rows"
        taken = f"{target.tf}.nest.map_structure(lambda part: {taken}, batch)"
    lines.append(f"    mine = {np}.arange({rank}, {rank} + {rows}, {size}) % {rows}")
    lines.append(f"    return {taken}")
    return Code("\n".join(lines), imports)
