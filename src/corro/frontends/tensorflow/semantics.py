"""What TensorFlow's calls do in a training loop written by hand, told to the interpreter.

Models, layers, data and everything around training mean what they mean for ``fit`` (``KerasSemantics``). What is new
is that batches are seen: a loop over a pipeline passes over a part of its data, so placements matter here.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import WHOLE, Form, Placement, combine, elementwise, sharded
from corro.flow import depths
from corro.flow.semantics import Call, Iteration
from corro.flow.values import NONE, Value, number
from corro.frontends import arrays, tensors
from corro.frontends.batch_sources import ITERATORS, ROWS
from corro.frontends.keras import data, masks, shapes
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import ACROSS, BATCHNORM, NOISE, KerasSemantics, functions_in_layer, without_mask
from corro.frontends.progress import PROGRESS_BARS, progress
from corro.frontends.tensorflow import losses, operations

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from corro.flow.semantics import BatchSources
    from corro.flow.state import Flow

TAPE = "tensorflow.GradientTape"
VARIABLE = "variable"
"""The tag of a variable of TensorFlow."""
BUILT = "built"
"""The tag of a model whose variables are there before it sees the first batch."""
GRAPH = "graph"
"""The mode of a function that TensorFlow makes a graph of."""
_FUNCTION = "tensorflow.function"
_LAMBDAS = -2
"""The owner of the functions that layers are made of."""
_BUILT = "<built>"
ASKED = "asked whether samples meet"
"""The mode in which all layers of the script are followed, whichever model they are in."""
UNROLLED = "not a batch by itself"

_PARAMETERS = frozenset({"trainable_variables", "trainable_weights", "variables", "weights", "non_trainable_variables",
                         "non_trainable_weights"})  # fmt: skip
_RANDOM = ("tensorflow.random.", "tensorflow.compat.v1.random", "numpy.random.", "keras.backend.random_", "random.")
_SEEDS = ("seed", "set_seed", "default_rng", "RandomState", "get_state", "set_state", "Generator", "from_seed",
          "set_random_seed", "from_non_deterministic_state", "get_global_generator")  # fmt: skip
_OPERATIONS = ("tensorflow.", "numpy.", "keras.backend.", "keras.activations.", "keras.ops.", "einops.")
_OTHERWISE = {
    "keras.backend.flatten": operations.FLAT,
    **dict.fromkeys(("einops.rearrange", "einops.reduce", "einops.repeat"), operations.EINOPS),
}
"""Operations whose last names stand for others too."""
_ALONG_LAST = frozenset({"keras.backend.argmax", "keras.backend.argmin"})
"""Operations that go along the last dimension unless they are told another; their last names stand for others too."""
_NO_OPERATIONS = ("tensorflow.keras", "tensorflow.config.", "tensorflow.io.", "tensorflow.summary.", "tensorflow.data.",
                  "tensorflow.saved_model.", "tensorflow.train.", "tensorflow.compat.v1.", "tensorflow.distribute.",
                  "tensorflow.debugging.", "tensorflow.profiler.", "numpy.random.")  # fmt: skip
_CONSTANTS = frozenset({"tensorflow.constant", "tensorflow.convert_to_tensor", "tensorflow.cast"})
_FILLED = frozenset(
    {"tensorflow.zeros", "tensorflow.ones", "tensorflow.fill", "numpy.zeros", "numpy.ones", "numpy.full"}
)
_WHOLES = frozenset(
    {"reduce_sum", "reduce_mean", "l2_loss", "add_n", "reduce_max", "reduce_min", "norm", "global_norm"}
)
"""Operations that make one number of a tensor, or of several numbers."""
_FUNCTIONAL = frozenset({"while_loop", "map_fn", "vectorized_map", "foldl", "foldr", "scan", "py_function",
                         "numpy_function", "py_func", "compat.v1.py_func"})  # fmt: skip
_UPDATES = frozenset({"apply_gradients", "minimize"})
ASSIGNS = frozenset(
    {"assign", "assign_add", "assign_sub", "scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_min",
     "scatter_max", "scatter_update", "scatter_nd_add", "scatter_nd_sub", "scatter_nd_min", "scatter_nd_max",
     "scatter_nd_update", "batch_scatter_update"}
)  # fmt: skip
"""Methods that give a variable, or a part of it, another value."""
_READS = frozenset({"numpy", "item"})


class TapeSemantics(KerasSemantics):
    """The meaning of TensorFlow in scripts that compute gradients themselves."""

    kept_tags: frozenset[str] = KerasSemantics.kept_tags | tensors.KEPT_TAGS | operations.KEPT
    mends: bool = True
    hands_on: bool = False
    tells_apart: bool = False

    def __init__(self, batch_sources: BatchSources | None = None) -> None:
        self.batch_sources = batch_sources

    # -------------------------------------------------------------- calls

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        known = canonical(name)
        last = known.rpartition(".")[2]
        site = frozenset({flow.facts.number(call.node)})
        if known == TAPE:
            return Value(Kind.CONTEXT, name=TAPE, sites=site)
        if known == _FUNCTION:
            return call.args[0] if call.args else Value(name=_FUNCTION)
        if known == "tensorflow.Variable":
            start = call.argument(0, "initial_value") or Value()
            return Value(Kind.TENSOR, start.placement, sites=site, tags=frozenset({VARIABLE}), const=Value().const)
        if known in PROGRESS_BARS:
            return progress(known, call, site)
        if name in ("iter", "builtins.iter") and call.args and call.args[0].kind is Kind.DATASET:
            flow.set_field(ITERATORS, str(flow.facts.number(call.node)), call.args[0])
            return Value(Kind.ITERATOR, sites=site, name="iter", items=call.args[:1])
        if self.draws_noise(flow, known, call):
            sources = self.batch_sources
            noise = operations.random(flow, last, call, alike=sources is not None and sources.are_alike(flow))
            return noise if flow.context.passes else noise.but(sites=noise.sites or site)
        known_value = _counted(flow, name, call) or _filled(flow, known, call) or _by_functions(flow, known, call)
        if known_value is not None:
            return known_value
        if known.startswith(("keras.losses.", "keras.metrics.", "keras.objectives.", "tensorflow_addons.losses.")):
            return losses.made(flow, known, call, site) or super().call(flow, name, call)
        if self._is_operation(known, flow, call):
            if known in _ALONG_LAST and "axis" not in call.keywords and not call.args[1:]:
                call = Call(call.node, call.args, {**call.keywords, "axis": number(const=-1)})
            result = operations.operation(flow, _OTHERWISE.get(known, last), call)
            return result.but(kind=Kind.NUMBER) if known.startswith("numpy.") and result.scalar else result
        made = super().call(flow, name, call)
        note_functions(flow, made, call)
        if known in _FILLED or known.startswith(_RANDOM[:3]):
            made = _made_before(made, site)
        if made is not None and made.kind is Kind.DATASET and len(made.items) == 1:
            here = frozenset({flow.facts.site(call.node, flow.context.frame)})
            return made.but(sites=here, items=(made.items[0].but(sites=here),))
        whole = last in _WHOLES and len(call.args) == 1 and "axis" not in call.keywords
        return made.but(scalar=True) if made is not None and made.kind is Kind.TENSOR and whole else made

    def draws_noise(self, flow: Flow, known: str, call: Call) -> bool:
        """Whether random numbers are drawn in training, or as many as a batch has samples."""
        held = [v.items[0] for v in call.values if v.kind is Kind.SHAPE and v.items]
        in_training = bool(flow.context.loops) or any(v.sources for v in (*call.values, *held))
        return is_random(known) and in_training

    def _is_operation(self, known: str, flow: Flow, call: Call) -> bool:
        if not known.startswith(_OPERATIONS) or known.startswith(_NO_OPERATIONS):
            return False
        if known.rpartition(".")[2][:1].isupper():
            return False
        held = (flow.element(v) for v in call.values if v.obj or v.items)
        return any(v.sources or not v.placement.is_equal for v in (*call.values, *held))

    # -------------------------------------------------------------- methods

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        if receiver.name == TAPE:
            return _of_tape(flow, receiver, name, call)
        if receiver.kind is Kind.ITERATOR and name == "get_next" and receiver.items:
            return flow.iterate(receiver).element
        if receiver.kind is Kind.DATASET and name == "as_numpy_iterator":
            number_ = flow.facts.number(call.node)
            flow.set_field(ITERATORS, str(number_), receiver)
            return Value(Kind.ITERATOR, sites=frozenset({number_}), name="iter", items=(receiver,))
        if receiver.kind is Kind.DATASET:
            return _stage(flow, receiver, name, call, super().method(flow, receiver, name, call))
        if receiver.kind is Kind.METRIC:
            return _of_metric(receiver, name, call)
        if receiver.kind is Kind.OPTIMIZER:
            return _minimized(flow, call) if name == "minimize" else NONE if name in _UPDATES else Value()
        if VARIABLE in receiver.tags and name in ASSIGNS:
            return receiver
        if VARIABLE in receiver.tags and name in ("numpy", "read_value", "value"):
            return receiver.but(tags=frozenset())
        if receiver.kind is Kind.MODULE and name in ("call", "__call__"):
            return self.invoke(flow, receiver, call)
        if receiver.kind is Kind.LAYER and name in ("call", "__call__"):
            return self.invoke(flow, receiver, call)
        if receiver.kind in (Kind.TENSOR, Kind.BATCH) and not receiver.placement.is_equal:
            return self._of_batch(flow, receiver, name, call)
        return super().method(flow, receiver, name, call)

    def _of_batch(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value:
        """A method of a tensor, or of the array that ``numpy()`` makes of it."""
        if name == "get_shape":
            return operations.shape(receiver)
        if name in _READS:
            return receiver.but(kind=Kind.NUMBER if receiver.scalar else Kind.TENSOR)
        whole = Call(call.node, (receiver.but(kind=Kind.TENSOR), *call.args), call.keywords)
        return operations.operation(flow, "cast" if name == "astype" else name, whole)

    # -------------------------------------------------------------- calling values

    def invoke(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """The result of calling a layer, a model, a loss or a metric."""
        if receiver.kind is Kind.LOSS:
            return losses.value(flow, receiver, call)
        if receiver.kind is Kind.METRIC:
            return Value(Kind.TENSOR, combine(v.placement for v in call.values), scalar=True)
        if receiver.kind in (Kind.MODULE, Kind.LAYER):
            if receiver.obj and flow.has_method(receiver, "call"):
                build(flow, receiver, call)
                return flow.call_method(receiver, "call", call)
            known = super().invoke(flow, receiver, call)
            given = [operations.given(flow, value) for value in call.values]
            if not any(v.sources or not v.placement.is_equal for v in given):
                return known
            output = _output(flow, receiver, call, given)
            mixes = receiver.kind is Kind.MODULE and _mixes(flow, call, output.placement)
            return output.but(placement=output.placement.with_form(Form.UNKNOWN)) if mixes else output
        return super().invoke(flow, receiver, call)

    # -------------------------------------------------------------- attributes and items

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""
        if owner.kind in (Kind.MODULE, Kind.LAYER, Kind.OPTIMIZER) and name in _PARAMETERS:
            inner = Value(Kind.TENSOR, tags=frozenset({VARIABLE}))
            return Value(Kind.PARAMETERS, sites=owner.sites, obj=0, items=(inner,), tags=frozenset({name}))
        if owner.kind is Kind.MODULE and name == "losses":
            return Value(Kind.PARAMETERS, items=(Value(Kind.TENSOR, scalar=True),), tags=frozenset({name}))
        if owner.kind is Kind.OPTIMIZER and name in ("learning_rate", "lr", "iterations"):
            return Value(Kind.TENSOR, scalar=True, tags=frozenset({VARIABLE}))
        if owner.kind in (Kind.TENSOR, Kind.BATCH) and not owner.placement.is_equal:
            if name == "shape":
                return operations.shape(owner)
            if name in ("dtype", "ndim", "name", "device"):
                return Value()
            if name == "T":
                return tensors.transposed(owner)
        return super().attribute(flow, owner, name)

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        if owner.kind is Kind.SHAPE and owner.items:
            return tensors.shape_part(owner.items[0], index)
        if owner.kind is Kind.BATCH:
            return Value(Kind.TENSOR, owner.placement, batch_dim=0, depth=arrays.batch(owner, index.const))
        if owner.kind is Kind.PARAMETERS:
            return owner.items[0] if owner.items and "slice" not in index.tags else owner
        if owner.kind is Kind.TENSOR and tensors.IN_PARTS in owner.tags:
            return tensors.item(owner, index)
        if owner.kind is Kind.TENSOR and owner.form is Form.SHARDED:
            return tensors.item(without_mask(owner), index)
        return super().subscript(flow, owner, index)

    def product(self, left: Value, right: Value) -> Value | None:
        """What ``tf.matmul`` gives, where a factor holds samples."""
        holds = Form.SHARDED in (left.form, right.form)
        return operations.product(left, right) if holds else None

    def part(self, flow: Flow, owner: Value, position: int) -> Value | None:
        """The parts of a batch are tensors with the samples in the first dimension."""
        if owner.kind is Kind.SHAPE and owner.items:
            return tensors.shape_part(owner.items[0], number(const=position))
        if owner.kind is Kind.BATCH:
            depth = arrays.batch(owner, position)
            return Value(Kind.TENSOR, owner.placement, batch_dim=0, depth=depth, tags=frozenset({UNROLLED}))
        if owner.kind is Kind.TENSOR and UNROLLED in owner.tags:
            return owner.but(depth=depths.UNKNOWN)
        if owner.kind is Kind.TENSOR and tensors.IN_PARTS in owner.tags:
            return owner.but(tags=owner.tags - {tensors.IN_PARTS})
        return super().part(flow, owner, position)

    def iterate(self, flow: Flow, iterable: Value) -> Iteration | None:
        """What looping over a value yields."""
        kind = iterable.kind
        if kind is Kind.DATASET:
            batch = Value(Kind.BATCH, sharded(iterable.sites), batch_dim=0, items=data.parts(iterable))
            if iterable.items and iterable.items[-1].name == "enumerate":
                index = number(Placement(Form.STEP, iterable.sites), integer=True)
                batch = Value(Kind.TUPLE, items=(index, batch))
            return Iteration(batch, iterable.sites)
        if kind is Kind.PROGRESS and iterable.items:
            return flow.iterate(iterable.items[0])
        if kind is Kind.ITERATOR and iterable.name == ROWS:
            return Iteration(iterable.items[0])
        if kind is Kind.PARAMETERS:
            return Iteration(iterable.items[0] if iterable.items else Value())
        if kind in (Kind.TENSOR, Kind.BATCH) and iterable.form is Form.SHARDED:
            return Iteration(Value(Kind.TENSOR, iterable.placement.with_form(Form.UNKNOWN)))
        return super().iterate(flow, iterable)

    def modes(self, context: Value) -> frozenset[str]:
        """What a ``with`` statement or a decorator switches on."""
        modes = {TAPE: "tape", _FUNCTION: GRAPH}
        return frozenset({modes[known]} if (known := canonical(context.name)) in modes else set())


def _counted(flow: Flow, name: str, call: Call) -> Value | None:
    """What Python's functions make of tensors and pipelines."""
    first = call.args[0] if call.args else Value()
    if name == "abs" and first.kind is Kind.TENSOR and not first.placement.is_equal:
        return operations.operation(flow, name, call)
    if name == "len" and first.kind in (Kind.TENSOR, Kind.BATCH):
        return operations.length(first)
    return number(integer=True) if name == "len" and first.kind is Kind.DATASET else None


