"""What operations on tensors and arrays do to kinds and placements.

``sum`` and ``mean`` over all elements of a sharded tensor are partial values; an operation on each sample by itself
stays sharded; what mixes samples in another way is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, add, combine, divide, elementwise, sharded
from corro.flow import depths, ratios
from corro.flow.operators import multiplied
from corro.flow.python import STARRED
from corro.flow.values import ELLIPSIS, MIXED, OF_SHARD, UNSET, Common, OfType, Value, number
from corro.frontends import views
from corro.frontends.operations import (
    ALIKE,
    ALONG,
    ALONG_LAST,
    BY_SAMPLE,
    EACH,
    NORMALIZING,
    OF_MATRICES,
    OF_SEQUENCES,
    TOGETHER,
    is_known,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.flow.depths import Depth, Width
    from corro.flow.semantics import Call

_KEEP = frozenset(
    {"detach", "cpu", "cuda", "to", "float", "double", "half", "bfloat16", "clone", "numpy", "contiguous",
     "requires_grad", "squeeze", "type", "type_as", "asarray", "array", "as_tensor", "tensor", "from_numpy", "copy",
     "astype", "from_blob", "expand_as", "pin_memory", "view_as", "ravel", "tolist", "float32", "float64", "Tensor",
     "FloatTensor", "DoubleTensor", "HalfTensor", "reshape_as", "asnumpy", "Variable"}
)  # fmt: skip
_INTEGER = frozenset({"long", "int", "LongTensor", "IntTensor", "ByteTensor", "int64", "int32", "bool", "byte"})
_PAIRS = frozenset({"max", "min", "topk", "sort", "kthvalue", "median", "mode", "cummax", "cummin"})
_PARTS = {"chunk": 1, "split": 1, "tensor_split": 1, "hsplit": 1, "unbind": 0}
"""What cuts a tensor into parts, and the position of the dimension among its other arguments."""
IN_PARTS = "in parts"
"""The tag of a list of parts of a tensor."""
_SELECTING = frozenset({"masked_select", "nonzero", "argwhere", "flatnonzero"})
_CHOOSING = frozenset({"index_select", "narrow", "select"})
"""What takes samples by their place when it works along their dimension."""
SELECTED = "selected samples"
"""The tag of a tensor that holds some of the samples, another number of them on each process."""
POSITIONED = "samples chosen by their position"
"""The tag of a tensor that holds samples chosen by their place in the batch, others on each process."""
SEEDS_FIRST = "the seed nodes first"
"""The tag of a tensor with a row for each node that was sampled around some seed nodes, which come first."""
WHERE = "places that were chosen"
"""The tag of the places where a tensor is true, or of the nodes that are chosen within each graph."""
BY_NUMBERS = "samples that may be chosen by numbers"
"""The tag of samples that may have been exchanged, as a permutation does: pairs of them are others on each process."""
OVER_ROWS = "a mean over selected samples"
"""The tag of a mean over samples of which each process has another number, and each as much weight as the others."""
PICKED = frozenset({SELECTED, POSITIONED})
"""The tags of tensors that hold some of the samples only."""
CUT = "samples cut into parts"
"""The tag of a tensor whose first dimension has parts of a batch, as ``view(2, -1, d)`` makes them."""
ROWS = "several samples in a row"
"""The tag of a tensor whose last dimension goes over samples, as ``view(1, -1)`` makes it."""
SAMPLE = "a sample by itself"
"""The tag of a sample, or a part of one, before it becomes a part of a batch."""
ONE_ROW = "a sample in a row of its own"
"""The tag of a sample that was given a dimension in front."""
ONE_IN_FRONT = Common("one in the first dimension")
"""The tag of an array that was given a dimension in front."""
LISTED = "an entry for each sample"
"""The tag of a list that was made of a tensor, with an entry for each sample of the batch."""
ROW = Common("one row of an array")
"""The tag of a row that was picked by its number, or by a loop over the rows: a sample, most likely."""
SOME_ROWS = Common("some rows of an array")
"""The tag of rows that were cut from an array by a slice, or of one of the parts that it was split into."""
NUMPY = OfType("of NumPy")
"""The tag of arrays and numbers of NumPy, beside the tensors of a framework and Python's own numbers."""
DOUBLE = "of 64 bits"
"""The tag of a tensor that holds floating-point numbers of 64 bits."""
IN_A_ROW = "one element in a row"
"""The tag of a tensor with one element that has a dimension, as ``zeros(1)`` makes it."""
PACKED = "packed sequences"
"""The tag of samples whose steps of time stand one after another, as ``pack_padded_sequence`` gives them."""
NORMALISED = "normalised over the batch"
"""The tag of what is computed from statistics of the batch, as its normalisation does in training."""
TURNED = "rows and columns exchanged"
"""The tag of a matrix whose rows and columns were exchanged, where it is not known which of them are samples."""
_NOT_EACH = PICKED | {BY_NUMBERS, CUT, ROWS, PACKED, SAMPLE, SEEDS_FIRST}
"""The tags of tensors in whose first dimension there is not each sample in its place."""
KEPT_TAGS = PICKED | {BY_NUMBERS, WHERE, depths.APART, depths.TRUTH, CUT, ROWS, DOUBLE, IN_A_ROW, SAMPLE, ONE_ROW,
                      PACKED, MIXED, SEEDS_FIRST, NORMALISED, TURNED}  # fmt: skip
_SUMS = frozenset({"sum", "count_nonzero", "nansum"})
_MEANS = frozenset({"mean", "nanmean"})
_ADDING = frozenset({"scatter", "scatter_add", "scatter_reduce", "index_add", "index_copy", "index_reduce"})
"""What brings samples together under their indices when it works along the first dimension."""
_COMPARISONS = frozenset({"eq", "ne", "gt", "lt", "ge", "le", "equal", "greater", "greater_equal", "less", "less_equal",
                          "not_equal"})  # fmt: skip
_ASKING = frozenset({"isnan", "isinf", "isfinite", "isin", "isclose", "isreal", "isneginf", "isposinf", "logical_and",
                     "logical_or", "logical_not", "logical_xor", "signbit", "bool", "any", "all"})  # fmt: skip
_COMPARING = frozenset({"max", "min"})
"""Reductions that compare each element with that of a second tensor, where they are given one."""
_OF_LAYERS = ("conv", "avg_pool", "max_pool", "adaptive_", "interpolate", "upsample", "pixel_", "dropout", "prelu")
_ROW_BY_ROW = (
    EACH
    | {"normalize", "detach", "to", "cuda", "cpu", "float", "half", "clone", "contiguous", "linear"}
    | {"softmax", "log_softmax", "layer_norm", "group_norm", "instance_norm"}
    | {name for name in BY_SAMPLE if name.startswith(_OF_LAYERS)}
)
"""Operations that leave each row where it is."""
_WORDS = ("dim", "axis", "dims")
_SHAPING = ("start_dim", "end_dim", "dim0", "dim1", "axis0", "axis1", "dims", "dim", "axis", "shape", "sizes")
"""The names of what reshapes are given, in the order in which they take it."""
RESHAPES = frozenset(
    {"unsqueeze", "view", "reshape", "flatten", "permute", "transpose", "t", "swapaxes", "movedim", "unflatten"}
)
"""Operations that give a tensor other dimensions."""
_PRODUCTS = frozenset({"mm", "matmul", "bmm", "dot", "addmm", "cdist", "mv", "inner"})
_OF_ALL = frozenset({"dot", "cdist", "inner"})
"""Products in which each row of a batch meets each of the other's."""
_ZEROS = frozenset({"zeros", "zeros_like"})
_FILLED = frozenset({"ones_like", "full_like"})
_EXPANDING = frozenset({"expand", "broadcast_to"})
_SPREADING = frozenset({"expand", "repeat", "tile", "broadcast_to", "repeat_interleave"})
_REPEATING = frozenset({"repeat", "tile"})
_MOST_SETS = 64
"""Of a tensor that is repeated more often it is not known where its copies are."""
_OF_SHAPE = frozenset({"view_as", "reshape_as", "expand_as"})
_OF_TYPE = frozenset({"new", "new_zeros", "new_ones", "new_full", "new_empty", "new_tensor"})
"""What makes a tensor of the type of another one."""
_CREATING = _OF_TYPE | {"zeros", "ones", "full", "empty", "arange"}
_ALONG_FEATURES = frozenset({"linear", "bilinear"})
_OF_SIZES = _OF_TYPE | {"zeros", "ones", "empty", "full"}
_SIZE = frozenset({Kind.NUMBER, Kind.UNKNOWN})
_MATRIX = 2
ELEMENTWISE = EACH | {"softmax", "log_softmax", "normalize", "l2_normalize", "cumsum", "cumprod"}
"""Operations on each element, and those along a dimension that are often used in losses."""


