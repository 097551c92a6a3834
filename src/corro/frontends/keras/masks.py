"""Where Keras keeps a mask beside a tensor.

A loss of predictions with a mask is an average over what the mask leaves of the whole batch: a sum over a number that
other parts of the batch have other values of. ``Embedding(mask_zero=True)`` and ``Masking`` make masks, layers that
support them hand them on, and whatever else is done to a tensor drops them.

Source: ``losses_utils.apply_valid_mask`` in Keras 2.15, ``apply_mask`` in Keras 3; what the layers do was measured with
2.15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import Value

if TYPE_CHECKING:
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

MASKED = "masked"
"""The tag of a tensor that Keras keeps a mask beside; of what ``fit`` gives, where predictions have one."""
MAKES = "makes a mask"
"""The tag of a layer that makes a mask."""
_DROPS = "drops a mask"
_RECURRENT = frozenset({"LSTM", "GRU", "SimpleRNN", "RNN"})
_FIRST = frozenset({"Attention", "AdditiveAttention", "MultiHeadAttention"})
"""Layers that keep the mask of the first tensor that they are given."""
_KEEP = frozenset(
    {"Activation", "ReLU", "LeakyReLU", "PReLU", "ELU", "ThresholdedReLU", "Softmax", "Dropout", "SpatialDropout1D",
     "GaussianNoise", "GaussianDropout", "AlphaDropout", "ActivityRegularization", "BatchNormalization",
     "LayerNormalization", "UnitNormalization", "Dense", "TimeDistributed", "Bidirectional", "Add", "Subtract",
     "Multiply", "Average", "Maximum", "Minimum", "Concatenate"} | _RECURRENT | _FIRST
)  # fmt: skip


def of_layer(name: str, call: Call) -> frozenset[str]:
    """What a layer does with masks, by what it is made with."""
    if name == "Embedding" or "mask_zero" in call.keywords:
        zero = call.argument(4, "mask_zero")
        return frozenset({MAKES}) if zero is not None and zero.const is not False else frozenset()
    if name == "Masking":
        return frozenset({MAKES})
    if name == "Bidirectional":
        return (call.argument(0, "layer") or Value()).tags & {_DROPS}
    whole = call.keywords.get("return_sequences")
    return frozenset({_DROPS}) if name in _RECURRENT and (whole is None or whole.const is False) else frozenset()


def after(flow: Flow, layer: Value, call: Call) -> frozenset[str]:
    """The mark of what a layer gives that has a mask. Layers of libraries, with dotted names, may hand one on."""
    if MAKES in layer.tags:
        return frozenset({MASKED})
    if (layer.name not in _KEEP and "." not in layer.name) or _DROPS in layer.tags:
        return frozenset()
    first = call.args[0] if call.args else Value()
    items = flow.literal_items(first) if first.kind in (Kind.LIST, Kind.TUPLE) else (first,)
    looked_at = (items or ())[: 1 if layer.name in _FIRST else None]
    return frozenset(tag for value in looked_at for tag in value.tags) & {MASKED}
