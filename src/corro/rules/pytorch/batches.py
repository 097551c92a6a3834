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
is written with a single row is had by all processes. Batches of torchtext's iterators are objects with a part for each
field, which says where the samples are: texts have the time first. Where nothing else is a batch, what a function makes
of data of unknown content, as of a file, is assumed to be tensors with the samples in their first dimension.

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
from corro.flow.values import ARRAYS, MIXED
from corro.frontends.batch_sources import ASSUMED, leaves
from corro.frontends.effects import EffectKind
from corro.frontends.pytorch.fields import is_assumed, is_batch
from corro.frontends.pytorch.layers import may_be_single
from corro.frontends.pytorch.losses import FUNCTIONAL_LOSSES
from corro.frontends.pytorch.steering import PARAMETER
from corro.frontends.tensors import NUMPY, PICKED, ROW
from corro.rules.batch_sources import all_rows, in_order, is_head, is_whole, obstacles, steered
from corro.rules.places import defined_before
from corro.source import Wrap, arguments_of
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "batches"
EVEN_SHARES = True
_DRAWS = (EffectKind.PLOT, EffectKind.TRACKER, EffectKind.RECORD)

_JOINING = frozenset({"cat", "concat", "concatenate", "stack", "hstack", "column_stack"})
_NO_ROWS = frozenset({Kind.LIST, Kind.DICT, Kind.NUMBER, Kind.TEXT, Kind.NONE})


def apply(job: Job) -> Iterable[Answer]:
    """One change for each place where a batch is taken, or the first reason against it."""
    batches = in_order(job)
    obstacle = next(_obstacles(job, batches), None)
    if obstacle is not None:
        yield obstacle
        return
    whole = [node for node in batches if isinstance(node, (ast.Name, ast.Attribute)) and is_whole(job, node)]
    yield from all_rows(job, NAME, whole, in_a_row=True)
    yield from _of_steps(job)
    yield from _of_unknown(job, batches)
    made = [node for node in batches if node not in whole]
    of_fields = [node for node in made if is_batch(_taken(job, node))]
    short = [node for node in made if job.facts.batches[node].source.may_end_short and node not in of_fields]
    even = [node for node in made if node not in (*of_fields, *short)]
    for write, nodes in ((_filled, short), (_even, even), (_of_fields, of_fields)):
        for here, mine in job.by_file(nodes):
            yield from _cut_and_made(here, mine, write)
    if short or of_fields:
        message = "a batch that N does not divide is filled up with its own first rows, at most N-1 of them."
        first = (short or of_fields)[0]
        yield job.review(NAME, message, first, "Choose a batch size and a number of samples that N divides.")


