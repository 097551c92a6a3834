"""What loss functions make of predictions: a mean over the batch, a sum over its samples, or one number a sample."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, elementwise
from corro.flow import depths
from corro.flow.python import STARRED
from corro.flow.values import Value
from corro.frontends import tensors
from corro.frontends.pytorch import pretrained

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.flow.facts import CallFact, Facts
    from corro.flow.semantics import Call

FUNCTIONAL_LOSSES = frozenset(
    {"cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss", "binary_cross_entropy", "kl_div",
     "binary_cross_entropy_with_logits", "huber_loss", "poisson_nll_loss", "gaussian_nll_loss", "hinge_embedding_loss",
     "margin_ranking_loss", "cosine_embedding_loss", "soft_margin_loss", "multi_margin_loss", "triplet_margin_loss",
     "multilabel_margin_loss", "multilabel_soft_margin_loss", "ctc_loss"}
)  # fmt: skip
_BEFORE_REDUCTION = {
    "CrossEntropyLoss": 1, "NLLLoss": 1, "NLLLoss2d": 1, "BCELoss": 1, "BCEWithLogitsLoss": 1,
    "MultiLabelSoftMarginLoss": 1, "MultiMarginLoss": 3, "TripletMarginLoss": 4, "PoissonNLLLoss": 2,
    "CosineEmbeddingLoss": 1, "MarginRankingLoss": 1, "HingeEmbeddingLoss": 1, "CTCLoss": 1, "GaussianNLLLoss": 2,
    "TripletMarginWithDistanceLoss": 0,
    "cross_entropy": 3, "nll_loss": 3, "binary_cross_entropy": 3, "binary_cross_entropy_with_logits": 3,
    "multilabel_soft_margin_loss": 3, "multi_margin_loss": 5, "triplet_margin_loss": 7, "poisson_nll_loss": 4,
    "cosine_embedding_loss": 4, "margin_ranking_loss": 4, "hinge_embedding_loss": 3, "ctc_loss": 5,
    "gaussian_nll_loss": 5,
}  # fmt: skip
"""How many arguments by position a loss takes before ``size_average``, ``reduce`` and ``reduction``; others take none
when they are made, and predictions and targets when they are functions."""

_ELEMENTWISE = frozenset(
    {"MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCELoss", "BCEWithLogitsLoss", "PoissonNLLLoss",
     "SoftMarginLoss", "KLDivLoss", "GaussianNLLLoss", "HingeEmbeddingLoss", "MarginRankingLoss", "mse_loss", "l1_loss",
     "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits", "poisson_nll_loss",
     "soft_margin_loss", "kl_div", "gaussian_nll_loss", "hinge_embedding_loss", "margin_ranking_loss"}
)  # fmt: skip
"""Losses that compare predictions and targets one by one, and broadcast them if they must."""
OF_ONE_SIZE = frozenset(
    {"BCELoss", "BCEWithLogitsLoss", "SoftMarginLoss", "binary_cross_entropy", "binary_cross_entropy_with_logits",
     "soft_margin_loss"}
)  # fmt: skip
"""Losses among these that broadcast nothing: predictions and targets of two sizes are an error."""
_OF_SAMPLES = tensors.KEPT_TAGS - {tensors.IN_A_ROW, depths.TRUTH}
"""The tags that the losses of samples have from these."""
IGNORED = -100
"""The target that PyTorch's losses leave out unless they are told another one."""
_WHEREVER = frozenset({"CTCLoss", "ctc_loss"})
"""Losses that take time in front of the samples."""
_VARIANCES = {"GaussianNLLLoss": 2, "gaussian_nll_loss": 2}
"""Losses whose last argument may have a dimension less, and where it stands: it is given one."""


class Variant(NamedTuple):
    """One of the losses that a value may be: its name, what it makes of all that it computes, whether by weights."""

    name: str
    reduction: str
    weighted: bool

    @property
    def tag(self) -> str:
        """The tag of a loss that is, or may be, this one."""
        return f"{_VARIANT}{self.name} {self.reduction}{' weighted' if self.weighted else ''}"


_VARIANT = "loss: "


def variants(loss: Value) -> list[Variant]:
    """The losses that a value may be."""
    told = (tag.removeprefix(_VARIANT).split() for tag in sorted(loss.tags) if tag.startswith(_VARIANT))
    return [Variant(name, how, bool(weighted)) for name, how, *weighted in told]