def _filled(flow: Flow, known: str, call: Call) -> Value | None:
    """Constants, shapes, and tensors made to measure."""
    first = call.args[0] if call.args else Value()
    if known == "tensorflow.shape" and call.args:
        return operations.shape(first)
    if known in _CONSTANTS and first.is_zero:
        return Value(Kind.TENSOR, const=0, scalar=True, integer=first.integer)
    return operations.filled(flow, call) if known in _FILLED else None


def _made_before(made: Value | None, site: frozenset[int]) -> Value | None:
    """Constants and random numbers made before training know where: they may be as many as a batch has samples."""
    plain = made is not None and made.kind is Kind.TENSOR and made.placement.is_equal and not made.sites
    return made.but(sites=site) if made is not None and plain else made


def is_random(known: str) -> bool:
    """Whether a function of this name draws random numbers."""
    return known.startswith(_RANDOM) and not known.endswith(_SEEDS)


def _output(flow: Flow, receiver: Value, call: Call, given: list[Value]) -> Value:
    """A library's layer, or a model made of them, works on each sample by itself; noise differs."""
    placement = elementwise(v.placement for v in given)
    if NOISE in receiver.tags and placement.form is Form.SHARDED:
        placement = elementwise((placement, Placement(Form.LOCAL)))
    batch_dim = next((v.batch_dim for v in given if v.form is Form.SHARDED), None)
    if batch_dim not in (0, None) or ACROSS in receiver.tags:
        placement = placement.with_form(Form.UNKNOWN)
    deep = frozenset(tag for v in given for tag in v.tags) & {depths.DEEP}
    site = flow.facts.site(call.node, flow.context.frame)
    shape = shapes.output(flow, receiver, call)
    depth, width = depths.of(site) | shape.depth, shape.width | {("of", site)}
    made = Value(Kind.TENSOR, placement, batch_dim=batch_dim, depth=depth, width=width)
    known = depths.dimensions(made)
    deep = deep if known is None else depths.tags(known - 1)
    tags = deep | {depths.FEATURES} | operations.picked(given) | (shape.tags & {masks.MASKED})
    if shapes.gives_several(flow, receiver):  # each of a depth of its own
        return made.but(depth=depths.UNKNOWN, width=frozenset(), tags=tags | {tensors.IN_PARTS})
    return made.but(tags=tags)


