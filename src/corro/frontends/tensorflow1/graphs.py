"""What the parts of a graph are: placeholders for batches, layers on them, their losses, and what changes variables.

A placeholder stands for a part of a batch, for the program as it will be; operations and losses carry placements on as
they do in loops with a gradient tape (``frontends/tensorflow``). What a session computes is fetched from there.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import WHOLE, Form, Placement, combine, elementwise, sharded
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.values import Value
from corro.frontends import tensors
from corro.frontends.keras.semantics import BATCHNORM, NOISE
from corro.frontends.tensorflow import operations
from corro.frontends.tensorflow.semantics import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact
    from corro.flow.state import Flow

PLACEHOLDER = "placeholder"
ROWS = "fed with rows"
"""The tag of a placeholder whose first dimension is that of the samples."""
UNSHAPED = "of any shape"
"""The tag of a placeholder that may be fed with anything."""
FIXED = "of a fixed shape"
"""The tag of a placeholder that takes the same number of rows at any time, or may do so."""
TRAINS = "makes a training step"
INITIALISES = "initialises variables"
STATE = "changes variables"
BESIDE = "changes variables beside a training step"
"""The tag of a group whose parts may come in any order, another one on each process."""
STREAMING = "adds up over runs"
"""The tag of a metric that remembers what it has been given."""
SUMMARY = "summary"
GRADIENT = "a gradient"
CELL = "cell"
NESTED = "in parts of parts"
"""The tag of the state of several cells with several parts each."""
_PARTS = "parts"

_UNKNOWN = Placement(Form.UNKNOWN)
_MEANS = frozenset({"softmax_cross_entropy", "sparse_softmax_cross_entropy", "sigmoid_cross_entropy", "log_loss",
                    "mean_squared_error", "absolute_difference", "huber_loss", "hinge_loss"})  # fmt: skip
_FLAT = frozenset({"dense", "fully_connected", "flatten", "linear", "relu"})
_DEEP = frozenset({"conv1d", "conv2d", "conv3d", "conv2d_transpose", "convolution", "convolution2d", "max_pool2d",
                   "avg_pool2d", "max_pooling1d", "max_pooling2d", "average_pooling1d", "average_pooling2d",
                   "separable_conv2d", "convolution2d_transpose", "max_pooling3d"})  # fmt: skip
_ALIKE = frozenset({"dropout", "batch_normalization", "batch_norm"})
_CELLS = frozenset({"BasicLSTMCell", "LSTMCell", "GRUCell", "BasicRNNCell"})
_CONSTANT = frozenset({"ones", "zeros", "fill"})
MADE = _CONSTANT | {"random_uniform", "random_normal", "truncated_normal", "uniform", "normal"}
"""What makes tensors of a shape."""
_ACTIVATIONS = frozenset({"activation", "activation_fn"})
_HARMLESS = frozenset({"initializer", "kernel_initializer", "weights_initializer", "biases_initializer",
                       "bias_initializer", "kernel_regularizer", "weights_regularizer", "regularizer"})  # fmt: skip


# ---------------------------------------------------------------------- placeholders


def placeholder(flow: Flow, call: Call, site: frozenset[int]) -> Value:
    """A tensor that is fed: a part of a batch, or a number that is equal everywhere."""
    shape = call.argument(1, "shape")
    mark = frozenset({PLACEHOLDER})
    shaped = shape is not None and shape.kind is not Kind.NONE
    dims = flow.literal_items(shape) if shape is not None and shaped else None
    kind = call.argument(0, "dtype") or Value()
    logical = dims is None and (kind.name.endswith(".bool") or kind.const == "bool")
    if logical or (dims is not None and not dims):
        return Value(Kind.TENSOR, sites=site, scalar=True, tags=mark)
    if dims is None and shaped:  # such as that of an array
        return Value(Kind.TENSOR, sites=site, tags=mark | {FIXED})
    if dims is None:
        mark |= {UNSHAPED}
        if _is_fed_with_numbers(flow, call.node):
            return Value(Kind.TENSOR, sites=site, scalar=True, tags=mark)
        return Value(Kind.TENSOR, sharded(site), sites=site, batch_dim=0, tags=mark | {ROWS})
    if dims[0].kind is not Kind.NONE:
        return Value(Kind.TENSOR, sites=site, tags=mark | {FIXED})
    return deepened(Value(Kind.TENSOR, sharded(site), sites=site, batch_dim=0, tags=mark | {ROWS}), len(dims) - 1)


def deepened(batch: Value, depth: int) -> Value:
    """A batch that is known to have so many dimensions after that of the samples."""
    features = {depths.FEATURES} if depth else {depths.PER_SAMPLE}
    deep = {depths.DEEP} if depth > 1 else set[str]()
    return batch.but(depth=depths.known(depth), tags=batch.tags | features | deep)


def taken(pipeline: Value, site: frozenset[int]) -> Value:
    """The batch that an iterator of a pipeline gives at each run: a part of it, of the structure of its source."""
    parts = pipeline.items[0].items if pipeline.items else ()
    batch = Value(Kind.TENSOR, sharded(site), sites=site, batch_dim=0)
    several = tuple(batch.but(depth=part.depth) for part in parts)
    return Value(Kind.TUPLE, batch.placement, items=several) if several else batch


def _is_fed_with_numbers(flow: Flow, node: ast.Call) -> bool:
    """Whether a dict in the script gives a placeholder of any shape a number; what else it is fed, rules look at."""
    source = flow.context.frame.unit.source
    holder = source.parent(node)
    target = holder.targets[0] if isinstance(holder, ast.Assign) else None
    if not isinstance(target, (ast.Name, ast.Attribute)):
        return False
    numbers = {
        t.id for n in source.nodes.of(ast.Assign) if _is_number(n.value) for t in n.targets if isinstance(t, ast.Name)
    }
    last = target.id if isinstance(target, ast.Name) else target.attr
    names = [f"{k.value.value!s}:0" for k in node.keywords if k.arg == "name" and isinstance(k.value, ast.Constant)]
    for each in source.nodes.of(ast.Dict):
        for key, value in zip(each.keys, each.values, strict=True):
            by_name = isinstance(key, ast.Constant) and key.value in names
            same = getattr(key, "id", getattr(key, "attr", "")) == last or by_name
            if same and (_is_number(value) or (isinstance(value, ast.Name) and value.id in numbers)):
                return True
    return False


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float))


# ---------------------------------------------------------------------- variables and noise


def variable(site: frozenset[int] = frozenset()) -> Value:
    """A variable: all processes are given the first one's value."""
    return Value(Kind.TENSOR, sites=site, tags=frozenset({VARIABLE}))


