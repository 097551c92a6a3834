"""What operations on tensors and arrays do to kinds and placements.

``sum`` and ``mean`` over all elements of a sharded tensor are partial values; an operation on each sample by itself
stays sharded; what mixes samples in another way is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rueda.anatomy.kinds import Kind
from rueda.anatomy.placement import Form, combine, divide, elementwise, multiply
from rueda.flow.values import UNSET, Value, number

if TYPE_CHECKING:
    from rueda.flow.semantics import Call

_KEEP = frozenset(
    {"detach", "detach_", "cpu", "cuda", "to", "float", "double", "half", "bfloat16", "clone", "numpy", "contiguous",
     "requires_grad_", "squeeze", "type", "type_as", "asarray", "array", "as_tensor", "tensor", "from_numpy", "copy",
     "astype", "from_blob", "expand_as", "pin_memory", "view_as", "ravel", "tolist", "float32", "float64", "Tensor",
     "reshape_as", "asnumpy"}
)  # fmt: skip
_INTEGER = frozenset({"long", "int", "LongTensor", "IntTensor", "int64", "int32", "bool", "byte"})
_BATCH_SCALARS = frozenset(
    {"std", "var", "norm", "median", "mode", "prod", "any", "all", "max", "min", "amax", "amin", "argmax", "argmin",
     "logsumexp", "unique", "bincount", "histc", "cov", "corrcoef", "quantile", "count_nonzero", "nanmean",
     "unique_consecutive"}
)  # fmt: skip
_RANKING = frozenset({"topk", "kthvalue", "sort", "argsort"})
_ALONG = frozenset({"softmax", "log_softmax", "cumsum", "cumprod", "flip", "roll", "normalize", "l2_normalize", "max",
                    "softmin", "min", "argmax", "argmin", "std", "var", "median", "prod", "any", "all",
                    "norm"})  # fmt: skip
_PAIRS = frozenset({"max", "min", "topk", "sort", "kthvalue", "median", "mode", "cummax", "cummin"})
_PARTS = frozenset({"chunk", "split", "tensor_split"})
IN_PARTS = "in parts"
"""The tag of a list of parts of a tensor."""
_SELECTING = frozenset({"masked_select", "nonzero"})
_CHOOSING = frozenset({"index_select", "narrow"})
"""What takes samples by their place when it works along their dimension."""
_ADDING = frozenset({"index_add", "index_add_", "scatter_add", "scatter_add_", "index_copy", "index_copy_"})
"""What brings samples together under their indices when it works along the first dimension."""
SELECTED = "selected samples"
"""The tag of a tensor that holds some of the samples, another number of them on each process."""
POSITIONED = "samples chosen by their position"
"""The tag of a tensor that holds samples chosen by their place in the batch, others on each process."""
KEPT_TAGS = frozenset({SELECTED, POSITIONED})
_SUMS = frozenset({"sum", "count_nonzero", "nansum"})
_RESHAPES = frozenset(
    {"unsqueeze", "view", "reshape", "flatten", "permute", "transpose", "t", "swapaxes", "movedim", "unflatten"}
)
_PRODUCTS = frozenset({"mm", "matmul", "bmm", "dot", "addmm", "cdist"})
_ZEROS = frozenset({"zeros", "zeros_like"})
_SPREADING = frozenset({"expand", "repeat", "tile", "broadcast_to"})
_CREATING = frozenset({"zeros", "ones", "full", "empty", "new_zeros", "new_ones", "new_full", "new_empty", "arange"})


def operation(name: str, operands: tuple[Value, ...], call: Call) -> Value:
    """The result of the tensor operation ``name``; the first operand is the receiver of a method."""
    first = operands[0] if operands else Value()
    rest = operands[1:]
    known = _number_or_shape(name, first, rest)
    if known is None:
        known = _created(name, operands)
    if known is not None:
        return known
    if name in _KEEP or name in _INTEGER:
        return _kept(name, first, rest)
    if first.form is Form.SHARDED and (name in _SUMS or name in ("mean", "nanmean")):
        return _reduced(name, first, rest, call)
    if first.placement.is_partial:
        return _of_partial(name, first, rest)
    if name in _PRODUCTS:
        return _product(name, operands)
    if name in _RESHAPES and first.form is Form.SHARDED:
        return _reshaped(name, first, rest)
    placement = elementwise(v.placement for v in operands)
    if first.form is Form.SHARDED and (_mixes_samples(name, first, rest, call) or crosses(operands)):
        placement = placement.with_form(Form.UNKNOWN)
    if name in _ADDING and _dimension(rest, call) == 0 and placement.form is Form.SHARDED:
        placement = placement.with_form(Form.UNKNOWN)
    sharded = next((v for v in operands if v.form is Form.SHARDED), None)
    result = Value(
        Kind.TENSOR,
        placement,
        integer=True if name in ("eq", "ne", "gt", "lt", "ge", "le", "argmax", "equal") else None,
        batch_dim=sharded.batch_dim if sharded is not None else None,
        scalar=first.scalar and not rest,
        tags=frozenset().union(*(v.tags for v in operands)) & KEPT_TAGS | ({SELECTED} if name in _SELECTING else set()),
    )
    if name in _CHOOSING and _dimension(rest, call) == first.batch_dim:
        result = result.but(tags=result.tags | {POSITIONED})
    if name in _PAIRS and _has_dimension(rest, call) and not any(v.kind is Kind.TENSOR for v in rest):
        return Value(Kind.TUPLE, placement, items=(result, result.but(integer=True)))
    if name in _PARTS:
        along = _dimension(rest[1:], call)
        chosen = along is None or along == first.batch_dim
        return result.but(tags=result.tags | {IN_PARTS} | ({POSITIONED} if chosen else set()))
    return result


def _number_or_shape(name: str, first: Value, rest: tuple[Value, ...]) -> Value | None:
    if name == "item":
        return number(first.placement, integer=first.integer, carry=first.carry)
    if name in ("dim", "ndimension", "ndim"):
        return number(integer=True)
    if name in ("size", "shape"):
        return shape_part(first, rest[0]) if rest else shape(first)
    if name in ("numel", "nelement"):
        sharded = first.form is Form.SHARDED
        return number(first.placement.with_form(Form.COUNT) if sharded else first.placement, integer=True)
    return None


def _created(name: str, operands: tuple[Value, ...]) -> Value | None:
    """A tensor of a given shape: one with a count of samples in it is a part of the batch's."""
    shaped = name in _CREATING and any(v.sources for v in operands)
    if shaped or (name in _SPREADING and _spreads(operands)):
        return Value(Kind.TENSOR, combine(v.placement for v in operands).with_form(Form.SHARDED))
    if name in _ZEROS and not any(v.form is Form.SHARDED for v in operands):
        return Value(Kind.TENSOR, combine(v.placement for v in operands), const=0, scalar=True)
    return None


