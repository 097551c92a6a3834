"""What Keras calls do, told to the interpreter.

Whatever trains does so inside ``fit``, and what a script computes around it is computed from whole data by every
process. So placements stay replicated here, and kinds carry the work: what is a model, an optimizer, an array, a data
set.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import REPLICATED, Form, Placement, combine
from corro.flow import depths
from corro.flow.python import completed
from corro.flow.semantics import Call, Iteration
from corro.flow.values import NONE, PARTIAL, Value, number
from corro.frontends import in_place
from corro.frontends.keras import data, masks, shapes
from corro.frontends.keras.data import OF_TENSORFLOW, SUMMED, SYMBOLIC
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import LIBRARIES
from corro.frontends.progress import PROGRESS_BARS, progress
from corro.frontends.tensors import CUT, PICKED

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from corro.anatomy.observations import Observation
    from corro.flow.facts import Loop
    from corro.flow.semantics import BatchSources, Semantics
    from corro.flow.state import Flow

_OLD_NAMES = frozenset({"adadelta", "adagrad", "adam", "adamax", "nadam", "rmsprop", "sgd"})
"""Optimizers under the names that the first versions of Keras had for them too."""
BATCHNORM = "batchnorm"
NOISE = "noise"
STATEFUL = "stateful"
ACROSS = "across samples"
"""The tag of a layer that computes along the dimension of the samples, and of a model that has one."""
FIXED = "fixed batch"
"""The tag of what is made for one batch size."""

_MODELS = frozenset(
    {"keras.models.Sequential", "keras.models.Model", "keras.models.clone_model", "keras.models.load_model",
     "keras.models.model_from_json", "keras.models.model_from_yaml", "keras.models.model_from_config",
     "keras.Sequential.from_config", "keras.models.Model.from_config", "keras.models.Sequential.from_config"}
)  # fmt: skip
_NOISY = ("Dropout", "GaussianNoise", "GaussianDropout", "AlphaDropout", "RandomFlip", "RandomRotation", "RandomZoom",
          "RandomCrop", "RandomContrast", "RandomTranslation", "RandomBrightness", "RandomHeight",
          "RandomWidth", "Sampling")  # fmt: skip
_APPLIED = frozenset({"function", "activation", "recurrent_activation", "make_distribution_fn", "convert_to_tensor_fn"})
MIXING = frozenset({"MixUp", "CutMix", "Mosaic", "FourierMix", "VariationalGaussianProcess"})
"""Layers of Keras, and around it, that make something of several samples of a batch."""
STARTING = frozenset({"WeightNorm", "WeightNormalization"})
"""Layers that set their first weights by the averages of a batch, unless they are told not to."""
_WITHOUT_BATCHNORM = ("VGG", "ConvNeXt")
"""Published models that have no batch normalisation."""
TRAINING = frozenset({"fit", "fit_generator", "train_on_batch"})
"""The methods of a model that train it."""
_NOTHING = frozenset({"compile", "summary", "save", "save_weights", "build", "add", "set_weights", "fit_on_texts",
                      "load_weights", "reset_states", "reset_metrics", "export", "pop"})  # fmt: skip


class KerasSemantics:
    """The meaning of Keras, tf.data, NumPy, pandas and scikit-learn, as far as training scripts need it."""

    kept_tags: frozenset[str] = frozenset({SYMBOLIC, OF_TENSORFLOW, SUMMED})
    lasting_tags: frozenset[str] = frozenset()
    weight_tags: frozenset[str] = frozenset()
    picked_tags: frozenset[str] = PICKED | {CUT}
    mends: bool = False
    hands_on: bool = False
    tells_apart: bool = False
    batch_sources: BatchSources | None = None
    assumed: frozenset[ast.AST] = frozenset()
    pooled: frozenset[ast.AST] = frozenset()
    of_machine: tuple[str, ...] = ("tensorflow.config.", "tensorflow.test.is_", "jax.devices", "jax.default_backend")

    def prepares(self, flow: Flow, loop: Loop) -> bool:
        """Not known of any loop."""
        return False

    def reads_like(self, other: Semantics) -> bool:
        """Nothing is noted in them but what calls mean."""
        return self is other

    def reads_alike(self, other: Semantics, visited: Collection[ast.AST]) -> bool:
        """What batches that are taken alone are is asked in many places."""
        return self is other

    def runs_model(self, flow: Flow) -> bool:
        """Not looked at: what is changed by chance is not taken for noise where layers are called."""
        return False

    def assume(self, flow: Flow, value: Value) -> Value:
        """Nothing is assumed."""
        return value

    def observed(self, flow: Flow, node: ast.expr, seen: Observation) -> tuple[Value, Collection[str]] | None:
        """Objects that were seen say no more than the text."""
        return None

    reduced: frozenset[ast.AST] = frozenset()

    def reduce(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """Nothing is reduced on the spot."""
        return value

    def changes(self, receiver: Value | None, name: str, call: Call, _: Value) -> Iterator[tuple[ast.expr, Placement]]:
        """The arrays that a call changes in place."""
        return in_place.of_numpy(receiver, name, call)

    def shows(self, method: str) -> bool:
        """Whether what a method of an array gives shows the array itself."""
        return in_place.is_view(method)

    # -------------------------------------------------------------- calls

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        known = canonical(name)
        if known.startswith("keras."):
            return self._keras(flow, known, call)
        if _is_layer_around(known):
            site = frozenset({flow.facts.number(call.node)})
            return Value(Kind.LAYER, sites=site, name=known, tags=masks.of_layer(known, call) | _meeting(known, call))
        if known in PROGRESS_BARS:
            return progress(known, call, frozenset({flow.facts.number(call.node)}))
        if known.startswith("tensorflow_addons.optimizers.") and known.endswith("LearningRate"):
            return Value(Kind.SCHEDULER, sites=frozenset({flow.facts.number(call.node)}), name=known)
        return data.call(flow, known, call)

    def _keras(self, flow: Flow, name: str, call: Call) -> Value | None:
        site = frozenset({flow.facts.number(call.node)})
        module, _, last = name.rpartition(".")
        is_class = last[:1].isupper()
        if name in _MODELS:
            return _model(flow, name, call, site, self.gives)
        if module.startswith("keras.applications"):
            if last in ("preprocess_input", "decode_predictions"):
                return Value(Kind.TENSOR)
            normalises = frozenset[str]() if last.startswith(_WITHOUT_BATCHNORM) else frozenset({BATCHNORM})
            return Value(Kind.MODULE, sites=site, name=name, tags=normalises | {"library"})
        if name == "keras.layers.Input":
            shape = shapes.made(flow, last, call)
            tags = frozenset({SYMBOLIC}) | _fixed(call)
            return Value(Kind.TENSOR, sites=site, tags=tags, depth=shape.depth, width=shape.width)
        if module.startswith("keras.layers"):
            return _layer(flow, last, call, site) if is_class else _functional_layer(call)
        if module.startswith("keras.optimizers.schedules"):
            return Value(Kind.SCHEDULER, sites=site, name=last)
        if module == "keras.optimizers" or module.startswith("keras.mixed_precision"):
            made = is_class or last in _OLD_NAMES or last == "get"
            return Value(Kind.OPTIMIZER, sites=site, name=last) if made else NONE
        if module.startswith("keras.callbacks"):
            _enter_functions(flow, call)
            return Value(Kind.CALLBACK, sites=site, name=last)
        if module.startswith("keras.losses"):
            return Value(Kind.LOSS, sites=site, name=last) if is_class else Value(Kind.TENSOR)
        if module.startswith("keras.metrics"):
            return Value(Kind.METRIC, sites=site, name=last) if is_class else Value(Kind.TENSOR)
        if module == "keras.experimental":
            return Value(Kind.MODULE, sites=site, name=name)
        return data.keras(flow, name, call, site)

    # -------------------------------------------------------------- methods

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        if name in ("parse_args", "parse_known_args"):
            known = Value(Kind.NAMESPACE)
            return known if name == "parse_args" else Value(Kind.TUPLE, items=(known, Value()))
        if receiver.kind in (Kind.LAYER, Kind.MODULE) and name in ("add_weight", "add_variable"):
            return _weight(flow, call)
        if receiver.kind is Kind.MODULE:
            return _model_method(flow, receiver, name, call, self.gives)
        if receiver.kind is Kind.LAYER and name in ("get_weights", "adapt", "set_weights", "build", "count_params"):
            return Value(Kind.LIST) if name == "get_weights" else NONE
        if receiver.kind is Kind.NAMESPACE:
            return Value()
        if receiver.kind in (Kind.METRIC, Kind.CALLBACK, Kind.LOSS):
            return Value()
        return data.method(flow, receiver, name, call)

    # -------------------------------------------------------------- calling values

    def invoke(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """The result of calling a layer, a model or a loss; of a partial class of layers, a layer."""
        if receiver.name == PARTIAL and receiver.items and _makes_layers(receiver.items[0]):
            function, whole = completed(flow, receiver, call)
            return self.call(flow, function.name, whole)
        if receiver.kind in (Kind.MODULE, Kind.LAYER, Kind.LOSS, Kind.METRIC):
            placement = combine(v.placement for v in call.values)
            made = any(_is_symbolic(flow, value) for value in call.values)
            tags = frozenset({SYMBOLIC}) if made else frozenset[str]()
            tags |= frozenset(tag for value in call.values for tag in value.tags) & {ACROSS, FIXED}
            noise = receiver.tags & {ACROSS, NOISE, BATCHNORM, STATEFUL} if made else frozenset[str]()
            sites = receiver.sites if made else frozenset[int]()
            shape = self.gives(flow, receiver, call) if made else Value()
            tags |= noise | (shape.tags & {masks.MASKED})
            return Value(Kind.TENSOR, placement, sites, tags=tags, depth=shape.depth, width=shape.width)
        return None

    def gives(self, flow: Flow, layer: Value, call: Call) -> Value:
        """The depth and the width of what a layer makes of what stands for data, or of something of such a shape."""
        return shapes.output(flow, layer, call)

    # -------------------------------------------------------------- attributes and items

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""
        if owner.kind is Kind.NAMESPACE:
            return None if name == "__dict__" else Value()
        if owner.kind is Kind.MODULE:
            return _model_attribute(owner, name)
        if owner.kind is Kind.LIBRARY:
            return None
        return data.attribute(owner, name)

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        return data.subscript(flow, without_mask(owner), index)

    def unread(self, flow: Flow, call: Call, given: Iterable[Value]) -> Value | None:
        """Nothing is assumed of what is not known."""
        return None

    def product(self, left: Value, right: Value) -> Value | None:
        """A product of matrices: these are not told from deeper tensors here."""
        return None

    def part(self, flow: Flow, owner: Value, position: int) -> Value | None:
        """What unpacking gives at a position: of a recurrent layer the sequence, which has a mask, and its states."""
        if owner.kind is not Kind.TENSOR or masks.MASKED not in owner.tags:
            return None
        return without_mask(owner) if position else owner

    def parts(self, flow: Flow, owner: Value) -> tuple[tuple[Value, Value], ...] | None:
        """The parts of a batch are told apart where it is unpacked only."""
        return None

    def replaced(self, owner: Value, index: Value, value: Value) -> Value | None:
        """The parts of a batch are told apart where it is unpacked only."""
        return None

    def holding(self, owner: Value, index: Value, value: Value) -> Placement | None:
        """What is put into an array is not told from the rest of it."""
        return None

    def has_each(self, value: Value) -> bool:
        """Where samples are in an array is not told."""
        return False

    def with_attribute(self, owner: Value, name: str, value: Value) -> Value | None:
        """Batches are arrays, or hold them."""
        return None

    def iterate(self, flow: Flow, iterable: Value) -> Iteration | None:
        """What looping over a value yields."""
        if iterable.kind in (Kind.TENSOR, Kind.TABLE, Kind.DATASET, Kind.LOADER):
            return Iteration(Value(Kind.TENSOR, iterable.placement))
        if iterable.kind is Kind.PROGRESS and iterable.items:
            return flow.iterate(iterable.items[0])
        return None

    def entered(self, flow: Flow, loop: ast.For | ast.AsyncFor, iterable: Value) -> Iteration | None:
        """Loops differ by what they go over alone."""
        return None

    def made(self, flow: Flow, instance: Value, call: Call) -> None:
        """Nothing is asked of instances before they are initialised."""

    def moves(self, function: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool) -> bool:
        """Nothing is moved by hand."""
        return False

    def finished(self, flow: Flow, instance: Value, call: Call) -> Value:
        """It is what its class says."""
        return instance

    def instance_kind(self, bases: frozenset[str]) -> Kind | None:
        """The kind of instances of a class with these library bases."""
        names = {canonical(base) for base in bases}
        if any(n.startswith("keras.") and n.endswith(("Model", "Sequential")) for n in names):
            return Kind.MODULE
        if any(n.startswith("keras.callbacks.") for n in names):
            return Kind.CALLBACK
        if any(n.startswith("keras.layers.") for n in names):
            return Kind.LAYER
        if any(n.startswith("keras.metrics.") for n in names):
            return Kind.METRIC
        if any(n.startswith("keras.losses.") for n in names):
            return Kind.LOSS
        if any(n.startswith("keras.optimizers.schedules.") for n in names):
            return Kind.SCHEDULER
        if any(n.startswith("keras.optimizers.") for n in names):
            return Kind.OPTIMIZER
        if any(n.startswith("keras.utils.") and n.endswith(("Sequence", "PyDataset")) for n in names):
            return Kind.LOADER
        return None

    def public(self, name: str) -> str:
        """As it is: ``canonical`` is asked where it matters, as messages say what the script has written."""
        return name

    def choose(self, names: frozenset[str]) -> str:
        """The candidate whose module is known to export the name."""
        return min(names, key=lambda name: (not _exports(canonical(name)), name))

    def modes(self, context: Value) -> frozenset[str]:
        """What a ``with`` statement or a decorator switches on."""
        return frozenset({"tape"}) if canonical(context.name).endswith("GradientTape") else frozenset()


def _exports(name: str) -> bool:
    """Whether a module of Keras is likely to export a name: star imports bring classes and a few functions."""
    module, _, last = name.rpartition(".")
    if module == "keras.models":
        return name in _MODELS
    of_one = [known for known in _CLASSES if _CLASSES[known].search(last)]
    if module in _CLASSES or of_one:
        return module in of_one
    if module == "keras.layers" and last in _MERGING:
        return True
    of_model = f"keras.models.{last}" in _MODELS
    functions = module in ("keras.utils", "keras.datasets") and last not in _MERGING
    return module.startswith("keras.") and not of_model and (last[:1].isupper() or functions)


_CLASSES = {
    "keras.optimizers": re.compile("^(Ada|Nadam|SGD|RMSprop|Ftrl|Lion)"),
    "keras.callbacks": re.compile(
        "(Callback|Checkpoint|Stopping|OnPlateau|RateScheduler|Logger|TensorBoard|OnNaN|History)$"
    ),
    "keras.losses": re.compile("(Crossentropy|Error|Loss|Hinge|Divergence|Huber|LogCosh)$"),
    "keras.metrics": re.compile("(Crossentropy|Error|Accuracy|Hinge|Divergence|AUC|Precision|Recall|IoU|^Mean)$"),
}
"""The classes that tell which of several modules a name is from; what losses and metrics share is the loss."""
_MERGING = frozenset({"add", "average", "concatenate", "dot", "maximum", "minimum", "multiply", "subtract"})


def _model(flow: Flow, name: str, call: Call, site: frozenset[int], gives: shapes.Gives) -> Value:
    tags: set[str] = set()
    for value in call.values:
        tags |= value.tags | flow.element(value).tags if value.obj or value.items else value.tags
    tags &= {ACROSS, BATCHNORM, NOISE, STATEFUL, FIXED}
    outputs = call.argument(1, "outputs") or Value()
    if any(_is_combined(value) for value in (*(flow.literal_items(outputs) or ()), outputs)):
        tags.add(ACROSS)
    if name in ("keras.models.load_model", "keras.models.model_from_json"):
        tags |= {"loaded"}
    model = flow.new_object(call.node, Kind.MODULE, sites=site, name=name, tags=frozenset(tags))
    shapes.begin(flow, model, name, call, gives)
    return model


def _is_combined(output: Value) -> bool:
    """Whether what a model gives is not something of each sample of what it is given."""
    partial = output.form not in (Form.SHARDED, Form.REPLICATED) or bool(output.tags & PICKED)
    return SYMBOLIC in output.tags and partial


def _layer(flow: Flow, last: str, call: Call, site: frozenset[int]) -> Value:
    tags: set[str] = set()
    for value in call.values:
        tags |= value.tags & {ACROSS, BATCHNORM, NOISE, STATEFUL}
    if any(_has_first(flow, call.keywords.get(name)) for name in ("axis", "axes")):
        tags.add(ACROSS)
    tags |= _meeting(last, call)
    if "BatchNorm" in last:
        tags.add(BATCHNORM)
    if (
        last.endswith(_NOISY)
        or _positive(call.keywords.get("dropout"))
        or _positive(call.keywords.get("recurrent_dropout"))
    ):
        tags.add(NOISE)
    tags |= masks.of_layer(last, call)
    stateful = call.keywords.get("stateful")
    if stateful is not None and stateful.const is not False:
        tags.add(STATEFUL)
    shape = shapes.made(flow, last, call)
    functions = tuple(v for v in (call.argument(0, "function"),) if v is not None and last == "Lambda")
    return Value(Kind.LAYER, sites=site, name=last, tags=frozenset(tags), items=functions, depth=shape.depth,
                 width=shape.width)  # fmt: skip


def _weight(flow: Flow, call: Call) -> Value:
    """A variable that a layer of the script's own makes; in Keras 2 its name comes before its shape."""
    shape = next((v for v in (call.keywords.get("shape"), *call.args) if v and v.kind in (Kind.TUPLE, Kind.LIST)), None)
    sizes = flow.literal_items(shape) if shape is not None else None
    return Value(Kind.TENSOR, depth=depths.known(len(sizes) - 1) if sizes else depths.UNKNOWN)