def build(flow: Flow, layer: Value, call: Call) -> None:
    """What a layer makes when it is called for the first time."""
    if flow.has_method(layer, "build") and flow.field(layer.obj, _BUILT) is None:
        flow.set_field(layer.obj, _BUILT, NONE)
        flow.call_method(layer, "build", Call(call.node, (Value(),)))


def _mixes(flow: Flow, call: Call, placement: Placement) -> bool:
    """Whether a layer of the script's own, or a function in a layer, combines samples of a batch.

    Which layers a model of the library is made of is not followed, so all are asked that there are. A model within one
    of them is not asked once more: its layers are among those that are asked.
    """
    if ASKED in flow.context.modes:
        return False
    batch = Value(Kind.TENSOR, placement.with_form(Form.SHARDED), batch_dim=0, tags=frozenset({depths.FEATURES}))
    with flow.mode(ASKED):
        results = list(answers(flow, call, batch))
    parts = [part for result in results for part in (result.items or (result,))]
    mixed = (Form.UNKNOWN, Form.SUM, Form.MEAN)
    return any(part.form in mixed or part.tags & tensors.PICKED for part in parts)


def answers(flow: Flow, call: Call, batch: Value, known: Container[ast.AST] = ()) -> Iterator[Value]:
    """What layers and functions in layers make of a batch, those among them that are made on the way.

    Those that are known are not asked.
    """
    asked: set[Value] = set()
    while new := [layer for layer in _own_layers(flow) if layer not in asked]:
        asked.update(new)
        for layer in new:
            is_function = layer.kind is Kind.FUNCTION
            node = flow.facts.functions.get(layer.obj) if is_function else flow.method_node(layer, "call")
            if node in known:
                continue
            if is_function:
                yield flow.call_value(layer, Call(call.node, (batch,)))
                continue
            build(flow, layer, call)
            given = batch.but(tags=batch.tags | {tensors.IN_PARTS}) if _takes_several(node) else batch
            yield flow.call_method(layer, "call", Call(call.node, (given,) * _inputs(node)))