def _mixes_samples(name: str, first: Value, rest: tuple[Value, ...], call: Call) -> bool:
    """Whether an operation looks across the samples of a batch."""
    if name in _RANKING:
        rest = rest[1:] if name in ("topk", "kthvalue") else rest
        return not _has_dimension(rest, call) or _dimension(rest, call) in (0, first.batch_dim)
    if name == "roll":
        return not rest[1:] or rest[1].const in (0, first.batch_dim)
    if name == "batch_norm":
        return True
    if name not in _ALONG and name not in _BATCH_SCALARS:
        return False
    if not _has_dimension(rest, call):
        return name in _BATCH_SCALARS
    along = _dimension(rest, call)
    return not isinstance(along, int) or along == (first.batch_dim if first.batch_dim is not None else 0)


def crosses(operands: tuple[Value, ...]) -> bool:
    """Whether samples meet other samples: batches along different dimensions in one operation."""
    dims = {
        v.batch_dim for v in operands if v.form is Form.SHARDED and v.kind is Kind.TENSOR and v.batch_dim is not None
    }
    return len(dims) > 1


def _spreads(operands: tuple[Value, ...]) -> bool:
    """A shape with a count of samples in it."""
    return operands[0].placement.is_equal and any(v.form is Form.COUNT for v in operands[1:])