def variables() -> Value:
    """A list of variables."""
    inner = Value(Kind.TENSOR, tags=frozenset({VARIABLE}))
    return Value(Kind.PARAMETERS, items=(inner,))


def noise(flow: Flow, last: str, call: Call) -> Value:
    """Random numbers that a graph draws at each run: for each sample of a batch, or as many on each process."""
    held = [v.items[0] if v.kind is Kind.SHAPE and v.items else v for v in call.values]
    parts = [*held, *(item for v in held for item in flow.literal_items(v) or v.items)]
    if any(v.sources for v in parts):
        placement = combine(v.placement for v in parts).with_form(Form.SHARDED)
        mixed = any(v.form is Form.UNKNOWN for v in parts) or last in operations.MIXING
        if mixed:
            placement = placement.with_form(Form.UNKNOWN)
        tags = frozenset({NOISE}) | frozenset(tag for v in parts for tag in v.tags) & operations.KEPT
        return Value(Kind.TENSOR, placement, batch_dim=0, tags=tags)
    return Value(Kind.TENSOR, _UNKNOWN, tags=frozenset({NOISE}))


def sized(flow: Flow, last: str, call: Call, sizes: frozenset[int], site: frozenset[int]) -> Value | None:
    """A tensor with as many rows as the script feeds samples: each process makes its share of them."""
    shape = call.argument(0, "dims" if last == "fill" else "shape")
    items = None if shape is None or shape.kind not in (Kind.LIST, Kind.TUPLE) else flow.literal_items(shape)
    if not items or items[0].kind is not Kind.NUMBER or not items[0].origins & sizes:
        return None
    tags = {operations.SIZED, depths.FEATURES if len(items) > 1 else depths.PER_SAMPLE}
    if last not in _CONSTANT:
        tags.add(NOISE)
    return Value(Kind.TENSOR, sharded(site), sites=site, batch_dim=0, tags=frozenset(tags))


