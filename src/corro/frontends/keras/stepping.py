"""What Keras' calls mean in scripts with layers, losses and steps of their own, which ``fit`` calls with batches.

What stands for data in the making of a model has a shape (``shapes.py``), and a layer of the script's own is read with
a batch of that shape.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, combine, elementwise, sharded
from corro.flow import depths
from corro.flow.semantics import Call
from corro.flow.values import NONE, PARTIAL, Value
from corro.frontends import arrays
from corro.frontends.keras import data, masks, shapes
from corro.frontends.keras.data import SYMBOLIC
from corro.frontends.keras.names import canonical
from corro.frontends.keras.semantics import TRAINING, KerasSemantics
from corro.frontends.operations import is_known
from corro.frontends.tensorflow import losses, operations
from corro.frontends.tensorflow.operations import is_read
from corro.frontends.tensorflow.semantics import ASKED, TapeSemantics, answers, build, is_random, note_functions
from corro.frontends.tensors import IN_PARTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.semantics import Semantics
    from corro.flow.state import Flow

_FITS = frozenset({"fit", "fit_generator"})
_UNPACKS = ("unpack_x_y_sample_weight",)
_TARGETS, _PREDICTIONS, _INPUTS = 0, 1, 2
"""What stands for a part of a batch in a loss."""
_MATRIX = 2
_LOSSES = frozenset({"compiled_loss", "compute_loss"})
_DISTRIBUTIONS = "tensorflow_probability.distributions."
_OF_EACH = frozenset({"log_prob", "prob", "log_cdf", "cdf", "mean", "mode", "stddev", "variance", "quantile", "sample",
                      "entropy"})  # fmt: skip
"""Methods of distributions that give something of each sample."""


class FitSemantics(KerasSemantics):
    """``fit`` calls the model's own ``train_step``, ``call``, layers and losses with the share of a batch.

    What stands for data in the making of a model is the share of a batch, too.
    """

    kept_tags: frozenset[str] = TapeSemantics.kept_tags

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        made = super().call(flow, name, call)
        note_functions(flow, made, call)
        if made is not None and made.kind is Kind.LOSS:
            return made.but(tags=made.tags | {losses.reduction(call)})
        if made is not None and made.kind is not Kind.TENSOR:
            return made
        if not any(_holds_batch(flow, value) for value in call.values):
            return made if made is None or SYMBOLIC not in made.tags else _standing(flow, made, call.node)
        if canonical(name).startswith("keras.layers."):
            return _symbolic(_merged(flow, call), made)
        with _in_steps(flow, _LayerSemantics()):
            known = flow.semantics.call(flow, name, call)
        return _symbolic(known, made) if known is not None else None

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        mask = frozenset[str]()
        if receiver.kind is Kind.TENSOR and any(_holds_batch(flow, value) for value in (receiver, *call.values)):
            with _in_steps(flow, _LayerSemantics()):
                return _symbolic(flow.semantics.method(flow, receiver, name, call) or Value(), receiver)
        if receiver.kind is Kind.DATASET and name == "map":
            _read_mapped(flow, receiver, call)
        if receiver.kind is Kind.MODULE and name in _FITS:
            given = call.argument(0, "x") or Value()
            parts = data.parts(given) if given.kind is Kind.DATASET else (given, call.argument(1, "y") or Value())
            if flow.has_method(receiver, "train_step"):
                batch = Value(Kind.BATCH, sharded(frozenset({flow.facts.number(call.node)})), batch_dim=0, items=parts)
                with _in_steps(flow):
                    flow.call_method(receiver, "train_step", Call(call.node, (batch,)))
            elif flow.has_method(receiver, "call"):
                mask = self.gives(flow, receiver, Call(call.node, parts[:1] or (Value(),))).tags
        if receiver.kind is Kind.MODULE and name in TRAINING:
            _ask_layers(flow, call)
        if receiver.kind is Kind.MODULE and name == "compile":
            known: Value | None = NONE.but(items=_read_losses(flow, receiver, call))
        else:
            known = super().method(flow, receiver, name, call)
        return known.but(tags=known.tags | mask) if known is not None and mask else known

    def invoke(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """The result of calling a layer, a model or a loss."""
        held = any(_holds_batch(flow, value) for value in call.values)
        made = KerasSemantics.invoke(self, flow, receiver, call) if held else super().invoke(flow, receiver, call)
        if made is None or made.kind is not Kind.TENSOR or SYMBOLIC not in made.tags:
            return made
        if not held:
            return _standing(flow, made, call.node)
        if receiver.kind is Kind.LOSS:
            return _symbolic(losses.value(flow, receiver, call), made)
        known = _merged(flow, call)
        alone = receiver.kind is Kind.LAYER and bool(made.depth)
        several = frozenset[str]() if alone else frozenset({IN_PARTS})
        depth = made.depth | depths.of(flow.facts.site(call.node, flow.context.frame))
        return _symbolic(_counted(known.but(depth=depth, width=made.width, tags=known.tags | several)), made)

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""
        if _stands(owner):
            known = _LayerSemantics().attribute(flow, owner, name)
            return _symbolic(known, owner) if known is not None and known.kind is Kind.TENSOR else known
        made = super().attribute(flow, owner, name)
        if made is None or SYMBOLIC not in made.tags:
            return made
        return _counted(made.but(placement=sharded(owner.sites), batch_dim=0, tags=made.tags | {IN_PARTS}))

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        if not _stands(owner):
            return super().subscript(flow, owner, index)
        if IN_PARTS in owner.tags and "slice" in index.tags:
            return Value(Kind.LIST, items=(owner.but(tags=owner.tags - {IN_PARTS}),))
        known = _LayerSemantics().subscript(flow, owner, index)
        return _symbolic(known, None) if known is not None else None

    def part(self, flow: Flow, owner: Value, position: int) -> Value | None:
        """What unpacking gives at a position."""
        known = super().part(flow, owner, position)
        if known is not None or not _stands(owner):
            return known
        known = _LayerSemantics().part(flow, owner, position)
        return _symbolic(known, None) if known is not None else None

    def product(self, left: Value, right: Value) -> Value | None:
        """A product of matrices."""
        if not _stands(left) and not _stands(right):
            return super().product(left, right)
        known = _LayerSemantics().product(left, right)
        return _symbolic(known, None) if known is not None else None

    def unread(self, flow: Flow, call: Call, given: Iterable[Value]) -> Value | None:
        """What stands for data, or several such; of what is made of batches nothing is known."""
        values = tuple(given)
        if not any(_holds_batch(flow, value) for value in values):
            return super().unread(flow, call, values)
        known = _LayerSemantics().unread(flow, call, values)
        return _symbolic(known, None) if known is not None else None

    def gives(self, flow: Flow, layer: Value, call: Call) -> Value:
        """What a layer of the script's own gives is told by its ``call``."""
        own = layer.kind in (Kind.LAYER, Kind.MODULE) and bool(layer.obj) and flow.has_method(layer, "call")
        if not own and not layer.items:
            return super().gives(flow, layer, call)
        given = Call(call.node, tuple(_batch(flow, call, value, n) for n, value in enumerate(call.args)), call.keywords)
        with _in_layers(flow):
            if own:
                build(flow, layer, call)
            made = flow.call_method(layer, "call", given) if own else flow.call_value(layer.items[0], given)
        return Value(depth=made.depth, width=made.width, tags=made.tags & {masks.MASKED})


