"""What TensorFlow 1 means, told to the interpreter: a graph is made, and sessions compute parts of it.

Placements matter within the graph. What a session gives back is the whole: a training step's loss is averaged over the
processes before it is fetched, and everything else is computed from whole data on every process. So what Python
computes from it is equal everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import WHOLE, Form, Placement
from corro.flow import depths, python
from corro.flow.semantics import Call, Iteration
from corro.flow.values import NONE, Value, number
from corro.frontends import tensors
from corro.frontends.keras.names import IMAGE_READERS
from corro.frontends.keras.semantics import NOISE, KerasSemantics
from corro.frontends.purity import READS
from corro.frontends.tensorflow import operations
from corro.frontends.tensorflow.semantics import VARIABLE, TapeSemantics
from corro.frontends.tensorflow1 import graphs, naming, times
from corro.frontends.tensorflow1.names import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from corro.flow.facts import CallFact
    from corro.flow.state import Flow

SESSION = "tensorflow.Session"
MONITORED = "tensorflow.train.MonitoredTrainingSession"
SAVER = "tensorflow.train.Saver"
GRAPH_ITERATOR = "iterator of a graph"
"""The name of what a graph takes its batches from; its item is the pipeline."""
HOOK = "hook"
"""The name of what is told of each step of a monitored session."""
OPAQUE = "fetched in a way that Corro cannot follow"
"""The tag of what a run gives whose fetches are not known."""
_DATA = "read_data_sets"
_WRITERS = frozenset({"tensorflow.summary.FileWriter", "tensorflow.saved_model.builder.SavedModelBuilder",
                      "tensorflow.saved_model.Builder"})  # fmt: skip
"""What writes files from when it is made on."""
_SPLIT = "split of images"
_SHAPE = "shape"
_SESSIONS = frozenset({SESSION, "tensorflow.InteractiveSession"})
_VARIABLES = frozenset({"tensorflow.Variable", "tensorflow.get_variable", "tensorflow.train.get_or_create_global_step",
                        "tensorflow.train.create_global_step", "tensorflow.train.get_global_step",
                        "tensorflow.contrib.framework.get_or_create_global_step"})  # fmt: skip
_LISTS = frozenset({"tensorflow.trainable_variables", "tensorflow.global_variables", "tensorflow.model_variables"})
_INITIALISERS = frozenset({"tensorflow.global_variables_initializer", "tensorflow.variables_initializer"})
_ASSIGNS = frozenset({"assign", "assign_add", "assign_sub", "scatter_update", "scatter_add", "scatter_sub"})
_NOISE = ("tensorflow.random.", "tensorflow.random_", "tensorflow.truncated_normal", "tensorflow.multinomial",
          "tensorflow.contrib.distributions", "tensorflow.distributions", "tensorflow.image.random_")  # fmt: skip
_NO_NOISE = ("seed", "_initializer")
_LAYERS = ("tensorflow.layers.", "tensorflow.contrib.layers.")
_REGULAR = ("_regularizer", "_initializer", "xavier_initializer_conv2d")
_CALLS_BACK = frozenset({"cond", "case", "while_loop", "map_fn", "scan", "foldl", "foldr", "py_func", "py_function",
                         "numpy_function", "custom_gradient", "make_template", "vectorized_map", "switch",
                         "Print", "tuple", "with_dependencies"})  # fmt: skip
_SEVERAL = frozenset({"dynamic_rnn", "static_rnn", "bidirectional_dynamic_rnn", "static_bidirectional_rnn"})
_WHOLES = frozenset({"reduce_sum", "reduce_mean", "l2_loss", "add_n", "global_norm", "accumulate_n"})
_ON_DISK = frozenset({"tensorflow.train.latest_checkpoint", "tensorflow.train.get_checkpoint_state",
                      "tensorflow.train.checkpoint_exists", "tensorflow.gfile.Exists", "tensorflow.gfile.Glob",
                      "tensorflow.gfile.IsDirectory", "tensorflow.gfile.ListDirectory"})  # fmt: skip
_STREAMING = ("tensorflow.metrics.", "tensorflow.contrib.metrics.")
_ITERATORS = frozenset({"make_one_shot_iterator", "make_initializable_iterator"})
_FLAGS = ("tensorflow.app.flags.FLAGS", "tensorflow.flags.FLAGS")


class SessionSemantics(TapeSemantics):
    """The meaning of TensorFlow 1."""

    kept_tags: frozenset[str] = TapeSemantics.kept_tags | {graphs.GRADIENT, NOISE}
    mends: bool = False
    hands_on: bool = False
    tells_apart: bool = False

    def __init__(self, sizes: frozenset[int] | None = None, fed: Mapping[int, int] | None = None) -> None:
        super().__init__()
        self.sizes = sizes
        """Where the numbers come from that say how many samples are fed; ``None`` where nobody has looked yet."""
        self.fed = fed or {}
        """The depths of what placeholders without a shape are fed, by the numbers of these."""
        self.iterates = False
        """Whether the graph takes its batches by itself: a run may take one, and is no mere look."""

    # -------------------------------------------------------------- calls

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling a library function."""
        if name.endswith(IMAGE_READERS):
            return Value(name=_DATA, sites=frozenset({flow.facts.number(call.node)}))
        if name.startswith(("numpy.", "random.", "sklearn.")):
            return KerasSemantics.call(self, flow, name, call)
        known = plain(name)
        if known.startswith("tensorflow.data.make_") and known.rpartition(".")[2] in _ITERATORS and call.args:
            return self._iterator(flow, call.args[0], call)
        if known.startswith("tensorflow.data."):
            return KerasSemantics.call(self, flow, known, call)
        if not known.startswith("tensorflow.") or known.startswith("tensorflow.keras."):
            return super().call(flow, name, call)
        made = self._tensorflow(flow, known, call)
        naming.note(flow, known.rpartition(".")[2], call, made or Value())
        return made

    def _tensorflow(self, flow: Flow, known: str, call: Call) -> Value | None:
        site = frozenset({flow.facts.number(call.node)})
        last = known.rpartition(".")[2]
        made = _made(flow, known, last, call, site)
        if made is not None:
            depth = next((self.fed[number] for number in site if number in self.fed), None)
            return made if depth is None or graphs.ROWS not in made.tags else graphs.deepened(made, depth)
        if self.sizes and last in graphs.MADE:
            sized = graphs.sized(flow, last, call, self.sizes, site)
            if sized is not None:
                return sized
        if known.startswith(_NOISE) and not known.endswith(_NO_NOISE):
            return graphs.noise(flow, last, call)
        if known.startswith("tensorflow.losses."):
            return graphs.loss(last, call)
        if known.startswith(_LAYERS):
            return Value(Kind.FUNCTION) if known.endswith(_REGULAR) else graphs.layer(flow, last, call)
        if last in _SEVERAL:
            return graphs.recurrent(flow, last, call)
        if known.startswith(_STREAMING):  # the value, and what updates it
            streaming = Value(Kind.TENSOR, Placement(Form.UNKNOWN), tags=frozenset({graphs.STREAMING}))
            return Value(Kind.TUPLE, streaming.placement, items=(streaming, streaming))
        if last in _CALLS_BACK:
            return Value(Kind.TENSOR, Placement(Form.UNKNOWN))
        if last == "unstack":
            return graphs.unstacked(call)
        return self._operation(flow, known, call)

    def _operation(self, flow: Flow, known: str, call: Call) -> Value | None:
        last = known.rpartition(".")[2]
        if known == "tensorflow.shape" and call.args:
            return operations.shape(call.args[0])
        held = [*call.values, *(flow.element(v) for v in call.values if v.obj or v.items)]
        equal = not any(v.sources or not v.placement.is_equal for v in held)
        if last[:1].isupper():
            return None
        if equal:
            whole = last in _WHOLES and len(call.args) == 1 and not {"axis", "reduction_indices"} & call.keywords.keys()
            tags = frozenset(tag for v in held for tag in v.tags) & {graphs.GRADIENT}
            first = flow.element(call.args[0]) if call.args and call.args[0].obj else Value()
            listed = last == "clip_by_global_norm"
            inner = Value(Kind.TENSOR, WHOLE if graphs.GRADIENT in tags else first.placement, tags=tags)
            clipped = Value(Kind.PARAMETERS, inner.placement, items=(inner,), tags=tags)
            return Value(Kind.TUPLE, items=(clipped, inner)) if listed else Value(Kind.TENSOR, tags=tags, scalar=whole)
        made = _of_times(flow, last, call)
        if made is not None:
            return made
        if last == "xw_plus_b":
            last, call = "matmul", Call(call.node, call.args[:2])
        if last == "concat":
            call = _concatenated(call)
        axis = call.argument(1, "axis")
        result = operations.operation(flow, last, call)
        moves = last == "expand_dims" and axis is not None and axis.const == 0
        right = call.argument(1, "b") if last == "matmul" else None
        summed = right is not None and right.form is Form.SHARDED and depths.DEEP not in right.tags
        if "reshaped" in result.tags or moves or summed:  # a product with a table of samples adds them up
            result = result.but(placement=result.placement.with_form(Form.UNKNOWN))
        noisy = frozenset(tag for v in held for tag in v.tags) & {NOISE}
        noisy |= {NOISE} if last == "dropout" else set()
        return result.but(tags=result.tags | noisy)

    # -------------------------------------------------------------- methods

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        if receiver.name in (SESSION, MONITORED):
            return _of_session(flow, receiver, name, call, iterates=self.iterates)
        if receiver.name == SAVER:
            return Value(Kind.TEXT) if name == "save" else NONE
        if receiver.name == _SPLIT and name == "next_batch":
            return Value(Kind.TUPLE, items=(Value(Kind.TENSOR), Value(Kind.TENSOR)), tags=frozenset({"taken"}))
        if receiver.name == graphs.CELL:
            given = [v for v in call.values if v.sources]
            return Value(Kind.TENSOR, given[0].placement.with_form(Form.SHARDED), batch_dim=0) if given else Value()
        if receiver.kind is Kind.OPTIMIZER:
            made = graphs.step(flow, name, receiver, call)
            naming.note(flow, name, call, made)
            return made
        if receiver.name == naming.GRAPH:
            return receiver if name in ("as_default", "__enter__") else Value()
        if receiver.kind is Kind.TENSOR and name in ("eval", "run"):
            return _run(flow, receiver, "", iterates=self.iterates)
        if receiver.kind is Kind.SHAPE or receiver.name == _SHAPE:
            return receiver if name == "as_list" else super().method(flow, receiver, name, call)
        if receiver.kind is Kind.TENSOR and name == "get_shape":
            return operations.shape(receiver) if receiver.sources else Value(name=_SHAPE)
        if VARIABLE in receiver.tags and name in _ASSIGNS:
            return graphs.assigned(receiver, call.values[:1])
        if receiver.kind is Kind.DATASET or "iterator" in receiver.name:
            return self._of_data(flow, receiver, name, call)
        return super().method(flow, receiver, name, call)

    def _of_data(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        if receiver.kind is Kind.DATASET and name in _ITERATORS:
            return self._iterator(flow, receiver, call)
        if receiver.name == GRAPH_ITERATOR and name == "get_next" and receiver.items:
            return graphs.taken(receiver.items[0], frozenset({flow.facts.number(call.node)}))
        return KerasSemantics.method(self, flow, receiver, name, call)

    def _iterator(self, flow: Flow, pipeline: Value, call: Call) -> Value:
        """What a graph takes batches from."""
        self.iterates = True
        return Value(name=GRAPH_ITERATOR, sites=frozenset({flow.facts.number(call.node)}), items=(pipeline,))

    def iterate(self, flow: Flow, iterable: Value) -> Iteration | None:
        """What looping over a value yields."""
        if iterable.kind is Kind.TENSOR and tensors.IN_PARTS in iterable.tags:
            return Iteration(iterable.but(tags=iterable.tags - {tensors.IN_PARTS}))
        return super().iterate(flow, iterable)

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        if graphs.NESTED in owner.tags and owner.kind is Kind.TENSOR:
            return owner.but(tags=owner.tags - {graphs.NESTED})
        if owner.name == _SHAPE:
            return number(integer=True) if isinstance(index.const, int) else owner
        return super().subscript(flow, owner, index)

    def modes(self, context: Value) -> frozenset[str]:
        """What a ``with`` statement or a decorator switches on."""
        return super().modes(context) | naming.mode(context)

    # -------------------------------------------------------------- attributes

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""
        if owner.kind is Kind.LIBRARY:
            return Value(Kind.NAMESPACE) if plain(f"{owner.name}.{name}") in _FLAGS else None
        if owner.name == _DATA:
            return Value(name=_SPLIT, sites=owner.sites) if name in ("train", "test", "validation") else None
        if owner.name == _SPLIT:
            if name in ("images", "labels"):
                return Value(Kind.TENSOR)
            return number(integer=True) if name in ("num_examples", "epochs_completed") else None
        if owner.name in (SESSION, MONITORED):
            return Value() if name in ("graph", "graph_def") else None
        if owner.kind is Kind.NUMBER and name == "value":
            return owner
        if owner.kind is Kind.TENSOR and name == "shape" and not owner.sources:
            return Value(name=_SHAPE)
        if owner.kind is Kind.TENSOR and tensors.IN_PARTS in owner.tags and name in ("h", "c"):
            return owner.but(tags=owner.tags - {tensors.IN_PARTS})
        if (VARIABLE in owner.tags or owner.name == GRAPH_ITERATOR) and name == "initializer":
            return Value(Kind.TENSOR, tags=frozenset({graphs.STATE}))
        return super().attribute(flow, owner, name)


def _of_times(flow: Flow, last: str, call: Call) -> Value | None:
    """What is made of the outputs of a recurrent network at all times, one time for each sample in the end."""
    if last == "stack":
        return times.stacked(call)
    if last == "transpose":
        return times.transposed(flow, call)
    return times.gathered(flow, call) if last == "gather" else None


def _concatenated(call: Call) -> Call:
    """``concat`` with the tensors first, whatever version of TensorFlow it is written for."""
    tensors_, axis = call.argument(0, "values"), call.argument(1, "axis") or call.keywords.get("concat_dim")
    if tensors_ is not None and tensors_.kind is Kind.NUMBER:
        tensors_, axis = axis, tensors_
    given = tuple(v for v in (tensors_, axis) if v is not None)
    return Call(call.node, given)


def reads_images(fact: CallFact) -> bool:
    """Whether a call fetches and reads the images of TensorFlow 1's tutorials, which it shuffles later."""
    return fact.receiver is None and fact.result.name == _DATA


def _made(flow: Flow, known: str, last: str, call: Call, site: frozenset[int]) -> Value | None:
    """Everything but operations: placeholders, variables, sessions, optimizers, summaries."""
    plainly = _plain(known, last, site)
    if plainly is not None:
        return plainly
    if known in _SESSIONS or known == MONITORED:
        text = naming.graph_of(flow.context, call.argument(1, "graph") if known in _SESSIONS else None)
        return Value(name=SESSION if known in _SESSIONS else known, sites=site, items=(Value(Kind.TEXT, const=text),))
    if known == naming.GRAPH:
        return Value(name=known, sites=site)
    if last == "placeholder":
        return graphs.placeholder(flow, call, site)
    if known in _ON_DISK:
        return python.file_system(flow, call)
    if known == "tensorflow.get_collection":
        wanted = call.argument(0, "key") or Value()
        if wanted.name.endswith("REGULARIZATION_LOSSES"):
            return Value(Kind.PARAMETERS, items=(Value(Kind.TENSOR, scalar=True),))
        trained = wanted.name.endswith(("GLOBAL_VARIABLES", "TRAINABLE_VARIABLES"))
        return graphs.variables() if trained else Value(Kind.TENSOR, Placement(Form.UNKNOWN))
    if known == "tensorflow.gradients":
        return graphs.gradients(flow, call)
    if known == "tensorflow.group":
        return graphs.grouped(flow, call)
    if last in _ASSIGNS and call.args:
        return graphs.assigned(call.args[0], call.values[1:2])
    if known.startswith("tensorflow.nn.rnn_cell."):
        return graphs.cell(flow, last, call, site)
    return None


def _plain(known: str, last: str, site: frozenset[int]) -> Value | None:
    """What does not depend on arguments."""
    if known == SAVER:
        return Value(Kind.STATE, name=known, sites=site)
    if known == "tensorflow.get_default_session":
        return Value(name=SESSION)
    if known in _VARIABLES:
        return graphs.variable(site)
    if known in _LISTS:
        return graphs.variables()
    if known.startswith("tensorflow.train.") and last.endswith("Hook"):
        return Value(name=HOOK, sites=site)
    if known.startswith(("tensorflow.train.", "tensorflow.contrib.opt.")) and last.endswith("Optimizer"):
        return Value(Kind.OPTIMIZER, sites=site, name=last)
    if known in _INITIALISERS:
        return Value(Kind.TENSOR, tags=frozenset({graphs.STATE, graphs.INITIALISES}))
    if last in ("local_variables_initializer", "tables_initializer"):
        return Value(Kind.TENSOR, tags=frozenset({graphs.STATE}))
    if known in _WRITERS:
        return Value(Kind.WRITER, sites=site)
    if known.startswith("tensorflow.summary."):
        return Value(Kind.TENSOR, tags=frozenset({graphs.SUMMARY}))
    return NONE if known == "tensorflow.set_random_seed" else None


# ---------------------------------------------------------------------- runs


def _of_session(flow: Flow, receiver: Value, name: str, call: Call, *, iterates: bool) -> Value:
    if name == "run":
        given = _run(flow, call.argument(0, "fetches") or Value(), graph_of(receiver), iterates=iterates)
        hooked = receiver.name == MONITORED  # and hooks may look at more on the way
        return given.but(tags=given.tags - {READS}) if hooked else given
    if name in ("as_default", "__enter__"):
        return receiver
    return number() if name == "should_stop" else NONE


def graph_of(session: Value) -> str:
    """The graph that a session runs; empty where it may be several."""
    return session.items[0].const if session.items and isinstance(session.items[0].const, str) else ""


def leaves(flow: Flow, fetches: Value, graph: str) -> tuple[Value, ...] | None:
    """What is fetched, one by one; ``None`` where that is not followed."""
    if fetches.kind in (Kind.LIST, Kind.TUPLE):
        items = flow.literal_items(fetches)
        if items is None:
            element = flow.element(fetches)
            return (element,) if element.kind is Kind.TENSOR else None
        inner = [leaves(flow, item, graph) for item in items]
        return None if None in inner else tuple(leaf for part in inner if part is not None for leaf in part)
    if fetches.kind is Kind.PARAMETERS:
        return fetches.items or None
    part = naming.found(flow, graph, fetches.const) if fetches.kind is Kind.TEXT else fetches
    return (part,) if part is not None and part.kind is Kind.TENSOR else None


def _run(flow: Flow, fetches: Value, graph: str, *, iterates: bool) -> Value:
    """What a run gives back; the tags of it say what the run does."""
    found = leaves(flow, fetches, graph)
    if found is None:
        return Value(placement=WHOLE, tags=frozenset({OPAQUE}))
    tags = frozenset(tag for leaf in found for tag in leaf.tags) & {graphs.TRAINS, graphs.INITIALISES, graphs.STATE}
    plainly = not iterates and not tags and not any(graphs.SUMMARY in leaf.tags for leaf in found)
    given = _given_back(flow, fetches, graph, in_parts=iterates or graphs.TRAINS in tags)
    return given.but(tags=given.tags | tags | ({READS} if plainly else set()))


def _given_back(flow: Flow, fetched: Value, graph: str, *, in_parts: bool) -> Value:
    """The value of a part of the graph; of parts of a batch, only what is averaged is surely equal everywhere."""
    if fetched.kind is Kind.TEXT:
        fetched = naming.found(flow, graph, fetched.const) or Value()
    items = flow.literal_items(fetched) if fetched.kind in (Kind.LIST, Kind.TUPLE) else None
    if items is not None:
        return Value(Kind.TUPLE, items=tuple(_given_back(flow, item, graph, in_parts=in_parts) for item in items))
    if graphs.SUMMARY in fetched.tags:
        return Value(Kind.TEXT)
    if {graphs.TRAINS, graphs.INITIALISES} & fetched.tags:
        return NONE
    by_chance = not fetched.placement.is_equal and not fetched.sources
    averaged = in_parts and not fetched.placement.is_equal
    form = Form.LOCAL if by_chance else Form.REPLICATED
    placement = Placement(form, data_dependent=True, separate=not averaged)
    kind = Kind.NUMBER if fetched.scalar else Kind.TENSOR
    return Value(kind, placement, scalar=fetched.scalar)
