"""Let each process train on its rows of every batch that the script makes itself.

Why
---
Batches that are cut from a tensor, drawn by random indices or made by a function of the script are the same on every
process, because all draw from equal seeds. Each process takes its N-th of their rows: the step is that of the whole
batch, once the gradients are averaged, and the batches and their number are those of the script. Rows that follow each
other can be reshaped by ``view`` as the batch can. Where each step trains on all data, each process keeps its rows of
it. A size that N does not divide stops the program; batches that are cut one after another, of which the last may be
short, are filled up. Such a batch is recognised by what the loss comes from, not by names; where it is a batch for
something else too, it stays whole. Of several arrays only those have to be equally long whose rows meet: each mean in a
loss is right by itself. Points that gradients are asked for are data, unless an optimizer may hold them; an array that
is written with a single row is had by all processes.

Before
------
::

    for step in range(1000):
        x, y = get_batch()
        loss = F.cross_entropy(model(x), y)

After
-----
::

    def share_rows(batch):
        if len(batch) % dist.get_world_size() != 0:
            raise SystemExit(f"batch size {len(batch)} cannot be shared out over {dist.get_world_size()} processes")
        rows = len(batch) // dist.get_world_size()
        return batch[dist.get_rank() * rows :][:rows]


    for step in range(1000):
        x, y = map(share_rows, get_batch())
        loss = F.cross_entropy(ddp_model(x), y)

Source
------
PyTorch documentation, "Getting Started with Distributed Data Parallel": each process feeds its own inputs to its
replica. Counted in 640 public PyTorch training files: 40 % have no DataLoader in the file.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.values import MIXED
from corro.frontends.pytorch.layers import may_be_single
from corro.frontends.pytorch.losses import FUNCTIONAL_LOSSES
from corro.frontends.tensors import NUMPY
from corro.rules.batch_sources import all_rows, in_order, is_head, is_whole, obstacles, steered
from corro.rules.places import defined_before
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "batches"
EVEN_SHARES = True


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place where a batch is taken, or the first reason against it."""
    batches = in_order(job)
    obstacle = next(_obstacles(job, batches), None)
    if obstacle is not None:
        yield obstacle
        return
    whole = [node for node in batches if isinstance(node, ast.Name) and is_whole(job, node)]
    yield from all_rows(job, NAME, whole, in_a_row=True)
    yield from _of_steps(job)
    filled = [node for node in batches if job.facts.batches[node].source.how.may_end_short]
    made = [node for node in batches if node not in (*whole, *filled)]
    for fills, nodes in ((True, filled), (False, made)):
        for here, mine in job.by_file(nodes):
            yield from _cut_and_made(here, mine, fills=fills)
    if filled:
        message = "a batch that N does not divide is filled up with its own first rows, at most N-1 of them."
        yield job.review(NAME, message, filled[0], "Choose a batch size and a number of samples that N divides.")


