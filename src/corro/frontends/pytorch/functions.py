"""Functions and methods of tensors and arrays: what PyTorch and NumPy compute."""

from __future__ import annotations

import ast
from functools import reduce
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine, elementwise, sharded
from corro.flow import depths, ratios
from corro.flow.python import is_before_training
from corro.flow.semantics import Call
from corro.flow.values import MIXED, NONE, OPTION, RATIO, UNKNOWN, UNSET, Value, constant, joined, number
from corro.frontends import arrays, in_place, operations, tensors, views
from corro.frontends.pytorch import (
    batch_sizes,
    batches,
    fields,
    layers,
    loaders,
    losses,
    modes,
    patterns,
    sampling,
    steering,
)
from corro.frontends.pytorch.streams import READING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corro.flow.state import Flow

LASTING = frozenset({steering.PARAMETER, steering.BUFFER, steering.COPY, steering.LOOSE, steering.GRADIENT})
"""Tags that a tensor keeps when it is changed in place, or viewed in another way."""
_TYPES = frozenset({"Tensor", "FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor", "IntTensor", "ShortTensor",
                    "CharTensor", "ByteTensor", "BoolTensor"})  # fmt: skip
"""The types of tensors: called with numbers, or a shape, they make a tensor of these sizes."""
_OF_LISTS = _TYPES | {"array", "asarray", "tensor", "as_tensor"}
"""Functions that make a tensor, or an array, of the numbers of a list."""
_SUMS = frozenset({"sum", "mean", "nansum", "nanmean"})
_OF_SHAPES = frozenset({"zeros", "ones", "empty", "full"})
"""Functions that are given a shape first."""
_SHAPE_WORDS = ("size", "shape")
_LAID_OUT = tensors.KEPT_TAGS - {tensors.DOUBLE, depths.TRUTH}
"""The tags of a tensor that say where its samples are."""
_DERIVED = ("outputs", "inputs", "grad_outputs")
_WORDS = frozenset({*_DERIVED, "retain_graph", "create_graph", "only_inputs", "allow_unused"})
_APART = tensors.PICKED | {tensors.CUT, tensors.ROWS, steering.PARAMETER}
"""The tags of what is no tensor with a row, or a place, for each sample of the batch."""
_REDUCING = {"torch.equal": "array_equal"}
"""Functions and methods that are called like operations on each element, and compare whole tensors."""
_PERMUTING = frozenset({"randperm", "permutation"})
_MATRIX = 2
_TO_NUMPY = frozenset({"numpy", "__array__"})
_TO_PYTHON = frozenset({"item", "tolist"})
_PLACES = ("is_cuda", "is_xpu", "is_mps", "is_cpu")
_OF_PACKED = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")


def function(flow: Flow, name: str, call: Call) -> Value | None:
    """What a function of PyTorch or NumPy gives."""
    if name.startswith("torch.nn.utils.clip_grad_norm"):  # of gradients that are averaged: see the rule clipping
        return Value(Kind.TENSOR, Placement(data_dependent=True), scalar=True)
    call = batch_sizes.counted(flow, name, _with_shape_first(name, call))
    last = name.rpartition(".")[2]
    if name.startswith("einops."):
        return patterns.function(name, call) if name in patterns.FUNCTIONS else None
    made: Value | None = None
    if name in (f"torch.{last}", f"torch.cuda.{last}") and last in _TYPES:
        made, name = _of_sizes(flow, last, call), f"torch.{last}"
    elif name == "torch.autograd.grad":
        made = _derivatives(flow, call)
    else:
        made = _arithmetic(flow, last, call.args, call)
    made = _function(flow, name, call) if made is None else made
    if made is not None:
        made = _chosen(flow, _of_library(made, of_numpy=name.startswith("numpy.")), call.values)
    return _with_depth(flow, last, call.args, call, made)