def _stands(value: Value) -> bool:
    """Whether this stands for a share of a batch, or is its shape or the number of its samples."""
    if value.kind is Kind.SHAPE:
        return any(map(_stands, value.items))
    return SYMBOLIC in value.tags and not value.placement.is_equal


def _holds_batch(flow: Flow, value: Value) -> bool:
    """Whether a value stands for a batch, or has such items."""
    return _stands(value) or (value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT) and _stands(flow.element(value)))


def _standing(flow: Flow, made: Value, node: ast.AST) -> Value:
    """What stands for the data of a model from here on."""
    return _counted(made.but(placement=sharded(frozenset({flow.facts.number(node)})), batch_dim=0))


def _counted(made: Value) -> Value:
    """A tensor with the marks that its number of dimensions gives it."""
    known = depths.dimensions(made)
    least = depths.tags(known - 1) or frozenset({depths.PER_SAMPLE}) if known is not None else frozenset[str]()
    return made.but(tags=made.tags | least)


def _merged(flow: Flow, call: Call) -> Value:
    """What a layer makes of each sample of what it is given; samples are in the first dimension, and stay there."""
    given = [operations.given(flow, value) for value in call.values]
    placement = elementwise(value.placement for value in given if value.form is not Form.COUNT)
    moved = any(value.batch_dim for value in given if value.form is Form.SHARDED)
    along = call.keywords.get("axis")
    if moved or (along is not None and along.is_zero):
        placement = placement.with_form(Form.UNKNOWN)
    return Value(Kind.TENSOR, placement, batch_dim=0, tags=operations.picked(given))


def _symbolic(known: Value, made: Value | None) -> Value:
    """What is known of a share of a batch, as what stands for it."""
    items = tuple(_symbolic(item, made) for item in known.items) if known.kind is Kind.TUPLE else known.items
    tags, sites = (made.tags, made.sites) if made is not None else (frozenset[str](), frozenset[int]())
    return known.but(items=items, sites=known.sites | sites, tags=known.tags | tags | {SYMBOLIC})


