"""What Keras' losses make of predictions: a mean over the batch, a sum over it, or one number a sample."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, combine, elementwise
from corro.flow import depths
from corro.flow.values import Value
from corro.frontends import tensors
from corro.frontends.keras import masks
from corro.frontends.tensorflow import operations

if TYPE_CHECKING:
    from corro.flow.depths import Depth
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

_CLASSES = frozenset({"sparse_categorical_crossentropy", "categorical_crossentropy", "kullback_leibler_divergence",
                      "kl_divergence", "KLD", "kld", "categorical_hinge"})  # fmt: skip
"""Functions whose predictions have a dimension for the classes in any case."""
_ALONG = frozenset({"categorical_crossentropy", "kullback_leibler_divergence", "kl_divergence", "kld",
                    "categorical_hinge", "cosine_similarity", "categoricalcrossentropy", "kldivergence",
                    "categoricalhinge", "cosinesimilarity"})  # fmt: skip
"""Functions and objects, in small letters, that work along the last dimension, also where it is that of the samples."""
OF_PAIRS = frozenset({"tripletsemihard", "triplethard", "npairs", "npairsmultilabel", "liftedstruct", "simclr"})
"""Losses of libraries, as classes and as functions, that compare the samples of a batch; without "loss"."""
_ELEMENTS = frozenset({"binary_accuracy", "categorical_accuracy", "sparse_categorical_accuracy"})
_MEANS = frozenset({"auto", "sum_over_batch_size"})


def made(flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
    """A loss object, or the value of a loss function; ``None`` for metrics and what is not given a batch."""
    last = name.rpartition(".")[2]
    if last[:1].isupper() and name.startswith("keras.losses.") and not last.isupper():
        return Value(Kind.LOSS, sites=site, name=last, tags=frozenset({reduction(call)}))
    given = [operations.given(flow, value) for value in call.values]
    if last[:1].isupper() and not last.isupper():
        return None
    if last == "Reduction" or not any(v.sources or not v.placement.is_equal for v in given):
        return None
    placement = elementwise(v.placement for v in given)
    surely = last in _CLASSES or any(depths.FEATURES in v.tags for v in given)
    tags = {depths.PER_SAMPLE} if surely and not any(depths.DEEP in v.tags for v in given) else set[str]()
    if not surely:
        tags = {operations.SHALLOW}
    own = name.startswith("keras.")
    in_a_row = all(map(_is_in_a_row, given[:2]))
    if own and in_a_row and last not in _CLASSES | _ELEMENTS and not _is_along(last, given):
        return Value(Kind.TENSOR, placement.with_form(Form.MEAN), scalar=True)
    depth = _averaged(last, given) if own and last not in _ELEMENTS else depths.UNKNOWN
    crossing = last not in _CLASSES | _ELEMENTS and depths.cross(given[:2])
    foreign = not own and (in_a_row or plain(last).removesuffix("loss") in OF_PAIRS)
    if crossing or _is_along(last, given) or foreign:
        placement = placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, placement, batch_dim=0, depth=depth, tags=frozenset(tags) | operations.picked(given))


def _is_in_a_row(value: Value) -> bool:
    """Whether the samples of a batch are all that the last dimension has."""
    return value.form is Form.SHARDED and depths.is_flat(value) and not value.tags & tensors.PICKED


def plain(name: str) -> str:
    """The name of a loss in small letters, without its module and what stands between words."""
    return name.rpartition(".")[2].replace("_", "").lower()


def _is_along(name: str, given: list[Value]) -> bool:
    """Whether a loss works along the samples: along the last dimension of what has no other."""
    batches = [v for v in given[:2] if v.form is Form.SHARDED]
    return name.lower() in _ALONG and any(depths.is_flat(v) for v in batches)


def _averaged(name: str, given: list[Value]) -> Depth:
    """The depth of a loss that was averaged over the last dimension of predictions, and of targets that are no classes.

    Loss objects, not functions, give targets and predictions as many dimensions (``squeeze_or_expand_dimensions``).
    """
    of_targets = name not in _CLASSES and not name[:1].isupper()
    return depths.changed(depths.together(given[not of_targets : 2]), -1)


def reduction(call: Call) -> str:
    """The reduction of a loss object: ``mean``, ``sum``, ``none`` or ``unknown``."""
    value = call.keywords.get("reduction")
    if value is None:
        return "mean"
    word = value.const if isinstance(value.const, str) else value.name.rpartition(".")[2].lower()
    if word in _MEANS:
        return "mean"
    return word if word in ("sum", "none") else "unknown"


def value(flow: Flow, loss: Value, call: Call) -> Value:
    """The result of calling a loss object."""
    given = [operations.given(flow, v) for v in call.values]
    placement = elementwise(v.placement for v in given)
    how = next((t for t in ("sum", "none", "unknown") if t in loss.tags), "mean")
    picked = operations.picked(given)
    if how == "mean" and any(masks.MASKED in v.tags for v in call.values):
        how = "unknown"
    if _is_along(loss.name, given) and not loss.obj:
        how = "unknown"
    if loss.obj:
        inner, node = flow.call_method(loss, "call", call), flow.class_node(loss)
        placement, picked = inner.placement, operations.picked([inner])
        if node is None or _sets_reduction(node) or _is_told(flow, loss):
            how = "unknown"
        if inner.form is not Form.SHARDED and inner.form is not Form.MEAN:
            how = "unknown"
    if placement.form is Form.SHARDED:
        weighed = tensors.SELECTED in picked and how == "mean"
        forms = {"mean": Form.MEAN, "sum": Form.SUM, "none": Form.SHARDED}
        lost = weighed or tensors.POSITIONED in picked
        placement = placement.with_form(Form.UNKNOWN if lost else forms.get(how, Form.UNKNOWN))
    elif how == "unknown":
        placement = combine([placement])
    deep = any(depths.DEEP in v.tags for v in given)
    tags = frozenset({depths.PER_SAMPLE}) if how == "none" and not deep else frozenset[str]()
    tags |= picked if how == "none" else frozenset[str]()
    depth = _averaged(loss.name, given) if how == "none" and not loss.obj else depths.UNKNOWN
    return Value(Kind.TENSOR, placement, integer=False, scalar=how != "none", batch_dim=0, depth=depth, tags=tags)


def _sets_reduction(node: ast.AST) -> bool:
    """Whether a class chooses its reduction itself."""
    words = (n.arg if isinstance(n, ast.keyword) else getattr(n, "attr", "") for n in ast.walk(node))
    return "reduction" in words


def _is_told(flow: Flow, loss: Value) -> bool:
    """Whether a reduction may be given where a loss of the script's own is made."""
    made = flow.facts.made.get(loss.obj)
    return not isinstance(made, ast.Call) or any(k.arg in ("reduction", None) for k in made.keywords)