def note_functions(flow: Flow, made: Value | None, call: Call) -> None:
    """Keep the functions that a layer is made of, or calls with samples."""
    if made is not None and made.kind is Kind.LAYER:
        for position, function in enumerate(functions_in_layer(made.name, call.args, call.keywords)):
            flow.set_field(_LAMBDAS, f"{flow.facts.number(call.node)}.{position}", function)


def _own_layers(flow: Flow) -> Iterator[Value]:
    for layer in flow.instances():
        if layer.kind is Kind.LAYER and flow.has_method(layer, "call"):
            yield layer
    yield from (value for value in flow.fields(_LAMBDAS).values() if value.kind is Kind.FUNCTION)


_WITH_SELF = 2


def _inputs(node: ast.AST | None) -> int:
    """How many inputs a layer needs."""
    spec = node.args if isinstance(node, ast.FunctionDef) else None
    return len(spec.args) - 1 - len(spec.defaults) if spec is not None else 1


def _takes_several(node: ast.AST | None) -> bool:
    """Whether a layer takes its input apart into several tensors: ``mean, log_var = inputs``."""
    if not isinstance(node, ast.FunctionDef) or len(node.args.args) < _WITH_SELF:
        return False
    name = node.args.args[1].arg
    unpacked = (n for n in ast.walk(node) if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Tuple))
    return any(isinstance(n.value, ast.Name) and n.value.id == name for n in unpacked)


