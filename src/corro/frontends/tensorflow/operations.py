"""What TensorFlow's operations do to batches, told in the words of ``corro.frontends.tensors``.

An operation that is not known to treat each sample by itself mixes them: its result is unknown, and a loss made of it
is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, add, combine, divide, elementwise, multiply
from corro.flow import depths
from corro.flow.depths import DEEP, FEATURES, PER_SAMPLE
from corro.flow.semantics import Call
from corro.flow.values import AVERAGED, Value, number
from corro.frontends import tensors
from corro.frontends.operations import ALONG, EACH, OF_TENSORFLOW, TOGETHER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corro.flow.state import Flow

MIXING = frozenset({"shuffle", "random_shuffle", "permutation", "choice", "random_crop"})
"""What draws from a batch, so that its samples change places or meet."""
SHALLOW = "may be one number for all"
"""The tag of a mean over the last dimension, where that may be the dimension of the samples."""
SIZED = "has the size of a whole batch"
"""The tag of random numbers whose number is written as the batch size of the script."""
KEPT = frozenset({FEATURES, DEEP})
FLAT, EINOPS = "flatten of all", "einops"
"""What ``keras.backend.flatten`` and the functions of ``einops`` are called here: others share their last names."""

_NAMES = {
    "reduce_sum": "sum", "reduce_mean": "mean", "reduce_max": "amax", "reduce_min": "amin", "reduce_prod": "prod",
    "reduce_any": "any", "reduce_all": "all", "reduce_std": "std", "reduce_variance": "var", "l2_loss": "sum",
    "reduce_logsumexp": "logsumexp", "identity": "detach", "stop_gradient": "detach", "convert_to_tensor": "asarray",
    "constant": "asarray", "fill": "full", "size": "numel", "count_nonzero": "count_nonzero",
    "reduce_euclidean_norm": "norm", "max": "amax", "min": "amin", "nanmax": "amax", "nanmin": "amin",
    "Variable": "asarray", "to_float": "float", "array": "asarray", "int_shape": "shape", "reverse": "flip",
    "permute_dimensions": "transpose", "binary_crossentropy": "sigmoid_cross_entropy_with_logits",
}  # fmt: skip
"""TensorFlow's (and NumPy's) names for operations known under another."""
_CUMULATIVE = frozenset({"cumsum", "cumprod", "argmax", "argmin"})
"""Operations that work along the first dimension unless they are told another."""
_ALONG_LAST = frozenset({"softmax", "log_softmax", "softmax_v2"})
"""Operations that work along the last dimension unless they are told another."""
_ALONG = _ALONG_LAST | {"l2_normalize", "amax", "amin", "any", "all", "prod", "std", "var", "logsumexp", "norm",
                        "cumsum", "cumprod", "flip", "sort", "argsort"}  # fmt: skip
"""Operations along a dimension; not ``argmax``, which is asked of labels that are raw data, of unknown shape."""
_BY_SAMPLE = (EACH | OF_TENSORFLOW | _ALONG | {"argmax", "argmin"}) - {"kl_divergence", "searchsorted"}
"""Operations on each sample; a divergence is one number a distribution here, and a search one in a single list."""
_MOVES = frozenset({"reshape", "transpose", "flatten", "split", "zeros", "ones", "full", "numel", "shape"})
_ALIKE = frozenset({"equal", "not_equal", "abs", "square", "sqrt", "exp", "log", "negative", "multiply", "add",
                    "subtract", "maximum", "minimum", "greater", "less"})  # fmt: skip
"""Operations on numbers of which there is one a sample that give one a sample."""
_LINEAR = {"add": "+", "add_v2": "+", "subtract": "+", "multiply": "*", "divide": "/", "truediv": "/"}
"""Operations on two numbers, and the sign whose rules they follow."""
_ACROSS = frozenset({"random_shuffle", "random_crop", "choice", "cdist", "scan", "foldl", "foldr", "cond", "case",
                     "while_loop", "py_function", "numpy_function", "py_func", "histogram_fixed_width", "bincount",
                     "clip_by_global_norm", "global_norm", "scatter_nd", "tensor_scatter_nd_update", "dynamic_stitch",
                     "dynamic_partition", "batch_normalization", "weighted_moments", "normalize_batch_in_training",
                     "trace", "det", "slogdet", "inv", "pinv", "svd", "qr", "eigh", "cholesky"})  # fmt: skip
"""Operations that combine samples, or may, whatever else they are given."""
_MATRIX = 2
_SUMMING = frozenset({"sum", "mean", "nansum", "nanmean", "count_nonzero"})
_NARROWING = frozenset(name for name, along in ALONG.items() if along.gives == "less")
"""Operations that leave out a dimension, and perhaps nothing but that of the samples."""


def operation(flow: Flow, last: str, call: Call) -> Value:
    """The result of an operation some of whose operands come from a batch."""
    operands = tuple(_operand(flow, value) for value in _ordered(call))
    if not operands:
        return Value(Kind.TENSOR)
    if "axis" in call.keywords:
        call = Call(call.node, call.args, {**call.keywords, "axis": _operand(flow, call.keywords["axis"])})
    result = _result(flow, last, operands, call)
    if _meets(last, operands, call):
        result = result.but(placement=result.placement.with_form(Form.UNKNOWN), items=())
    return result.but(tags=result.tags | picked(operands)) if result.form is Form.SHARDED else result


def picked(operands: Iterable[Value]) -> frozenset[str]:
    """The marks of batches that hold some of the samples only; what is computed from them has them too."""
    return frozenset(tag for v in operands for tag in v.tags) & tensors.KEPT_TAGS


def _meets(last: str, operands: tuple[Value, ...], call: Call) -> bool:
    """Whether an operation works along the samples: along all dimensions, or the last, the only one there may be."""
    if operands[0].form is not Form.SHARDED:
        return False
    axis = call.keywords.get("axis", call.keywords.get("dim", operands[1] if len(operands) > 1 else None))
    if last == "l2_normalize" and (axis is None or axis.kind is Kind.NONE):  # along all dimensions
        return True
    if operands[0].batch_dim and (last == "top_k" or (last in _ALONG_LAST and _is_last(axis))):
        counted = depths.dimensions(operands[0])  # of a turned batch
        return counted == operands[0].batch_dim + 1 if counted is not None else DEEP not in operands[0].tags
    known = depths.dimensions(operands[0])
    if KEPT & operands[0].tags or (known is not None and known > (operands[0].batch_dim or 0) + 1):
        return False
    chosen = axis is not None and axis.const == -1
    return last == "top_k" or (last in _ALONG_LAST and axis is None) or (chosen and _NAMES.get(last, last) in _ALONG)


def _is_last(axis: Value | None) -> bool:
    return axis is None or axis.kind is Kind.NONE or axis.const == -1


def _result(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    handler = _HANDLERS.get(last)
    if handler is not None:
        return handler(flow, last, operands, call)
    name, first = _NAMES.get(last, last), operands[0]
    if name == "asarray":
        listed = bool(call.args) and call.args[0].kind in (Kind.LIST, Kind.DICT)
        return first.but(kind=Kind.TENSOR, scalar=first.scalar and not listed, pending=frozenset())
    if AVERAGED in first.tags and name == "mean" and _axes(flow, operands, call) is None:
        return Value(Kind.TENSOR, first.placement.with_form(Form.MEAN), integer=False, scalar=True)
    if name in _SUMMING and first.form is Form.SHARDED:
        return _summed(flow, name, operands, call)
    if first.placement.is_partial and name in _SUMMING:  # linear, whatever it sums over
        whole = _axes(flow, operands, call) is None
        return first.but(scalar=first.scalar or whole, pending=frozenset())
    if name in _LINEAR and len(operands) == 2 and any(v.placement.is_partial for v in operands):
        return _linear(name, *operands)
    if name in _MOVES:
        return _moved(flow, name, operands, call)
    if first.placement.is_partial or name in ("item", "detach"):
        return tensors.operation(name, operands, call)
    return _by_sample(name, operands, call)


def _linear(name: str, a: Value, b: Value) -> Value:
    """A sum, a difference, a product or a quotient of numbers that are parts of a whole."""
    if _LINEAR[name] == "+":
        placement = add(a.placement, b.placement, a_is_zero=a.is_zero, b_is_zero=b.is_zero)
    else:
        placement = (multiply if _LINEAR[name] == "*" else divide)(a.placement, b.placement)
    return Value(Kind.TENSOR, placement, integer=False, scalar=a.scalar and b.scalar)


def _by_sample(name: str, operands: tuple[Value, ...], call: Call) -> Value:
    """An operation on each sample by itself, if it is known for one."""
    if name not in _BY_SAMPLE:
        return Value(Kind.TENSOR, combine(v.placement for v in operands))
    result = tensors.operation(name, operands, call)
    if name == "sort" and result.kind is Kind.TUPLE:  # PyTorch's gives the positions too
        result = result.items[0]
    if name in _CUMULATIVE and "axis" not in call.keywords and len(operands) == 1:
        result = result.but(placement=result.placement.with_form(Form.UNKNOWN))
    return result.but(tags=result.tags | _shaped(name, operands, call))


def _shaped(name: str, operands: tuple[Value, ...], call: Call) -> frozenset[str]:
    """What is known of the dimensions of a result."""
    kept = _kept(operands)
    if name in _NARROWING:
        along = call.argument(ALONG[name].position + 1, "axis")
        if tensors.keeps_dimensions((), call):
            return kept
        over_features = along is not None and along.const in (1, -1)
        return frozenset({PER_SAMPLE}) if over_features and kept == {FEATURES} else frozenset()
    alike = name in _ALIKE and any(PER_SAMPLE in v.tags for v in operands)
    return kept or (frozenset({PER_SAMPLE}) if alike else frozenset())


def random(flow: Flow, last: str, call: Call, *, alike: bool = False) -> Value:
    """Random numbers: equal on all processes before training, in a pass the share of a batch, or noise.

    Where processes draw ``alike``, because they make the same batches, noise is equal too.
    """
    if last in MIXING and any(v.form is Form.SHARDED for v in call.values):
        return Value(Kind.TENSOR, combine(v.placement for v in call.values))
    known = filled(flow, call)
    if known is not None:
        return known.but(tags=known.tags | {"random"})
    shapes = [_operand(flow, value) for value in call.values]
    given = [v.items[0] if v.kind is Kind.SHAPE and v.items else v for v in shapes]
    if any(v.sources for v in given):
        later = any(v.kind is Kind.TUPLE and v.items and v.sources and not v.items[0].sources for v in given)
        placement = combine(v.placement for v in given).with_form(Form.UNKNOWN if later else Form.SHARDED)
        return Value(Kind.TENSOR, placement, batch_dim=None if later else 0, tags=frozenset({"random"}))
    return Value(Kind.TENSOR, Placement() if alike else Placement(Form.LOCAL), tags=frozenset({"random"}))


def filled(flow: Flow, call: Call) -> Value | None:
    """A tensor of as many numbers as a batch has samples: a part of them; ``None`` for other shapes."""
    passes = flow.context.passes
    shape = _operand(
        flow, call.keywords.get("shape", call.keywords.get("size", call.args[0] if call.args else Value()))
    )
    head = shape.items[0] if shape.items else shape
    if not any(is_batch_size(loop.iterable, head) for loop in passes):
        return None
    numbers = frozenset().union(*(loop.loaders for loop in passes))
    tags = frozenset({SIZED}) | ({FEATURES} if len(shape.items) > 1 else set())
    return Value(Kind.TENSOR, Placement(Form.SHARDED, numbers, True), batch_dim=0, tags=tags)


def is_batch_size(pipeline: Value, size: Value) -> bool:
    """Whether a number is the batch size of a pipeline: copied from the same place, or written as the same number."""
    for value in (pipeline, *pipeline.items):
        if value.kind is Kind.DATASET and value.origins & size.origins:
            return True  # its stages may not be known
        for stage in value.items:
            if stage.name in ("batch", "padded_batch") and stage.items:
                given = stage.items[0]
                if given.origins & size.origins or (given.is_const and size.is_const and given.const == size.const):
                    return True
    return False


def shape(value: Value) -> Value:
    """The shape of a tensor."""
    return tensors.shape(value)


# ---------------------------------------------------------------------- operands


def _ordered(call: Call) -> tuple[Value, ...]:
    """All tensors that an operation is given, those by keyword first where nothing is given by position."""
    named = [v for k, v in call.keywords.items() if k not in ("axis", "keepdims", "name", "dtype", "training", "shape")]
    shaped = [call.keywords["shape"]] if "shape" in call.keywords else []
    return (*call.args, *named, *shaped)


def _operand(flow: Flow, value: Value) -> Value:
    """A list of numbers is a shape; a list of tensors stands for its items."""
    items = flow.literal_items(value)
    if (
        value.kind in (Kind.LIST, Kind.TUPLE)
        and items is not None
        and all(v.scalar and v.kind is not Kind.TENSOR for v in items)
    ):
        return Value(Kind.TUPLE, combine(v.placement for v in items), items=items)
    if value.kind in (Kind.LIST, Kind.TUPLE):
        element = flow.element(value)
        return element.but(kind=Kind.TENSOR, pending=frozenset())
    return value


def given(flow: Flow, value: Value) -> Value:
    """What is given: a list or a tuple stands for its items."""
    if value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT):
        return flow.element(value)
    if value.kind is Kind.BATCH:
        return value.but(kind=Kind.TENSOR)
    return value


def _batch_dim(operands: tuple[Value, ...]) -> int | None:
    first = next((v for v in operands if v.form is Form.SHARDED), None)
    return first.batch_dim if first is not None else None


def _kept(operands: tuple[Value, ...]) -> frozenset[str]:
    return frozenset(tag for v in operands for tag in v.tags) & KEPT


def _type_name(call: Call) -> str:
    value = call.argument(1, "dtype") or Value()
    return value.const if isinstance(value.const, str) else value.name


# ---------------------------------------------------------------------- reductions


def _axes(flow: Flow, operands: tuple[Value, ...], call: Call) -> tuple[int, ...] | str | None:
    """The dimensions of a reduction: ``None`` for all of them, a word where they are not known."""
    value = call.keywords.get(
        "axis", call.keywords.get("reduction_indices", call.args[1] if len(call.args) > 1 else None)
    )
    return _numbers(flow, value)


def _numbers(flow: Flow, value: Value | None) -> tuple[int, ...] | str | None:
    """The dimensions that are given: ``None`` for all of them, a word where they are not known."""
    if value is None or value.kind is Kind.NONE:
        return None
    if isinstance(value.const, int):
        return (value.const,)
    items = flow.literal_items(value)
    if items and all(isinstance(v.const, int) for v in items):
        return tuple(int(v.const) for v in items)
    return "unknown"


def _summed(flow: Flow, name: str, operands: tuple[Value, ...], call: Call) -> Value:
    """A sum or a mean of a batch: over all of it, over the samples, or over what each sample has."""
    first = operands[0]
    mean = name in ("mean", "nanmean")
    axes = _axes(flow, operands, call)
    batch = first.batch_dim
    form = Form.MEAN if mean else Form.SUM
    if SHALLOW in first.tags and not mean:
        form = Form.UNKNOWN
    if tensors.POSITIONED in first.tags or (tensors.SELECTED in first.tags and mean):
        form = Form.UNKNOWN
    whole = Value(Kind.TENSOR, first.placement.with_form(form), integer=False if mean else first.integer, scalar=True)
    if axes is None:
        return whole
    counted = depths.dimensions(first)
    if not isinstance(axes, str) and counted is not None:
        axes = tuple(axis % counted if axis < 0 else axis for axis in axes)
    elif batch and (isinstance(axes, str) or min(axes) < 0):  # of a turned batch: of samples, or not
        return whole.but(placement=first.placement.with_form(Form.UNKNOWN))
    if axes == (-1,) and not mean and not KEPT & first.tags:  # of what each sample has, or of all samples
        return whole.but(placement=first.placement.with_form(Form.UNKNOWN))
    behind = batch is not None and not isinstance(axes, str) and all(axis > batch for axis in axes)
    guessed = (
        PER_SAMPLE in first.tags and not behind and axes not in ((0,), (-1,))
    )  # there is more where it is added up
    if isinstance(axes, str) or batch is None or guessed:
        return Value(Kind.TENSOR, first.placement.with_form(Form.UNKNOWN))
    if batch in axes:
        known = len(axes) > 1 or PER_SAMPLE in first.tags
        return whole if known and form is not Form.UNKNOWN else whole.but(scalar=False)
    surely = behind or (FEATURES in first.tags and axes == (-1,)) or DEEP in first.tags
    keeps = tensors.keeps_dimensions(call.args[2:3], call)
    kept = first.tags & {tensors.SELECTED, tensors.POSITIONED}
    if keeps:
        kept |= first.tags & KEPT
    if not surely:
        kept |= {SHALLOW}
    depth = depths.UNKNOWN if keeps is None else depths.changed(first.depth, 0 if keeps else -len(axes))
    return Value(Kind.TENSOR, first.placement, batch_dim=batch, depth=depth, tags=kept)


def _average_loss(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """``tf.nn.compute_average_loss``: the sum by a given number, or by the number of samples."""
    given = call.keywords.get("global_batch_size")
    form = Form.MEAN
    if given is not None and given.kind is not Kind.NONE:
        form = Form.SUM if given.form is Form.REPLICATED else Form.MEAN if given.form is Form.COUNT else Form.UNKNOWN
    first = operands[0]
    if first.form is not Form.SHARDED or SHALLOW in first.tags:
        form = Form.UNKNOWN
    return Value(Kind.TENSOR, first.placement.with_form(form), scalar=True, integer=False)


# ---------------------------------------------------------------------- products, parts and shapes


def product(left: Value, right: Value) -> Value:
    """A product of matrices; it adds up over the samples where both are batches with features only."""
    operands, matrices = (left, right), DEEP not in left.tags | right.tags
    adds_up = left.form is right.form is Form.SHARDED and matrices
    adds_up |= right.form is Form.SHARDED and right.batch_dim == 0 and depths.dimensions(right) == _MATRIX
    placement = elementwise((left.placement, right.placement))
    if adds_up or tensors.crosses(operands) or (right.form is Form.SHARDED and right.batch_dim == 1):
        placement = placement.with_form(Form.UNKNOWN)
    depth = left.depth if right.placement.is_equal else depths.UNKNOWN
    return Value(Kind.TENSOR, placement, batch_dim=_batch_dim(operands), depth=depth, tags=_kept(operands) | {FEATURES})


def _product(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    left, right = operands[0], operands[1] if len(operands) > 1 else Value()
    flips = [
        side
        for value, side in ((left, "transpose_a"), (right, "transpose_b"))
        if value.form is Form.SHARDED and DEEP not in value.tags and _is_true(call.keywords.get(side))
    ]
    made = product(left, right)
    return made.but(placement=made.placement.with_form(Form.UNKNOWN)) if flips else made


def _is_true(value: Value | None) -> bool:
    return value is not None and value.const is not False


def _gathered(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Rows of a table by the batch's indices; samples of a batch by their place are another matter."""
    placement = elementwise(v.placement for v in operands[:2])
    first, axes = operands[0], _axes(flow, operands[:1], Call(call.node, (), call.keywords))
    if last == "gather" and operands[1:] and operands[1].placement.is_equal and _is_within(first, axes):
        depth = depths.changed(first.depth, -1) if operands[1].kind is Kind.NUMBER else depths.UNKNOWN
        return Value(Kind.TENSOR, placement, batch_dim=first.batch_dim, depth=depth)
    inside = call.keywords.get("batch_dims")
    if operands[0].form is Form.SHARDED and (inside is None or inside.is_zero):
        placement = placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, placement, batch_dim=0)