def _has_first(flow: Flow, axis: Value | None) -> bool:
    """Whether an axis, or one of several, is the first: that of the samples."""
    if axis is None or axis.kind not in (Kind.LIST, Kind.TUPLE):
        return axis is not None and axis.is_zero
    return any(item.is_zero for item in flow.literal_items(axis) or ())


def _fixed(call: Call) -> frozenset[str]:
    """The mark of an input with a batch size."""
    shape = call.keywords.get("batch_shape")
    size = call.keywords.get("batch_size")
    if shape is not None and shape.kind is Kind.TUPLE and shape.items:
        size = shape.items[0]
    return frozenset({FIXED}) if size is not None and size.kind is Kind.NUMBER else frozenset()


def _positive(value: Value | None) -> bool:
    return value is not None and not value.is_zero


def _functional_layer(call: Call) -> Value:
    """``concatenate([a, b])``, ``add([a, b])``."""
    return Value(Kind.TENSOR, tags=frozenset({SYMBOLIC}))


def _makes_layers(function: Value) -> bool:
    """Whether a function of a library is a class of layers."""
    known = canonical(function.name)
    module, _, last = known.rpartition(".")
    of_keras = module.startswith("keras.layers") and last[:1].isupper()
    return function.kind is Kind.LIBRARY and (of_keras or _is_layer_around(known))