def _of_tape(flow: Flow, receiver: Value, name: str, call: Call) -> Value:
    """The gradient for variables is the whole once the tape is Horovod's; for a batch it is one a sample."""
    if name != "gradient":
        return Value(placement=combine(v.placement for v in call.values))
    target, sources = call.argument(0, "target") or Value(), call.argument(1, "sources") or Value()
    about = operations.given(flow, sources)
    placement = WHOLE
    if not about.placement.is_equal:
        kept = target.form in (Form.SHARDED, Form.SUM) and about.form is Form.SHARDED
        placement = about.placement if kept else combine((target.placement, about.placement)).with_form(Form.UNKNOWN)
    inner = Value(Kind.TENSOR, placement, batch_dim=about.batch_dim, tags=about.tags & operations.KEPT)
    single = sources.kind is Kind.TENSOR
    return inner if single else Value(Kind.PARAMETERS, placement, items=(inner,))


def _stage(flow: Flow, receiver: Value, name: str, call: Call, known: Value | None) -> Value | None:
    """A pipeline of its own on each path of calls, with the batch size noted."""
    if known is None or known.kind is not Kind.DATASET:
        return known
    site = frozenset({flow.facts.site(call.node, flow.context.frame)})
    items = known.items
    if items:
        items = (*items[:-1], items[-1].but(sites=site))
    size = call.argument(0, "batch_size")
    origins = receiver.origins
    if name in ("batch", "padded_batch") and size is not None:
        origins = size.origins
        items = (*items[:-1], items[-1].but(items=(size,))) if items else items
    return known.but(sites=site, items=items, origins=origins)


