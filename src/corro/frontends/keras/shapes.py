"""What Keras' layers and models make of the shape of a batch: depth and width, see ``corro.flow.depths``, and a mask.

The value of a layer has the depth and the width of what it gives, where these are the same whatever it is given. A
model has them in a field, because layers may be added to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.values import NONE, Value
from corro.frontends.keras import masks

if TYPE_CHECKING:
    from collections.abc import Callable

    from corro.flow.depths import Depth, Width
    from corro.flow.state import Flow

    Gives = Callable[[Flow, Value, Call], Value]

_FIELD = "<shape>"
_SEVERAL = "<several outputs>"
_SAME = frozenset({"Activation", "ReLU", "LeakyReLU", "PReLU", "ELU", "ThresholdedReLU", "Softmax", "Dropout",
                   "GaussianNoise", "GaussianDropout", "AlphaDropout", "SpatialDropout1D", "SpatialDropout2D",
                   "BatchNormalization", "LayerNormalization", "UnitNormalization", "ActivityRegularization",
                   "Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"})  # fmt: skip
"""Layers that leave the shape as it is."""
_SAME_DEPTH = _SAME | {"Dense", "TimeDistributed", "Concatenate"}
_SPATIAL = ("Conv", "SeparableConv", "DepthwiseConv", "MaxPool", "AveragePool", "UpSampling", "ZeroPadding", "Cropping")
_DIMENSIONS = {"1D": 2, "2D": 3, "3D": 4}
_RECURRENT = frozenset({"LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU"})
_INPUTS = frozenset({"Input", "InputLayer"})


def made(flow: Flow, name: str, call: Call) -> Value:
    """What a layer gives, whatever it is given; for an input, what it is."""
    if name in _INPUTS:
        return _of_items(flow, call.argument(0, "shape") or call.keywords.get("input_shape"), call)
    if name == "Reshape":
        return _of_items(flow, call.argument(0, "target_shape"), call)
    if name in ("Bidirectional", "TimeDistributed"):
        inner = call.argument(0, "layer") or Value()
        return Value(depth=inner.depth if name == "Bidirectional" else depths.UNKNOWN)
    units = call.argument(0, "filters" if "Conv" in name else "units")
    sized = name == "Dense" or name in _RECURRENT or name in ("Conv1D", "Conv2D", "Conv3D")
    return Value(depth=_depth(flow, name, call), width=depths.size(units) if sized and units else frozenset())


def _depth(flow: Flow, name: str, call: Call) -> Depth:
    """The depth of what a layer gives in any case."""
    if name == "Flatten" or (name.startswith("Global") and "keepdims" not in call.keywords):
        return depths.known(1)
    if name.startswith(_SPATIAL) and name[-2:] in _DIMENSIONS:
        return depths.known(_DIMENSIONS[name[-2:]])
    if name == "RepeatVector":
        return depths.known(2)
    if name in _RECURRENT:
        whole = call.keywords.get("return_sequences")
        plain = "return_state" not in call.keywords and (whole is None or isinstance(whole.const, bool))
        return depths.known(2 if whole is not None and whole.const else 1) if plain else depths.UNKNOWN
    if "input_dim" in call.keywords and name == "Dense":
        return depths.known(1)
    shape = call.keywords.get("input_shape")
    return _of_items(flow, shape, call).depth if shape is not None and name in _SAME_DEPTH else depths.UNKNOWN


def _of_items(flow: Flow, shape: Value | None, call: Call) -> Value:
    """What has a shape, that of the samples left out."""
    items = flow.literal_items(shape) if shape is not None and shape.kind in (Kind.TUPLE, Kind.LIST) else None
    if items is None or "batch_shape" in call.keywords or "tensor" in call.keywords:
        return Value()
    return Value(depth=depths.known(len(items)), width=depths.size(items[-1]) if items else frozenset())


def output(flow: Flow, receiver: Value, call: Call) -> Value:
    """The depth and the width of what a layer, or a model, of the library makes of a tensor; the mark of a mask."""
    if receiver.kind is Kind.MODULE:
        known = flow.field(receiver.obj, _FIELD) if receiver.obj else receiver
        return Value(depth=known.depth, width=known.width, tags=_mask(known)) if known is not None else Value()
    if receiver.kind is not Kind.LAYER or receiver.obj:
        return Value()
    mask = masks.after(flow, receiver, call)
    first = call.args[0] if call.args else Value()
    given = flow.element(first) if first.kind in (Kind.LIST, Kind.TUPLE) else first
    return Value(depth=receiver.depth or _changed(receiver.name, given), width=_width(receiver, given), tags=mask)


def _changed(name: str, given: Value) -> Depth:
    if name == "Embedding":
        return depths.changed(given.depth, 1)
    return given.depth if name in _SAME_DEPTH else depths.UNKNOWN


def _width(receiver: Value, given: Value) -> Width:
    return receiver.width or (given.width if receiver.name in _SAME else frozenset())


def gives_several(flow: Flow, model: Value) -> bool:
    """Whether a model has a list of outputs, each with a row for each sample."""
    return bool(model.obj) and flow.field(model.obj, _SEVERAL) is not None


def begin(flow: Flow, model: Value, name: str, call: Call, gives: Gives) -> None:
    """Note what a model gives that is made of layers, or of its inputs and outputs."""
    if not name.endswith("Sequential"):
        outputs = call.argument(1, "outputs") or Value()
        several = flow.literal_items(outputs) or ()
        kept = frozenset(tag for each in several for tag in _mask(each))
        _note(flow, model, outputs if outputs.kind is Kind.TENSOR else Value(tags=kept))
        if len(several) > 1:
            flow.set_field(model.obj, _SEVERAL, NONE)
        return
    given = call.argument(0, "layers")
    for layer in (flow.literal_items(given) if given is not None else None) or ():
        add(flow, model, layer, call, gives)


def add(flow: Flow, model: Value, layer: Value, call: Call, gives: Gives) -> None:
    """Note what a model gives once a layer is added to it."""
    before = flow.field(model.obj, _FIELD) or Value()
    _note(flow, model, layer if layer.kind is Kind.TENSOR else gives(flow, layer, Call(call.node, (before,))))


def _note(flow: Flow, model: Value, shape: Value) -> None:
    flow.set_field(model.obj, _FIELD, Value(depth=shape.depth, width=shape.width, tags=_mask(shape)))


def _mask(value: Value) -> frozenset[str]:
    return value.tags & {masks.MASKED}
