"""What a loss needs whole: sums and means over a batch that it divides by, squares or compares.

A loss is linear in the samples, or no average of the losses of shards is that of the batch. But a process that has the
whole sum computes with it what the sequential script does: the Dice of a batch is a ratio of sums, the root of a mean
is that of the global mean. So where a loss could not be followed, sums and means are looked for that meet something
else than what is linear in them. Read again as what is equal on all processes, they show whether that was all.

A mean over rows of which each process has another number is one more: its sum is local, its divisor global.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import WHOLE, Form
from corro.frontends import operations
from corro.frontends.pytorch import losses, steps
from corro.frontends.pytorch.graphs import SEEDS
from corro.frontends.tensors import OVER_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Context, Facts
    from corro.flow.values import Value
    from corro.frontends.batch_sources import Loss

_EQUAL = frozenset({Form.REPLICATED, Form.STEP})
_PARTIAL = frozenset({Form.SUM, Form.MEAN})
_FOLLOWED = _EQUAL | _PARTIAL | {Form.SHARDED}
FUNCTIONS = {
    "MSELoss": "mse_loss", "L1Loss": "l1_loss", "SmoothL1Loss": "smooth_l1_loss", "HuberLoss": "huber_loss",
    "BCELoss": "binary_cross_entropy", "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "CrossEntropyLoss": "cross_entropy", "NLLLoss": "nll_loss",
}  # fmt: skip
"""Losses whose mean is that of as many numbers as they give without a reduction, and their functions."""
OPTIONS = frozenset({"beta", "delta", "label_smoothing", "pos_weight"})
"""What such a loss may be made with, besides ``reduction="mean"``."""
_COUNTING = frozenset({"cross_entropy", "nll_loss"})
_PAIR = 2


def is_lost(loss: Loss) -> bool:
    """Whether it is not known what a loss is of the samples of a batch."""
    return loss.value.form is Form.UNKNOWN


def needed_whole(facts: Facts) -> frozenset[ast.expr]:
    """The sums and means that are needed whole; none where all losses are followed.

    Nodes that are sampled around seeds may be those of several shards: no sum of sums over them is that of the batch.
    """
    lost = [loss.value for loss in steps.losses(facts) if is_lost(loss)]
    loaders = (facts.values.get(facts.nodes[number]) for value in lost for number in value.sources)
    if not lost or any(loader is not None and SEEDS in loader.tags for loader in loaders):
        return frozenset()
    return frozenset((*_in_operators(facts), *_in_calls(facts)))


def reduced(context: Context, value: Value) -> Value:
    """What is computed over all processes in place of a value in training."""
    if not is_training(context):
        return value
    if OVER_ROWS in value.tags:
        return value.but(placement=value.placement.with_form(Form.MEAN), tags=frozenset())
    if is_partial(value):
        return value.but(placement=WHOLE, pending=frozenset(), carry=frozenset(), tags=frozenset())
    return value


def is_training(context: Context) -> bool:
    """Whether gradients are computed here, in a pass over a loader."""
    return bool(context.passes) and "no_grad" not in context.modes


def is_partial(value: Value | None) -> bool:
    """A sum or a mean over a batch, in a tensor; or a sum that was read out of one."""
    if value is None or not value.sources:
        return False
    return value.form in _PARTIAL if value.kind is Kind.TENSOR else value.kind is Kind.NUMBER and value.form is Form.SUM


def _is_followed(value: Value | None) -> bool:
    """Whether it is known what a part of an operation is of the samples of the batch."""
    return value is not None and value.form in _FOLLOWED


def can_be_reduced(value: Value) -> bool:
    """A sum or a mean over a batch, or over some of its rows."""
    return is_partial(value) or OVER_ROWS in value.tags


# ---------------------------------------------------------------------- where sums meet something else


def _in_operators(facts: Facts) -> Iterator[ast.expr]:
    known = {fact.node for fact in facts.reduced}
    for node, value in facts.values.items():
        if isinstance(node, ast.BinOp) and value.form is Form.UNKNOWN and node not in known:
            parts = {part: facts.values.get(part) for part in (node.left, node.right)}
            if all(map(_is_followed, parts.values())):
                yield from _of_operator(node, {part: known for part, known in parts.items() if known is not None})


def _of_operator(node: ast.BinOp, parts: dict[ast.expr, Value]) -> Iterator[ast.expr]:
    """Operands to reduce: the divisor, the sum beside a mean or a number, or both."""
    if Kind.TENSOR not in {value.kind for value in parts.values()}:
        return
    partial = [part for part, value in parts.items() if is_partial(value)]
    if isinstance(node.op, ast.Div):
        yield from (part for part in partial if part is node.right)
        return
    forms = {value.form for value in parts.values()}
    if isinstance(node.op, (ast.Add, ast.Sub)) and forms == _PARTIAL:
        partial = [part for part in partial if parts[part].form is Form.SUM]
    yield from partial


def _in_calls(facts: Facts) -> Iterator[ast.expr]:
    for fact in facts.calls:
        if fact.result.form is not Form.UNKNOWN or not is_training(fact.context):
            continue
        if _is_mean_over_rows(facts, fact):
            yield fact.node
        elif operations.is_known(fact.name.rpartition(".")[2].rstrip("_")):
            yield from _of_call(facts, fact)


def _of_call(facts: Facts, fact: CallFact) -> Iterator[ast.expr]:
    """The operands of an operation on tensors that are to be reduced."""
    receiver = fact.node.func.value if fact.receiver is not None and isinstance(fact.node.func, ast.Attribute) else None
    written = [*([receiver] if receiver is not None else []), *fact.node.args, *(k.value for k in fact.node.keywords)]
    given = [(node, facts.values.get(node)) for node in written]
    if all(_is_followed(value) for _, value in given):
        yield from (node for node, value in given if value and value.kind is Kind.TENSOR and is_partial(value))


# ---------------------------------------------------------------------- means over rows


def _is_mean_over_rows(facts: Facts, fact: CallFact) -> bool:
    """A mean over rows of which each process has another number, all of them with the same weight."""
    return OVER_ROWS in fact.result.tags and (is_plain_mean(fact) or loss_function(facts, fact) is not None)


def is_plain_mean(fact: CallFact) -> bool:
    """``x.mean()`` and ``torch.mean(x)``."""
    given = fact.node.args if fact.name == "torch.mean" else [fact.node.func]
    whole = len(fact.node.args) == len(fact.args) == (fact.name == "torch.mean") and not fact.node.keywords
    return fact.name in ("mean", "torch.mean") and whole and len(given) == 1


def loss_function(facts: Facts, fact: CallFact) -> str | None:
    """The function of ``torch.nn.functional`` that gives the numbers of which a loss is the mean."""
    if fact.receiver is not None and fact.receiver.kind is Kind.LOSS:
        made = [facts.nodes[number] for number in fact.receiver.sites]
        call = made[0] if len(made) == 1 else None
        if not isinstance(call, ast.Call) or call.args or fact.node.keywords or len(fact.node.args) != _PAIR:
            return None
        options, name = {k.arg or "**": k.value for k in call.keywords}, FUNCTIONS.get(fact.receiver.name, "")
    else:
        name = fact.name.removeprefix("torch.nn.functional.")
        options = {k.arg or "**": k.value for k in fact.node.keywords if k.arg not in ("input", "target")}
        name = name if name in FUNCTIONS.values() and len(fact.args) <= _PAIR else ""
    how = options.pop("reduction", None)
    mean = how is None or (isinstance(how, ast.Constant) and how.value == "mean")
    counted = name in _COUNTING and losses.ignores_targets(facts)
    starred = any(isinstance(each, ast.Starred) for each in fact.node.args)
    return name if name and mean and not counted and not starred and options.keys() <= OPTIONS else None