# ---------------------------------------------------------------------- layers


def layer(flow: Flow, last: str, call: Call) -> Value:
    """A function of ``tf.layers`` or ``tf.contrib.layers`` that makes variables and applies them to a batch."""
    inputs = call.args[0] if call.args else call.keywords.get("inputs", Value())
    placement = inputs.placement
    known = last in _FLAT | _DEEP | _ALIKE
    given = {k: v for k, v in call.keywords.items() if k not in _HARMLESS | _ACTIVATIONS}
    own = any(v.kind in (Kind.FUNCTION, Kind.INSTANCE) for v in given.values())
    normalises = any("norm" in v.name for v in call.keywords.values()) or (
        "norm" in last and not normalises_features(call)
    )
    if not placement.is_equal and (not known or own or normalises or inputs.batch_dim != 0):
        placement = placement.with_form(Form.UNKNOWN)
    tags = {depths.FEATURES}
    if last in _DEEP or (last not in ("flatten",) and depths.DEEP in inputs.tags):
        tags.add(depths.DEEP)
    tags |= inputs.tags & {tensors.SELECTED, tensors.POSITIONED, NOISE}
    if last == "dropout":
        tags.add(NOISE)
    if "norm" in last and known:
        tags.add(BATCHNORM)
    depth = depths.known(1) if last == "flatten" else inputs.depth if known else depths.UNKNOWN
    result = Value(Kind.TENSOR, placement, batch_dim=inputs.batch_dim, depth=depth, tags=frozenset(tags))
    activation = next((v for k, v in call.keywords.items() if k in _ACTIVATIONS), None)
    own = activation is not None and activation.kind is Kind.FUNCTION
    return flow.call_value(activation, Call(call.node, (result,))) if own and activation is not None else result


def normalises_features(call: Call | CallFact) -> bool:
    """Whether batch normalisation keeps averages over the samples of whole batches, one for each feature."""
    axis = call.keywords.get("axis")
    simple = not {"renorm", "virtual_batch_size", "adjustment", "batch_weights"} & set(call.keywords)
    return simple and (axis is None or (isinstance(axis.const, int) and axis.const != 0))


def recurrent(flow: Flow, last: str, call: Call) -> Value:
    """``dynamic_rnn`` and its like: outputs at all times, and the state at the end."""
    both = "bidirectional" in last
    cells = [v for k, v in zip(("cell", "cell"), call.args, strict=False)][: 2 if both else 1]
    cells += [v for k, v in call.keywords.items() if k.startswith("cell")]
    inputs = call.argument(2 if both else 1, "inputs") or Value()
    placement = elementwise(v.placement for v in call.values if v.kind is not Kind.LAYER)
    major = call.keywords.get("time_major")
    moved = inputs.batch_dim != (1 if major is not None and major.const is True else 0)
    starts = [v for k, v in call.keywords.items() if k.startswith("initial_state")]
    fixed = any(v.placement.is_equal and v.kind is not Kind.NONE for v in starts)
    unknown = moved or fixed or len(call.args) > (4 if both else 3) or any(v.name != CELL for v in cells)
    if not placement.is_equal and (unknown or (major is not None and major.const not in (True, False))):
        placement = placement.with_form(Form.UNKNOWN)
    noisy = frozenset(tag for v in cells for tag in v.tags) & {NOISE}
    listed = frozenset({tensors.IN_PARTS}) if last.startswith("static") else frozenset[str]()
    deep = frozenset({depths.DEEP}) if not listed else frozenset[str]()
    of_cells = frozenset(tag for v in cells for tag in v.tags)
    tuples = of_cells & {NESTED} | ({tensors.IN_PARTS} if _PARTS in of_cells else set())
    features = frozenset({depths.FEATURES}) | noisy
    outputs = Value(Kind.TENSOR, placement, batch_dim=inputs.batch_dim, tags=features | deep | listed)
    if last == "static_rnn" and len(inputs.items) == len(cells[0].items) == 1:  # as many times as parts
        outputs = outputs.but(items=(*inputs.items, *cells[0].items))
    state = Value(Kind.TENSOR, placement, batch_dim=0, tags=features | tuples)
    if last == "static_bidirectional_rnn" and _falls_back(flow, call.node):
        return outputs
    if last == "static_bidirectional_rnn":
        return Value(Kind.TUPLE, placement, items=(outputs, state, state))
    if both:
        pair = Value(Kind.TUPLE, placement, items=(outputs, outputs))
        return Value(Kind.TUPLE, placement, items=(pair, Value(Kind.TUPLE, placement, items=(state, state))))
    return Value(Kind.TUPLE, placement, items=(outputs, state))