def has_each(value: Value) -> bool:
    """Whether a tensor has something of each sample of a batch in its first dimension, in its place."""
    in_place = value.kind is Kind.TENSOR and value.form is Form.SHARDED and value.batch_dim == 0
    return in_place and not value.tags & _NOT_EACH


def is_operation(name: str) -> bool:
    """Whether it is known what an operation computes, so that it gives the same of equal operands."""
    plain = name.rstrip("_")
    known = name in _KEEP | _INTEGER or plain in RESHAPES | _PRODUCTS | _CREATING | TOGETHER
    return known or is_known(plain)


def operation(name: str, operands: tuple[Value, ...], call: Call) -> Value:
    """The result of the tensor operation ``name``; the first operand is the receiver of a method."""
    named = [v for k, v in call.keywords.items() if k not in _WORDS and v.kind is not Kind.SHAPE]
    operands += tuple(v for v in named if not v.placement.is_equal and v not in operands)
    result = _result(name if name.endswith("__") else name.rstrip("_"), operands, call)
    if name == "unsqueeze" and operands[0].placement.is_array and _dimension(operands[1:], call) == 0:
        result = result.but(tags=result.tags | {ONE_IN_FRONT})
    rows = operands[0].tags & {ROW, SOME_ROWS} if operands else frozenset[str]()
    if rows and result.kind is Kind.TENSOR and _keeps_rows(name.rstrip("_")):
        result = result.but(tags=result.tags | rows)
    result = _with_several_rows(name, result, operands, call)
    parts = [v for v in operands if depths.APART in v.tags]
    if not parts or result.form is not Form.SHARDED or result.kind is not Kind.TENSOR:
        return result
    stays = result.batch_dim == 0 and operands[0].batch_dim == 0 and _leaves_rows(name, operands)
    blocks = views.of_all(parts) if stays else frozenset[str]()
    return result.but(tags=views.forgotten(result).tags | {depths.APART} | blocks)


def _with_several_rows(name: str, result: Value, operands: tuple[Value, ...], call: Call) -> Value:
    """What is repeated along the samples: one copy of all after another, or the copies of each next to each other."""
    first = operands[0] if operands else Value()
    if name not in _REPEATING | {"repeat_interleave"} or not has_each(first) or result.batch_dim != 0:
        return result
    if name == "repeat_interleave":
        along = _dimensions(first, operands[1:], call, 1)
        return result if along and 0 not in along else result.but(tags=result.tags | {depths.APART, depths.NEXT})
    sizes, dimensions = _sizes(operands[1:]), depths.dimensions(first)
    times = sizes[0].const if sizes and dimensions in (None, len(sizes)) else 0 if not sizes else 1
    if times == 1:
        return result
    known = isinstance(times, int) and times < _MOST_SETS and not first.tags & {depths.APART, NUMPY}
    sets = views.put_together((first,) * times) if known else frozenset[str]()
    return result.but(tags=result.tags | {depths.APART} | sets)


def _leaves_rows(name: str, operands: tuple[Value, ...]) -> bool:
    """Whether an operation leaves each row of the first dimension where it is."""
    if name in ("view", "reshape") and operands[1:]:
        head = operands[1].items[0] if operands[1].kind is Kind.TUPLE and operands[1].items else operands[1]
        return depths.LENGTH_APART in head.tags and head.sources == operands[0].sources
    return name in _ROW_BY_ROW or name == "flatten" or (name in ALONG and ALONG[name].gives == "less")


def _keeps_rows(name: str) -> bool:
    """Whether an operation on one row gives one row, and on several rows these rows."""
    return name in _KEEP | _INTEGER or name in RESHAPES | ELEMENTWISE


def _result(name: str, operands: tuple[Value, ...], call: Call) -> Value:
    first, rest = operands[0] if operands else Value(), operands[1:]
    known = _number_or_shape(name, first, rest)
    if known is None:
        known = _created(name, operands, call)
    if known is not None:
        return known
    if name in _KEEP or name in _INTEGER:
        return _kept(name, first, rest, call)
    if first.form is Form.SHARDED and (name in _SUMS or name in _MEANS):
        return _reduced(name, first, rest, call)
    if first.placement.is_partial:
        return _of_partial(name, first, rest)
    if name in _PRODUCTS:
        return _product(name, operands)
    if name in RESHAPES and first.form is Form.SHARDED:
        return _reshaped(name, first, (*rest, *(call.keywords[word] for word in _SHAPING if word in call.keywords)))
    if name == "where" and not rest and not call.keywords:
        name = "nonzero"
    return _parts(name, _computed(name, operands, call), operands, call)


def _computed(name: str, operands: tuple[Value, ...], call: Call) -> Value:
    """What is computed from each sample by itself, if it is."""
    first, rest = operands[0], operands[1:]
    sized = name in _SPREADING and first.form is Form.SHARDED  # the number of samples, in their place
    placement = elementwise(v.placement for v in operands if not (sized and v.form is Form.COUNT))
    if placement.form is Form.SHARDED and _brings_together(name, operands, call):
        placement = placement.with_form(Form.UNKNOWN)
    sharded = next((v for v in operands if v.form is Form.SHARDED), None)
    batch_dim, depth = sharded.batch_dim if sharded is not None else None, depths.UNKNOWN
    if name in ALIKE:
        batch_dim, depth = depths.place_of_samples(operands), depths.together(operands)
    elif name == "topk" and first.form is Form.SHARDED:
        depth = first.depth
    elif name in ALONG and ALONG[name].gives == "less" and first.form is Form.SHARDED:
        batch_dim, depth = _less(first, name, rest, call)
    elif name in _SPREADING and first.form is Form.SHARDED:
        batch_dim, depth = _spread(name, first, rest, call)
    return Value(
        Kind.TENSOR,
        placement,
        integer=True if name in _COMPARISONS or name == "argmax" else None,
        batch_dim=batch_dim,
        depth=depth,
        width=depths.wide(operands) if name in ALIKE else frozenset(),
        scalar=first.scalar and not rest and name not in _CREATING,
        tags=frozenset().union(*(v.tags for v in operands)) & KEPT_TAGS - {depths.TRUTH}
        | frozenset.intersection(*(v.tags for v in operands)) & {depths.TRUTH}
        | ({SELECTED} if name in _SELECTING else set())
        | ({WHERE} if name in _SELECTING - {"masked_select"} else set())
        | ({depths.TRUTH} if name in _COMPARISONS | _ASKING else set())
        | (_judged(name, first, placement) if len(operands) == 1 and not call.keywords else set()),
    )