def _by_functions(flow: Flow, known: str, call: Call) -> Value | None:
    """What an operation gives that calls functions, such as ``tf.while_loop``: it depends on all that they do."""
    if known == "tensorflow.timestamp":
        return number(Placement(Form.LOCAL))
    if known.removeprefix("tensorflow.") not in _FUNCTIONAL:
        return None
    given = tuple(flow.element(value) if value.kind in (Kind.LIST, Kind.TUPLE) else value for value in call.values)
    arguments = tuple(value for value in given if value.kind is not Kind.FUNCTION)
    results = [flow.call_value(f, Call(call.node, arguments)) for f in call.values if f.kind is Kind.FUNCTION]
    return Value(Kind.TENSOR, combine(flow.whole(value) for value in (*arguments, *results)))


def _of_metric(receiver: Value, name: str, call: Call) -> Value:
    if name == "result":
        return Value(Kind.TENSOR, WHOLE, scalar=True)
    return NONE


def _minimized(flow: Flow, call: Call) -> Value:
    """``optimizer.minimize(closure, variables)`` calls the closure; what is told of the call is the loss."""
    loss = call.argument(0, "loss") or Value()
    if loss.kind is not Kind.FUNCTION:
        return Value()
    with flow.mode("tape"):
        return flow.call_value(loss, Call(call.node, ()))


__all__ = ["BATCHNORM", "BUILT", "TAPE", "VARIABLE", "TapeSemantics", "build", "data"]
