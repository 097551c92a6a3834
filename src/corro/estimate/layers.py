"""How many parameters and buffers a layer of ``torch.nn`` has, by its arguments.

The formulas are those of the shapes in PyTorch's documentation, section "Variables" of each layer.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Given = tuple[list[Any], dict[str, Any]]
"""Positional arguments and those by name, ``...`` for one that is not known."""

_ELEMENT, _COUNTER = 4, 8

WITHOUT = frozenset(
    {"Sequential", "ModuleList", "ModuleDict", "Identity", "Flatten", "Unflatten", "Dropout", "Dropout1d", "Dropout2d",
     "Dropout3d", "AlphaDropout", "FeatureAlphaDropout", "ReLU", "ReLU6", "LeakyReLU", "RReLU", "ELU", "SELU", "CELU",
     "GELU", "SiLU", "Mish", "Tanh", "Sigmoid", "LogSigmoid", "Hardtanh", "Hardswish", "Hardsigmoid", "Softplus",
     "Softsign", "Softmax", "Softmax2d", "LogSoftmax", "Softmin", "Threshold", "GLU", "MaxPool1d", "MaxPool2d",
     "MaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d",
     "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "LPPool1d", "LPPool2d", "MaxUnpool2d", "Upsample",
     "UpsamplingNearest2d", "UpsamplingBilinear2d", "PixelShuffle", "PixelUnshuffle", "ZeroPad1d", "ZeroPad2d",
     "ReflectionPad1d", "ReflectionPad2d", "ReplicationPad1d", "ReplicationPad2d", "ConstantPad1d", "ConstantPad2d",
     "LocalResponseNorm", "CosineSimilarity", "PairwiseDistance", "Fold", "Unfold", "ChannelShuffle"}
)  # fmt: skip
"""Layers without parameters and buffers; containers have those of what is in them."""


def elements(name: str, given: Given) -> tuple[int, int] | None:
    """The elements of the parameters of a layer, and the bytes of its buffers; ``None`` where they are not known.

    Args:
        name: of the layer, in ``torch.nn``.
        given: what it is made with.
    """
    formula = _FORMULAS.get(name) if "dtype" not in given[1] else None
    try:
        return formula(_Arguments(*given)) if formula is not None else None
    except _NotGiven:
        return None


class _NotGiven(Exception):
    """An argument that a formula needs is not known."""


class _Arguments:
    """The arguments of a layer."""

    def __init__(self, args: list[Any], keywords: dict[str, Any]) -> None:
        self._args, self._keywords = args, keywords

    def number(self, position: int, name: str, default: int | None = None) -> int:
        """A whole number."""
        value = self._value(position, name, default)
        if not isinstance(value, int):
            raise _NotGiven
        return value

    def must_end(self, position: int) -> None:
        """See that there are no more positional arguments: what they are differs between layers."""
        if len(self._args) > position:
            raise _NotGiven

    def flag(self, position: int, name: str, *, default: bool) -> bool:
        """A truth value."""
        value = self._value(position, name, default)
        if not isinstance(value, bool):
            raise _NotGiven
        return value

    def sizes(self, position: int, name: str, dimensions: int) -> int:
        """The product of as many sizes as there are dimensions, or of one for all of them."""
        value = self._value(position, name, None)
        if isinstance(value, int):
            return int(value**dimensions)
        if isinstance(value, (tuple, list)) and all(isinstance(each, int) for each in value):
            return prod(value)
        raise _NotGiven

    def _value(self, position: int, name: str, default: object) -> Any:
        return self._args[position] if position < len(self._args) else self._keywords.get(name, default)


def _linear(given: _Arguments) -> tuple[int, int]:
    inputs, outputs = given.number(0, "in_features"), given.number(1, "out_features")
    return inputs * outputs + outputs * given.flag(2, "bias", default=True), 0


def _bilinear(given: _Arguments) -> tuple[int, int]:
    first, second, outputs = (given.number(n, f"{w}_features") for n, w in enumerate(("in1", "in2", "out")))
    return first * second * outputs + outputs * given.flag(3, "bias", default=True), 0


def _convolution(dimensions: int, *, bias: int, groups: int) -> Callable[[_Arguments], tuple[int, int]]:
    def formula(given: _Arguments) -> tuple[int, int]:
        inputs, outputs = given.number(0, "in_channels"), given.number(1, "out_channels")
        kernel = given.sizes(2, "kernel_size", dimensions)
        weight = inputs * outputs // given.number(groups, "groups", 1) * kernel
        return weight + outputs * given.flag(bias, "bias", default=True), 0

    return formula


def _batch_normalisation(given: _Arguments) -> tuple[int, int]:
    features = given.number(0, "num_features")
    learned = 2 * features * given.flag(3, "affine", default=True)
    return learned, (2 * features * _ELEMENT + _COUNTER) * given.flag(4, "track_running_stats", default=True)


def _layer_normalisation(given: _Arguments) -> tuple[int, int]:
    biased = given.flag(3, "bias", default=True)
    return given.sizes(0, "normalized_shape", 1) * (1 + biased) * given.flag(2, "elementwise_affine", default=True), 0


def _group_normalisation(given: _Arguments) -> tuple[int, int]:
    return 2 * given.number(1, "num_channels") * given.flag(3, "affine", default=True), 0


def _embedding(given: _Arguments) -> tuple[int, int]:
    return given.number(0, "num_embeddings") * given.number(1, "embedding_dim"), 0


def _recurrent(gates: int) -> Callable[[_Arguments], tuple[int, int]]:
    def formula(given: _Arguments) -> tuple[int, int]:
        inputs, hidden = given.number(0, "input_size"), given.number(1, "hidden_size")
        layers, biased = given.number(2, "num_layers", 1), given.flag(_NEVER, "bias", default=True)
        given.must_end(3)
        ways = 1 + given.flag(_NEVER, "bidirectional", default=False)
        if given.number(_NEVER, "proj_size", 0):
            raise _NotGiven
        rows = [inputs, *[hidden * ways] * (layers - 1)]
        return sum(ways * gates * hidden * (each + hidden + 2 * biased) for each in rows), 0

    return formula


def _cell(gates: int) -> Callable[[_Arguments], tuple[int, int]]:
    def formula(given: _Arguments) -> tuple[int, int]:
        inputs, hidden = given.number(0, "input_size"), given.number(1, "hidden_size")
        return gates * hidden * (inputs + hidden + 2 * given.flag(2, "bias", default=True)), 0

    return formula


def _prelu(given: _Arguments) -> tuple[int, int]:
    return given.number(0, "num_parameters", 1), 0


def _attention(given: _Arguments) -> tuple[int, int]:
    width = given.number(0, "embed_dim")
    if any(given.number(_NEVER, name, width) != width for name in ("kdim", "vdim")):
        raise _NotGiven
    return 4 * width * width + 4 * width * given.flag(3, "bias", default=True), 0


_NEVER = 99
"""The position of an argument that is given by name."""

_FORMULAS: dict[str, Callable[[_Arguments], tuple[int, int]]] = {
    "Linear": _linear,
    "Bilinear": _bilinear,
    **{f"Conv{n}d": _convolution(n, bias=7, groups=6) for n in (1, 2, 3)},
    **{f"ConvTranspose{n}d": _convolution(n, bias=7, groups=6) for n in (1, 2, 3)},
    **{f"BatchNorm{n}d": _batch_normalisation for n in (1, 2, 3)},
    "LayerNorm": _layer_normalisation,
    "GroupNorm": _group_normalisation,
    "Embedding": _embedding,
    "EmbeddingBag": _embedding,
    "RNN": _recurrent(1),
    "GRU": _recurrent(3),
    "LSTM": _recurrent(4),
    "RNNCell": _cell(1),
    "GRUCell": _cell(3),
    "LSTMCell": _cell(4),
    "PReLU": _prelu,
    "MultiheadAttention": _attention,
}