def _judged(name: str, value: Value, placement: Placement) -> frozenset[str]:
    """The tags of what is computed of all samples of a shard, where it is not known what the whole is."""
    if placement.form is not Form.UNKNOWN:
        return frozenset()
    if value.form is Form.SHARDED:
        return frozenset({OF_SHARD} if name in _COMPARING else ())
    return ratios.reduced(name, value, whole=True)


def _parts(name: str, result: Value, operands: tuple[Value, ...], call: Call) -> Value:
    """The result of what chooses samples, gives two tensors, or cuts one into parts."""
    first, rest = operands[0], operands[1:]
    if name in _SELECTING | _CHOOSING | _SPREADING:
        result = result.but(tags=result.tags - {SEEDS_FIRST})
    if name in _CHOOSING and first.batch_dim in (_dimensions(first, rest, call) or ()):
        return result.but(tags=result.tags | {POSITIONED})
    if name in _PAIRS and _has_dimension(rest, call) and not any(v.kind is Kind.TENSOR for v in rest):
        return Value(Kind.TUPLE, result.placement, items=(result, result.but(integer=True)))
    if name not in _PARTS:
        return result
    dims = _dimensions(first, rest, call, _PARTS[name])
    if not dims or first.batch_dim in dims or CUT in first.tags:
        return result.but(tags=result.tags | {IN_PARTS, POSITIONED})
    batch_dim, depth = _without(first, dims) if name == "unbind" else (first.batch_dim, first.depth)
    return result.but(batch_dim=batch_dim, depth=depth, tags=result.tags | {IN_PARTS})


def _brings_together(name: str, operands: tuple[Value, ...], call: Call) -> bool:
    """Whether samples of a batch meet in an operation, or may, for all that is known of it."""
    first, rest = operands[0], operands[1:]
    if not is_known(name):
        return True
    if depths.cross(operands) if name in EACH else crosses(operands):
        return True
    if name in _SPREADING and _repeats_samples(name, first, rest):
        return True
    return (first.form is Form.SHARDED or name in _ADDING) and _mixes_samples(name, first, rest, call)


def _spread(name: str, first: Value, rest: tuple[Value, ...], call: Call) -> tuple[int | None, Depth]:
    """Where the samples are, and the depth, of what is repeated: new dimensions come in front of all others."""
    if name == "repeat_interleave":
        kept = "dim" in call.keywords or "axis" in call.keywords or len(rest) > 1 or depths.is_flat(first)
        return first.batch_dim, first.depth if kept else depths.UNKNOWN
    sizes, known = _sizes(rest), depths.dimensions(first)
    if first.batch_dim is None or known is None:
        return first.batch_dim, first.depth
    return first.batch_dim + max(len(sizes) - known, 0), first.depth


def _repeats_samples(name: str, first: Value, rest: tuple[Value, ...]) -> bool:
    """Whether each sample is repeated as often as there are samples, so that it meets all of them."""
    counted = [place for place, size in enumerate(_sizes(rest)) if size.form is Form.COUNT]
    return any(place != first.batch_dim or name not in _EXPANDING for place in counted)


def _less(first: Value, name: str, rest: tuple[Value, ...], call: Call) -> tuple[int | None, Depth]:
    """Where the samples are, and the depth, when a dimension has gone."""
    along = ALONG[name]
    dims = _dimensions(first, rest, call, along.position, along.default)
    keeps = keeps_dimensions(rest[along.position + 1 :], call)
    if dims is None or not dims or keeps is None:
        return first.batch_dim, depths.UNKNOWN
    return (first.batch_dim, first.depth) if keeps else _without(first, dims)


def _without(first: Value, dims: tuple[int, ...]) -> tuple[int | None, Depth]:
    """Where the samples of a tensor are, and its depth, without some other dimensions."""
    if first.batch_dim is None or first.batch_dim in dims:
        return first.batch_dim, depths.UNKNOWN
    before = sum(0 <= each < first.batch_dim for each in dims)
    return first.batch_dim - before, depths.changed(first.depth, before - len(dims))


def keeps_dimensions(rest: tuple[Value, ...], call: Call) -> bool | None:
    """Whether a reduction leaves a dimension of one, ``None`` where that is not known.

    ``rest`` is what it is given after the dimension.
    """
    words = [*rest, *(call.keywords[k] for k in ("keepdim", "keepdims", "keep_dims") if k in call.keywords)]
    if not words:
        return False
    return words[0].const if isinstance(words[0].const, bool) else None


def _number_or_shape(name: str, first: Value, rest: tuple[Value, ...]) -> Value | None:
    if name == "item":
        return number(first.placement, integer=first.integer, carry=first.carry, mixed=first.mixed)
    if name in ("dim", "ndimension", "ndim"):
        return number(integer=True)
    if name in ("size", "shape"):
        return shape_part(first, rest[0]) if rest else shape(first)
    if name in ("numel", "nelement"):
        counts = Form.SUM if SELECTED in first.tags else Form.COUNT  # of those chosen each process has another number
        sharded = first.form is Form.SHARDED
        return number(first.placement.with_form(counts) if sharded else first.placement, integer=True)
    return None


def _created(name: str, operands: tuple[Value, ...], call: Call) -> Value | None:
    """A tensor of a given shape: one with a count of samples in it is a shard of the batch's."""
    given = operands[1:] if name in _OF_TYPE else operands
    like = given[0].items[0] if name in _CREATING and given and given[0].kind is Kind.SHAPE and given[0].items else None
    if like is not None and like.form is Form.SHARDED:
        return Value(Kind.TENSOR, sharded(like.sources), batch_dim=like.batch_dim, depth=like.depth, width=like.width,
                     tags=like.tags & KEPT_TAGS - {DOUBLE, depths.TRUTH})  # fmt: skip
    shaped = name in _CREATING and any(v.sources for v in given)
    if shaped or (name in _SPREADING and _spreads(operands)):
        placement = combine(v.placement for v in given).with_form(Form.SHARDED)
        sizes = given if name in _OF_SIZES else operands[1:] if name in _EXPANDING else ()
        batch_dim, depth = where_counted(sizes)
        in_front = name in _REPEATING and _is_repeated_in_front(operands[0], _sizes(operands[1:]))
        if in_front:
            batch_dim, depth = where_counted(operands[1:])
        tags = _in_order(name, given) | ({depths.NEXT} if name in _REPEATING and not in_front else set())
        return Value(Kind.TENSOR, placement, batch_dim=batch_dim, depth=depth, tags=tags)
    if name in _OF_TYPE:  # of the type of a tensor, and made of nothing that it holds
        return Value(Kind.TENSOR, combine(v.placement for v in given))
    if name in _FILLED and operands and operands[0].form in (Form.MEAN, Form.SUM):  # of a size without samples
        return Value(Kind.TENSOR, combine(v.placement for v in operands[1:]), scalar=operands[0].scalar)
    if name in _ZEROS and not any(v.form is Form.SHARDED for v in operands):
        like = operands[0] if name == "zeros_like" else Value()
        sizes = _sizes(operands)
        scalar = like.scalar if name == "zeros_like" else all(size.const == 1 for size in sizes)
        in_a_row = {IN_A_ROW} if scalar and sizes and name != "zeros_like" else like.tags & {IN_A_ROW}
        integer, tags = _typed(like.integer, like.tags & {DOUBLE} | in_a_row, "", call)
        return Value(Kind.TENSOR, combine(v.placement for v in operands), const=0, scalar=scalar, integer=integer,
                     tags=tags)  # fmt: skip
    return None