@contextmanager
def _in_steps(flow: Flow, semantics: Semantics | None = None) -> Iterator[None]:
    """Read what ``fit`` calls with parts of batches."""
    previous, flow.semantics = flow.semantics, semantics or _StepSemantics()
    try:
        yield
    finally:
        flow.semantics = previous


@contextmanager
def _in_layers(flow: Flow) -> Iterator[None]:
    """Read layers of the script; each is read by itself, so that a model within is not asked for all of them."""
    with _in_steps(flow, _LayerSemantics()), flow.mode(ASKED):
        yield


def _batch(flow: Flow, call: Call, shape: Value, position: int) -> Value:
    """A part of a batch of a shape; of each of several, where a layer is given a list."""
    items = flow.literal_items(shape) if shape.kind in (Kind.LIST, Kind.TUPLE) else None
    if items is not None:
        return Value(Kind.TUPLE, items=tuple(_batch(flow, call, item, n) for n, item in enumerate(items)))
    number = flow.facts.number(call.node)
    depth = shape.depth or depths.of(number, position)
    made = Value(Kind.TENSOR, sharded(frozenset({number})), batch_dim=0, depth=depth, width=shape.width)
    known = depths.dimensions(made)
    tags = frozenset[str]() if known is None else depths.tags(known - 1) or frozenset({depths.PER_SAMPLE})
    return made.but(tags=tags | (shape.tags & {masks.MASKED}))


def _ask_layers(flow: Flow, call: Call) -> None:
    """Read the layers of the script, and functions in layers, that no model was seen to call."""
    batch = Value(Kind.TENSOR, sharded(frozenset({flow.facts.number(call.node)})), batch_dim=0)
    with _in_layers(flow):
        for _ in answers(flow, call, batch.but(tags=frozenset({depths.FEATURES})), flow.facts.returned):
            pass


def _read_mapped(flow: Flow, pipeline: Value, call: Call) -> None:
    """Read a function that is mapped over the batches of a pipeline."""
    function = call.argument(0, "map_func") or Value()
    node = flow.facts.functions.get(function.obj)
    if not isinstance(node, (ast.FunctionDef, ast.Lambda)) or not data.gives_batches(pipeline):
        return
    parts = data.parts(pipeline)
    given = [parts[n] if n < len(parts) else Value() for n in range(len(node.args.args))]
    batch = [_batch(flow, call, value, number) for number, value in enumerate(given)]
    with _in_layers(flow):
        flow.call_value(function, Call(call.node, tuple(v.but(tags=v.tags | {depths.FEATURES}) for v in batch)))


def _read_losses(flow: Flow, model: Value, call: Call) -> tuple[Value, ...]:
    """The losses of a model, one by one, and the model where it computes one; its metrics are read too.

    Keras gives targets as many dimensions as predictions have where those have two (``match_dtype_and_rank`` in
    ``keras/src/engine/compile_utils.py``, 2.15).
    """
    is_open = "**" in call.keywords or any("*" in value.tags for value in call.args)
    loss = call.argument(1, "loss") or (Value() if is_open else NONE)
    losses = tuple(_single(flow, loss))
    shape = shapes.output(flow, model, call) if losses == (loss,) else Value()
    predictions = _batch(flow, call, shape, _PREDICTIONS)
    matched = depths.dimensions(predictions) == _MATRIX
    targets = _batch(flow, call, Value(depth=shape.depth if matched else depths.UNKNOWN), _TARGETS)
    given = Call(call.node, tuple(v.but(tags=v.tags | {depths.FEATURES}) for v in (targets, predictions)))
    with _in_steps(flow, _LossSemantics(flow.facts.number(call.node))):
        for each in (*losses, *_single(flow, call.argument(2, "metrics") or NONE)):
            name = next((n for n in ("call", "__call__") if each.obj and flow.has_method(each, n)), "")
            if each.kind is Kind.FUNCTION:
                flow.call_value(each, given)
            elif name:
                flow.call_method(each, name, given)
        if not flow.has_method(model, "compute_loss"):
            return losses
        parts = Call(call.node, (_batch(flow, call, Value(), _INPUTS), *given.args))
        flow.call_method(model, "compute_loss", parts)
        return (*losses, model)