def _function(flow: Flow, name: str, call: Call) -> Value | None:
    last = name.rpartition(".")[2]
    if last in losses.FUNCTIONAL_LOSSES:
        weighted = last in ("cross_entropy", "nll_loss") and losses.is_weighted(call, first=2)
        return losses.loss_value(call, losses.reduction(last, call), last, weighted=weighted)
    if name.startswith(("torch.cuda.", "torch.backends.", "torch.version", "torch.utils.", "torch.distributed.")):
        return None if call.values and name.startswith("torch.utils.") else Value(placement=joint_placement(call))
    if last in ("tensor", "Tensor", "FloatTensor") and call.args and call.args[0].is_zero:
        return Value(Kind.TENSOR, const=0, scalar=True, integer=call.args[0].integer)
    if call.args and (made := _of_rows(flow, last, call)) is not None:
        return made
    if last in ("save", "manual_seed", "set_printoptions", "set_num_threads", "seed", "set_default_dtype"):
        return NONE
    operands = _operands(flow, call.args, shaped=last in _OF_SHAPES)
    call = _with_dimensions(flow, call)
    if last == "einsum":
        return patterns.einsum(flow, call)
    if not operands and not any(v.form is Form.SHARDED for v in call.values):
        return Value(Kind.TENSOR, joint_placement(call))
    if last in ("eye", "linspace"):
        return Value(Kind.TENSOR, joint_placement(call))
    if last in layers.DROPOUT_FUNCTIONS and operands:
        return layers.dropout(operands[0], call, evaluating=modes.EVALUATING in flow.context.modes)
    if name.startswith("torch.nn.functional.") and operands:
        call = layers.along(last, operands[0], call)
    last = _REDUCING.get(name, last)
    result = tensors.operation(last, operands, call)
    if call.args and call.args[0].kind is Kind.LIST and not _reduces(last):
        return _listed(result) if last in _OF_LISTS else result.but(scalar=False)
    is_number = name.startswith("numpy.") and result.scalar and tensors.IN_A_ROW not in result.tags
    return result.but(kind=Kind.NUMBER) if is_number else result


_TOGETHER = frozenset({"cat", "stack", "concatenate", "vstack", "hstack", "concat"})


def _of_rows(flow: Flow, name: str, call: Call) -> Value | None:
    """What puts tensors together, or cuts one into parts; ``None`` for other functions."""
    if name in _TOGETHER:
        return _concatenated(flow, name, call)
    if name in batches.OF_SEQUENCES:
        return _of_sequences(flow, name, call)
    return _cut(flow, name, call.args[0], call.args[1:], call) if name in views.CUTTING else None


_OPERATORS = {"add": ast.Add, "sub": ast.Sub, "subtract": ast.Sub, "mul": ast.Mult, "multiply": ast.Mult,
              "div": ast.Div, "divide": ast.Div, "true_divide": ast.Div}  # fmt: skip
_NUMBERS = frozenset({Kind.TENSOR, Kind.NUMBER})


def _arithmetic(flow: Flow, name: str, given: tuple[Value, ...], call: Call) -> Value | None:
    """What functions give that are operators by another name: ``torch.add(a, b, alpha=c)`` is ``a + c * b``."""
    if name not in _OPERATORS or len(given) != 2 or not call.keywords.keys() <= {"alpha"}:
        return None
    if not all(value.kind in _NUMBERS for value in given):
        return None
    left, right = given
    factor = call.keywords.get("alpha")
    return flow.binary(_OPERATORS[name](), left, right if factor is None else flow.binary(ast.Mult(), factor, right))


def _listed(made: Value) -> Value:
    """A tensor of what a list holds, which may be samples."""
    batch_dim = 0 if tensors.SAMPLE in made.tags else made.batch_dim
    return made.but(scalar=False, batch_dim=batch_dim, tags=made.tags - {tensors.SAMPLE})


def _reduces(operation: str) -> bool:
    """Whether an operation makes one number of all that it is given."""
    along = operations.ALONG.get(operation)
    return operation in _SUMS or (along is not None and along.gives == "less")