def _is_repeated_in_front(first: Value, sizes: tuple[Value, ...]) -> bool:
    """Whether an array is there once for each sample: ``table[None].repeat(n, 1, 1)``, ``row.repeat(n, 1)``."""
    known = next((depth + 1 for source, depth in first.depth if not source), None)
    in_front = bool(sizes) and sizes[0].form is Form.COUNT and all(size.const == 1 for size in sizes[1:])
    return in_front and known is not None and len(sizes) - known >= (0 if ONE_IN_FRONT in first.tags else 1)


def _in_order(name: str, given: tuple[Value, ...]) -> frozenset[str]:
    """The tags of numbers in their order: those of all samples, or of some."""
    if name != "arange":
        return frozenset()
    ends = given[1:] if len(given) == 2 and given[0].is_zero else given
    return frozenset({POSITIONED}) | (ends[0].tags & depths.COUNTED if len(ends) == 1 else set())


def where_counted(sizes: tuple[Value, ...]) -> tuple[int | None, Depth]:
    """Where the samples are in a tensor of these sizes, and its depth."""
    sizes = _sizes(sizes)
    counted = [place for place, size in enumerate(sizes) if size.form is Form.COUNT]
    several = [place for place, size in enumerate(sizes) if size.kind not in _SIZE or STARRED in size.tags]
    if len(counted) != 1 or any(place < counted[0] for place in several):
        return None, depths.UNKNOWN
    return counted[0], depths.UNKNOWN if several else depths.known(len(sizes) - 1 - counted[0])


def _sizes(shape: tuple[Value, ...]) -> tuple[Value, ...]:
    """The sizes of a shape, which may be given as a tuple, in front of other arguments."""
    return shape[0].items if shape and shape[0].kind is Kind.TUPLE else shape


_INTEGERS = frozenset({"long", "int", "int64", "int32", "int16", "int8", "uint8"})
_SINGLES = frozenset({"float", "float32", "half", "float16", "bfloat16"})
_DOUBLES = frozenset({"double", "float64", "DoubleTensor"})


def _typed(integer: bool | None, tags: frozenset[str], name: str, call: Call) -> tuple[bool | None, frozenset[str]]:
    """Whether a tensor holds integers, and its tags, after an operation that may say what it is to hold."""
    said = {name, *(value.name.rpartition(".")[2] for value in call.values)}
    if said & _DOUBLES:
        return False, tags | {DOUBLE}
    if said & _INTEGERS:
        return True, tags - {DOUBLE}
    return (False, tags - {DOUBLE}) if said & _SINGLES else (integer, tags)


def _mixes_samples(name: str, first: Value, rest: tuple[Value, ...], call: Call) -> bool:
    """Whether an operation looks across the samples of a batch."""
    if ROWS in first.tags and (name in ALONG or name in ALONG_LAST):
        return True
    samples, known = first.batch_dim or 0, depths.dimensions(first)
    if name in _ALONG_FEATURES and is_last(first):
        return True
    if name in OF_MATRICES:
        return known is None or known < samples + _MATRIX + 1
    if name in OF_SEQUENCES:
        return known is not None and known < samples + _MATRIX + 1
    if name in NORMALIZING:
        return bool(rest) and _is_whole(first, rest[0])
    if name in ALONG_LAST:
        return "flat" in first.tags or known == 1
    along = ALONG.get(name)
    if along is None or (name in _COMPARING and rest and rest[0].kind is Kind.TENSOR):
        return False
    if "flat" in first.tags and along.gives == "less":
        return True
    dims = _dimensions(first, rest, call, along.position, along.default)
    if along.ranks and known is None and not _has_dimension(rest[along.position :], call):
        return True
    return not dims or samples in dims


def is_last(value: Value) -> bool:
    """Whether the samples are known to stand in the last dimension, where most layers take features."""
    return value.form is Form.SHARDED and value.batch_dim is not None and ((), 0) in value.depth


def _is_whole(first: Value, shape: Value) -> bool:
    """Whether the shape of what a tensor is normalized over has the samples in it."""
    sizes = shape.items if shape.kind is Kind.TUPLE else (shape,)
    known = depths.dimensions(first)
    return (
        shape.kind is Kind.SHAPE
        or any(not size.placement.is_equal for size in sizes)
        or (known is not None and known - len(sizes) <= (first.batch_dim or 0))
    )


def _dimensions(
    first: Value, rest: tuple[Value, ...], call: Call, position: int = 0, default: int | None = None
) -> tuple[int, ...] | None:
    """The dimensions an operation works along, from the first as far as it is known; none of them: along all.

    ``None`` where they are not known.
    """
    given = next((call.keywords[word] for word in _WORDS if word in call.keywords), None)
    if given is None and len(rest) > position:
        given = rest[position]
    if given is None or given.kind is Kind.NONE:
        return () if default is None else _counted(first, (default,))
    return _counted(first, tuple(v.const for v in (given.items if given.kind is Kind.TUPLE else (given,))))


def _counted(first: Value, dims: tuple[object, ...]) -> tuple[int, ...] | None:
    placed = tuple(place for each in dims if isinstance(place := depths.place(first, each), int))
    return placed if len(placed) == len(dims) else None


def crosses(operands: tuple[Value, ...]) -> bool:
    """Whether samples are combined with other samples: batches along different dimensions in one operation."""
    dims = {
        v.batch_dim for v in operands if v.form is Form.SHARDED and v.kind is Kind.TENSOR and v.batch_dim is not None
    }
    return len(dims) > 1


def _spreads(operands: tuple[Value, ...]) -> bool:
    """A shape with a count of samples in it."""
    return operands[0].placement.is_equal and any(v.form is Form.COUNT for v in _sizes(operands[1:]))


def _dimension(rest: tuple[Value, ...], call: Call) -> object:
    value = call.keywords.get("dim", call.keywords.get("axis", rest[0] if rest else Value()))
    return value.const if value.is_const else None


def shape(value: Value) -> Value:
    """The shape of a tensor: its batch dimension is a count of samples."""
    return Value(Kind.SHAPE, items=(value,))


def shape_part(value: Value, index: Value) -> Value:
    """One dimension of the shape of a tensor, or several."""
    if is_slice(index):
        return _shape_parts(value, index.items)
    if value.form is not Form.SHARDED:
        return number(value.placement, integer=True)
    if SELECTED in value.tags and index.const == value.batch_dim:
        return number(value.placement.with_form(Form.SUM), integer=True)
    cut = POSITIONED in value.tags and index.const == value.batch_dim
    if value.batch_dim is None or not isinstance(index.const, int) or cut:
        return number(value.placement.with_form(Form.UNKNOWN), integer=True)
    if index.const == value.batch_dim:
        tag = depths.LENGTH_APART if depths.APART in value.tags else depths.LENGTH
        return number(value.placement.with_form(Form.COUNT), integer=True, tags=frozenset({tag}))
    dims = depths.dimensions(value)
    last = index.const == -1 or (dims is not None and index.const == dims - 1)
    return number(integer=True, width=value.width if last else frozenset())


def _shape_parts(value: Value, bounds: Sequence[Value]) -> Value:
    """Some dimensions of the shape of a tensor: ``x.shape[1:]``."""
    given = [bound.const for bound in bounds]
    dims = depths.dimensions(value)
    constant = len(given) == 3 and all(each is None or isinstance(each, int) for each in given) and given[2] != 0
    if constant and dims is not None:
        places = range(dims)[slice(*given)]
        parts = tuple(shape_part(value, number(const=place)) for place in places)
        return Value(Kind.TUPLE, combine(part.placement for part in parts), items=parts)
    first = given[0] if constant and given[2] is None else None
    behind = value.batch_dim is not None and isinstance(first, int) and (first > value.batch_dim or first == -1)
    # ``x.shape[-2:]`` is written where there is a dimension in front of these: that of the samples, if it is the first.
    behind = behind or (value.batch_dim == 0 and first in (-2, -3))
    equal = behind or value.placement.is_equal
    return Value(placement=value.placement.with_form(Form.REPLICATED if equal else Form.UNKNOWN))