def reduction(name: str, call: Call) -> str:
    """The reduction of a loss: ``mean``, ``batchmean``, ``sum``, ``none`` or ``unknown``."""
    makes = name[:1].isupper()
    if "**" in call.keywords or (makes and any(STARRED in value.tags for value in call.args)):
        return "unknown"
    if len(call.args) > _BEFORE_REDUCTION.get(name, 0 if makes else 2):
        return "unknown"
    reduce, average = call.keywords.get("reduce"), call.keywords.get("size_average")
    for value, otherwise in ((reduce, "none"), (average, "sum")):
        if value is not None and value.kind is not Kind.NONE and value.const is not True:
            return otherwise if value.const is False else "unknown"
    value = call.keywords.get("reduction")
    if value is None:
        return "mean"
    return value.const if value.const in ("mean", "batchmean", "sum", "none") else "unknown"


def is_weighted(call: Call, first: int = 0) -> bool:
    """Whether a loss has class weights or ignores targets; ``first``: the position of the weights."""
    weight = call.argument(first, "weight")
    return (weight is not None and weight.kind is not Kind.NONE) or "ignore_index" in call.keywords


def ignores_targets(facts: Facts) -> bool:
    """Whether the script writes the target anywhere that losses leave out by themselves."""
    units = set(facts.units.values())  # which has one for each node
    negatives = (n for unit in units for n in unit.source.nodes.of(ast.UnaryOp) if isinstance(n.op, ast.USub))
    return any(isinstance(n.operand, ast.Constant) and n.operand.value == -IGNORED for n in negatives)


def divided_by_what_counts(facts: Facts) -> Iterator[CallFact]:
    """Means of batches that are divided by the weights of the targets, or by how many are not ignored."""
    ignoring = ignores_targets(facts)
    for fact in facts.calls:
        counted = ignoring and "counts targets" in fact.result.tags
        if ("weighted" in fact.result.tags or counted) and fact.context.passes and fact.result.form is Form.MEAN:
            yield fact
    yield from pretrained.of_tokens(facts)


def loss_value(call: Call, reduction: str, name: str, *, weighted: bool) -> Value:
    """A loss of sharded predictions: a batch mean, a sum over samples, or one number a sample.

    Args:
        call: of the loss.
        reduction: see ``reduction``.
        name: of the loss.
        weighted: whether it has class weights, or a target of its own to ignore.
    """
    counts = name in ("CrossEntropyLoss", "NLLLoss", "NLLLoss2d", "cross_entropy", "nll_loss")
    placement = elementwise(v.placement for v in call.values)
    told = {tensors.POSITIONED} if reduction == "none" else {tensors.POSITIONED, tensors.BY_NUMBERS}
    lost = any(v.tags & told for v in call.values)
    selected = any(tensors.SELECTED in v.tags for v in call.values)
    plain = placement.form is Form.SHARDED and reduction == "mean" and not lost and not weighted
    over_rows = {tensors.OVER_ROWS} if selected and plain else set[str]()
    if lost or (reduction in ("mean", "batchmean") and selected):
        reduction = "unknown"
    if name in _ELEMENTWISE and depths.cross(call.values[: _VARIANCES.get(name)]):
        reduction, over_rows = "unknown", set()
    if is_turned(name, reduction, call.values):
        reduction, over_rows = "unknown", set()
    reduction = "mean" if reduction == "batchmean" else reduction
    if placement.form is Form.SHARDED:
        forms = {"mean": Form.MEAN, "sum": Form.SUM, "none": Form.SHARDED}
        placement = placement.with_form(forms.get(reduction, Form.UNKNOWN))
    tags = ({"weighted"} if weighted else set()) | ({"counts targets"} if counts else set())
    depth = depths.together(call.args) if reduction == "none" and name in _ELEMENTWISE else depths.UNKNOWN
    if reduction == "none" and counts and call.args:  # the classes have gone
        depth = depths.changed(call.args[0].depth, -1)
    given = next((v.batch_dim for v in call.args if v.form is Form.SHARDED), 0)
    batch_dim = given if reduction == "none" and name in _ELEMENTWISE else 0
    kept = {
        "mean": frozenset(tags),
        "none": frozenset().union(*(v.tags for v in call.values)) & _OF_SAMPLES,
        "unknown": frozenset(over_rows),
    }
    return Value(Kind.TENSOR, placement, integer=False, scalar=reduction != "none", batch_dim=batch_dim, depth=depth,
                 tags=kept.get(reduction, frozenset()))  # fmt: skip


def is_turned(name: str, reduction: str, given: Sequence[Value]) -> bool:
    """Whether a loss is given samples in another dimension than the first, and takes those of the first for samples."""
    if name in _WHEREVER or (name in _ELEMENTWISE and reduction != "batchmean"):
        return False
    return any(v.form is Form.SHARDED and v.kind is Kind.TENSOR and v.batch_dim for v in given)