def method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of a tensor or an array gives."""
    call = call if receiver.placement.whole else batch_sizes.counted(flow, name, call)
    of_numpy = name in _TO_NUMPY or (tensors.NUMPY in receiver.tags and name not in _TO_PYTHON)
    mixed = MIXED in receiver.tags and name not in _TO_NUMPY
    known = _of_library(_method(flow, receiver, name, call), of_numpy=of_numpy, mixed=mixed)
    if receiver.tags & {steering.PARAMETER, steering.GRADIENT} and in_place.is_view(name):
        known = known.but(tags=known.tags | receiver.tags & LASTING)
    known = _chosen(flow, known, (receiver, *call.values))
    return _with_depth(flow, name, (receiver, *call.args), call, known)


def _chosen(flow: Flow, made: Value, given: Iterable[Value]) -> Value:
    """What is computed of some samples of a batch, of which each process may have another number, is of those too."""
    if made.kind is not Kind.TENSOR or made.form is not Form.SHARDED:
        return made
    parts = (flow.element(v) if v.kind in (Kind.LIST, Kind.TUPLE) else v for v in given)
    return made.but(tags=made.tags.union(*(part.tags & {tensors.SELECTED, tensors.BY_NUMBERS} for part in parts)))


def _method(flow: Flow, receiver: Value, name: str, call: Call) -> Value:
    if name == "backward":
        return NONE
    if name in sampling.METHODS and _differs(flow):
        placement = elementwise((receiver.placement, Placement(Form.LOCAL)))
        return Value(Kind.TENSOR, placement, batch_dim=receiver.batch_dim, tags=frozenset({"random"}))
    if receiver.form in (Form.UNKNOWN, Form.LOCAL) and not receiver.placement.is_array:
        given = [receiver.placement, *(v.placement for v in call.values)]
        if RATIO in receiver.tags and name == "item":
            return ratios.averaged(number(receiver.placement))
        if name == "item" and (read := ratios.read(receiver)):
            return number(receiver.placement, tags=read)
        shared = next((v for v in call.values if v.form is Form.SHARDED), Value())
        placement = combine(given) if receiver.form is Form.UNKNOWN else elementwise(given)
        tags = ratios.reduced(name, receiver, whole=not call.values)
        return Value(Kind.TENSOR, placement, batch_dim=shared.batch_dim, tags=tags)
    computed = _arithmetic(flow, name, (receiver, *call.args), call) if receiver.kind is Kind.TENSOR else None
    if computed is not None:
        return computed
    if name in views.CUTTING and (made := _cut(flow, name, receiver, call.args, call)) is not None:
        return made
    operands = _operands(flow, (receiver.but(kind=Kind.TENSOR), *call.args))
    named = _REDUCING.get(f"torch.{name}", name)
    result = tensors.operation(named, operands, _with_dimensions(flow, call))
    if name == "tolist" and receiver.form is Form.SHARDED:
        rows = receiver.batch_dim == 0 and tensors.PICKED.isdisjoint(receiver.tags)
        return Value(placement=receiver.placement, tags=frozenset({tensors.LISTED} if rows else ()))
    return result


_SIZES = ("chunks", "split_size_or_sections", "split_size", "sections")
"""How the number of parts, or their sizes, are called."""


def _cut(flow: Flow, name: str, owner: Value, given: tuple[Value, ...], call: Call) -> Value | None:
    """What a tensor with several rows of each sample gives that is cut into parts where it was put together."""
    into = given[0] if given else next((call.keywords[word] for word in _SIZES if word in call.keywords), None)
    dim = given[1] if given[1:] else call.keywords.get("dim", constant(0))
    if into is None or tensors.NUMPY in owner.tags:
        return None
    sizes = flow.each(into) if into.kind in (Kind.LIST, Kind.TUPLE) else into
    parts = views.parted(owner, name, sizes, dim.const) if sizes is not None else None
    return None if parts is None else Value(Kind.TUPLE, owner.placement, items=parts)


def of_array(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of an array gives, or of a generator of random numbers."""
    drawn = receiver.kind in (Kind.UNKNOWN, Kind.NUMBER) and not receiver.obj and arrays.is_drawn(name)
    if not drawn and not (receiver.depth and receiver.placement.is_array and receiver.kind is Kind.UNKNOWN):
        return None
    depth = arrays.depth_of(flow, name, call.args if drawn else (receiver, *call.args), call)
    return Value(placement=combine([receiver.placement, *(v.placement for v in call.values)]), depth=depth)