def item(owner: Value, index: Value) -> Value:
    """An item or a slice of a tensor."""
    if owner.placement.is_array:
        found = _item(owner.but(tags=owner.tags - {ONE_IN_FRONT}), index)
        first = index.items[0] if index.kind is Kind.TUPLE and index.items else index
        return found.but(tags=found.tags | {ONE_IN_FRONT}) if _is_new(first) else found
    return _item(owner, index)


def _item(owner: Value, index: Value) -> Value:
    plain = _plain_item(owner, index)
    if plain is not None:
        return plain
    parts = index.items if index.kind is Kind.TUPLE else (index,)
    if SEEDS_FIRST in owner.tags and parts and "whole" not in parts[0].tags:
        owner = owner.but(tags=owner.tags - ({SEEDS_FIRST, SELECTED} if _is_seeds(owner, parts) else {SEEDS_FIRST}))
        if len(parts) == 1 and SELECTED not in owner.tags:
            return owner.but(pending=frozenset(), carry=frozenset(), const=UNSET)
    if SAMPLE in owner.tags and parts and _is_new(parts[0]):
        return owner.but(tags=owner.tags | {ONE_ROW}, depth=depths.UNKNOWN)
    if owner.batch_dim == 0 and parts and _is_new(parts[0]):  # x[None]: one sample of all
        inner = item(owner, Value(Kind.TUPLE, index.placement, items=parts[1:])) if parts[1:] else owner
        return inner.but(batch_dim=1, pending=frozenset(), carry=frozenset(), const=UNSET)
    found = _looked_up(owner, parts) or _numbered(owner, parts)
    if found is not None:
        return found
    if _is_each(owner, parts) and _columns(parts[0]):
        placement = elementwise((owner.placement, *(each.placement for each in parts[1:])))
        depth = depths.changed(owner.depth, _columns(parts[0]) + 1 - sum(not is_slice(each) for each in parts))
        return owner.but(placement=placement, pending=frozenset(), carry=frozenset(), const=UNSET,
                         tags=owner.tags - depths.PLACES, depth=depth, width=frozenset())  # fmt: skip
    owner = owner.but(tags=owner.tags - depths.PLACES)
    chosen = bool(parts) and _may_choose(parts[0]) and not (_is_each(owner, parts) or is_exchanged(owner, index))
    tags = owner.tags | {SELECTED} if chosen else owner.tags
    tags |= {BY_NUMBERS} if chosen and not _by_truth(parts[0]) else set()
    if owner.form is Form.SHARDED and (owner.batch_dim == 0 or CUT in owner.tags) and _picks_samples(index):
        tags = tags - {CUT} | {POSITIONED}
    others = parts[1:] if _is_each(owner, parts) or is_exchanged(owner, index) else (index,)
    placement = elementwise((owner.placement, *(each.placement for each in others)))
    depth, change = indexed(owner, index), _change(owner, index)
    if is_row(owner, index):
        tags = tags - {SOME_ROWS} | {ROW}
    elif is_slice(parts[0] if parts else index) and "whole" not in (parts[0] if parts else index).tags:
        tags |= {SOME_ROWS}
    if index.kind is Kind.TUPLE:
        tags = tags - {depths.FEATURES, depths.DEEP, depths.PER_SAMPLE} | depths.tags(
            0 if change is None else depths.least(owner) + change
        )
    width = owner.width if index.kind is not Kind.TUPLE else frozenset[int]()
    if owner.batch_dim:
        batch_dim, picks = _behind(owner.batch_dim, parts)
        tags = tags | {POSITIONED} if picks and owner.form is Form.SHARDED else tags
        in_front = len(parts) <= owner.batch_dim + (is_slice(parts[-1]) if parts else 0)
        depth = owner.depth if batch_dim is not None and in_front else depth
        return owner.but(placement=placement, pending=frozenset(), carry=frozenset(), const=UNSET, tags=tags,
                         depth=depth, width=width, batch_dim=batch_dim)  # fmt: skip
    return owner.but(placement=placement, pending=frozenset(), carry=frozenset(), const=UNSET, tags=tags, depth=depth,
                     width=width)  # fmt: skip


def _plain_item(owner: Value, index: Value) -> Value | None:
    """An item of what is cut into parts or packed, or of a partial value; ``None`` for other tensors."""
    if IN_PARTS in owner.tags:
        tags = owner.tags - {IN_PARTS} | ({SOME_ROWS} if owner.placement.is_array else set())
        return owner if is_slice(index) else owner.but(tags=tags, pending=frozenset())
    if PACKED in owner.tags:
        return packed_part(owner, index.const)
    if owner.placement.is_partial and index.placement.is_equal:  # as linear as the whole
        return owner.but(pending=frozenset(), carry=frozenset(), const=UNSET)
    return None


def is_exchanged(owner: Value, index: Value) -> bool:
    """``x[torch.randperm(len(x))]``: in the place of each sample another one of its batch, by chance.

    Only what a batch brings, not what a layer gave: a loss of pairs of outputs counts those of a sample with itself.
    """
    parts = index.items if index.kind is Kind.TUPLE else (index,)
    if not parts or depths.PERMUTATION not in parts[0].tags or parts[0].sources != owner.sources:
        return False
    is_output = any(isinstance(each, tuple) and each[0] == "of" for each in owner.width)
    in_place = owner.batch_dim == 0 and not owner.tags & _NOT_EACH
    return in_place and not is_output and all(map(_stays, parts[1:]))


def _is_each(owner: Value, parts: Sequence[Value]) -> bool:
    """``scores[arange(len(scores)), labels]``: something of each sample, in its place."""
    counted = depths.LENGTH_APART if depths.APART in owner.tags else depths.LENGTH
    each = len(parts) > 1 and counted in parts[0].tags and owner.batch_dim == 0
    return each and (not _columns(parts[0]) or _go_together(parts))


def _numbered(owner: Value, parts: Sequence[Value]) -> Value | None:
    """``arange(len(x))[:, None]``: the numbers of the samples in a column; ``None`` for anything else."""
    if not owner.tags & depths.COUNTED or owner.kind is not Kind.TENSOR or len(parts) < 2:
        return None
    if "whole" not in parts[0].tags or not all(map(_is_new, parts[1:])) or _columns(owner):
        return None
    return owner.but(batch_dim=0, depth=depths.known(len(parts) - 1), pending=frozenset(), carry=frozenset())


def _columns(numbers: Value) -> int:
    """How many dimensions were put behind the numbers of the samples."""
    known = next((depth for source, depth in numbers.depth if not source), 0)
    return known if numbers.tags & depths.COUNTED else 0


def _go_together(parts: Sequence[Value]) -> bool:
    """Whether the numbers of the samples, in a column, meet in each other index the samples in the first dimension.

    The dimensions of all have to be known: ``[B, 1, 1]`` and ``[B, k]`` together are ``[B, B, k]``.
    """
    slices = [place for place, each in enumerate(parts) if is_slice(each)]
    if slices and slices[0] + len(slices) != len(parts):  # what the numbers give goes to the front
        return False
    columns = _columns(parts[0])
    for each in parts[1 : slices[0] if slices else None]:
        known = next((depth for source, depth in each.depth if not source), None)
        if each.kind is not Kind.TENSOR or known is None:
            return False
        of_each = each.form is Form.SHARDED and each.batch_dim == 0 and not each.tags & _NOT_EACH
        if not (known == columns if of_each else each.placement.is_equal and known <= columns):
            return False
    return all("whole" in parts[place].tags for place in slices)