def _obstacles(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    yield from obstacles(job, NAME, batches)
    yield from _whole_labels(job)
    yield from steered(job, NAME, batches)
    if batches and not job.is_strong:
        message = "weak scaling needs a batch of its own for each process, but the script makes one batch a step."
        yield job.refuse(NAME, message, batches[0], "Use --scaling strong.", effort="one line")
    for node in batches:
        if is_head(job, node) and _around_a_loader(job, node):
            message = (
                "batches come from a generator of the script's own around a DataLoader, which is not converted yet."
            )
            yield job.refuse(NAME, message, node, "Loop over the DataLoader itself.")
        if any(part.kind is Kind.TABLE for part in _parts(job, node)):
            message = "a batch is made of rows of a table."
            yield job.refuse(NAME, message, node, "Make a tensor of the table before training.", effort="one line")


def _around_a_loader(job: Job, head: ast.expr) -> bool:
    """Whether a generator of the script's own goes over a loader, and so has a pass of its own."""
    called = (job.value(part.func).obj for part in ast.walk(head) if isinstance(part, ast.Call))
    functions = [job.facts.functions[obj] for obj in called if obj in job.facts.functions]
    return any(site.loop in ast.walk(function) for function in functions for site in job.anatomy.passes)


def _whole_labels(job: Job) -> Iterator[Answer]:
    """A loss of a share of the predictions and of labels that were not followed to a batch."""
    numbers = frozenset(fact.source.number for fact in job.facts.batches.values())
    for fact in job.calls:
        is_loss = fact.receiver is not None and fact.receiver.kind is Kind.LOSS
        if not is_loss and fact.name.rpartition(".")[2] not in FUNCTIONAL_LOSSES:
            continue
        given = fact.args[:2]
        shares = any(value.form is Form.SHARDED and value.sources & numbers for value in given)
        if shares and any(value.placement.is_equal and not _is_number(value) for value in given):
            message = "a loss is given a shard of a batch, and something else that Corro cannot follow to rows of data."
            yield job.refuse(NAME, message, fact.node, "Make tensors of it, and cut them as the inputs are cut.")


def _of_steps(job: Job) -> Iterator[Answer]:
    """Layers along sequences: rows that the script cuts may be the steps of one, and no samples."""
    numbers = frozenset(fact.source.number for fact in job.facts.batches.values())
    for fact in job.calls:
        given = next((v for v in fact.args if v.sources & numbers), None)
        if fact.receiver is None or given is None or fact.result.form is Form.UNKNOWN or not fact.context.passes:
            continue
        if may_be_single(fact.receiver, given):
            name = fact.receiver.name.replace("torch.nn.", "nn.")
            message = f"{name} is assumed to be given batches of sequences here, and not the steps of a single one."
            advice = "Give its input three dimensions where that can be seen, as by x.view(batch_size, length, -1)."
            yield job.assume(NAME, message, fact.node, advice, shown_by="gradient")
            return


def _is_number(value: Value) -> bool:
    return value.scalar or value.kind is Kind.NUMBER


def _cut_and_made(job: Job, batches: list[ast.expr], *, fills: bool) -> Iterator[Answer]:
    """Each step trains on a batch that all processes make; the batches stand in one file."""
    name = job.names.fresh("fill_and_share_rows" if fills else "share_rows")
    code = _function(job, name, batches, fills=fills)
    edit = defined_before(job, batches[0], code.text)
    yield job.change(NAME, "the rows of a process in a batch", batches[0], [edit], code)
    for node in batches:
        reason = "each process trains on its own rows of every batch"
        yield job.change(NAME, reason, node, [Wrap(job.span(node), *_wrapping(job, name, node))], code)


def _wrapping(job: Job, name: str, node: ast.expr) -> tuple[str, str]:
    """What is written before and behind an expression that gives a batch, or all of them."""
    nested = len(_parts(job, node)) > 1
    if is_head(job, node):
        batch = job.names_of(node).fresh("batch")
        return (f"(tuple(map({name}, {batch})) for {batch} in ", ")") if nested else (f"map({name}, ", ")")
    parent = job.parent(node)
    taken_apart = isinstance(parent, ast.Assign) and all(isinstance(t, (ast.Tuple, ast.List)) for t in parent.targets)
    if not nested:
        return f"{name}(", ")"
    return (f"map({name}, ", ")") if taken_apart else (f"tuple(map({name}, ", "))")


def _parts(job: Job, node: ast.expr) -> tuple[Value, ...]:
    value = job.value(node)
    inner = value.items[0] if is_head(job, node) else value
    return inner.items if inner.kind is Kind.TUPLE else (inner,)


def _function(job: Job, name: str, batches: list[ast.expr], *, fills: bool) -> Code:
    """The function that takes the rows of a process."""
    target = job.target
    arrays = any({NUMPY, MIXED} & part.tags for node in batches for part in _parts(job, node))
    module = target.library.name("numpy", "np") if arrays else target.torch
    imports = (target.library.imports("numpy", "np"),) if arrays else target.torch_import
    rank, size = target.rank, target.world_size
    if not fills:
        stop = f'raise SystemExit(f"batch size {{len(batch)}} cannot be shared out over {{{size}}} processes")'
        lines = [f"    if len(batch) % {size} != 0:", f"        {stop}", f"    rows = len(batch) // {size}"]
        drawn = any(k.arg == "requires_grad" for node in batches if isinstance(node, ast.Call) for k in node.keywords)
        leaf = ".detach().requires_grad_(batch.requires_grad)" if drawn else ""
        lines = [f"def {name}(batch):", *lines, f"    return batch[{rank} * rows :][:rows]{leaf}"]
        return Code("\n".join(lines), (target.engine,))
    rows = f"{module}.arange({rank}, {rank} + len(batch), {size}) % len(batch)"
    lines = [f"def {name}(batch):", f"    rows = {rows}", "    return batch[rows]"]
    return Code("\n".join(lines), (target.engine, *imports))
