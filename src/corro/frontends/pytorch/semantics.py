"""What calls of PyTorch, and of the libraries that training scripts use with it, mean to the analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine, sharded
from corro.flow import anew, depths
from corro.flow.python import asked_type, view
from corro.flow.semantics import Call, Iteration
from corro.flow.values import NONE, Value, constant, likeness, number, without_bar
from corro.frontends import arrays, in_place, scores, tensors, trackers, views
from corro.frontends.batch_sources import ROWS, taken
from corro.frontends.pytorch import (
    assumptions,
    batches,
    calling,
    derived,
    fields,
    forwards,
    functions,
    global_batch,
    graphs,
    loaders,
    making,
    metric_objects,
    modes,
    moving,
    own_loaders,
    partial_sums,
    peeks,
    pretrained,
    steering,
    streams,
)
from corro.frontends.pytorch.preparing import Guess
from corro.frontends.randomness import BIT_GENERATORS

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection, Iterable, Iterator

    from corro.anatomy.observations import Observation
    from corro.flow.facts import Loop
    from corro.flow.semantics import BatchSources, Semantics
    from corro.flow.state import Flow

_DATA = frozenset(f"torch.utils.data.{each}" for each in ("dataset", "dataloader", "sampler"))
_SCRIPTED = "torch.jit.ScriptModule"
_ZOO = "torchvision.models"
_ANY_OF = {
    _ZOO: Value(Kind.LIBRARY, name=f"{_ZOO}.any"),
    "torch.optim": Value(Kind.LIBRARY, name=f"torch.optim.{making.ANY_OPTIMIZER}"),
}
"""``models.__dict__[name]``, ``getattr(optim, name)``: whatever the name is, it makes a model, or an optimizer."""
_WITH_ATTRIBUTES = graphs.TAGS | {fields.FIELDS}
"""The tags of batches whose parts are attributes."""
_OF_BATCHES = graphs.TAGS | {tensors.SELECTED}
"""The tags of loaders that their batches have, too."""
_MODES = {
    "torch.no_grad": "no_grad", "torch.inference_mode": "no_grad", "torch.autograd.no_grad": "no_grad",
    "torch.set_grad_enabled": "maybe_grad", "torch.autocast": "autocast", "torch.cuda.amp.autocast": "autocast",
    "torch.amp.autocast": "autocast", "torch.autograd.set_detect_anomaly": "", "torch.enable_grad": "",
    "torch.cuda.amp.autocast_mode.autocast": "autocast",
}  # fmt: skip
_RANDOM = ("random.", "numpy.random.", "torch.rand", "torch.normal", "torch.bernoulli", "torch.multinomial",
           "torch.randperm", "torch.poisson")  # fmt: skip
_INITIAL_SEED = frozenset({"torch.initial_seed", "torch.random.initial_seed"})
"""By chance, unless the script set it: then it has a name for it too."""
_SEEDING = ("seed", "manual_seed", "manual_seed_all", "get_state", "set_state", "get_rng_state", "set_rng_state",
            "getstate", "setstate", "random.RandomState", "random.default_rng", "random.Generator", "Random",
            *BIT_GENERATORS,
            "initial_seed")  # fmt: skip


class PyTorchSemantics:
    """Implements ``corro.flow.semantics.Semantics``."""

    kept_tags = tensors.KEPT_TAGS
    lasting_tags = functions.LASTING
    weight_tags = frozenset({steering.PARAMETER})
    picked_tags = tensors.PICKED | {tensors.CUT, tensors.IN_PARTS, tensors.PACKED, tensors.SAMPLE}
    mends = True
    hands_on = True
    tells_apart = True
    of_machine: tuple[str, ...] = ("torch.cuda.", "torch.backends.", "torch.accelerator.", "torch.xpu.", "torch.mps.")

    def __init__(
        self,
        no_peeks: frozenset[ast.AST] = frozenset(),
        batch_sources: BatchSources | None = None,
        assumed: frozenset[ast.AST] = frozenset(),
        pooled: frozenset[ast.AST] = frozenset(),
        *,
        reduced: frozenset[ast.AST] = frozenset(),
        settled: bool = False,
        gathers: bool = False,
        preparing: frozenset[ast.AST] | None = None,
        guess: Guess | None = None,
    ) -> None:
        self.no_peeks = no_peeks
        self.batch_sources = batch_sources
        self.assumed = assumed
        self.pooled = pooled
        self.reduced = reduced
        self.settled = settled
        """Whether what is reduced has been chosen."""
        self.gathers = gathers
        """Whether samples are among it."""
        self.preparing = preparing
        """The loops that end before training; ``None`` where they are guessed."""
        self.guess = Guess(guess.loops if guess is not None else {})

    def prepares(self, flow: Flow, loop: Loop) -> bool:
        """Whether a loop is known, or guessed, to end before training."""
        return self.guess.prepares(flow.facts, loop) if self.preparing is None else loop.node in self.preparing

    def reads_like(self, other: Semantics) -> bool:
        """What is settled is for the frontend alone."""
        return isinstance(other, PyTorchSemantics) and self._read == other._read

    def reads_alike(self, other: Semantics, visited: Collection[ast.AST]) -> bool:
        """Where the expressions and loops of which they say something else are not among these."""
        if not isinstance(other, PyTorchSemantics):
            return False
        alike = self.preparing == other.preparing and taken(self.batch_sources) is taken(other.batch_sources)
        other_nodes = [self.no_peeks ^ other.no_peeks, self.assumed ^ other.assumed, self.pooled ^ other.pooled]
        gathering = self.gathers != other.gathers
        other_nodes.append(self.reduced | other.reduced if gathering else self.reduced ^ other.reduced)
        return alike and all(nodes.isdisjoint(visited) for nodes in other_nodes)

    @property
    def _read(self) -> dict[str, object]:
        """What a reading depends on: all of this but what is settled and what was guessed."""
        alike = {
            "settled": None,
            "guess": None,
            "gathers": self.gathers and bool(self.reduced),
            "batch_sources": taken(self.batch_sources),
        }
        return vars(self) | alike

    def runs_model(self, flow: Flow) -> bool:
        """Which layers a forward pass may leave out is told by ``parts.unused_layers``."""
        around = (frame for loop in flow.context.passes for frame in loop.frame.path())
        return forwards.inside_module(flow.facts, flow.context, frozenset(around))

    def assume(self, flow: Flow, value: Value) -> Value:
        """A loss of which it is not known what it is of the samples is taken for a mean over them."""
        return assumptions.as_mean(flow, value)

    def observed(self, flow: Flow, node: ast.expr, seen: Observation) -> tuple[Value, Collection[str]] | None:
        """Models and losses."""
        return making.observed(flow, node, seen)

    def reduce(self, flow: Flow, node: ast.expr, value: Value) -> Value:
        """A sum or a mean that the loss needs whole, a mean over rows, or what it needs of the global batch."""
        whole = global_batch.gathered(flow.facts, flow.context, node, value) if self.gathers else None
        return partial_sums.reduced(flow.context, value) if whole is None else whole

    # -------------------------------------------------------------- library functions

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling the library function ``name``."""
        made = making.made(flow, name, call) or peeks.taken(flow, name, call, self.no_peeks)
        if made is not None:
            return made
        if name in _MODES:
            return Value(Kind.CONTEXT, name="" if _is_switched_off(name, call) else name)
        if name in ("len", "torch.is_tensor") and call.args:
            return functions.length(without_bar(call.args[0])) if name == "len" else asked_type(call.args[0])
        if name == "getattr" and len(call.args) > 1 and call.args[0].name in _ANY_OF and not call.args[1].is_const:
            return _ANY_OF[call.args[0].name]
        if name == "getattr" and len(call.args) > 1 and call.args[0].kind is Kind.MODULE and not call.args[1].is_const:
            if flow.attributes_like(call.args[0], likeness(call.args[1])):
                return None
            return Value(Kind.METHOD, functions.joint_placement(call), items=call.args[:1])
        if name in _INITIAL_SEED:
            return number(Placement(Form.LOCAL), integer=True)
        if name.startswith(_RANDOM) and not name.endswith(_SEEDING):
            return functions.random(flow, name, call)
        if (of_graphs := graphs.function(name, call)) is not None:
            return of_graphs
        if name.startswith(("torch.nn.functional.", "torch.", "numpy.", "einops.")):
            return functions.function(flow, name, call)
        if name.startswith("sklearn."):
            return scores.of_samples(name, call) or arrays.data(name, call)
        if arrays.table(name, call):
            return Value(placement=combine(map(flow.whole, call.values)), depth=arrays.table(name, call))
        return None

    # -------------------------------------------------------------- methods

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        if name in ("parse_args", "parse_known_args"):
            known = Value(Kind.NAMESPACE)
            return known if name == "parse_args" else Value(Kind.TUPLE, items=(known, Value()))
        if receiver.kind in (Kind.MODULE, Kind.LOSS, Kind.LAYERS):
            return calling.method(flow, receiver, name, call)
        if receiver.kind in (Kind.OPTIMIZER, Kind.SCHEDULER):
            return _stepped(flow, receiver, name, call)
        if receiver.kind is Kind.SCALER:
            return _of_scaler(name, call)
        if receiver.kind is Kind.NAMESPACE:
            return Value()
        if receiver.kind in (Kind.LOADER, Kind.ITERATOR) or own_loaders.is_one(flow, receiver):
            return _of_loader(flow, receiver, name, call)
        tracked = trackers.method(flow, receiver, call) or metric_objects.method(receiver, name, call)
        steers = tracked or steering.method(receiver, name) or pretrained.method(flow, receiver, name, call)
        steers = steers or fields.method(flow, receiver, name, call)
        if steers is not None:
            return steers
        if receiver.kind is Kind.STATE:
            return Value(Kind.STATE) if name in ("items", "copy", "state_dict") else Value()
        if receiver.kind is Kind.DATASET:
            return NONE if name == "download" else graphs.dataset(receiver, name)
        if graphs.TAGS & receiver.tags and receiver.kind is Kind.BATCH:
            return graphs.method(receiver, name)
        if receiver.kind in (Kind.TENSOR, Kind.BATCH) or (
            receiver.kind in (Kind.UNKNOWN, Kind.NUMBER) and receiver.sources
        ):
            looked = _looked_up(flow, receiver, name, call)
            return functions.method(flow, receiver, name, call) if looked is None else looked
        if receiver.name == arrays.SCALER and "transform" in name:
            return Value(placement=functions.joint_placement(call), depth=depths.known(1))
        return functions.of_array(flow, receiver, name, call)

    def changes(
        self, receiver: Value | None, name: str, call: Call, result: Value
    ) -> Iterator[tuple[ast.expr, Placement]]:
        """The tensors and arrays that a call changes in place."""
        yield from in_place.of_numpy(receiver, name, call)
        if receiver is not None and receiver.kind in (Kind.TENSOR, Kind.BATCH, Kind.NUMBER):
            yield from in_place.of_tensor(receiver, name, call, result.placement)

    def shows(self, method: str) -> bool:
        """Whether what a method of an array gives shows the array itself."""
        return in_place.is_view(method)

    # -------------------------------------------------------------- calling values

    def invoke(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """The result of calling a module or a loss."""
        return metric_objects.invoked(call) if receiver.kind is Kind.METRIC else calling.invoke(flow, receiver, call)

    # -------------------------------------------------------------- attributes and items

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""
        kind = owner.kind
        known = steering.attribute(owner, name) or making.of_run(owner, name)
        if known is not None:
            return known
        if kind is Kind.NAMESPACE:
            return None if name in ("__dict__",) else Value()
        if kind in (Kind.RUN, Kind.LIBRARY, Kind.WRITER):
            return trackers.attribute(flow, owner, name)
        if kind is Kind.LOADER:
            return loaders.attribute(owner, name)
        if loaders.is_sampler(owner):
            return loaders.sampler_attribute(owner, name)
        if owner.name == pretrained.OUTPUT:
            return pretrained.attribute(owner, name)
        if kind is Kind.TUPLE and name in ("values", "indices") and len(owner.items) == 2:
            return owner.items[name == "indices"]
        if kind is Kind.BATCH and owner.tags & _WITH_ATTRIBUTES:
            return fields.attribute(owner, name) if fields.is_batch(owner) else graphs.attribute(owner, name)
        if kind in (Kind.TENSOR, Kind.BATCH):
            known = modes.has_gradients(flow) if name == "requires_grad" and owner.placement.is_partial else None
            return known or functions.attribute(owner, name)
        if kind is Kind.MODULE:
            return calling.attribute(flow, owner, name)
        if owner.name == arrays.BUNCH and name in arrays.PARTS:
            return Value(depth=depths.known(arrays.PARTS[name]))
        if kind is Kind.UNKNOWN and owner.placement.is_array and arrays.attribute(owner, name):
            return Value(placement=owner.placement, depth=arrays.attribute(owner, name))
        return None

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        if owner.kind is Kind.BATCH:
            return self._of_batch(flow, owner, index)
        if owner.name == pretrained.OUTPUT:
            return pretrained.subscript(owner, index)
        if owner.kind is Kind.LIBRARY and owner.name.endswith(".__dict__"):
            return _ANY_OF.get(owner.name.removesuffix(".__dict__"))
        if owner.kind in (Kind.RUN, Kind.NAMESPACE, Kind.METRIC):
            return trackers.subscript(owner) or metric_objects.item(owner)
        if owner.kind is Kind.SHAPE and owner.items:
            return tensors.shape_part(owner.items[0], index)
        if owner.kind is Kind.TENSOR and owner.scalar and owner.placement.is_partial:
            return owner.but(pending=frozenset(), tags=owner.tags - {tensors.IN_A_ROW})
        if owner.kind is Kind.TENSOR:
            part = views.item(owner, index)
            return views.forgotten(tensors.item(owner, index)) if part is None else part
        if owner.kind is Kind.LAYERS:
            return calling.part_of(flow, owner)
        if owner.kind is Kind.MODULE:
            return Value(Kind.MODULE, name="library", tags=owner.tags)
        if owner.kind is Kind.DATASET:
            return owner if graphs.GRAPHS in owner.tags and not index.integer else pretrained.split(owner, index)
        steers = steering.subscript(owner, index)
        if steers is not None:
            return steers
        if owner.depth and owner.kind is Kind.UNKNOWN and owner.placement.is_array:
            return Value(placement=combine([owner.placement, index.placement]), depth=arrays.indexed(owner, index))
        return None

    def unread(self, flow: Flow, call: Call, given: Iterable[Value]) -> Value | None:
        """Nothing is assumed of what is not known."""
        return None

    def product(self, left: Value, right: Value) -> Value | None:
        """A product of matrices is not told from one of deeper tensors, but where all rows of two batches may meet."""
        turned = tensors.TURNED in left.tags | right.tags and left.form is right.form is Form.SHARDED
        if not turned and not tensors.may_be_matrices((left, right)):
            return None
        return Value(Kind.TENSOR, combine((left.placement, right.placement)).with_form(Form.UNKNOWN))

    def part(self, flow: Flow, owner: Value, position: int) -> Value | None:
        """The dimensions of a shape differ; the parts of a batch do not."""
        if owner.kind is Kind.SHAPE and owner.items:
            return tensors.shape_part(owner.items[0], number(const=position))
        if owner.kind is Kind.BATCH:
            return fields.part(owner, position) if fields.is_batch(owner) else _batch_part(owner, position)
        if owner.kind is Kind.LAYERS:
            return calling.part_at(flow, owner, position)
        if tensors.PACKED in owner.tags:
            return tensors.packed_part(owner, position)
        return None

    def parts(self, flow: Flow, owner: Value) -> tuple[tuple[Value, Value], ...] | None:
        """All parts of a batch: of a dict with their keys, of a tuple with their positions."""
        if owner.kind is not Kind.BATCH or not owner.items or owner.tags & {tensors.SAMPLE, fields.FIELDS}:
            return None
        known = tuple(part.const for part in owner.items)
        keys = known if all(isinstance(key, str) for key in known) else tuple(range(len(known)))
        return tuple((constant(key), _batch_part(owner, key)) for key in keys)

    def _of_batch(self, flow: Flow, owner: Value, index: Value) -> Value:
        if graphs.TAGS & owner.tags:
            return graphs.item(owner, index)
        return self._some_parts(flow, owner, index) or _batch_part(owner, index.const)

    def _some_parts(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """``batch[:-1]``: several parts of a batch; ``None`` of another index, and where it is not known which."""
        if not tensors.is_slice(index):
            return None
        parts, bounds = self.parts(flow, owner), [bound.const for bound in index.items]
        if parts is None:
            return anew.again(flow, owner)
        known = all(bound is None or isinstance(bound, int) for bound in bounds) and bounds[2:] != [0]
        few = tuple(part for _, part in parts)[slice(*bounds)] if known else ()
        return Value(Kind.TUPLE, combine(part.placement for part in few), items=few) if few else None

    def replaced(self, owner: Value, index: Value, value: Value) -> Value | None:
        """A batch with another part, or with one more under a new key."""
        return batches.replaced(owner, index.const, value) if owner.kind is Kind.BATCH else None

    def holding(self, owner: Value, index: Value, value: Value) -> Placement | None:
        """A tensor of samples of which parts are set, of each sample by itself."""
        return tensors.holding(owner, index, value)

    def has_each(self, value: Value) -> bool:
        """Whether a tensor has each sample of a batch in its place."""
        return tensors.has_each(value)

    def with_attribute(self, owner: Value, name: str, value: Value) -> Value | None:
        """Of batches, those of graphs have attributes."""
        return graphs.with_attribute(owner, name, value) if owner.tags & _WITH_ATTRIBUTES else None

    def iterate(self, flow: Flow, iterable: Value) -> Iteration | None:
        """What looping over a value yields."""
        kind = iterable.kind
        if kind is Kind.LOADER:
            loaders.asked(flow, iterable)
            streams.read(flow, iterable)
            return Iteration(_batch_of(iterable), iterable.sites)
        if kind is Kind.DATASET:
            return streams.iterate(flow, iterable)
        if fields.is_iterator(iterable):
            return Iteration(iterable.items[0])
        if kind is Kind.PROGRESS and iterable.items:
            return flow.iterate(iterable.items[0])
        if kind is Kind.ITERATOR and iterable.name == ROWS:
            return Iteration(iterable.items[0])
        if kind is Kind.BATCH:
            if flow.pairs(iterable) is not None:
                return Iteration(Value(Kind.TEXT))
            kept = iterable.tags & tensors.KEPT_TAGS
            return Iteration(Value(Kind.TENSOR, iterable.placement, batch_dim=iterable.batch_dim, tags=kept))
        if kind is Kind.TENSOR:
            return Iteration(tensors.looped(iterable))
        if kind is Kind.PARAMETERS and iterable.items:
            return Iteration(iterable.items[0])
        if steering.OPTIONS in iterable.tags:
            return Iteration(iterable)
        if kind is Kind.LAYERS:
            return Iteration(calling.part_of(flow, iterable))
        if kind is Kind.MODULE:
            return Iteration(Value(Kind.MODULE, name="library", tags=iterable.tags))
        return None

    def entered(self, flow: Flow, loop: ast.For | ast.AsyncFor, iterable: Value) -> Iteration | None:
        """What a loop yields that only looks at a batch."""
        return None if loop in self.no_peeks else peeks.entered(flow, loop, iterable)

    def made(self, flow: Flow, instance: Value, call: Call) -> None:
        """A module is in training mode when it is made."""
        if instance.kind is Kind.MODULE:
            modes.made(flow, instance)
            if not flow.has_method(instance, "__init__"):
                derived.made(flow, instance, call)
        own_loaders.made(flow, instance)

    def finished(self, flow: Flow, instance: Value, call: Call) -> Value:
        """An object of a class that derives from ``DataLoader`` is the loader that its base was made as."""
        if own_loaders.is_one(flow, instance) and not flow.has_method(instance, "__init__"):
            own_loaders.initialised(flow, instance, making.made(flow, own_loaders.BASE, call))
        return own_loaders.finished(flow, instance)

    def moves(self, function: ast.FunctionDef | ast.AsyncFunctionDef, *, bound: bool) -> bool:
        """Whether a function moves what it is given to a device, part by part."""
        return moving.moves(function, bound=bound)

    def instance_kind(self, bases: frozenset[str]) -> Kind | None:
        """The kind of instances of a class with these library bases."""
        if any(_is_module(base) for base in bases):
            return Kind.MODULE
        if any(map(fields.is_base, bases)):
            return Kind.DATASET
        if own_loaders.BASE in bases:
            return None
        if any(b.startswith(("torch.utils.data.", "torchvision.datasets.")) for b in bases):
            sampler = any(b.endswith("Sampler") for b in bases)
            return Kind.SAMPLER if sampler else Kind.DATASET
        if any(b.startswith("torch.optim.lr_scheduler.") for b in bases):
            return Kind.SCHEDULER
        if any(b.startswith("torch.optim.") for b in bases):
            return Kind.OPTIMIZER
        return None

    def public(self, name: str) -> str:
        """``torch.utils.data.random_split`` is defined in ``torch.utils.data.dataset``."""
        home, _, last = name.rpartition(".")
        return f"torch.utils.data.{last}" if home in _DATA else name

    def choose(self, names: frozenset[str]) -> str:
        """The candidate whose module is known to export the name."""
        return min(names, key=lambda name: (making.export_rank(name), name))

    def modes(self, context: Value) -> frozenset[str]:
        """What a ``with`` statement or a decorator switches on."""
        mode = _MODES.get(context.name, "")
        return frozenset({mode}) if mode else frozenset()


def _is_module(base: str) -> bool:
    """Whether a class of a library is one that models are derived from, TorchScript's included."""
    of_torch = base == _SCRIPTED or (base.startswith("torch.nn.") and "functional" not in base)
    return of_torch or pretrained.is_base(base)


def _of_loader(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """A method of a loader, of what it gives, or of what a class that derives from one makes a loader by it."""
    if name == "__init__" and own_loaders.is_one(flow, receiver):
        return own_loaders.initialised(flow, receiver, making.made(flow, own_loaders.BASE, call))
    return peeks.method(flow, receiver, name)


def _of_scaler(name: str, call: Call) -> Value:
    """What a method of a gradient scaler gives: a loss times a number that is equal on all processes."""
    if name == "scale" and call.args:
        return call.args[0]
    if name == "state_dict":
        return Value(Kind.STATE)
    data_dependent = name in ("step", "get_scale")
    return NONE if name in ("unscale_", "update") else Value(placement=Placement(data_dependent=data_dependent))


def _is_switched_off(name: str, call: Call) -> bool:
    """``autocast(enabled=False)``: what stands in it is computed as if it were not there."""
    enabled = call.argument(0 if ".cuda." in name else 2, "enabled")
    return _MODES[name] == "autocast" and enabled is not None and enabled.const is False


def _batch_of(loader: Value) -> Value:
    """What a loader hands out: tensors in a tuple or a dict, as far as these are known, or one tensor."""
    placement, tags, one = sharded(loader.sites), loader.tags & _OF_BATCHES, loaders.tensor(loader)
    if one is not None:
        return Value(Kind.TENSOR, placement, batch_dim=0, depth=one.depth, tags=tags)
    return Value(Kind.BATCH, placement, batch_dim=0, items=loaders.parts(loader), tags=tags)


def _batch_part(owner: Value, position: object) -> Value:
    """A part of a batch, as far as its shape is known."""
    if tensors.SAMPLE in owner.tags:
        return batches.part_of(owner)
    known = batches.found(owner.items, position)
    if known.kind is Kind.TUPLE:
        several = tuple(Value(Kind.TENSOR, owner.placement, batch_dim=0, depth=each.depth) for each in known.items)
        return Value(Kind.TUPLE, owner.placement, items=several)
    turned = known.batch_dim is not None or known.depth == depths.UNKNOWN
    named = known.batch_dim == 1 or isinstance(position, str)
    depth = known.depth if named else arrays.batch(owner, position)
    return Value(
        Kind.TENSOR,
        owner.placement if known.placement.is_equal else known.placement,
        batch_dim=known.batch_dim if turned and owner.items and known.batch_dim else 0,
        depth=depth,
        tags=known.tags | owner.tags & {tensors.SELECTED},
    )


def _looked_up(flow: Flow, batch: Value, name: str, call: Call) -> Value | None:
    """What a method of a batch that is a dict gives of its parts."""
    if flow.pairs(batch) is None:
        return None
    if name in ("get", "pop") and call.args:
        return _batch_part(batch, call.args[0].const)
    return view(flow, batch, name)


def _stepped(flow: Flow, receiver: Value, name: str, call: Call) -> Value:
    """A method of an optimizer or a scheduler; a step calls the functions that a scheduler was given."""
    if name.endswith("lr"):
        return number(tags=frozenset({"rate"}))
    closure = call.argument(0, "closure") if receiver.kind is Kind.OPTIMIZER and name == "step" else None
    if closure is not None and closure.kind is Kind.FUNCTION:
        loss = flow.going_on(call.node, lambda: flow.call_value(closure, Call(call.node, ())))
        return loss.but(placement=loss.placement.with_form(Form.REPLICATED)) if loss.placement.is_partial else loss
    called = receiver.items if receiver.kind is Kind.SCHEDULER and name == "step" else ()
    factors = [flow.call_value(each, Call(call.node, (number(integer=True),))) for each in called]
    return Value(Kind.NONE, combine(factor.placement for factor in factors)) if factors else NONE
