"""Keep the gradient the average (or the sum) over the global batch.

Why
---
Gradients are averaged over processes. That is right for a loss that is the mean over the batch. A loss that is a sum
over samples needs the sum of gradients; left alone, it would train with a learning rate N times too small.

Before
------
::

    loss = F.nll_loss(model(x), y, reduction="sum")
    loss.backward()

After
-----
::

    loss = F.nll_loss(model(x), y, reduction="sum")
    (loss * dist.get_world_size()).backward()

Source
------
PyTorch documentation, ``DistributedDataParallel``: "When a model is trained on M nodes with batch=N, the gradient
will be M times smaller … if the loss is summed (NOT averaged as usual)".
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.frontends import operations, tensors
from corro.frontends.pytorch import losses, sight
from corro.frontends.pytorch.layers import MIXES_FIRST, meet_in
from corro.frontends.pytorch.steps import loss_of
from corro.rules import outer
from corro.rules.pytorch._averaging import wraps_optimizers
from corro.rules.reducing import differs
from corro.rules.wrapping import wrapped_in_place
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "loss"

_NOT_COMPUTED = (
    "[B] and [B, 1] are given to a loss that takes predictions and targets of one size only: since PyTorch 1.5 the "
    "script itself ends here with an error."
)
_REDUCTIONS = ("reduction", "size_average", "reduce")


def apply(job: Job) -> Iterable[Answer]:
    """Leave means alone, scale sums, refuse what is neither."""
    for fact in (job.calls_of(each.node)[0] for each in job.anatomy.backwards):
        value = job.value(fact.node.func.value) if isinstance(fact.node.func, ast.Attribute) else loss_of(fact)
        if value.form is Form.SUM:
            yield from _summed(job, fact.node)
        elif value.form is not Form.MEAN and not _is_of_global_sums(job, value):
            yield _unknown(job, fact, value)
        yield from _scaled_by_a_shard(job, fact)
    if job.facts.assumed:
        against = _against(job)
        yield from (against,) if against is not None else map(partial(_assumed, job), job.facts.assumed)
    yield from _changed(job)


def _scaled_by_a_shard(job: Job, fact: CallFact) -> Iterator[Answer]:
    """A gradient that the backward pass is given, such as the loss itself: ``loss.backward(loss)``."""
    of_method = isinstance(fact.node.func, ast.Attribute) and fact.name == "backward"
    given = fact.argument(0, "gradient") if of_method else fact.argument(1, "grad_tensors")
    if given is not None and differs(job, given):
        yield job.refuse(
            NAME,
            "the gradient that the backward pass is given depends on this process's shard: the mean of products over "
            "the processes is not the product of their means.",
            fact.node,
            "Call backward() without it.",
            effort="other training",
        )


def _is_of_global_sums(job: Job, value: Value) -> bool:
    """Whether all processes compute the same loss, that of the batch, of what they have summed up."""
    return value.form is Form.REPLICATED and value.placement.data_dependent and any(job.facts.reduced)


def _unknown(job: Job, fact: CallFact, value: Value) -> Answer:
    return _against(job) or job.refuse(
        NAME,
        f"the loss is not known to be a mean or a sum over the samples of the batch ({value.form.value}).",
        fact.node,
        _WRITE + _sight_lost(job, fact),
    )


def _sight_lost(job: Job, fact: CallFact) -> str:
    """Where samples were lost from sight on the way to a loss."""
    of_method = fact.name == "backward" and isinstance(fact.node.func, ast.Attribute)
    loss = fact.node.func.value if of_method and isinstance(fact.node.func, ast.Attribute) else fact.node.args[0]
    node = sight.lost_at(job.facts, loss)
    if node is None:
        return ""
    file, text = job.file_of(node), " ".join(job.segment(node).split())
    where = f"line {node.lineno}" if file is job.script else f"line {node.lineno} of {file.path.name}"
    return f" Its samples are lost from sight in {where}: {text if len(text) < _SHORT else f'{text[:_SHORT]}...'}."


def _assumed(job: Job, node: ast.expr) -> Answer:
    """A loss that could not be followed: right if it is a mean, and a run shows whether it is."""
    unknown = next((_last_name(fact.name) for fact in _losing(job) if _is_unknown(_last_name(fact.name))), None)
    why = (
        f"it is not known whether {unknown} treats each sample independently"
        if unknown
        else "the text does not show it"
    )
    message = f"this loss is assumed to be a mean over the samples of the batch: {why}."
    return job.assume(NAME, message, node, _WRITE, shown_by="gradient")


def _against(job: Job) -> Answer | None:
    """What makes a loss of a shard something else than that of the samples, where it is known."""
    layer = next((f for f in job.calls if f.context.passes and _mixes(f)), None)
    if layer is not None and layer.receiver is not None:
        name = layer.receiver.name.replace("torch.nn.", "nn.") or "a layer that this may be"
        first = MIXES_FIRST in layer.receiver.tags
        where = "first dimension, where these batches have their samples" if first else "samples of these batches"
        return job.refuse(
            NAME,
            f"{name} works along the {where}; each process holds only its shard of them.",
            layer.node,
            _other_dimension(layer.receiver.name, first=first),
        )
    met = outer.meeting(job)
    if met is not None:
        message = _NOT_COMPUTED if _needs_one_size(job, met.node) else met.message
        return job.refuse(NAME, message, met.node, met.hint)
    return next((job.refuse(NAME, why, operation.node, hint) for operation, why, hint in _loses(job)), None)


def _needs_one_size(job: Job, node: ast.expr) -> bool:
    """Whether all that a call may be is a loss that takes predictions and targets of one size only."""
    called = job.calls_of(node) if isinstance(node, ast.Call) else ()
    names = {name for fact in called for name in (fact.name.rpartition(".")[2], *_losses(fact)) if name}
    return bool(names) and names <= losses.OF_ONE_SIZE


def _losses(fact: CallFact) -> list[str]:
    """The names of the losses that are called: of one that is none, or of another kind, its own."""
    if fact.receiver is None:
        return []
    return [each.name for each in losses.variants(fact.receiver)] or [fact.receiver.name or str(fact.receiver.kind)]


def _other_dimension(layer: str, *, first: bool) -> str:
    """What to do about a layer that works along the samples."""
    if first:
        return "Give it batch_first=True, or another dimension."
    if "Soft" in layer:
        return "Give it the dimension of the classes."
    return "Give it the samples in the first dimension, and have its layers work along another one."


def _loses(job: Job) -> Iterator[tuple[CallFact, str, str]]:
    """Operations that make of samples what is none of a batch's samples any more: why, and what to do."""
    for fact in _losing(job):
        operands = (*((fact.receiver,) if fact.receiver is not None else ()), *fact.args, *fact.keywords.values())
        said = _turned(fact) or _why(fact.name, frozenset(tag for value in operands for tag in value.tags))
        if said is not None:
            yield fact, *said