def _is_layer_around(name: str) -> bool:
    """``tensorflow_hub.KerasLayer``, ``keras_cv.layers.MixUp``: what is made so is a layer, whatever it computes."""
    package, _, path = name.partition(".")
    last = path.rpartition(".")[2]
    layer = last == "KerasLayer" or not {"layer", "layers"}.isdisjoint(path.split(".")[:-1])
    return layer and last[:1].isupper() and package in LIBRARIES - {"tensorflow"}


def _meeting(name: str, call: Call) -> frozenset[str]:
    """The mark of a layer that combines samples, or that sets its first weights by those of the first batch."""
    last = name.rpartition(".")[2]
    starts = call.argument(1, "data_init") if last in STARTING else NONE
    met = last in MIXING or starts is None or (starts is not NONE and starts.const is not False)
    return frozenset({ACROSS}) if met else frozenset()


def functions_in_layer(name: str, args: Iterable[Value], keywords: Mapping[str, Value]) -> Iterator[Value]:
    """Functions that a layer calls with samples: all that it does, its activation, the distribution that it gives.

    Those that make or hold its weights (initializers, regularizers, posteriors) are given no samples.
    """
    takes_first = "." not in name or name.endswith(".DistributionLambda")  # Keras' own layers have plain names
    given = [*(args if takes_first else ()), *(v for keyword, v in keywords.items() if keyword in _APPLIED)]
    yield from (value for value in given if value.kind is Kind.FUNCTION)