def _falls_back(flow: Flow, node: ast.Call) -> bool:
    """Whether a call stands where its result could not be unpacked: before 1.0 it gave the outputs alone."""
    source = flow.context.frame.unit.source
    holder = source.parent(node)
    if not isinstance(holder, ast.Assign) or not all(isinstance(target, ast.Name) for target in holder.targets):
        return False
    return isinstance(source.parent(holder), ast.ExceptHandler)


def cell(flow: Flow, last: str, call: Call, site: frozenset[int]) -> Value:
    """A cell of a recurrent network, with marks for a state that has parts."""
    inner = {tag for v in call.values for tag in _each(flow, v).tags}
    tags = inner & {NOISE}
    if last == "MultiRNNCell":
        tags |= {_PARTS, NESTED} if _PARTS in inner else {_PARTS}
    elif "LSTM" in last or _PARTS in inner:
        tags |= inner & {NESTED} | {_PARTS}
    if "Dropout" in last:
        tags.add(NOISE)
    units = call.argument(0, "num_units")
    simple = last in _CELLS and "num_proj" not in call.keywords and units is not None and units.kind is Kind.NUMBER
    items = (units,) if simple and units is not None else ()
    return Value(Kind.LAYER, sites=site, name=CELL, tags=frozenset(tags), items=items)


def unstacked(call: Call) -> Value:
    """``unstack`` along another dimension than that of the samples: a list of batches."""
    first, axis = call.args[0] if call.args else Value(), call.argument(2, "axis")
    along = axis.const if axis is not None else 0
    placement = first.placement
    if not placement.is_equal and (not isinstance(along, int) or along <= 0 or first.batch_dim != 0):
        placement = placement.with_form(Form.UNKNOWN)
    tags = frozenset({tensors.IN_PARTS, depths.FEATURES}) | first.tags & {NOISE}
    number = call.argument(1, "num")
    items = (number,) if number is not None and number.kind is Kind.NUMBER else ()
    return Value(Kind.TENSOR, placement, batch_dim=first.batch_dim, tags=tags, items=items)


# ---------------------------------------------------------------------- losses and gradients


def loss(last: str, call: Call) -> Value:
    """A function of ``tf.losses``: a mean over the batch unless it is told otherwise."""
    if last.startswith("get_regularization_loss"):
        return Value(Kind.TENSOR, scalar=True)
    placement = elementwise(v.placement for k, v in _given(call))
    weighed = any(k in call.keywords for k in ("weights", "reduction")) or len(call.args) > 2
    if placement.form is Form.SHARDED:
        flat = last == "softmax_cross_entropy" and any(depths.is_flat(v) for _, v in _given(call))
        known = last in _MEANS and not weighed and not flat
        placement = placement.with_form(Form.MEAN if known else Form.UNKNOWN)
    elif last not in _MEANS:
        placement = _UNKNOWN
    return Value(Kind.TENSOR, placement, integer=False, scalar=True)