def _losing(job: Job) -> Iterator[CallFact]:
    """Operations in training after which samples cannot be told apart."""
    for fact in job.calls:
        operands = (*((fact.receiver,) if fact.receiver is not None else ()), *fact.args, *fact.keywords.values())
        followed = fact.context.passes and "no_grad" not in fact.context.modes
        is_lost = fact.result.kind is Kind.TENSOR and fact.result.form is Form.UNKNOWN
        forms = {value.form for value in operands}
        if followed and is_lost and Form.SHARDED in forms and forms <= _FOLLOWED:
            yield fact


def _turned(fact: CallFact) -> tuple[str, str] | None:
    """Why a loss of a transposed batch is refused."""
    receiver = fact.receiver
    name = receiver.name if receiver is not None and receiver.kind is Kind.LOSS else fact.name.rpartition(".")[2]
    known = name in losses.FUNCTIONAL_LOSSES or (receiver is not None and receiver.kind is Kind.LOSS)
    reduction = "batchmean" if name in ("KLDivLoss", "kl_div") else "mean"
    if not known or not losses.is_turned(name, reduction, (*fact.args, *fact.keywords.values())):
        return None
    return (
        f"{name} takes the first dimension for that of the samples, but here they are in another one; each process "
        "holds only its shard of them.",
        "Give it the samples in the first dimension, without transposing them.",
    )