def _dimension(rest: tuple[Value, ...], call: Call) -> object:
    value = call.keywords.get("dim", call.keywords.get("axis", rest[0] if rest else Value()))
    return value.const if value.is_const else None


def shape(value: Value) -> Value:
    """The shape of a tensor: its batch dimension is a count of samples."""
    return Value(Kind.SHAPE, items=(value,))


def shape_part(value: Value, index: Value) -> Value:
    """One dimension of the shape of a tensor."""
    if value.form is not Form.SHARDED:
        return number(value.placement, integer=True)
    if SELECTED in value.tags and index.const == value.batch_dim:
        return number(value.placement.with_form(Form.SUM), integer=True)
    if value.batch_dim is None or not isinstance(index.const, int):
        return number(value.placement.with_form(Form.UNKNOWN), integer=True)
    if index.const == value.batch_dim:
        return number(value.placement.with_form(Form.COUNT), integer=True, tags=frozenset({"batch length"}))
    return number(integer=True)


def item(owner: Value, index: Value) -> Value:
    """An item or a slice of a tensor."""
    if IN_PARTS in owner.tags:
        return owner.but(tags=owner.tags - {IN_PARTS}, pending=frozenset())
    chosen = index.form is Form.SHARDED and index.kind is Kind.TENSOR and index.integer is not False
    tags = owner.tags | {SELECTED} if chosen else owner.tags
    if owner.form is Form.SHARDED and owner.batch_dim == 0 and _picks_samples(index):
        tags |= {POSITIONED}
    placement = elementwise((owner.placement, index.placement))
    part = owner.but(placement=placement, pending=frozenset(), carry=frozenset(), const=UNSET, tags=tags)
    return part.but(batch_dim=1) if owner.batch_dim == 0 and _adds_dimension(index) else part


def _adds_dimension(index: Value) -> bool:
    """``x[None]``: one sample of all."""
    first = index.items[0] if index.kind is Kind.TUPLE and index.items else index
    return first.kind is Kind.NONE or first.name.endswith(".newaxis")


def _picks_samples(index: Value) -> bool:
    """Whether an index of the first dimension takes samples by their position."""
    first = index.items[0] if index.kind is Kind.TUPLE and index.items else index
    if first.kind is Kind.NUMBER and first.form is not Form.SHARDED:
        return True
    return "slice" in first.tags and "whole" not in first.tags


def _kept(name: str, first: Value, rest: tuple[Value, ...]) -> Value:
    """Conversions: the value stays, its type may change."""
    integer = first.integer
    if name in _INTEGER:
        integer = True
    elif name in ("float", "double", "half", "astype") and name != "astype":
        integer = False
    kind = Kind.TENSOR
    if name == "tolist":
        kind = Kind.UNKNOWN
    const = 0 if first.is_zero else UNSET
    return Value(kind, first.placement, integer=integer, scalar=first.scalar, batch_dim=first.batch_dim, const=const,
                 carry=first.carry, tags=first.tags & KEPT_TAGS)  # fmt: skip


def _reduced(name: str, first: Value, rest: tuple[Value, ...], call: Call) -> Value:
    form = Form.SUM if name in _SUMS else Form.MEAN
    if POSITIONED in first.tags or (SELECTED in first.tags and form is Form.MEAN):
        form = Form.UNKNOWN
    integer = first.integer if form is Form.SUM else False
    if not _has_dimension(rest, call) or "flat" in first.tags:
        return Value(Kind.TENSOR, first.placement.with_form(form), integer=integer, scalar=True)
    dimension = call.keywords.get("dim", call.keywords.get("axis", rest[0] if rest else Value()))
    if isinstance(dimension.const, int) and first.batch_dim is not None and dimension.const != first.batch_dim:
        return Value(Kind.TENSOR, first.placement.with_form(Form.SHARDED), batch_dim=first.batch_dim)
    return Value(Kind.TENSOR, first.placement.with_form(Form.UNKNOWN))