def _obstacles(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    yield from obstacles(job, NAME, batches)
    yield from _whole_labels(job)
    yield from _whole_beside(job)
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
        taken = _taken(job, node)
        parts = (each for part in taken.items for each in leaves(part)) if is_batch(taken) else _parts(job, node)
        if any(part.scalar or part.kind in _NO_ROWS for part in parts):
            message = "a part of a batch is no tensor, so that its rows cannot be shared out."
            yield job.refuse(NAME, message, node, "Make a tensor of it where the batch is made.", effort="one line")


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


def _whole_beside(job: Job) -> Iterator[Answer]:
    """``cat([inputs, outputs], 1)``, ``plot(inputs, outputs)``: the outputs are of a process's rows, the inputs all."""
    numbers = frozenset(fact.source.number for fact in job.facts.batches.values())
    drawn = {effect.node for effect in job.effects if effect.kind in _DRAWS}
    for fact in job.calls:
        if fact.node in drawn:
            given = [part for each in arguments_of(fact.node) for part in _given_in(each)]
        elif fact.node.args and fact.name.rpartition(".")[2] in _JOINING and not fact.context.passes:
            given = list(_given_in(fact.node.args[0]))
        else:
            continue
        values = (job.value(part) for part in given)
        parts = [value for value in values if not value.tags & {ROW, *PICKED}]  # one of them is as long anywhere
        shards = any(part.form is Form.SHARDED and part.sources & numbers for part in parts)
        data = (part for part in parts if part.kind is Kind.TENSOR and PARAMETER not in part.tags and not part.scalar)
        if shards and any(part.placement.is_equal for part in data):
            message = "all rows of the data are put beside those of a process's shard."
            advice = "Compute what belongs to all rows after training, as by outputs = model(inputs)."
            yield job.refuse(NAME, message, fact.node, advice, effort="one line")


def _given_in(node: ast.expr) -> Iterator[ast.expr]:
    """What a call is given, in lists and dicts too."""
    if isinstance(node, (ast.List, ast.Tuple)):
        inner = node.elts
    elif isinstance(node, ast.Dict):
        inner = node.values
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        inner = arguments_of(node)
    else:
        yield node
        return
    for each in inner:
        yield from _given_in(each)


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


def _of_unknown(job: Job, batches: list[ast.expr]) -> Iterator[Answer]:
    """Parts of batches of which nothing is known but the function that gives them."""
    unknown = [node for node in batches if any(ASSUMED in part.tags for part in _parts(job, node))]
    if unknown:
        message = "each part of this batch is assumed to be a tensor that has the samples in its first dimension."
        advice = "Make tensors of the data where that can be seen, as by torch.tensor(data)."
        yield job.assume(NAME, message, unknown[0], advice, shown_by="gradient")
    of_fields = [node for node in batches if is_batch(_taken(job, node)) and is_assumed(_taken(job, node))]
    if of_fields:
        message = "the texts of these batches are assumed to have the time in their first dimension."
        advice = "Make the fields of the data set where that can be seen, as by Field(batch_first=True)."
        yield job.assume(NAME, message, of_fields[0], advice, shown_by="gradient")


def _is_number(value: Value) -> bool:
    return value.scalar or value.kind is Kind.NUMBER


def _cut_and_made(
    job: Job, batches: list[ast.expr], write: Callable[[Job, str, list[ast.expr]], Code]
) -> Iterator[Answer]:
    """Each step trains on a batch that all processes make; the batches stand in one file."""
    name = job.names.fresh("share_rows" if write is _even else "fill_and_share_rows")
    code = write(job, name, batches)
    edit = defined_before(job, batches[0], code.text)
    yield job.change(NAME, "the rows of a process in a batch", batches[0], [edit], code)
    for node in batches:
        reason = "each process trains on its own rows of every batch"
        yield job.change(NAME, reason, node, [Wrap(job.span(node), *_wrapping(job, name, node))], code)


def _wrapping(job: Job, name: str, node: ast.expr) -> tuple[str, str]:
    """What is written before and behind an expression that gives a batch, or all of them."""
    in_parts = len(_parts(job, node)) > 1 and not _is_nested(job, node)
    if is_head(job, node):
        batch = job.names_of(node).fresh("batch")
        return (f"(tuple(map({name}, {batch})) for {batch} in ", ")") if in_parts else (f"map({name}, ", ")")
    parent = job.parent(node)
    taken_apart = isinstance(parent, ast.Assign) and all(isinstance(t, (ast.Tuple, ast.List)) for t in parent.targets)
    if not in_parts:
        return f"{name}(", ")"
    return (f"map({name}, ", ")") if taken_apart else (f"tuple(map({name}, ", "))")


def _taken(job: Job, node: ast.expr) -> Value:
    """A batch that an expression gives."""
    value = job.value(node)
    return value.items[0] if is_head(job, node) else value


def _parts(job: Job, node: ast.expr) -> tuple[Value, ...]:
    return leaves(_taken(job, node))


def _is_nested(job: Job, node: ast.expr) -> bool:
    """Whether parts of a batch are tuples themselves, or it is one of several tuples."""
    taken = _taken(job, node)
    return any(part.kind is Kind.TUPLE or part.name == ARRAYS for part in taken.items or (taken,))


def _head(job: Job, name: str, batches: list[ast.expr]) -> list[str]:
    """The first lines of a function that takes the rows of a process."""
    nested = any(_is_nested(job, node) for node in batches)
    parts = ["    if isinstance(batch, tuple):", f"        return tuple(map({name}, batch))"] if nested else []
    return [f"def {name}(batch):", *parts]


def _even(job: Job, name: str, batches: list[ast.expr]) -> Code:
    """The function that takes the rows of a process, which are as many for each."""
    target = job.target
    rank, size = target.rank, target.world_size
    stop = f'raise SystemExit(f"batch size {{len(batch)}} cannot be shared out over {{{size}}} processes")'
    lines = [f"    if len(batch) % {size} != 0:", f"        {stop}", f"    rows = len(batch) // {size}"]
    drawn = any(k.arg == "requires_grad" for node in batches if isinstance(node, ast.Call) for k in node.keywords)
    leaf = ".detach().requires_grad_(batch.requires_grad)" if drawn else ""
    lines = [*_head(job, name, batches), *lines, f"    return batch[{rank} * rows :][:rows]{leaf}"]
    return Code("\n".join(lines), (target.engine,))


def _filled(job: Job, name: str, batches: list[ast.expr]) -> Code:
    """The function that takes the rows of a process, the first ones once more where there are too few."""
    target = job.target
    arrays = any({NUMPY, MIXED} & part.tags for node in batches for part in _parts(job, node))
    module = target.library.name("numpy", "np") if arrays else target.torch
    imports = (target.library.imports("numpy", "np"),) if arrays else target.torch_import
    rows = f"{module}.arange({target.rank}, {target.rank} + len(batch), {target.world_size}) % len(batch)"
    lines = [*_head(job, name, batches), f"    rows = {rows}", "    return batch[rows]"]
    return Code("\n".join(lines), (target.engine, *imports))


def _of_fields(job: Job, name: str, batches: list[ast.expr]) -> Code:
    """The function that leaves the rows of a process in a batch of torchtext, whose fields say where the samples are.

    They keep their order: the longest text may have to come first.
    """
    target = job.target
    lines = [
        f"def {name}(batch):",
        f"    rows = range({target.rank}, {target.rank} + len(batch), {target.world_size})",
        "    rows = sorted(row % len(batch) for row in rows)",
        "    for name, field in batch.dataset.fields.items():",
        "        if field is not None:",
        "            value = getattr(batch, name)",
        "            texts, *lengths = value if field.include_lengths else (value,)",
        "            texts = texts[:, rows] if field.sequential and not field.batch_first else texts[rows]",
        "            setattr(batch, name, (texts, *(each[rows] for each in lengths)) if lengths else texts)",
        "    batch.batch_size = len(rows)",
        "    return batch",
    ]
    return Code("\n".join(lines), (target.engine,))