def _given(call: Call) -> list[tuple[str, Value]]:
    return [*(("", v) for v in call.args), *((k, v) for k, v in call.keywords.items() if k not in ("scope", "name"))]


def gradients(flow: Flow, call: Call) -> Value:
    """``tf.gradients``: for variables, the whole once it is reduced; for a batch, one a sample."""
    target, about = call.argument(0, "ys") or Value(), call.argument(1, "xs") or Value()
    of = _each(flow, about)
    simple = len(call.args) <= 2 and set(call.keywords) <= {"ys", "xs", "name"}
    if VARIABLE in of.tags and of.placement.is_equal:
        known = simple and target.form in (Form.MEAN, Form.SUM)
        placement = WHOLE if known else _UNKNOWN
        inner = Value(Kind.TENSOR, placement, tags=frozenset({GRADIENT, target.form.name}))
        return Value(Kind.PARAMETERS, placement, items=(inner,), tags=frozenset({GRADIENT, target.form.name}))
    score = _each(flow, target)
    kept = simple and score.form is of.form is Form.SHARDED and of.batch_dim == 0
    placement = of.placement if kept else combine((score.placement, of.placement, _UNKNOWN))
    tags = of.tags & operations.KEPT | {tensors.IN_PARTS}
    return Value(Kind.TENSOR, placement, batch_dim=of.batch_dim, tags=tags)


def _each(flow: Flow, value: Value) -> Value:
    if value.kind is Kind.PARAMETERS:
        return value.items[0] if value.items else Value()
    if value.kind in (Kind.LIST, Kind.TUPLE):
        return flow.element(value)
    return value


def step(flow: Flow, name: str, receiver: Value, call: Call) -> Value:
    """What an optimizer makes: gradients, which Horovod's are the whole of, or the training step."""
    if name == "compute_gradients":
        gradient = Value(Kind.TENSOR, WHOLE, tags=frozenset({GRADIENT}))
        pair = Value(Kind.TUPLE, items=(gradient, variable()))
        return Value(Kind.PARAMETERS, items=(pair,))
    if name in ("minimize", "apply_gradients"):
        here = frozenset({flow.facts.number(call.node)})
        return Value(Kind.TENSOR, sites=receiver.sites | here, tags=frozenset({TRAINS, STATE}))
    return Value() if name in ("get_slot_names", "get_name") else Value(Kind.TENSOR)


def assigned(start: Value, values: tuple[Value, ...]) -> Value:
    """A variable that is given a value when it is fetched."""
    trains = {TRAINS} if any(GRADIENT in v.tags for v in values) else set[str]()
    placement = combine(v.placement for v in values)
    return Value(Kind.TENSOR, placement, sites=start.sites, tags=frozenset({STATE, VARIABLE}) | trains)


def races(parts: Iterable[Value]) -> bool:
    """Whether what is made in one run changes variables twice: a step and another change, or two of one optimizer."""
    steps, others, seen = False, False, frozenset[int]()
    for part in parts:
        if TRAINS in part.tags:
            if BESIDE in part.tags or part.sites & seen:
                return True
            steps, seen = True, seen | part.sites
        others |= STATE in part.tags and TRAINS not in part.tags
    return steps and others


def grouped(flow: Flow, call: Call) -> Value:
    """``tf.group``: all that its parts do."""
    parts = [part for v in call.args for part in ([v] if v.kind not in (Kind.LIST, Kind.TUPLE) else [flow.element(v)])]
    tags = frozenset(tag for part in parts for tag in part.tags) & {TRAINS, STATE, INITIALISES, BESIDE}
    unknown = any(part.kind is not Kind.TENSOR for part in parts)  # averages of the weights, for one
    if races(parts) or (unknown and TRAINS in tags):
        tags |= {BESIDE}
    sites = frozenset(number for part in parts for number in part.sites)
    return Value(Kind.TENSOR, combine(p.placement for p in parts), sites=sites, tags=tags | {STATE})