def _single(flow: Flow, given: Value) -> Iterator[Value]:
    """What is given as a loss: itself, each item of a list or dict, the function of a ``functools.partial``."""
    items = flow.literal_items(given) if given.kind in (Kind.LIST, Kind.TUPLE) else None
    if given.kind is Kind.DICT or (given.kind is Kind.LIST and items is None):
        items = flow.every_item(given)
    if given.name == PARTIAL:
        items = given.items[:1]
    if not items:
        yield given if items is None else Value()
        return
    for item in items:
        yield from _single(flow, item)


class _StepSemantics(TapeSemantics):
    """The meaning of TensorFlow in a ``train_step``."""

    mends: bool = False
    hands_on: bool = False
    tells_apart: bool = False

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        if name.endswith(_UNPACKS) and call.args:
            part = Value(Kind.TENSOR, call.args[0].placement, batch_dim=0)
            parts = tuple(part.but(depth=arrays.batch(call.args[0], position)) for position in range(3))
            return Value(Kind.TUPLE, part.placement, items=parts)
        if name.startswith(_DISTRIBUTIONS) and is_known(name.rpartition(".")[2]):
            batch_dim = next((v.batch_dim for v in call.values if v.form is Form.SHARDED), None)
            placement = elementwise(v.placement for v in call.values)
            known = placement.with_form(Form.UNKNOWN) if depths.cross(call.values) else placement
            return Value(Kind.TENSOR, known, batch_dim=batch_dim)
        return super().call(flow, name, call)

    def _of_batch(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value:
        """A method of a tensor; one of a distribution gives something of each sample."""
        if name not in _OF_EACH:
            return super()._of_batch(flow, receiver, name, call)
        given = (receiver, *call.values)
        placement = elementwise(value.placement for value in given)
        known = placement.with_form(Form.UNKNOWN) if depths.cross(given) else placement
        return Value(Kind.TENSOR, known, batch_dim=receiver.batch_dim)

    def draws_noise(self, flow: Flow, known: str, call: Call) -> bool:
        """All that is drawn here is drawn in training."""
        return is_random(known)

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """What models have of ``compile``: their loss, which is a mean, and their metrics."""
        if receiver.kind is Kind.MODULE and name in _LOSSES:
            placement = combine(v.placement for v in call.values)
            form = Form.MEAN if placement.sources and placement.form is not Form.LOCAL else placement.form
            whole = any(masks.MASKED in v.tags for v in call.values)
            shares = (not whole and (v.form is Form.SHARDED or v.placement.is_equal) for v in call.values)
            return Value(Kind.TENSOR, placement.with_form(form if all(shares) else Form.UNKNOWN), scalar=True)
        if receiver.kind is Kind.MODULE and name in ("compiled_metrics", "compute_metrics"):
            return Value()
        if name == "train_step":
            return Value()
        return super().method(flow, receiver, name, call)


class _LayerSemantics(_StepSemantics):
    """The meaning of TensorFlow in a layer: what is not known to combine samples takes each by itself."""

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        known = super().call(flow, name, call)
        if known is None or known.form is not Form.UNKNOWN or is_read(canonical(name)):
            return known
        return self.unread(flow, call, call.values) or known

    def _of_batch(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value:
        """A method of a tensor."""
        known = super()._of_batch(flow, receiver, name, call)
        if known.form is not Form.UNKNOWN or is_read(name):
            return known
        return self.unread(flow, call, (receiver, *call.values)) or known

    def unread(self, flow: Flow, call: Call, given: Iterable[Value]) -> Value | None:
        """A tensor with each sample by itself, or several such; the call is among its sources."""
        found = [placement for value in given for placement in (value.placement, *flow.held(value))]
        placement = elementwise(each for each in found if each.form is not Form.COUNT)
        if placement.form is not Form.SHARDED:
            return None
        placement = elementwise((placement, sharded(frozenset({flow.facts.number(call.node)}))))
        return Value(Kind.TENSOR, placement, batch_dim=0, tags=frozenset({depths.FEATURES, IN_PARTS}))


class _LossSemantics(_StepSemantics):
    """The meaning of TensorFlow in a loss: predictions that have columns have two dimensions, and so have targets."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = frozenset({number})
        self._targets, self._predictions = depths.of(number, _TARGETS), depths.of(number, _PREDICTIONS)

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """A metric that is asked in a loss has seen this batch."""
        if receiver.kind is Kind.METRIC and name == "result":
            return Value(Kind.TENSOR, sharded(self._number).with_form(Form.UNKNOWN))
        return super().method(flow, receiver, name, call)

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        known = super().subscript(flow, owner, index)
        column = index.kind is Kind.TUPLE and len(index.items) == _MATRIX
        if known is None or not column or owner.depth != self._predictions:
            return known
        narrower = known.depth == depths.changed(owner.depth, -1)
        return known.but(depth=known.depth | depths.changed(self._targets, -1)) if narrower else known
