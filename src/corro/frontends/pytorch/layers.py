"""What layers do to the samples of a batch: noise, statistics of the batch, and mixing along the first dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, elementwise
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.store import OPTIONAL
from corro.flow.values import Value, number
from corro.frontends import tensors
from corro.frontends.pytorch.modes import NOISE

if TYPE_CHECKING:
    from corro.flow.depths import Depth, Width

CONTAINERS = frozenset({"Sequential", "TransformerEncoder", "TransformerDecoder"})
"""Layers that do what the layers given to them do."""
SEQUENCE_FIRST = "sequence first"
"""The tag of a layer whose first dimension may be time, and the second the samples."""
MIXES_FIRST = "mixes along the first dimension"
"""The tag of a layer in which the entries of the first dimension meet: samples, where a batch has them there."""
DROPOUT_FUNCTIONS = frozenset({"dropout", "dropout1d", "dropout2d", "dropout3d", "alpha_dropout", "feature_dropout",
                               "feature_alpha_dropout"})  # fmt: skip
_BATCH_FIRST = {"LSTM": 4, "GRU": 4, "RNN": 5, "MultiheadAttention": 8, "Transformer": 10,
                "TransformerEncoderLayer": 6, "TransformerDecoderLayer": 6}  # fmt: skip
"""Layers with ``batch_first``, and its position among the arguments."""
_DROPOUT = {"LSTM": (5, 0.0), "GRU": (5, 0.0), "RNN": (6, 0.0), "MultiheadAttention": (2, 0.0),
            "Transformer": (5, 0.1), "TransformerEncoderLayer": (3, 0.1),
            "TransformerDecoderLayer": (3, 0.1)}  # fmt: skip
"""Layers with dropout inside, the position of its rate, and the rate where none is given."""
_SAME_SHAPE = ("BatchNorm", "LayerNorm", "GroupNorm", "InstanceNorm", "ReLU", "LeakyReLU", "PReLU", "ELU", "SELU",
               "GELU", "SiLU", "Tanh", "Sigmoid", "Softplus", "Softmax", "LogSoftmax", "LogSigmoid", "Dropout",
               "Identity", "Hardtanh", "ReLU6", "Mish")  # fmt: skip
_POOLS = ("MaxPool", "AvgPool", "AdaptiveAvgPool", "AdaptiveMaxPool")
_SAME_DEPTH = (*_SAME_SHAPE, *_POOLS, "Linear", "Conv", "Upsample")
_ALONG_FEATURES = ("Linear", "LazyLinear", "Bilinear")
"""Layers along the last dimension."""
_SAMPLES_FIRST = ("Conv", "LazyConv", "Flatten")
"""Layers that take the first dimension for that of the samples."""
_DIMENSIONS = {f"{name}{'Transpose' * turned}{n}d": n + 2 for n in (1, 2, 3) for name in ("Conv", "LazyConv")
               for turned in (False, True)} | dict.fromkeys(_BATCH_FIRST, 3)  # fmt: skip
"""Layers that take a single sample, too: how many dimensions a batch has that they are given."""
_SOFTMAX = frozenset({"Softmax", "LogSoftmax", "Softmin"})
_SOFTMAX_FUNCTIONS = frozenset({"softmax", "log_softmax", "softmin"})
_LEGACY_FIRST = frozenset({1, 3})
"""The numbers of dimensions of which a softmax that is given none takes the first; of others, the second."""

_BY_SAMPLE = (
    *_SAME_DEPTH, "Flatten", "Unflatten", "Embedding", "CELU", "GLU", "RReLU", "Softmin", "Softsign", "Softshrink",
    "Hardshrink", "Hardsigmoid", "Hardswish", "Tanhshrink", "Threshold", "AlphaDropout", "FeatureAlphaDropout",
    "SyncBatchNorm", "RMSNorm", "LocalResponseNorm", "CrossMapLRN2d", "Bilinear", "LazyLinear", "LazyConv",
    "LazyBatchNorm", "LazyInstanceNorm", "LPPool", "FractionalMaxPool", "MaxUnpool", "Fold", "Unfold", "PixelShuffle",
    "PixelUnshuffle", "ChannelShuffle", "CircularPad", "ConstantPad", "ReflectionPad", "ReplicationPad", "ZeroPad",
    "CosineSimilarity", "PairwiseDistance", "RNN", "LSTM", "GRU", "Transformer", "MultiheadAttention", "Sequential",
    "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "DataParallel", "AdaptiveLogSoftmax", "Module",
)  # fmt: skip
"""Beginnings of the names of layers that take each sample by itself, but for what their tags say."""
UNKNOWN = "unknown layer"
"""The tag of a layer of ``torch.nn`` of which it is not known what it does to the samples of a batch."""


def tags(name: str, call: Call) -> frozenset[str]:
    """The tags of a layer of ``torch.nn``."""
    found: set[str] = set() if name.startswith(_BY_SAMPLE) else {UNKNOWN}
    if "BatchNorm" in name:
        found.add("batchnorm")
    if name == "RReLU" or _drops(name, call):
        found.add("noise")
    if name in _BATCH_FIRST:
        first = call.argument(_BATCH_FIRST[name], "batch_first")
        if first is None or first.const is not True:
            found.add(SEQUENCE_FIRST)
        if (first is None and "**" not in call.keywords) or (first is not None and first.const is False):
            found.add(MIXES_FIRST)
    along = call.argument(0, "dim")
    if along is not None and along.const == 0 and name in (*_SOFTMAX, "CosineSimilarity", "GLU"):
        found.add(MIXES_FIRST)
    if name in ("LayerNorm", "RMSNorm") and call.args and _counts_samples(call.args[0]):
        found.add(MIXES_FIRST)
    return frozenset(found)


def held(name: str, call: Call) -> tuple[Value, ...]:
    """What a layer keeps of what it is made with: the layers in it, or the dimension of a softmax."""
    chosen = call.argument(0, "dim")
    return (chosen,) if name in _SOFTMAX and chosen is not None else call.args


def along(name: str, given: Value, call: Call) -> Call:
    """A call of a softmax with the dimension that PyTorch takes where none is given: the first of one or three."""
    chosen = call.argument(1, "dim")
    if name not in _SOFTMAX_FUNCTIONS or (chosen is not None and chosen.kind is not Kind.NONE):
        return call
    first = depths.dimensions(given) in _LEGACY_FIRST
    return Call(call.node, call.args[:1], {**call.keywords, "dim": number(const=0 if first else 1)})


def meet_in(layer: Value, given: Value) -> bool:
    """Whether samples are combined in a layer because of where a tensor has them, or of how many dimensions it has."""
    last = layer.name.rpartition(".")[2]
    if last in CONTAINERS:
        for child in layer.items:
            if meet_in(child, given):
                return True
            given = given.but(depth=depth(child, given))
        return False
    if not layer.name.startswith("torch.nn.") or given.batch_dim is None or tensors.PACKED in given.tags:
        return False
    if depths.dimensions(given) == _DIMENSIONS.get(last, 0) - 1:
        return True
    if last in _BATCH_FIRST and SEQUENCE_FIRST not in layer.tags:
        return given.batch_dim > 0
    if last.startswith(_ALONG_FEATURES):
        return tensors.is_last(given)
    if last.startswith(_SAMPLES_FIRST):
        return given.batch_dim > 0
    if last not in _SOFTMAX:
        return False
    chosen = next((v for v in layer.items if v.kind is not Kind.NONE), None)
    known = depths.dimensions(given)
    place = depths.place(given, chosen.const) if chosen is not None else 0 if known in _LEGACY_FIRST else 1
    return place == given.batch_dim


def may_be_single(layer: Value, given: Value) -> bool:
    """Whether nothing shows that a layer along sequences is given a batch of them: it may be the steps of one."""
    if layer.name.rpartition(".")[2] in CONTAINERS:
        return any(may_be_single(child, given) for child in layer.items)
    sequences = layer.name.rpartition(".")[2] in _BATCH_FIRST
    seen = depths.dimensions(given) is not None or depths.least(given) > 1 or tensors.PACKED in given.tags
    return sequences and not seen


def _counts_samples(shape: Value) -> bool:
    """Whether a shape is that of a whole batch."""
    return shape.kind is Kind.SHAPE or any(not size.placement.is_equal for size in (shape, *shape.items))


def _drops(name: str, call: Call) -> bool:
    if "Dropout" in name:
        rate, default = call.argument(0, "p"), 0.5
    elif name in _DROPOUT:
        position, default = _DROPOUT[name]
        rate = call.argument(position, "dropout")
    else:
        return False
    if rate is None:
        return bool(default) or "**" in call.keywords
    return not rate.is_zero or OPTIONAL in rate.tags


def keeps_shape(layer: Value) -> bool:
    """Whether a layer of ``torch.nn`` makes a tensor of the same shape of the one that it is given."""
    return layer.name.startswith("torch.nn.") and layer.name.removeprefix("torch.nn.").startswith(_SAME_SHAPE)


def depth(layer: Value, given: Value) -> Depth:
    """What is known of the depth of what a layer of ``torch.nn`` makes of a tensor."""
    last = layer.name.rpartition(".")[2]
    if last == "Sequential":
        for child in layer.items:
            given = given.but(depth=depth(child, given))
        return given.depth
    if not layer.name.startswith("torch.nn."):
        return depths.UNKNOWN
    if last == "Flatten":
        return depths.UNKNOWN if layer.items else depths.known(1)
    if last == "Embedding":
        return depths.changed(given.depth, 1)
    return given.depth if last.startswith(_SAME_DEPTH) or last in _BATCH_FIRST else depths.UNKNOWN


def width(layer: Value, given: Value) -> Width:
    """What is known of the width of what a layer of ``torch.nn`` makes of a tensor."""
    last = layer.name.rpartition(".")[2]
    if last == "Sequential":
        for child in layer.items:
            given = given.but(width=width(child, given))
        return given.width
    if not layer.name.startswith("torch.nn."):
        return layer.width
    return layer.width or (given.width if last.startswith(_SAME_SHAPE) else frozenset())


def features(name: str, call: Call) -> Width:
    """The width that a layer is made with."""
    number = call.argument(1, "out_features") if name == "Linear" else None
    number = call.argument(0, "out_features") if name == "LazyLinear" else number
    return depths.size(number) if number is not None else frozenset()


def dropout(operand: Value, call: Call, *, evaluating: bool) -> Value:
    """``F.dropout``; without ``training=`` it makes noise in evaluation, too."""
    training = call.argument(2, "training")
    silent = training is not None and (training.const is False or (evaluating and training.const is not True))
    if silent:
        return operand
    rate = call.argument(1, "p")
    rates = (rate.placement,) if rate is not None else ()
    placement = elementwise((operand.placement, Placement(Form.LOCAL), *rates))
    return operand.but(placement=placement, tags=operand.tags | {NOISE})