def _of_sequences(flow: Flow, name: str, call: Call) -> Value | None:
    """Sequences that are packed, taken out again, or padded to one length."""
    if name in batches.PACKING:
        return batches.packed(name, item(flow, call.args[0]), call)
    if name == batches.UNPACKING:
        return batches.unpacked(item(flow, call.args[0]), call)
    element = flow.element(call.args[0])
    return batches.padded(element, call) if tensors.SAMPLE in element.tags else None


def _with_depth(flow: Flow, name: str, given: tuple[Value, ...], call: Call, made: Value | None) -> Value | None:
    """What is made of whole arrays, with its depth."""
    differs = made is not None and not made.placement.is_array
    if made is None or differs or made.kind not in (Kind.TENSOR, Kind.UNKNOWN):
        return made
    return made.but(depth=arrays.depth_of(flow, name, given, call))


def _of_library(made: Value, *, of_numpy: bool, mixed: bool = False) -> Value:
    """An array or a number of NumPy, or a tensor of PyTorch or Python's own number."""
    if made.kind not in (Kind.NUMBER, Kind.TENSOR):
        return made
    others = made.tags - {tensors.NUMPY, MIXED}
    if mixed and made.kind is Kind.TENSOR:
        return made.but(tags=others | {MIXED})
    return made.but(tags=others | {tensors.NUMPY} if of_numpy else others)


def joint_placement(call: Call) -> Placement:
    """The placement of what is computed from all arguments of a call."""
    return combine(v.placement for v in call.values)


def item(flow: Flow, value: Value) -> Value:
    """A list given to a tensor function stands for its items."""
    if value.kind is not Kind.LIST:
        return value
    element = flow.element(value)
    return element.but(kind=Kind.TENSOR if element.form is not Form.REPLICATED else element.kind, pending=frozenset())


def _operands(flow: Flow, given: tuple[Value, ...], *, shaped: bool = False) -> tuple[Value, ...]:
    """What an operation works on; after the first, or wherever a shape comes first, a list of numbers is one."""
    return tuple(
        _numbers(flow, v, of_shape=shaped and not n) or item(flow, v) if n or shaped else item(flow, v)
        for n, v in enumerate(given)
    )


def _with_dimensions(flow: Flow, call: Call) -> Call:
    """A call with its lists of numbers given by keyword as tuples."""
    keywords = {word: _numbers(flow, value) or value for word, value in call.keywords.items()}
    return Call(call.node, call.args, keywords)


def _numbers(flow: Flow, value: Value, *, of_shape: bool = False) -> Value | None:
    """A list of numbers as a tuple of them; in a shape also what is not known to be one is a number."""
    items = flow.literal_items(value) if value.kind is Kind.LIST else None
    numbers = items is not None and all(
        v.kind is Kind.NUMBER or v.name == OPTION or (of_shape and v.kind is Kind.UNKNOWN) for v in items
    )
    return Value(Kind.TUPLE, combine(v.placement for v in items), items=items) if items and numbers else None


def length(value: Value) -> Value | None:
    """What ``len`` gives."""
    if value.kind is Kind.LOADER:
        return number(integer=True, tags=frozenset({"batches"}))
    if fields.is_batch(value):
        return fields.length(value)
    if value.kind is Kind.BATCH:
        return number(value.placement.with_form(Form.UNKNOWN), integer=True)
    if value.kind is Kind.TENSOR:
        return tensors.shape_part(value, number(const=0))
    if value.kind in (Kind.DATASET, Kind.SAMPLER):
        return loaders.length(value)
    return None