def _why(name: str, tags: frozenset[str]) -> tuple[str, str] | None:
    last, name = _last_name(name), name.removeprefix("torch.nn.functional.").removeprefix("torch.")
    if tensors.POSITIONED in tags:
        return "samples are chosen by their place in the batch, but each process holds only its shard.", _BY_ITSELF
    if tensors.BY_NUMBERS in tags:
        return (
            "samples may be taken by their numbers here, which can pair each with another one of the batch; each "
            "process holds only its shard.",
            "Write the index as a condition if it is one, as in loss[labels > 0] or loss[mask.bool()].",
        )
    if tensors.SELECTED in tags:
        return (
            "this is a mean over rows, whose number differs between processes: the mean over the processes is not "
            "the mean over the global batch.",
            "The sum over the rows, divided by a number that is equal on all processes (such as the batch size), can "
            "be converted; it weighs batches otherwise than this mean does.",
        )
    if last in operations.TOGETHER or (operations.is_known(last) and last not in _LINEAR):
        return (
            f"{name} compares samples of the batch with each other, but each process holds only its shard.",
            _BY_ITSELF,
        )
    return None


def _is_unknown(operation: str) -> bool:
    """Whether it is not known what an operation does with the samples of a batch."""
    return (
        bool(operation) and not operations.is_known(operation) and not operation.endswith(("_loss", "entropy", "div"))
    )


def _last_name(name: str) -> str:
    return name.rpartition(".")[2].rstrip("_")


_FOLLOWED = frozenset({Form.SHARDED, Form.REPLICATED, Form.STEP, Form.COUNT})
_LINEAR = frozenset({"sum", "mean", "nansum", "nanmean"})
_SHORT = 60
_WRITE = "Compute it with a loss of torch.nn, or as .mean() or .sum() over the batch."
_BY_ITSELF = "Compute one loss for each sample, and take .mean() or .sum() over the batch."


def _mixes(fact: CallFact) -> bool:
    """A layer that made of samples what is none of a batch's samples any more."""
    receiver = fact.receiver
    given = next((v for v in fact.args if v.form is Form.SHARDED), None)
    if receiver is None or receiver.kind is not Kind.MODULE or given is None or fact.result.form is not Form.UNKNOWN:
        return False
    return MIXES_FIRST in receiver.tags or meet_in(receiver, given)


def _changed(job: Job) -> Iterator[Answer]:
    """``criterion.reduction = "sum"``: another reduction than the one the loss was made with."""
    for node in job.nodes.of(ast.Attribute):
        stored = isinstance(node.ctx, ast.Store) and node.attr in _REDUCTIONS
        if stored and job.value(node.value).kind is Kind.LOSS:
            yield job.refuse(
                NAME,
                "the reduction of a loss is changed after it was made.",
                node,
                "Give the reduction where the loss is made.",
                effort="one line",
            )


def _scaled(job: Job, node: ast.expr, text: str) -> str:
    """The loss to start from, where a method of a loss is called; an operation stands in parentheses there."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        return f"({job.target.summed_loss(text)})"
    return job.target.summed_loss(f"({text})")


def _summed(job: Job, node: ast.Call) -> Iterator[Answer]:
    if not isinstance(node.func, ast.Attribute) or wraps_optimizers(job):
        return
    job = job.at(node)
    edits = wrapped_in_place(job, node.func.value, partial(_scaled, job, node.func.value))
    yield job.change(NAME, "a summed loss needs summed gradients", node, edits, Code("", (job.target.engine,)))