def without_mask(value: Value) -> Value:
    """A value as it is after what drops masks."""
    return value.but(tags=value.tags - {masks.MASKED})


def _is_symbolic(flow: Flow, value: Value) -> bool:
    if SYMBOLIC in value.tags:
        return True
    return (
        bool(value.items or value.obj)
        and value.kind in (Kind.LIST, Kind.TUPLE, Kind.DICT)
        and (SYMBOLIC in flow.element(value).tags)
    )


def _model_method(flow: Flow, receiver: Value, name: str, call: Call, gives: shapes.Gives) -> Value | None:
    if name in ("fit", "fit_generator", "evaluate", "predict"):
        _enter_callbacks(flow, receiver, name, call)
    mask = shapes.output(flow, receiver, call).tags if name in TRAINING else frozenset[str]()
    if name in ("fit", "fit_generator"):
        return Value(name="history", tags=mask)
    if name in ("evaluate", "evaluate_generator", "test_on_batch", "train_on_batch"):
        return Value(Kind.TENSOR, tags=frozenset({"measured"}) | mask)
    if name in ("predict", "predict_generator", "predict_on_batch", "predict_classes", "predict_proba"):
        return Value(Kind.TENSOR)
    if name in ("add",) and call.args and receiver.obj:
        tags = receiver.tags | (call.args[0].tags & {ACROSS, BATCHNORM, NOISE, STATEFUL})
        known = flow.field(receiver.obj, "<layers>")
        shapes.add(flow, receiver, call.args[0], call, gives)
        flow.set_field(receiver.obj, "<layers>", Value(tags=tags | (known.tags if known is not None else frozenset())))
        return NONE
    if name in _NOTHING:
        return NONE
    if name in ("get_weights",):
        return Value(Kind.LIST)
    if name == "get_layer":
        return Value(Kind.LAYER, sites=receiver.sites)
    if name == "count_params":
        return number(integer=True)
    if name in ("to_json", "get_config", "to_yaml"):
        return Value(Kind.TEXT)
    return None