def random(flow: Flow, name: str, call: Call) -> Value | None:
    """Random numbers shape the model and the split before the loops, and are noise within them."""
    call = batch_sizes.counted(flow, name, call)
    last = name.rpartition(".")[2]
    drawn = Value(Kind.TENSOR, Placement(Form.LOCAL) if _differs(flow) else joint_placement(call))
    shape = arrays.shape_of(last, call.args, call)
    batch = _of_batch(flow, shape) if shape is not None else None
    if batch is not None:
        drawn = batch
    elif any(v.form in (Form.SHARDED, Form.COUNT) for v in call.values):
        drawn = drawn.but(placement=sharded(joint_placement(call).sources))
    permuted = last in _PERMUTING and len(call.args) == 1 and call.args[0].form is Form.COUNT
    tags = drawn.tags | {"random"} | ({depths.PERMUTATION} if permuted else set())
    return _with_depth(flow, last, call.args, call, drawn.but(tags=tags))


def _of_sizes(flow: Flow, last: str, call: Call) -> Value | None:
    """What a type of tensors makes of a shape, or of a size for each dimension; ``None`` of data."""
    args = call.args
    several = len(args) > 1 or (bool(args) and args[0].form is Form.COUNT)
    shape = Value(Kind.TUPLE, items=args) if several else args[0] if args and args[0].kind is Kind.SHAPE else None
    made = _of_batch(flow, shape) if shape is not None else None
    if made is None:
        return Value(Kind.TENSOR, joint_placement(call)) if several else None
    return tensors.operation(last, (made,), Call(call.node, ()))


def _of_batch(flow: Flow, shape: Value) -> Value | None:
    """What is made with a shape that has the number of samples in it: a part of the batch; ``None`` for others."""
    if shape.kind is Kind.SHAPE:
        like = shape.items[0] if shape.items else Value()
        return _laid_out_as(like, sharded(like.sources)) if like.form is Form.SHARDED else None
    sizes = shape if shape.kind in (Kind.NUMBER, Kind.TUPLE) else _numbers(flow, shape, of_shape=True)
    if sizes is None:
        return None
    items = sizes.items if sizes.kind is Kind.TUPLE else (sizes,)
    if not any(v.form is Form.COUNT for v in items):
        return None
    batch_dim, depth = tensors.where_counted(items)
    return Value(Kind.TENSOR, sharded(combine(v.placement for v in items).sources), batch_dim=batch_dim, depth=depth)


def _laid_out_as(like: Value, placement: Placement) -> Value:
    """A tensor whose samples are where those of another one are."""
    return Value(
        Kind.TENSOR,
        placement,
        batch_dim=like.batch_dim,
        depth=like.depth,
        width=like.width,
        tags=like.tags & _LAID_OUT,
    )


def _with_shape_first(name: str, call: Call) -> Call:
    """``torch.full(size=shape, fill_value=1.0)`` as ``torch.full(shape, fill_value=1.0)``."""
    words = [word for word in _SHAPE_WORDS if word in call.keywords]
    if name.rpartition(".")[2] not in _OF_SHAPES or call.args or not words:
        return call
    others = {word: value for word, value in call.keywords.items() if word not in words}
    return Call(call.node, (call.keywords[words[0]],), others)