def holding(owner: Value, index: Value, value: Value) -> Placement | None:
    """What a tensor of samples is of which some is set: under a condition on each, the same of all, or one of each.

    ``None`` where it is not known where the samples are.
    """
    sharded = owner.kind is Kind.TENSOR and owner.form is Form.SHARDED and owner.batch_dim is not None
    if not sharded or IN_PARTS in owner.tags or index.kind is Kind.UNKNOWN:
        return None
    parts = index.items if index.kind is Kind.TUPLE else (index,)
    alike = value.placement.is_array and value.kind in (Kind.NUMBER, Kind.TENSOR, Kind.UNKNOWN)
    of_each = value.kind is Kind.TENSOR and value.form is Form.SHARDED and not value.tags & _NOT_EACH
    asked = [each for each in parts if each.form is Form.SHARDED]
    if owner.tags & _NOT_EACH or not (alike or of_each):
        fits = False
    elif of_each and _is_each(owner, parts) and _columns(parts[0]):
        fits = value.batch_dim == 0 and not depths.cross((item(owner, index), value))
    elif asked or (parts and parts[0].kind is Kind.RANGE):
        fits = alike and (value.kind is Kind.NUMBER or value.scalar) and _asks_each(owner, parts, asked)
    else:
        chosen = item(owner, index)
        place = None if chosen.tags & _NOT_EACH or not all(map(_stays, parts)) else chosen.batch_dim
        fits = place is not None and (alike or (value.batch_dim == place and not depths.cross((chosen, value))))
    given = (owner, value, *(each for each in parts if each.kind is not Kind.RANGE))
    placement = elementwise(v.placement for v in given)
    return placement if fits else placement.with_form(Form.UNKNOWN)


def _asks_each(owner: Value, parts: Sequence[Value], asked: Sequence[Value]) -> bool:
    """Whether an index asks for something of each sample, be it where a condition on it holds."""
    if owner.batch_dim != 0 or not all(_stays(each) for each in parts[1:] if each not in asked):
        return False
    truth = asked == [parts[0]] and depths.TRUTH in parts[0].tags and parts[0].batch_dim == 0
    others = [each for each in asked if each is not parts[0]]
    each_by_itself = all(map(_may_choose, asked)) and not any(each.tags & _NOT_EACH for each in others)
    return truth or (_is_each(owner, parts) and each_by_itself)


def _stays(index: Value) -> bool:
    """Whether an index is the same for each sample of a process, be it drawn by chance."""
    known = index.kind in (Kind.NUMBER, Kind.NONE, Kind.LIST) or is_slice(index) or index.name == ELLIPSIS
    return known and (index.placement.is_equal or index.placement.is_chance)


def _by_truth(index: Value) -> bool:
    """Whether an index is of truth values, or of the places where they are true."""
    return depths.TRUTH in index.tags or WHERE in index.tags


def packed_part(owner: Value, position: object) -> Value:
    """A part of packed sequences: first the steps of all samples, of which each process has another number."""
    if position == 0:
        tags = owner.tags - {PACKED} | {SELECTED}
        return owner.but(batch_dim=0, depth=depths.UNKNOWN, width=frozenset(), tags=tags)
    return Value(Kind.TENSOR, owner.placement.with_form(Form.UNKNOWN))


def _is_seeds(nodes: Value, parts: Sequence[Value]) -> bool:
    """``out[:batch.batch_size]``: the rows of the seed nodes, where nodes stand in the first dimension."""
    lower, upper, step = parts[0].items if is_slice(parts[0]) else (Value(),) * 3
    first = all(bound.kind is Kind.NONE for bound in (lower, step)) and upper.form is Form.COUNT
    return first and nodes.batch_dim == 0 and len(parts) == 1 and upper.sources == nodes.sources


def _may_choose(index: Value) -> bool:
    """Whether an index is a tensor of samples that may choose rows."""
    return index.form is Form.SHARDED and index.kind is Kind.TENSOR and index.integer is not False


def _looked_up(owner: Value, parts: Sequence[Value]) -> Value | None:
    """``table[labels]``: for each sample the row that its number says; ``None`` where it is not that for certain."""
    head, *rest = parts or (Value(),)
    asked = [each for each in parts if each.form is Form.SHARDED]
    known = all(each in asked or each.kind is Kind.NUMBER or is_slice(each) for each in rest)
    numbers = all(_may_choose(each) and depths.TRUTH not in each.tags for each in asked)
    if not owner.placement.is_array or head not in asked or not known or not numbers:
        return None
    placement = elementwise((owner.placement, *(each.placement for each in parts)))
    if depths.cross(asked):
        placement = placement.with_form(Form.UNKNOWN)
    behind = next((depth for source, depth in owner.depth if not source), None)
    less = sum(not is_slice(each) for each in rest)
    depth = depths.changed(depths.together(asked), behind - less) if behind is not None else depths.UNKNOWN
    tags = owner.tags | frozenset(tag for each in asked for tag in each.tags & KEPT_TAGS)
    return owner.but(placement=placement, batch_dim=head.batch_dim, depth=depth, const=UNSET, scalar=False, tags=tags,
                     width=owner.width if not rest else frozenset(), pending=frozenset(), carry=frozenset(),
                     locations=frozenset())  # fmt: skip


def looped(value: Value) -> Value:
    """What a loop over a tensor yields, or unpacking one: its parts, or the items of the first dimension."""
    if IN_PARTS in value.tags:
        return item(value, number())
    tags = value.tags & KEPT_TAGS
    if CUT in tags:
        tags = tags - {CUT} | {POSITIONED}
    if is_row(value, number(integer=True)):
        return value.but(tags=value.tags & KEPT_TAGS | {ROW}, depth=depths.changed(value.depth, -1), batch_dim=None)
    behind = value.batch_dim if value.form is Form.SHARDED else 0
    depth = value.depth if behind else depths.UNKNOWN
    batch_dim = behind - 1 if behind else value.batch_dim
    return Value(Kind.TENSOR, value.placement, batch_dim=batch_dim, depth=depth, tags=tags)


def is_row(owner: Value, index: Value) -> bool:
    """Whether a number picks one row of an array, which is no batch."""
    one = index.kind is Kind.NUMBER or (index.kind is Kind.TENSOR and ((), -1) in index.depth)
    return one and owner.placement.is_array and owner.form is not Form.SHARDED


def _behind(batch_dim: int, parts: Sequence[Value]) -> tuple[int | None, bool]:
    """Where samples that stand after other dimensions are in an item or a slice, and whether some are picked."""
    place, left = batch_dim, batch_dim
    for each in parts:
        if _is_new(each):
            place += 1
        elif left == 0:
            return place, not (is_slice(each) and "whole" in each.tags)
        elif each.kind is Kind.NUMBER:
            place, left = place - 1, left - 1
        elif is_slice(each):
            left -= 1
        else:
            return None, False
    return place, False


def indexed(owner: Value, index: Value) -> Depth:
    """The depth of an item or a slice of a tensor."""
    change = _change(owner, index)
    return depths.UNKNOWN if change is None else depths.changed(owner.depth, change)


def _change(owner: Value, index: Value) -> int | None:
    """How many dimensions ``x[:, 0]``, ``x[:, None]``, ``x[..., 1:]`` has more than ``x``; none for some samples."""
    given = index.items if index.kind is Kind.TUPLE else (index,)
    if owner.batch_dim not in (0, None) or not given:
        return None
    head = given[0]
    if _is_new(head) and owner.form is not Form.SHARDED and all(_is_new(e) or "whole" in e.tags for e in given):
        return sum(map(_is_new, given))
    if len(given) == 1 and head.kind is Kind.NUMBER and owner.placement.is_array:  # of an array, not of a batch
        return -1
    if len(given) == 1:
        return 0 if is_slice(index) else _more_by_rows(index)
    change = 0
    for each in given[1:]:
        if _is_new(each):
            change += 1
        elif each.kind is Kind.NUMBER:
            change -= 1
        elif not (is_slice(each) or each.kind is Kind.LIST or each.name == ELLIPSIS):
            return None
    return change if is_slice(head) or head.name == ELLIPSIS else None