TRAINED_BATCH = frozenset({"on_batch_end", "on_train_batch_end"})
"""The methods of callbacks that are told what a batch has given in training."""
_IN_EPOCHS = ("on_epoch_begin", "on_train_batch_begin", "on_batch_begin", "on_train_batch_end", "on_batch_end",
              "on_test_begin", "on_test_end", "on_epoch_end")  # fmt: skip
_HOOKS = ("on_train_begin", *_IN_EPOCHS, *_IN_EPOCHS, "on_train_end", "on_predict_begin", "on_predict_end")
"""The methods of callbacks in the order of their calls: what a batch leaves behind, the next and the epoch find."""


_CALLBACKS_AT = {"fit": 5, "fit_generator": 4, "evaluate": 6, "predict": 4}


def _enter_callbacks(flow: Flow, model: Value, name: str, call: Call) -> None:
    """The library calls what it was handed: the methods of the script's own callbacks."""
    if call.argument(_CALLBACKS_AT[name], "callbacks") is None:
        return
    for instance in flow.instances():
        if instance.kind is not Kind.CALLBACK:
            continue
        flow.set_field(instance.obj, "model", model)
        for hook in _HOOKS:
            if flow.has_method(instance, hook):
                named = (number(integer=True),) if "epoch" in hook or "batch" in hook else ()
                flow.call_method(instance, hook, Call(call.node, (*named, _logs(flow, hook, call))))


def _enter_functions(flow: Flow, call: Call) -> None:
    """Functions handed to a callback are called with the number of an epoch or batch, and its logs, again and again."""
    for hook, value in (*(("", value) for value in call.args), *call.keywords.items()) * 2:
        if value.kind is Kind.FUNCTION:
            flow.call_value(value, Call(call.node, (number(integer=True), _logs(flow, hook, call))))


def _logs(flow: Flow, hook: str, call: Call) -> Value:
    """What a callback is told: of an epoch, averages; of a batch, the averages of a process's part."""
    part = Placement(Form.MEAN, frozenset({flow.facts.number(call.node)}), data_dependent=True)
    return Value(name="logs", placement=part if hook in TRAINED_BATCH else REPLICATED)


def _model_attribute(owner: Value, name: str) -> Value | None:
    if name in ("output", "input", "outputs", "inputs"):
        return Value(Kind.TENSOR, sites=owner.sites, tags=owner.tags | {SYMBOLIC})
    if name == "layers":
        return Value(Kind.TUPLE, items=(Value(Kind.LAYER),))
    if name == "optimizer":
        return Value(Kind.OPTIMIZER, name="of model")
    if name == "history":
        return Value(name="history")
    if name == "stop_training":
        return number()
    return None
