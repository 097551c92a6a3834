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
from corro.anatomy.steps import Batches
from corro.frontends.keras.data import OF_TENSORFLOW
from corro.frontends.keras.names import canonical
from corro.frontends.tensorflow.semantics import GRAPH
from corro.rules.keras._batches import defined_before
from corro.rules.reducing import differs
from corro.source import Before, Wrap, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.tensorflow._job import Job
    from corro.source import Edit, Import

NAME = "tape-batches"


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place where a batch is taken, or the first reason against it."""
    if job.sharing is None:
        return
    batches = sorted(job.facts.batches, key=lambda node: (node.lineno, node.col_offset))
    obstacle = next(_obstacles(job, batches), None) if batches else None
    if obstacle is not None:
        yield obstacle
        return
    whole = [node for node in batches if isinstance(node, ast.Name) and _is_whole(job, node)]
    yield from _all_rows(job, whole)
    made = [node for node in batches if node not in whole]
    for here, mine in job.by_file(made):
        yield from _cut_and_made(here, mine)
    if made:
        yield from _said(job, made)


def _all_rows(job: Job, batches: list[ast.Name]) -> Iterator[Answer]:
    """Each step trains on all data: each process keeps its rows, and as many as the others."""
    by_loop: dict[ast.stmt, dict[str, list[ast.Name]]] = {}
    for node in batches:
        by_loop.setdefault(_outermost(job, job.facts.batches[node].source.loop), {}).setdefault(node.id, []).append(
            node
        )
    for loop, names in by_loop.items():
        job = job.at(loop)
        target = job.sharing
        assert target is not None
        rank, size = target.rank, target.world_size
        shares = {name: job.names.fresh(f"{name}_share") for name in names}
        first, *others = names
        uneven = " or ".join([f"len({first}) % {size} != 0", *(f"len({name}) != len({first})" for name in others)])
        lines = [
            f"if {uneven}:",
            f'    raise SystemExit(f"{{len({first})}} samples cannot be shared out evenly over {{{size}}} processes")',
            *(f"{share} = {name}[{rank} :: {size}]" for name, share in shares.items()),
        ]
        edits: list[Edit] = [Before(loop, "\n".join(lines), order=-8)]
        for name, nodes in names.items():
            for node in nodes:
                edits += replace_node(job.file_of(node), node, shares[name])
        code = Code("", (target.engine,))
        yield job.change(NAME, f"each process trains on its own rows of {', '.join(names)}", loop, edits, code)


def _outermost(job: Job, loop: ast.AST) -> ast.stmt:
    """The outermost loop around a loop in its function, or in the module."""
    found = loop
    for above in job.ancestors(loop):
        if isinstance(above, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            break
        if isinstance(above, (ast.For, ast.While)):
            found = above
    assert isinstance(found, ast.stmt)
    return found


def _cut_and_made(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    """Each step trains on a batch that all processes make; the batches stand in one file."""
    name = job.names.fresh("share_rows")
    code = _function(job, name, batches)
    yield job.change(
        NAME, "the rows of a process in a batch", batches[0], [defined_before(job, batches[0], code.text)], code
    )
    for node in batches:
        before = f"map({name}, " if _is_head(job, node) else f"{name}("
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
        context = job.facts.batches[node].context
        apart = job.file_of(node) is not job.file_of(_outermost(job, job.facts.batches[node].source.loop))
        if apart and _is_whole(job, node):
            message = "the data is used in another file than the one with the training loop."
            yield job.refuse(NAME, message, node, "Give the data to the function as an argument.")
        if GRAPH in context.modes and not _is_whole(job, node):
            message = "a batch is made inside a tf.function."
            yield job.refuse(NAME, message, node, "Make it outside, and give it to the function.")
        if node in job.facts.batches_outside:
            message = "data become a batch in a function that is called outside of this training loop, too."
            yield job.refuse(NAME, message, node, "Give the data to the function as an argument.")
        if not job.is_uniform(context):
            message = "whether this batch is made depends on what differs between processes."
            yield job.refuse(NAME, message, node, "Make the condition depend on values that are equal everywhere.")
    yield from _whole_labels(job)
    for node in (node for node in batches if not _is_whole(job, node) and _is_steered(job, node)):
        message = "which batch is made depends on what each process has computed from its own shard."
        yield job.refuse(NAME, message, node, "Choose batches by values that are equal on all processes.")
    kinds = {kind for node in batches if not _is_whole(job, node) for kind in _kinds(job, node)}
    if "table" in kinds and len(kinds) > 1:
        message = "some batches are rows of tables, others of arrays."
        yield job.refuse(NAME, message, batches[0], "Make arrays of the tables: table.to_numpy().")


def _is_steered(job: Job, node: ast.expr) -> bool:
    """Whether parts of the data go into the making of a batch: its rows are chosen by their losses, for one."""
    inside = (fact for fact in job.calls if any(frame.call is node for frame in fact.context.frame.path()))
    given = [job.value(part) for part in ast.walk(node) if isinstance(part, ast.expr) and part is not node]
    return any(differs(job, value) for value in (*given, *(v for fact in inside for v in fact.args)))


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


def _is_whole(job: Job, node: ast.expr) -> bool:
    return job.facts.batches[node].source.how is Batches.WHOLE


def _is_head(job: Job, node: ast.expr) -> bool:
    return job.facts.batches[node].source.how is Batches.HEAD


def _parts(job: Job, node: ast.expr) -> tuple[Value, ...]:
    value = job.value(node)
    inner = value.items[0] if _is_head(job, node) else value
    return inner.items if inner.kind is Kind.TUPLE else (inner,)


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
    nested = any(job.value(n).kind is Kind.TUPLE or (_is_head(job, n) and len(_parts(job, n)) > 1) for n in batches)
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