def _of_partial(name: str, first: Value, rest: tuple[Value, ...]) -> Value:
    """Sums and means of a scalar are the scalar; products by equal values keep linearity; nothing else does."""
    if name in ("sum", "mean", "backward", "squeeze", "view", "reshape") and first.scalar:
        return first.but(pending=frozenset())
    if name in ("mul", "mul_", "div", "div_", "true_divide", "multiply") and rest:
        rule = divide if "div" in name else multiply
        return first.but(placement=rule(first.placement, rest[0].placement), const=UNSET)
    if name in ("round", "repeat") and not first.scalar:
        return first
    return Value(Kind.TENSOR, combine((first.placement, *(v.placement for v in rest))), scalar=first.scalar)


def _product(name: str, operands: tuple[Value, ...]) -> Value:
    placement = elementwise(v.placement for v in operands)
    if any(v.form is Form.SHARDED and v.batch_dim == 1 for v in operands[1:]) or crosses(operands):
        placement = placement.with_form(Form.UNKNOWN)
    if sum(v.form is Form.SHARDED for v in operands) > 1 and name in ("dot", "cdist"):
        placement = placement.with_form(Form.UNKNOWN)
    first = next((v for v in operands if v.form is Form.SHARDED), Value())
    return Value(Kind.TENSOR, placement, batch_dim=first.batch_dim)


def _reshaped(name: str, first: Value, rest: tuple[Value, ...]) -> Value:
    tags: frozenset[str] = frozenset()
    batch_dim: int | None = None
    if name in ("view", "reshape") and rest:
        head = rest[0].items[0] if rest[0].kind is Kind.TUPLE and rest[0].items else rest[0]
        batch_dim = 0 if head.const == -1 or head.form is Form.COUNT else None
        if len(rest) == 1 and head.const == -1 and rest[0].kind is not Kind.TUPLE:
            tags = frozenset({"flat"})
        if head.form is Form.REPLICATED and head.const != -1 and rest[0].kind is not Kind.SHAPE:
            tags |= {"reshaped"}
    elif name == "flatten":
        batch_dim = first.batch_dim if rest else 0
        tags = frozenset() if rest else frozenset({"flat"})
    elif name in ("t", "transpose", "swapaxes", "permute"):
        batch_dim = _moved(name, first.batch_dim, rest)
    elif name == "unsqueeze" and rest and isinstance(rest[0].const, int) and first.batch_dim is not None:
        batch_dim = first.batch_dim + (0 <= rest[0].const <= first.batch_dim)
    tags |= first.tags & KEPT_TAGS
    return Value(Kind.TENSOR, first.placement, integer=first.integer, batch_dim=batch_dim, tags=tags)


def _moved(name: str, batch_dim: int | None, rest: tuple[Value, ...]) -> int | None:
    """Where the batch dimension is after dimensions were exchanged."""
    parts = rest[0].items if len(rest) == 1 and rest[0].kind is Kind.TUPLE else rest
    dims = [v.const for v in parts if isinstance(v.const, int)]
    if batch_dim is None or len(dims) != len(parts):
        return None
    if name == "permute":
        return dims.index(batch_dim) if batch_dim in dims else None
    first, second = (0, 1) if name == "t" or len(dims) != 2 else dims
    if batch_dim == first:
        return second
    return first if batch_dim == second else batch_dim


def _has_dimension(rest: tuple[Value, ...], call: Call) -> bool:
    return bool(rest) or any(k in call.keywords for k in ("dim", "axis"))