def _looked_up(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Rows of a table, by the batch's indices; or samples by their place."""
    known = operands[0].form is not Form.SHARDED
    return _by_sample(last, operands, call) if known else _gathered(flow, last, operands, call)


def _einsum(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Per sample when all operands that hold samples, and the result, begin with the same letter."""
    equation = operands[0].const if operands and isinstance(operands[0].const, str) else ""
    placement = elementwise(v.placement for v in operands[1:])
    inputs, _, output = equation.replace(" ", "").partition("->")
    batched = [term for term, v in zip(inputs.split(","), operands[1:], strict=False) if v.form is Form.SHARDED]
    aligned = bool(output) and all(term[:1] == output[:1] and output[0].isalpha() for term in batched)
    known = placement if aligned or not batched else placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, known, batch_dim=0 if aligned else None)


def _joined(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """``concat`` along the samples joins batches, if all parts are batches; ``stack`` makes a dimension."""
    listed = call.args[0] if call.args else next(iter(call.keywords.values()), Value())
    if tensors.IN_PARTS in listed.tags:
        return _of_parts(flow, last, listed, call.argument(1, "axis") or number(const=0))
    parts = flow.literal_items(listed)
    if parts is None:
        element = flow.element(listed)
        given = call.argument(1, "axis") or number(const=0)
        behind = last == "stack" and isinstance(given.const, int) and not given.is_zero and element.batch_dim == 0
        within = behind or _is_within(element, _numbers(flow, given))
        gathered = bool(element.sources) and last != "add_n" and not within
        return element.but(placement=element.placement.with_form(Form.UNKNOWN)) if gathered else element
    if parts and parts[0].kind is Kind.TUPLE and all(v.placement.is_equal for v in parts[1:]):  # a shape, with its rest
        return parts[0].but(items=(*parts[0].items, *(number(integer=True) for _ in parts[1:])))
    placement = elementwise(v.placement for v in parts)
    if all(v.form is parts[0].form for v in parts) and parts[0].placement.is_partial:
        placement = parts[0].placement
    axis = call.argument(1, "axis")
    along = axis.const if axis is not None else 0
    dims = {v.batch_dim for v in parts if v.form is Form.SHARDED}
    batch = dims.pop() if len(dims) == 1 else None
    mixed = any(v.form is not Form.SHARDED for v in parts) and along in (0, None)
    if last == "add_n":
        total = parts[0].placement
        for part in parts[1:]:
            total = add(total, part.placement)
        tags = parts[0].tags - {AVERAGED}
        return parts[0].but(placement=total, pending=frozenset(), carry=frozenset(), const=Value().const, tags=tags)
    if placement.form is Form.SHARDED and (not isinstance(along, int) or (mixed and last != "stack")):
        placement = placement.with_form(Form.UNKNOWN)
    if last == "stack" and along == 0 and batch is not None:
        batch += 1
    scalar = placement.is_partial and last == "stack"
    return Value(
        Kind.TENSOR, placement, batch_dim=batch, scalar=False, tags=frozenset({FEATURES}) if not scalar else frozenset()
    )


def _of_parts(flow: Flow, last: str, parts: Value, axis: Value) -> Value:
    """The parts that a tensor was cut into, joined again."""
    within = _is_within(parts, _numbers(flow, axis))
    placement = parts.placement if within else parts.placement.with_form(Form.UNKNOWN)
    depth = depths.changed(parts.depth, int(last == "stack"))
    return parts.but(placement=placement, depth=depth, tags=parts.tags - {tensors.IN_PARTS} | {FEATURES})


def _moved(flow: Flow, name: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Shapes and reshapes."""
    if not operands:
        return Value(Kind.TENSOR)
    first = operands[0]
    if name == "shape":
        return tensors.shape(first)
    if name in ("zeros", "ones", "full"):
        shared = any(v.sources for v in operands)
        tags = frozenset({FEATURES}) if len(first.items) > 1 else frozenset[str]()
        if not shared:
            return tensors.operation(name, operands, call)
        return Value(
            Kind.TENSOR, combine(v.placement for v in operands).with_form(Form.SHARDED), batch_dim=0, tags=tags
        )
    if name == "split":
        parts = tensors.operation("split", operands, call)
        return parts.but(tags=parts.tags | _kept(operands))
    if name == "transpose":
        order = operands[1] if len(operands) > 1 else call.keywords.get("perm", Value())
        items = flow.literal_items(order) or order.items
        if not items and order.kind in (Kind.UNKNOWN, Kind.NONE):  # all dimensions are reversed
            items = (number(const=1), number(const=0))
        moved = tensors.operation("permute", (first, Value(Kind.TUPLE, items=tuple(items or ()))), call)
        kept = moved.tags | _kept(operands)
        if len(items or ()) > 2:  # what is behind the samples: those in front do not count
            kept = kept - {DEEP, FEATURES} | depths.tags(len(items or ()) - 1 - (moved.batch_dim or 0))
        return moved.but(tags=kept)
    if name == "reshape" and first.form is Form.SHARDED and _in_a_row(operands):
        row = Value(Kind.TENSOR, first.placement, batch_dim=1, depth=depths.known(0), integer=first.integer)
        return row.but(tags=frozenset({depths.APART}))
    result = tensors.operation(name, operands, call)
    if name == "reshape" and first.form is Form.SHARDED and _leads_with_a_number(operands):
        return result.but(placement=result.placement.with_form(Form.UNKNOWN))
    if name == "flatten":  # of each sample, by a layer
        result = result.but(depth=depths.UNKNOWN)
    wide = name == "reshape" and len(operands) > 1 and operands[1].kind is Kind.TUPLE
    if wide and len(operands[1].items) > 1:
        return result.but(tags=result.tags | {FEATURES} | ({DEEP} if len(operands[1].items) > 2 else set()))
    return result.but(tags=result.tags | (_kept(operands) if name != "reshape" else frozenset()))


def _in_a_row(operands: tuple[Value, ...]) -> bool:
    """Whether all samples are put into one row, ``tf.reshape(x, [1, -1])``."""
    shape = operands[1] if len(operands) > 1 else Value()
    return shape.kind is Kind.TUPLE and [item.const for item in shape.items] == [1, -1]


def _leads_with_a_number(operands: tuple[Value, ...]) -> bool:
    """Whether all samples become one, ``tf.reshape(x, [1, -1, 3])``, or are cut into so many parts."""
    shape = operands[1] if len(operands) > 1 else Value()
    parts = [item.const for item in shape.items] if shape.kind is Kind.TUPLE else []
    number = parts[0] if len(parts) > 1 else None
    return number == 1 or (isinstance(number, int) and number > 1 and (-1 in parts[1:] or operands[0].batch_dim == 0))


def _flat(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """``K.flatten`` puts all numbers of a batch one behind another, ``K.batch_flatten`` those of each sample."""
    if last == "batch_flatten":
        made = tensors.operation("flatten", (operands[0], number(const=1)), call)
        return made.but(tags=made.tags | {FEATURES})
    made = tensors.operation("flatten", operands[:1], call)
    return made.but(tags=made.tags - {"flat"} | {depths.APART, PER_SAMPLE})


def _unstacked(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """``tf.unstack``: the parts of a tensor along a dimension, the first unless it is told another."""
    axis = call.argument(2, "axis") or number(const=0)
    parts = tensors.operation("unbind", (operands[0], axis), Call(call.node, ()))
    return parts.but(tags=parts.tags | (_kept(operands) & {FEATURES} if DEEP in operands[0].tags else frozenset()))


def _is_within(first: Value, axes: tuple[int, ...] | str | None) -> bool:
    """Whether some dimensions are known to lie behind that of the samples."""
    if axes is None or isinstance(axes, str) or first.batch_dim is None:
        return False
    placed = [depths.place(first, axis) for axis in axes]
    last = -1 if FEATURES in first.tags and not first.batch_dim else None
    return all(isinstance(axis, int) and (axis > (first.batch_dim or 0) or axis == last) for axis in placed)


def _scaled(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """What is scaled by a norm along dimensions that are given in the third place; ``normalize`` gives the norm too."""
    first, axes = operands[0], call.argument(2, "axes" if last == "clip_by_norm" else "axis")
    along = _numbers(flow, axes)
    placement = elementwise(v.placement for v in operands)
    known = placement if _is_within(first, along) else placement.with_form(Form.UNKNOWN)
    made = Value(Kind.TENSOR, known, batch_dim=first.batch_dim, depth=first.depth, tags=_kept(operands))
    norm = made.but(tags=frozenset()) if last == "normalize" else made
    return Value(Kind.TUPLE, known, items=(made, norm)) if last == "normalize" else made


def _repeated(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """``tf.repeat`` and ``tf.roll`` along dimensions of each sample."""
    first, axis = operands[0], call.argument(2, "axis")
    known = _is_within(first, _numbers(flow, axis))
    placement = first.placement if known or first.placement.is_equal else first.placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, placement, batch_dim=first.batch_dim, depth=first.depth, tags=_kept(operands))


def _transformed(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """What goes along the last dimension, and contracts it with that of constants: ``tf.tensordot(x, w, axes=1)``."""
    batch, others = operands[0], operands[1:]
    if last == "matvec":
        batch, others = others[0] if others else Value(), operands[:1]
    axes = call.argument(2, "axes") if last == "tensordot" else number(const=1)
    each = batch.batch_dim == 0 and not depths.is_flat(batch) and all(v.placement.is_equal for v in others)
    known = each and axes is not None and axes.const == 1
    placement = elementwise(v.placement for v in operands)
    return Value(
        Kind.TENSOR,
        placement if known else placement.with_form(Form.UNKNOWN),
        batch_dim=0 if known else None,
        depth=depths.product(batch, others[0]) if others and last != "matvec" else batch.depth,
        tags=depths.tags(depths.least(batch) - bool(others)),
    )


def _squeezed(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Without dimensions of one, which are given; those of others are no dimensions of one either."""
    first, axes = operands[0], _axes(flow, operands, call)
    made = _by_sample(last, operands, call)
    if isinstance(axes, str) or axes is None or not _is_within(first, axes):
        return made
    tags = made.tags - KEPT | depths.tags(depths.least(first) - len(axes))
    return made.but(depth=depths.changed(first.depth, -len(axes)), tags=tags)


def _of_images(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Two images of each sample."""
    part = operands[0].but(pending=frozenset(), carry=frozenset())
    return Value(Kind.TUPLE, part.placement, items=(part, part))


def _rearranged(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """What ``einops`` makes of tensors: of each sample, where their dimension stays the first by itself."""
    pattern = next((v.const for v in operands[1:] if isinstance(v.const, str)), "")
    before, _, after = pattern.partition("->")
    head = before.split()[:1]
    aligned = bool(head) and head == after.split()[:1] and head[0].isidentifier() and operands[0].batch_dim == 0
    placement = operands[0].placement
    known = placement if aligned or placement.is_equal else placement.with_form(Form.UNKNOWN)
    plain = "(" not in after and "..." not in after
    depth = depths.known(len(after.split()) - 1) if aligned and plain else depths.UNKNOWN
    return Value(Kind.TENSOR, known, batch_dim=0 if aligned else None, depth=depth)


def length(value: Value) -> Value:
    """``len(x)`` of a batch."""
    if value.kind is Kind.TENSOR and value.form is Form.SHARDED:
        return tensors.shape_part(value, number(const=0))
    return number(combine([value.placement]), integer=True)


def _class_loss(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """A loss over the classes of each sample."""
    deep = any(DEEP in v.tags for v in operands)
    tags = frozenset[str]() if deep else frozenset({PER_SAMPLE})
    predictions = operands[1] if len(operands) > 1 else Value()
    given = {"labels", "logits"} & call.keywords.keys()
    logits = call.keywords.get("logits", Value()) if given else predictions
    depth = depths.changed(logits.depth, -1) if last.endswith("_with_logits") and not call.args[2:] else depths.UNKNOWN
    placement = elementwise(v.placement for v in operands)
    axis = call.keywords.get("axis", call.keywords.get("dim"))
    along = depths.is_flat(logits) or (axis is not None and axis.const == 0)
    if last.startswith(("softmax", "categorical")) and along:  # the classes are the samples
        placement = placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, placement, batch_dim=0, depth=depth, tags=tags)


def _where(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """A choice for each element; with a condition alone, or a mask, some of the samples."""
    if last == "boolean_mask" or len(operands) < len(("condition", "x", "y")):
        return tensors.operation("masked_select", operands, call)
    placement = elementwise(v.placement for v in operands)
    if depths.cross(operands):
        placement = placement.with_form(Form.UNKNOWN)
    depth = depths.together(operands)
    return Value(Kind.TENSOR, placement, batch_dim=_batch_dim(operands), depth=depth, tags=_kept(operands))


def _pair(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """Two results: of each sample, or of the batch as a whole."""
    placement, first = elementwise(v.placement for v in operands), operands[0]
    axes = call.argument(1, "axes")
    each = last == "top_k" or (axes is not None and _is_within(first, _numbers(flow, axes)))
    known = placement if each else placement.with_form(Form.UNKNOWN)
    keeps = last == "moments" and "keepdims" in call.keywords and call.keywords["keepdims"].const is True
    part = Value(Kind.TENSOR, known, batch_dim=0, depth=first.depth if keeps else depths.UNKNOWN)
    return Value(Kind.TUPLE, known, items=(part, part))


def _cast(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    kind = "int" if "int" in _type_name(call) else "float"
    kept = operands[0].tags & (tensors.KEPT_TAGS | KEPT | {PER_SAMPLE, SHALLOW})
    return tensors.operation(kind, operands[:1], call).but(tags=kept)


def _expanded(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """A new dimension, which moves that of the samples when it comes before it."""
    first, axis = operands[0], call.argument(1, "axis")
    if first.form is Form.COUNT:  # the first number of a shape
        return Value(Kind.TUPLE, first.placement, items=(first,))
    result = _by_sample(last, operands[:1], call)
    if first.form is not Form.SHARDED or first.batch_dim is None:
        return result
    axis = axis or number(const=-1)
    if not isinstance(axis.const, int):
        return result.but(batch_dim=None, placement=result.placement.with_form(Form.UNKNOWN))
    before = 0 <= axis.const <= first.batch_dim
    depth = first.depth if before else depths.changed(first.depth, 1)
    features = frozenset[str]() if before else depths.tags(depths.least(first) + 1)
    return result.but(batch_dim=first.batch_dim + before, depth=depth, tags=result.tags | features)


def _spread(flow: Flow, last: str, operands: tuple[Value, ...], call: Call) -> Value:
    """``broadcast_to`` and ``tile``: as many rows as a batch has, or what each sample has repeated."""
    first, shape = operands[0], operands[1] if len(operands) > 1 else Value()
    head = shape.items[0] if shape.items else shape
    per_batch = (shape.kind is Kind.SHAPE and head.form is Form.SHARDED and head.batch_dim == 0) or (
        shape.kind is Kind.TUPLE and head.form is Form.COUNT
    )
    kept = last == "tile" and shape.kind is Kind.TUPLE and head.const == 1
    spread = elementwise((first.placement, head.placement.with_form(Form.SHARDED))) if per_batch else first.placement
    features = frozenset({FEATURES}) if shape.kind is Kind.TUPLE and len(shape.items) > 1 else frozenset[str]()
    if first.placement.is_equal and per_batch:
        return Value(Kind.TENSOR, spread.with_form(Form.SHARDED), batch_dim=0, tags=features)
    if first.form is Form.SHARDED and first.batch_dim == 0 and (kept or (per_batch and last == "broadcast_to")):
        return Value(Kind.TENSOR, spread, batch_dim=0, tags=_kept(operands) | features)
    return Value(Kind.TENSOR, combine(v.placement for v in operands))


_HANDLERS: dict[str, Callable[[Flow, str, tuple[Value, ...], Call], Value]] = {
    **dict.fromkeys(("sparse_softmax_cross_entropy_with_logits", "softmax_cross_entropy_with_logits",
                     "softmax_cross_entropy_with_logits_v2", "nce_loss", "sampled_softmax_loss",
                     "categorical_crossentropy", "sparse_categorical_crossentropy"), _class_loss),
    **dict.fromkeys(("concat", "concatenate", "stack", "add_n", "vstack", "hstack"), _joined),
    **dict.fromkeys(("where", "boolean_mask", "switch"), _where),
    **dict.fromkeys(("top_k", "moments"), _pair),
    **dict.fromkeys(("gather", "gather_nd"), _gathered),
    "embedding_lookup": _looked_up,
    **dict.fromkeys(("broadcast_to", "tile"), _spread),
    **dict.fromkeys((FLAT, "batch_flatten"), _flat),
    **dict.fromkeys(("normalize", "clip_by_norm"), _scaled),
    EINOPS: _rearranged,
    **dict.fromkeys(("repeat", "repeat_elements", "roll"), _repeated),
    **dict.fromkeys(("tensordot", "dot", "matvec", "fft", "ifft", "rfft", "irfft"), _transformed),
    "squeeze": _squeezed,
    "unstack": _unstacked,
    "image_gradients": _of_images,
    "expand_dims": _expanded,
    "compute_average_loss": _average_loss,
    "matmul": _product,
    "einsum": _einsum,
    "cast": _cast,
}  # fmt: skip


def is_read(name: str) -> bool:
    """Whether it is known what an operation does to the samples of a batch, be it that it combines them."""
    last = name.rpartition(".")[2]
    known = _HANDLERS.keys() | _NAMES.keys() | _BY_SAMPLE | _MOVES | _SUMMING | ALONG.keys() | TOGETHER | _ACROSS
    return last in known or last.startswith(("segment_", "unsorted_segment_")) or ".losses." in name