def _derivatives(flow: Flow, call: Call) -> Value:
    """What ``torch.autograd.grad`` gives.

    A gradient with respect to samples is theirs where each result is that of one sample, or all are added up; that of
    a mean over a shard is N times that of the mean over the batch.
    """
    outputs, inputs, weights = (_each(flow, call.argument(n, word)) for n, word in enumerate(_DERIVED))
    placement = elementwise(v.placement for v in (*inputs, *outputs, *weights))
    sums = all(v.form is Form.SUM for v in outputs) and not weights
    rows = all(v.form is Form.SHARDED and not v.tags & _APART for v in outputs) and bool(weights)
    samples = all(v.form is Form.SHARDED and not v.tags & _APART for v in inputs) and call.keywords.keys() <= _WORDS
    own = samples and bool(inputs) and (sums or (rows and placement.form is Form.SHARDED))
    form = Form.SHARDED if own else Form.UNKNOWN if placement.sources else placement.form
    given = tuple(_laid_out_as(v, placement.with_form(form)) for v in inputs)
    return Value(Kind.TUPLE, placement.with_form(form), items=given)


def _each(flow: Flow, given: Value | None) -> tuple[Value, ...]:
    """A tensor, or those of a list."""
    if given is None or given.kind is Kind.NONE:
        return ()
    items = given.items if given.kind is Kind.TUPLE else flow.literal_items(given) if given.kind is Kind.LIST else None
    return (given,) if items is None else items


def _differs(flow: Flow) -> bool:
    """Whether processes draw different numbers: in loops, unless they prepare data or make the same batches there."""
    sources = flow.semantics.batch_sources
    if READING in flow.context.modes:
        return False
    return not is_before_training(flow) and not (sources is not None and sources.are_alike(flow))


_IN_A_ROW = frozenset({"cat", "concat", "concatenate"})
"""What puts tensors one after another along a dimension that they have."""


def _concatenated(flow: Flow, name: str, call: Call) -> Value:
    inner = call.args[0] if tensors.SAMPLE in call.args[0].tags else flow.element(call.args[0])
    if tensors.IN_PARTS in call.args[0].tags:
        inner = tensors.item(call.args[0], number())
    if _is_list_of_a_batch(call.args[0]):
        inner = call.args[0].but(depth=depths.UNKNOWN)
    if tensors.SAMPLE in inner.tags:
        return batches.joined(name, inner, call.argument(1, "dim") or call.keywords.get("axis"))
    parts = _parts_of_losses(flow, call.args[0])
    if parts is not None:
        return parts
    items = flow.literal_items(call.args[0])
    if call.args[0].kind is Kind.BATCH and call.args[0].form is Form.SHARDED:
        items = flow.each(call.args[0])
        if items is None:  # of samples, or of tensors that have some of each: where these are then is not known
            return Value(Kind.TENSOR, call.args[0].placement.with_form(Form.UNKNOWN))
        inner = flow.either(items)
    along = call.argument(1, "dim") or call.keywords.get("axis")
    together = _is_of_one_batch(flow, call, inner) or (name != "stack" and _is_beside(inner, along))
    gathered = call.args[0].kind is Kind.LIST and items is None and inner.sources and not together
    placement = inner.placement.with_form(Form.UNKNOWN) if gathered else inner.placement
    if items is not None:
        placement = elementwise(v.placement for v in items)
        if not _is_across(name, along, items):
            placement = placement.with_form(Form.UNKNOWN)
    behind = along is not None and along.const != inner.batch_dim
    tags = inner.tags & {depths.APART} if behind else frozenset({depths.APART})
    if not behind and items is not None and any(tensors.POSITIONED in v.tags for v in items):
        tags |= {tensors.POSITIONED}
    if not behind and name in _IN_A_ROW and _is_list_of_a_batch(call.args[0]):
        tags |= {depths.BLOCKS}
    if items is not None and name in _IN_A_ROW and all(map(_is_row_by_row, items)) and _is_first(along):
        tags |= views.put_together(items)
    data = inner.kind is Kind.TENSOR and name == "stack" and inner.batch_dim is None
    depth = depths.changed(inner.depth, 1) if data else inner.depth if name in _IN_A_ROW else depths.UNKNOWN
    return Value(Kind.TENSOR, placement, batch_dim=_stacked(name, inner, along), depth=depth, tags=tags)


def _is_first(along: Value | None) -> bool:
    return along is None or along.const == 0