def _more_by_rows(index: Value) -> int | None:
    """How many dimensions more than ``x`` has what a tensor picks of it: a row for each of its numbers."""
    if index.form is not Form.SHARDED and (index.kind is not Kind.TENSOR or index.scalar):
        return None
    behind = next((depth for source, depth in index.depth if not source), None)
    return behind if behind is None or depths.TRUTH not in index.tags else -behind


def _is_new(index: Value) -> bool:
    """``None`` and ``newaxis``: a new dimension."""
    return index.kind is Kind.NONE or index.name.endswith(".newaxis")


def is_slice(index: Value) -> bool:
    """Whether an index is written with a colon."""
    return "slice" in index.tags


def _picks_samples(index: Value) -> bool:
    """Whether an index of the first dimension takes samples by their position."""
    first = index.items[0] if index.kind is Kind.TUPLE and index.items else index
    if first.kind is Kind.NUMBER and first.form is not Form.SHARDED:
        return True
    return "slice" in first.tags and "whole" not in first.tags


def _kept(name: str, first: Value, rest: tuple[Value, ...], call: Call) -> Value:
    """Conversions: the value stays, its type may change."""
    integer = first.integer
    depth = (rest[0].depth if rest else depths.UNKNOWN) if name in _OF_SHAPE else first.depth
    width = first.width if name not in _OF_SHAPE else frozenset[int]()
    if name in ("squeeze", "ravel"):
        column = name == "squeeze" and 1 in first.width and _goes_last(first, rest, call)
        behind = first.depth if name == "squeeze" and _is_in_front(first, rest, call) else depths.UNKNOWN
        depth, width = depths.changed(first.depth, -1) if column else behind, frozenset[int]()
    integer, tags = _typed(integer, first.tags & (KEPT_TAGS | depths.PLACES), name, call)
    if name in _INTEGER:
        integer = True
    if name == "bool":
        tags |= {depths.TRUTH}
    elif name in _INTEGERS | _SINGLES | _DOUBLES:
        tags -= {depths.TRUTH}
    batch_dim = first.batch_dim
    if name == "squeeze":
        tags -= {IN_A_ROW}
        batch_dim = _squeezed(first, rest, call)
    placement = first.placement
    if name == "expand_as" and rest and depths.cross((first, rest[0])):
        placement = placement.with_form(Form.UNKNOWN)
    kind = Kind.TENSOR
    if name == "tolist":
        kind = Kind.UNKNOWN
    const = 0 if first.is_zero else UNSET
    return Value(kind, placement, integer=integer, scalar=first.scalar, batch_dim=batch_dim, const=const,
                 depth=depth, width=width, carry=first.carry, mixed=first.mixed, tags=tags)  # fmt: skip


def _squeezed(first: Value, rest: tuple[Value, ...], call: Call) -> int | None:
    """Where the samples are without dimensions of one."""
    dims = _dimensions(first, rest, call)
    if not first.batch_dim or dims is None:
        return first.batch_dim
    return first.batch_dim - sum(0 <= each < first.batch_dim for each in dims) if dims else None


def _is_in_front(first: Value, rest: tuple[Value, ...], call: Call) -> bool:
    """Whether an operation works along dimensions in front of that of the samples alone."""
    dims = _dimensions(first, rest, call) or ()
    return bool(dims) and first.batch_dim is not None and all(0 <= each < first.batch_dim for each in dims)


def _goes_last(first: Value, rest: tuple[Value, ...], call: Call) -> bool:
    """Whether the last dimension goes where those of one go: it is named, or there is but one after the samples'."""
    dimensions, along = depths.dimensions(first), _dimension(rest, call)
    if not _has_dimension(rest, call):
        return dimensions == 2
    return along == -1 or (dimensions is not None and along == dimensions - 1)


def _reduced(name: str, first: Value, rest: tuple[Value, ...], call: Call) -> Value:
    """A sum or a mean: over all of a batch, over its samples, or of each sample."""
    form = Form.SUM if name in _SUMS else Form.MEAN
    lost = bool(first.tags & {POSITIONED, BY_NUMBERS})
    over_rows = SELECTED in first.tags and not lost and form is Form.MEAN
    if lost or over_rows:
        form = Form.UNKNOWN
    integer = first.integer if form is Form.SUM else False
    dims, known = _dimensions(first, rest, call), depths.dimensions(first)
    all_of_them = dims is not None and known is not None and set(range(known)) <= set(dims)
    if dims == () or "flat" in first.tags or all_of_them:
        return Value(Kind.TENSOR, first.placement.with_form(form), integer=integer, scalar=True,
                     tags=first.tags & {NORMALISED} | ({OVER_ROWS} if over_rows else set()))  # fmt: skip
    if dims is None or first.batch_dim is None:
        return Value(Kind.TENSOR, first.placement.with_form(Form.UNKNOWN))
    if first.batch_dim in dims:  # linear: sums and means of what is left are those of the whole
        return Value(Kind.TENSOR, first.placement.with_form(form), integer=integer)
    keeps = keeps_dimensions(rest[1:], call)
    batch_dim, depth = (first.batch_dim, first.depth) if keeps else _without(first, dims)
    depth = depths.UNKNOWN if keeps is None else depth
    return Value(Kind.TENSOR, first.placement.with_form(Form.SHARDED), batch_dim=batch_dim, depth=depth,
                 tags=first.tags & KEPT_TAGS)  # fmt: skip


def _of_partial(name: str, first: Value, rest: tuple[Value, ...]) -> Value:
    """Sums and means of a scalar are the scalar; products by equal values keep linearity; nothing else does."""
    integer = False if name == "mean" else first.integer
    if name in ("sum", "mean", "backward", "squeeze", "unsqueeze", "view", "reshape") and first.scalar:
        return first.but(pending=frozenset(), tags=first.tags - {IN_A_ROW}, integer=integer)
    if name in ("sum", "mean"):  # linear: of the numbers of several steps, or of several losses
        return first.but(scalar=first.scalar or not rest, pending=frozenset(), integer=integer)
    if name in ("mul", "div", "true_divide", "multiply", "divide") and rest:
        divided = divide(first.placement, rest[0].placement)
        return first.but(placement=divided if "div" in name else multiplied(first, rest[0]), const=UNSET)
    if name in ("add", "sub", "subtract") and len(rest) == 1:
        return first.but(placement=add(first.placement, rest[0].placement), const=UNSET, pending=frozenset(),
                         integer=first.integer and rest[0].integer)  # fmt: skip
    if name in ("neg", "negative", "squeeze", "repeat", "expand", *RESHAPES) and all(
        v.placement.is_equal for v in rest
    ):
        return first.but(pending=frozenset(), const=UNSET)
    if name == "round" and not first.scalar:
        return first
    return Value(Kind.TENSOR, combine((first.placement, *(v.placement for v in rest))), scalar=first.scalar)