def _is_row_by_row(value: Value) -> bool:
    """Whether a tensor has one row for each sample of a batch, in their order."""
    others = {tensors.IN_PARTS, tensors.WHERE, tensors.ONE_ROW, tensors.TURNED, depths.APART, "flat", "reshaped"}
    return tensors.has_each(value) and not value.tags & others


def _is_list_of_a_batch(value: Value) -> bool:
    """Whether a part of a batch is a list, as of several views of each sample: a tensor would not be put together."""
    part = value.kind is Kind.TENSOR and value.form is Form.SHARDED and value.batch_dim == 0
    return part and not value.tags & (tensors.KEPT_TAGS | {tensors.IN_PARTS}) and not value.locations


def _is_of_one_batch(flow: Flow, call: Call, inner: Value) -> bool:
    """Whether what is put together is of one batch, or made on the spot by some layers or for some numbers."""
    if inner.batch_dim is not None and flow.is_of_this_batch(call.args[0]):
        return True
    parts = call.node.args[0] if call.node.args else None
    over = [each.iter for each in parts.generators] if isinstance(parts, ast.ListComp) else []
    kinds = [flow.facts.values.get(each, UNKNOWN).kind for each in over]
    return bool(kinds) and all(kind in (Kind.LAYERS, Kind.RANGE) for kind in kinds)


def _is_beside(inner: Value, along: Value | None) -> bool:
    """Whether tensors are put together along another dimension than that of the samples: each sample stays one."""
    place = depths.place(inner, along.const if along is not None else 0)
    return isinstance(place, int) and place >= 0 and inner.batch_dim is not None and place != inner.batch_dim


def _is_across(name: str, along: Value | None, items: Sequence[Value]) -> bool:
    """Whether samples are put beside what is none: rows that all processes have, after a process's, weigh too much."""
    shard = next((v for v in items if v.form is Form.SHARDED), None)
    if shard is None or name in ("stack", "hstack") or not any(v.placement.is_array for v in items):
        return True
    place = depths.place(shard, 0 if along is None else along.const)
    return not isinstance(place, int) or place == -1 or place not in (shard.batch_dim or 0, -_MATRIX)


def _stacked(name: str, inner: Value, along: Value | None) -> int | None:
    """Where the samples of tensors are when these are put together: after a new dimension, if there is one."""
    if name == "vstack" and depths.dimensions(inner) != 2:
        return inner.batch_dim + 1 if inner.batch_dim is not None and depths.is_flat(inner) else None
    if name != "stack" or inner.batch_dim is None:
        return inner.batch_dim
    place = 0 if along is None else along.const
    if not isinstance(place, int) or place < -1:
        return None
    return inner.batch_dim + (0 <= place <= inner.batch_dim)


def _parts_of_losses(flow: Flow, listed: Value) -> Value | None:
    """A list of sums, or of means, as many on each process, in one tensor: linear as these are."""
    items = flow.literal_items(listed)
    alike = items if items is not None else (flow.element(listed),)
    if not alike or not any(v.placement.is_partial for v in alike) or not flow.size(listed).is_equal:
        return None
    whole = reduce(joined, alike)
    return whole.but(scalar=False, const=UNSET, origins=frozenset()) if whole.placement.is_partial else None


def attribute(owner: Value, name: str) -> Value | None:
    """An attribute of a tensor."""
    if tensors.PACKED in owner.tags and name in _OF_PACKED:
        return tensors.packed_part(owner, _OF_PACKED.index(name))
    if name == "grad" and steering.PARAMETER in owner.tags:
        return steering.gradient(owner)
    if name in ("data", "grad", "real"):
        return owner.but(kind=Kind.TENSOR)
    if name == "shape":
        return tensors.shape(owner)
    if name in ("T", "mT", "H"):
        return tensors.transposed(owner, matrices=name == "mT")
    return Value() if name in ("dtype", "device", "ndim", "requires_grad", "names", *_PLACES) else None