def _product(name: str, operands: tuple[Value, ...]) -> Value:
    placement = elementwise(v.placement for v in operands)
    if any(v.form is Form.SHARDED and v.batch_dim == 1 for v in operands[1:]) or crosses(operands):
        placement = placement.with_form(Form.UNKNOWN)
    shards = [v for v in operands if v.form is Form.SHARDED]
    turned = any(TURNED in v.tags for v in shards)  # all samples may meet all, or be summed up
    plain = name in ("mm", "matmul", "mv", "cdist")
    depth = depths.product(*operands[:2]) if plain and len(operands) > 1 else depths.UNKNOWN
    if len(shards) > 1 and (name in _OF_ALL or turned or may_be_matrices(shards)):
        of_each = name == "cdist" and not turned and bool(depth)  # rows of each sample, with rows of the same one
        placement = placement if of_each else placement.with_form(Form.UNKNOWN)
    if name == "cdist" and operands[0].form is not Form.SHARDED and not _is_of_matrices(operands[1:2]):
        placement = placement.with_form(Form.UNKNOWN)  # samples may be columns
    first = next((v for v in operands if v.form is Form.SHARDED), Value())
    return Value(Kind.TENSOR, placement, batch_dim=first.batch_dim, depth=depth)


def _is_of_matrices(given: Sequence[Value]) -> bool:
    """Whether each sample of a batch is known to be a matrix, or a row of them, at least."""
    return any(v.batch_dim == 0 and (depths.dimensions(v) or 0) > _MATRIX for v in given)


def may_be_matrices(shards: Sequence[Value]) -> bool:
    """Whether batches of different sources may be multiplied as matrices of all their rows."""
    if any(v.form is not Form.SHARDED for v in shards):
        return False
    apart = not shards[0].sources & shards[1].sources
    return apart and any(depths.dimensions(v) is None or depths.dimensions(v) == _MATRIX for v in shards)


def _reshaped(name: str, first: Value, rest: tuple[Value, ...]) -> Value:
    tags: frozenset[str] = frozenset()
    batch_dim: int | None = None
    depth = depths.UNKNOWN
    width: Width = frozenset()
    placement = first.placement
    if name in ("view", "reshape") and rest:
        head = rest[0].items[0] if rest[0].kind is Kind.TUPLE and rest[0].items else rest[0]
        regrouped = depths.GROUPS in head.tags and depths.APART in first.tags and first.batch_dim == 0
        batch_dim = 0 if head.const == -1 or head.form is Form.COUNT or regrouped else None
        if len(rest) == 1 and head.const == -1 and rest[0].kind is not Kind.TUPLE:
            tags = frozenset({"flat"})
        tags |= _parted(first, rest[0].items if rest[0].kind is Kind.TUPLE else rest)
        if head.form is Form.REPLICATED and head.const != -1 and rest[0].kind is not Kind.SHAPE:
            tags |= {"reshaped"}
        dims = rest[0].items if rest[0].kind is Kind.TUPLE else rest
        if batch_dim == 0 and rest[0].kind is not Kind.SHAPE:
            depth = depths.known(len(dims) - 1)
            width = depths.size(dims[-1]) if dims[1:] else width
        if depths.unites(first, dims):
            placement = placement.with_form(Form.UNKNOWN)
        if depths.LENGTH not in head.tags and not _is_same(first, dims):
            tags |= {depths.APART}
    elif name == "unflatten" and len(rest) > 1 and rest[0].const == 0:
        tags = _parted(first, rest[1].items)
    elif name == "flatten":
        batch_dim, depth = _flattened(first, rest)
        behind = bool(rest) and isinstance(rest[0].const, int) and rest[0].const > 0
        tags = frozenset() if behind else frozenset({depths.APART} if rest else {"flat"})
    elif name in ("t", "transpose", "swapaxes", "permute"):
        batch_dim = _moved(name, first, rest)
        named = len(_dimensions_named(rest)) if name == "permute" else depths.dimensions(first)
        dimensions = 2 if name == "t" else named
        if batch_dim is not None and dimensions is not None:
            depth = depths.known(dimensions - 1 - batch_dim)
        placement = placement.with_form(Form.UNKNOWN if CUT in first.tags else placement.form)
        tags = frozenset({TURNED} if name == "t" and batch_dim is None and first.form is Form.SHARDED else ())
    elif name == "unsqueeze" and rest and SAMPLE in first.tags:
        tags = frozenset({ONE_ROW} if rest[0].const == 0 else ())
    elif name == "unsqueeze" and rest and isinstance(rest[0].const, int) and first.batch_dim is not None:
        before = 0 <= rest[0].const <= first.batch_dim
        batch_dim = first.batch_dim + before
        depth = first.depth if before else depths.changed(first.depth, 1) if rest[0].const >= -1 else depth
    tags |= first.tags & KEPT_TAGS - (set() if batch_dim is None else {CUT, ROWS}) - _cut_up(first, tags)
    return Value(
        Kind.TENSOR, placement, integer=first.integer, batch_dim=batch_dim, depth=depth, width=width, tags=tags
    )


def _cut_up(first: Value, tags: frozenset[str]) -> set[str]:
    """What is not true any more of rows that may be parts of those of a tensor."""
    whole = not tags & {depths.APART, "flat"} or 1 in first.width or depths.is_flat(first)
    return set() if whole else {SEEDS_FIRST}


def _flattened(first: Value, rest: tuple[Value, ...]) -> tuple[int | None, Depth]:
    """Where the samples are, and the depth, when the dimensions from one on, or all, have become one."""
    if not rest:
        return 0, depths.known(0)
    to_the_last = rest[0].const == 1 and first.batch_dim == 0 and (not rest[1:] or rest[1].const == -1)
    return first.batch_dim, depths.known(1) if to_the_last else depths.UNKNOWN


def _parted(first: Value, shape: Sequence[Value]) -> frozenset[str]:
    """What a shape does to samples that stand in the first dimension, if it has a number in their place."""
    sizes = [each.const if isinstance(each.const, int) else None for each in shape]
    if first.batch_dim != 0 or depths.APART in first.tags or len(sizes) == 1 or not sizes or (sizes[0] or 0) < 1:
        return frozenset()
    in_a_row = sizes[-1] == -1 and None not in sizes
    return frozenset(({CUT} if sizes[0] != 1 else set[str]()) | ({ROWS} if in_a_row else set()))


def transposed(value: Value, *, matrices: bool = False) -> Value:
    """``x.T`` of a batch, or ``x.mT``, which exchanges the last two dimensions of any number."""
    more = matrices and depths.dimensions(value) != _MATRIX
    turned = _reshaped("transpose", value, (number(const=-2), number(const=-1))) if more else _reshaped("t", value, ())
    tags = value.tags | turned.tags & {TURNED}
    return value.but(batch_dim=turned.batch_dim, depth=turned.depth, width=turned.width, tags=tags)


def _is_same(first: Value, shape: Sequence[Value]) -> bool:
    """Whether a shape keeps one row a sample: each has as many numbers as before, in one dimension."""
    return depths.dimensions(first) == len(shape) == 2 and bool(depths.size(shape[1]) & first.width)


def _dimensions_named(rest: tuple[Value, ...]) -> tuple[Value, ...]:
    """Dimensions that are given one by one, or as a tuple."""
    return rest[0].items if len(rest) == 1 and rest[0].kind is Kind.TUPLE else rest


def _moved(name: str, value: Value, rest: tuple[Value, ...]) -> int | None:
    """Where the batch dimension is after dimensions were exchanged."""
    parts, batch_dim = _dimensions_named(rest), value.batch_dim
    dims = [place for v in parts if isinstance(place := depths.place(value, v.const), int)]
    if batch_dim is None or len(dims) != len(parts):
        return None
    if name == "permute":
        return dims.index(batch_dim) if batch_dim in dims else None
    first, second = (0, 1) if name == "t" or len(dims) != _MATRIX else dims
    if batch_dim == first:
        return second
    return first if batch_dim == second else batch_dim


def _has_dimension(rest: tuple[Value, ...], call: Call) -> bool:
    return bool(rest) or any(k in call.keywords for k in _WORDS)
