"""What calls of PyTorch, and of the libraries that training scripts use with it, mean to the analysis."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine, elementwise, sharded
from corro.flow import depths
from corro.flow.python import STARRED, asked_type, view
from corro.flow.semantics import Call, Iteration
from corro.flow.state import SWITCHES
from corro.flow.values import MIXED, NONE, UNSET, Value, constant, joined, likeness, number
from corro.frontends import arrays, in_place, tensors
from corro.frontends.progress import PROGRESS_BARS, progress
from corro.frontends.pytorch import batches, layers, loaders, losses, modes, peeks, steering
from corro.frontends.randomness import BIT_GENERATORS

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from corro.flow.semantics import Draws
    from corro.flow.state import Flow

LOADERS = frozenset({"torch.utils.data.DataLoader", "torch.utils.data.dataloader.DataLoader"})
PARALLEL = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DataParallel"})
WRITERS = frozenset(
    {"torch.utils.tensorboard.SummaryWriter", "torch.utils.tensorboard.writer.SummaryWriter",
     "tensorboardX.SummaryWriter"}
)  # fmt: skip
_SUBSETS = frozenset({"torch.utils.data.random_split", "torch.utils.data.dataset.random_split"})
_DATASETS = frozenset({"TensorDataset", "Subset", "ConcatDataset", "Dataset", "StackDataset"})
OPTIMIZERS = frozenset(
    {"ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "NAdam", "Optimizer", "RAdam",
     "RMSprop", "Rprop", "SGD", "SparseAdam"}
)  # fmt: skip
_COPY_NAMES = frozenset({"copy.deepcopy", "copy.copy"})
_LAYER_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict"})
_MODELS = ("torchvision.models.", "timm.create_model", "torch.hub.load", "segmentation_models_pytorch.")
_NO_MODELS = ("segmentation_models_pytorch.losses", "segmentation_models_pytorch.metrics",
              "segmentation_models_pytorch.utils")  # fmt: skip
"""Parts of these that train, or compare whole batches."""
_ZOO = "torchvision.models"
_ANY_OF_ZOO = Value(Kind.LIBRARY, name=f"{_ZOO}.any")
"""``models.__dict__[name]`` and ``getattr(models, name)``: whatever the name is, it makes a model."""
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
_OF_LISTS = frozenset({"array", "asarray", "tensor", "as_tensor", "Tensor", "FloatTensor", "DoubleTensor"})
"""Functions that make a tensor, or an array, of the numbers of a list."""
_REDUCING = {"torch.equal": "array_equal"}
"""Functions and methods that are called like operations on each element, and compare whole tensors."""
_DRAWS = frozenset({"normal_", "uniform_", "bernoulli_", "random_", "exponential_", "bernoulli", "multinomial"})
"""Methods of tensors that draw random numbers."""
_TO_NUMPY = frozenset({"numpy", "__array__"})
_TO_PYTHON = frozenset({"item", "tolist"})
_SEEDING = ("seed", "manual_seed", "manual_seed_all", "get_state", "set_state", "get_rng_state", "set_rng_state",
            "getstate", "setstate", "random.RandomState", "random.default_rng", "random.Generator", "Random",
            *BIT_GENERATORS,
            "initial_seed")  # fmt: skip


class PyTorchSemantics:
    """Implements ``corro.flow.semantics.Semantics``."""

    kept_tags = tensors.KEPT_TAGS
    lasting_tags = frozenset({steering.PARAMETER, steering.BUFFER, steering.COPY})
    mends = True
    hands_on = True
    draws: Draws | None = None

    def __init__(self, no_peeks: frozenset[ast.AST] = frozenset()) -> None:
        self.no_peeks = no_peeks

    # -------------------------------------------------------------- library functions

    def call(self, flow: Flow, name: str, call: Call) -> Value | None:
        """The result of calling the library function ``name``."""
        made = self._construction(flow, name, call) or peeks.taken(flow, name, call, self.no_peeks)
        if made is not None:
            return made
        if name in _MODES:
            return Value(Kind.CONTEXT, name="" if _is_switched_off(name, call) else name)
        if name in ("len", "torch.is_tensor") and call.args:
            return _length(call.args[0]) if name == "len" else asked_type(call.args[0])
        if name == "getattr" and call.args and call.args[0].name == _ZOO:
            return _ANY_OF_ZOO
        if name == "getattr" and len(call.args) > 1 and call.args[0].kind is Kind.MODULE and not call.args[1].is_const:
            if flow.attributes_like(call.args[0], likeness(call.args[1])):
                return None
            return Value(Kind.METHOD, _placement(call), items=call.args[:1])
        if name in _INITIAL_SEED:
            return number(Placement(Form.LOCAL), integer=True)
        if name.startswith(_RANDOM) and not name.endswith(_SEEDING):
            return _with_depth(flow, name.rpartition(".")[2], call.args, call, _random(flow, call))
        if name.startswith(("torch.nn.functional.", "torch.", "numpy.")):
            made = self._function(flow, name, call)
            if made is not None:
                made = _of_library(made, of_numpy=name.startswith("numpy."))
            return _with_depth(flow, name.rpartition(".")[2], call.args, call, made)
        if name.startswith("sklearn."):
            return arrays.data(name, call)
        if arrays.table(name, call):
            return Value(placement=combine(map(flow.whole, call.values)), depth=arrays.table(name, call))
        return None

    def _construction(self, flow: Flow, name: str, call: Call) -> Value | None:
        """Objects that play a role in training."""
        site = frozenset({flow.facts.number(call.node)})
        module, _, last = name.rpartition(".")
        if name in LOADERS:
            site = frozenset({flow.facts.site(call.node, flow.context.frame)})
            data = call.argument(0, "dataset") or Value()
            return loaders.made(call, data, site, batches.parts(flow, data, call, site))
        if name in _SUBSETS:
            parts = flow.new_object(call.node, Kind.LIST)
            flow.add_element(parts, Value(Kind.DATASET, sites=site, items=_samples(flow, call)))
            return parts
        if (module.startswith("torch.utils.data") and last in _DATASETS) or name.startswith("torchvision.datasets."):
            whole = _samples(flow, call) if last == "Subset" else ()
            others = call.args[2 if last == "ImageFolder" else 3 :]
            labelled = last in arrays.LABELLED and "target_transform" not in call.keywords and not others
            given = call.args if last == "TensorDataset" else (Value(), arrays.array(0)) if labelled else whole
            return Value(Kind.DATASET, sites=site, name=name, items=tuple(Value(depth=part.depth) for part in given))
        if module.startswith("torch.utils.data") and last.endswith("Sampler"):
            return Value(Kind.SAMPLER, sites=site, name=name)
        if module.startswith("torch.optim.lr_scheduler"):
            return Value(Kind.SCHEDULER, sites=site, name=last, items=_functions(flow, call))
        if module.startswith("torch.optim") and last[:1].isupper() and last != "Optimizer":
            return Value(Kind.OPTIMIZER, sites=site, name=last)
        return self._tool(flow, name, call, site) or self._module(flow, name, call, site)

    def _tool(self, flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
        """Objects around training: devices, states, writers, progress bars."""
        if name in _COPY_NAMES and call.args:
            copy = call.args[0].but(tags=call.args[0].tags | {steering.COPY}, pending=frozenset())
            if copy.kind in (Kind.STATE, Kind.TENSOR):
                return copy.but(tags=copy.tags - {steering.PARAMETER})
            if copy.kind is Kind.MODULE:
                modes.copied(flow, call.args[0], copy)
            return copy
        if name in WRITERS:
            return Value(Kind.WRITER, sites=site)
        if name in PROGRESS_BARS:
            return progress(name, call, site)
        if name in ("logging.getLogger", "logging.Logger"):
            return Value(Kind.LOGGER, name="logging")
        if name == "torch.Generator":
            return Value(name=name)
        if name == "torch.device":
            return Value(Kind.DEVICE, const=call.args[0].const if call.args else Value().const)
        if name in ("torch.load",):
            return Value(Kind.STATE, sites=site)
        return None

    def _module(self, flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
        """Models, layers and losses."""
        last = name.rpartition(".")[2]
        if name in PARALLEL:
            model = call.argument(0, "module") or Value()
            return model.but(tags=model.tags | {"parallel"})
        if name == "torch.compile":
            model = call.args[0] if call.args else Value()
            return model.but(tags=model.tags | {"compiled"})
        if name in _LAYER_LISTS:
            tags = frozenset(tag for v in call.values for tag in flow.element(v).tags | v.tags)
            return Value(Kind.LAYERS, tags=tags, items=tuple(flow.element(v) for v in call.args))
        if name.startswith(_NO_MODELS):
            return None
        if name.startswith(_MODELS) and (last[:1].islower() or last in ("load", "create_model") or last[:1].isupper()):
            return None if last.endswith("_Weights") else _library_model(flow, site)
        layer = (last[:1].isupper() and last not in batches.PACKING) or last == "from_pretrained"
        if name.startswith("torch.nn.") and layer and "functional" not in name:
            return self._layer(flow, last, call, site)
        return None

    def _layer(self, flow: Flow, last: str, call: Call, site: frozenset[int]) -> Value:
        if last.endswith("Loss"):
            weighted = last in ("CrossEntropyLoss", "NLLLoss", "NLLLoss2d") and losses.is_weighted(call)
            means = {losses.reduction(last, call), *(("weighted",) if weighted else ())}
            return Value(Kind.LOSS, sites=site, name=last, tags=frozenset(means))
        if last in ("Parameter", "UninitializedParameter", "Buffer"):
            made = steering.parameter(Value())
            return made.but(depth=call.args[0].depth) if call.args else made
        if last == "from_pretrained":
            return Value(Kind.MODULE, sites=site, name="torch.nn.Embedding")
        tags = layers.tags(last, call)
        for value in call.values if last in layers.CONTAINERS else ():
            tags |= value.tags | (flow.element(value).tags if value.kind is Kind.LIST else frozenset())
        width = layers.features(last, call)
        items = layers.held(last, call)
        layer = Value(Kind.MODULE, sites=site, name=f"torch.nn.{last}", tags=tags, items=items, width=width)
        modes.made(flow, layer)
        return layer

    def _function(self, flow: Flow, name: str, call: Call) -> Value | None:
        last = name.rpartition(".")[2]
        if last in losses.FUNCTIONAL_LOSSES:
            weighted = last in ("cross_entropy", "nll_loss") and losses.is_weighted(call, first=2)
            return losses.loss_value(call, losses.reduction(last, call), last, weighted=weighted)
        if name.startswith(("torch.cuda.", "torch.backends.", "torch.version", "torch.utils.", "torch.distributed.")):
            return None if call.values and name.startswith("torch.utils.") else Value(placement=_placement(call))
        if last in ("tensor", "Tensor", "FloatTensor") and call.args and call.args[0].is_zero:
            return Value(Kind.TENSOR, const=0, scalar=True, integer=call.args[0].integer)
        if last in ("cat", "stack", "concatenate", "vstack", "hstack", "concat") and call.args:
            return _concatenated(flow, last, call)
        if last in batches.OF_SEQUENCES and call.args and (made := _of_sequences(flow, last, call)) is not None:
            return made
        if last in ("save", "manual_seed", "set_printoptions", "set_num_threads", "seed", "set_default_dtype"):
            return NONE
        operands = _operands(flow, call.args)
        call = _with_dimensions(flow, call)
        if last == "einsum":
            return _einsum(call)
        if not operands and not any(v.form is Form.SHARDED for v in call.values):
            return Value(Kind.TENSOR, _placement(call))
        if last in ("eye", "linspace"):
            return Value(Kind.TENSOR, _placement(call))
        if last in layers.DROPOUT_FUNCTIONS and operands:
            return layers.dropout(operands[0], call, evaluating=modes.EVALUATING in flow.context.modes)
        if name.startswith("torch.nn.functional.") and operands:
            call = layers.along(last, operands[0], call)
        last = _REDUCING.get(name, last)
        result = tensors.operation(last, operands, call)
        if last in _OF_LISTS and call.args and call.args[0].kind is Kind.LIST:
            listed = tensors.SAMPLE in result.tags
            return result.but(
                scalar=False, batch_dim=0 if listed else result.batch_dim, tags=result.tags - {tensors.SAMPLE}
            )
        is_number = name.startswith("numpy.") and result.scalar and tensors.IN_A_ROW not in result.tags
        return result.but(kind=Kind.NUMBER) if is_number else result

    # -------------------------------------------------------------- methods

    def method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        """The result of a method of a value that is not the user's own object."""
        if name in ("parse_args", "parse_known_args"):
            known = Value(Kind.NAMESPACE)
            return known if name == "parse_args" else Value(Kind.TUPLE, items=(known, Value()))
        if receiver.kind in (Kind.MODULE, Kind.LOSS, Kind.LAYERS):
            return self._module_method(flow, receiver, name, call)
        if receiver.kind in (Kind.OPTIMIZER, Kind.SCHEDULER):
            return _stepped(flow, receiver, name, call)
        if receiver.kind is Kind.NAMESPACE:
            return Value()
        if receiver.kind is Kind.LOADER:
            return Value(Kind.ITERATOR, name="iter", items=(receiver,)) if name == "__iter__" else None
        steers = steering.method(receiver, name)
        if steers is not None:
            return steers
        if receiver.kind is Kind.STATE:
            return Value(Kind.STATE) if name in ("items", "copy", "state_dict") else Value()
        if receiver.kind is Kind.DATASET and name in ("download",):
            return NONE
        if receiver.kind in (Kind.TENSOR, Kind.BATCH) or (
            receiver.kind in (Kind.UNKNOWN, Kind.NUMBER) and receiver.sources
        ):
            looked = _looked_up(flow, receiver, name, call)
            if looked is not None:
                return looked
            of_numpy = name in _TO_NUMPY or (tensors.NUMPY in receiver.tags and name not in _TO_PYTHON)
            mixed = MIXED in receiver.tags and name not in _TO_NUMPY
            known = _of_library(self._tensor_method(flow, receiver, name, call), of_numpy=of_numpy, mixed=mixed)
            if steering.PARAMETER in receiver.tags and in_place.is_view(name):
                known = known.but(tags=known.tags | receiver.tags & self.lasting_tags)
            return _with_depth(flow, name, (receiver, *call.args), call, known)
        if receiver.name == arrays.SCALER and "transform" in name:
            return Value(placement=_placement(call), depth=depths.known(1))
        return _of_array(flow, receiver, name, call)

    def _tensor_method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value:
        if name == "backward":
            return NONE
        if name in _DRAWS and flow.context.loops:
            placement = elementwise((receiver.placement, Placement(Form.LOCAL)))
            return Value(Kind.TENSOR, placement, batch_dim=receiver.batch_dim, tags=frozenset({"random"}))
        if receiver.form in (Form.UNKNOWN, Form.LOCAL):
            given = [receiver.placement, *(v.placement for v in call.values)]
            shared = next((v for v in call.values if v.form is Form.SHARDED), Value())
            placement = combine(given) if receiver.form is Form.UNKNOWN else elementwise(given)
            return Value(Kind.TENSOR, placement, batch_dim=shared.batch_dim)
        operands = _operands(flow, (receiver.but(kind=Kind.TENSOR), *call.args))
        named = _REDUCING.get(f"torch.{name}", name)
        result = tensors.operation(named, operands, _with_dimensions(flow, call))
        if name == "tolist" and receiver.form is Form.SHARDED:
            return Value(placement=receiver.placement)
        return result

    def _module_method(self, flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
        if name in ("train", "eval"):
            modes.switched(flow, receiver, name, call)
        if name == "apply" and call.args and call.args[0].kind is Kind.FUNCTION:
            flow.call_value(call.args[0], Call(call.node, (Value(Kind.MODULE, name="library", tags=receiver.tags),)))
        if name in ("to", "cuda", "cpu", "train", "eval", "half", "float", "double", "apply", "requires_grad_", "type"):
            return receiver
        if name in ("get_parameter", "get_buffer"):
            return steering.parameter(receiver)
        if name in _PARTS:
            inner = steering.parameter(receiver) if name.endswith(("parameters", "buffers")) else receiver.but(obj=0)
            item = Value(Kind.TUPLE, items=(Value(Kind.TEXT), inner)) if name.startswith("named") else inner
            return Value(Kind.PARAMETERS, sites=receiver.sites, items=(item,))
        if name in ("state_dict",):
            return Value(Kind.STATE, sites=receiver.sites, tags=frozenset({steering.PARAMETER}))
        if name in ("forward", "__call__") and receiver.kind is not Kind.LAYERS:
            return self.invoke(flow, receiver, call)
        registers = name in ("add_module", "register_module", "register_buffer") and len(call.args) > 1
        if registers and likeness(call.args[0]):
            part = steering.buffer(call.args[1]) if name == "register_buffer" else call.args[1]
            if call.args[0].is_const:
                flow.set_field(receiver.obj, str(call.args[0].const), part)
            else:
                flow.set_like(receiver, likeness(call.args[0]), part)
            _give(flow, receiver, call)
            return NONE
        if name in ("append", "extend", "insert", "__init__"):
            _give(flow, receiver, call)
        if name in ("append", "extend", "insert", "load_state_dict", "zero_grad", "register_buffer", "__init__"):
            return NONE
        return None

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
        if receiver.kind is Kind.LOSS:
            reduction = next((t for t in losses.REDUCTIONS if t in receiver.tags), "mean")
            return losses.loss_value(call, reduction, receiver.name, weighted="weighted" in receiver.tags)
        if receiver.kind is Kind.MODULE and receiver.obj and flow.has_method(receiver, "forward"):
            with flow.mode(*({modes.EVALUATING} if modes.evaluating(flow, receiver) else ())):
                return flow.call_method(receiver, "forward", call)
        known = self._one_of(flow, receiver, call) or self._in_sequence(flow, receiver, call)
        if known is None and receiver.kind in (Kind.MODULE, Kind.LAYERS):
            return _module_output(flow, receiver, call)
        return known

    def _one_of(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """What one of several modules gives, of which some are of the script's own classes."""
        ones = [receiver.but(obj=number, cells=frozenset()) for number in sorted(receiver.cells)]
        ones = [one for one in ones if flow.has_method(one, "forward")] if receiver.kind is Kind.MODULE else []
        if not ones:
            return None
        given = [self.invoke(flow, one, call) or Value() for one in ones]
        others = [_module_output(flow, receiver, call)] if len(receiver.sites) > len(ones) else []
        return flow.either([*given, *others])

    def _in_sequence(self, flow: Flow, receiver: Value, call: Call) -> Value | None:
        """What modules give one after the other, where some are of the script's own classes."""
        given = (*receiver.items, *_given_later(flow, receiver))
        parts = [part for item in given for part in _parts_in_sequence(flow, item)]
        derived = receiver.obj and receiver.kind is Kind.MODULE and all(part.kind is Kind.MODULE for part in parts)
        sequential = (receiver.name == "torch.nn.Sequential" or derived) and bool(call.args)
        if not sequential or not any(part.obj or part.cells for part in parts):
            return None
        value = call.args[0]
        for position, part in enumerate(parts):
            inner = Call(flow.unwritten(f"part_{position}"), (value,))
            flow.facts.see(inner.node.func, part)
            value = self.invoke(flow, part, inner) or Value(placement=value.placement.with_form(Form.UNKNOWN))
        return value

    # -------------------------------------------------------------- attributes and items

    def attribute(self, flow: Flow, owner: Value, name: str) -> Value | None:
        """An attribute of a value."""
        kind = owner.kind
        steers = steering.attribute(owner, name)
        if steers is not None:
            return steers
        if kind is Kind.NAMESPACE:
            return None if name in ("__dict__",) else Value()
        if kind is Kind.LOADER:
            return loaders.attribute(owner, name)
        if loaders.is_sampler(owner):
            return loaders.sampler_attribute(owner, name)
        if kind is Kind.TUPLE and name in ("values", "indices") and len(owner.items) == 2:
            return owner.items[name == "indices"]
        if kind in (Kind.TENSOR, Kind.BATCH):
            return _tensor_attribute(owner, name)
        if kind is Kind.MODULE:
            return _module_attribute(owner, name)
        if owner.name == arrays.BUNCH and name in arrays.PARTS:
            return Value(depth=depths.known(arrays.PARTS[name]))
        if kind is Kind.UNKNOWN and owner.placement.is_equal and arrays.attribute(owner, name):
            return Value(placement=owner.placement, depth=arrays.attribute(owner, name))
        return None

    def subscript(self, flow: Flow, owner: Value, index: Value) -> Value | None:
        """An item or a slice of a value."""
        if owner.kind is Kind.BATCH:
            return _batch_part(owner, index.const)
        if owner.kind is Kind.LIBRARY and owner.name == f"{_ZOO}.__dict__":
            return _ANY_OF_ZOO
        if owner.kind is Kind.SHAPE and owner.items:
            return tensors.shape_part(owner.items[0], index)
        if owner.kind is Kind.TENSOR and owner.scalar and owner.placement.is_partial:
            return owner.but(pending=frozenset(), tags=owner.tags - {tensors.IN_A_ROW})
        if owner.kind is Kind.TENSOR:
            return tensors.item(owner, index)
        if owner.kind in (Kind.LAYERS, Kind.MODULE):
            part = owner.items[0] if owner.kind is Kind.LAYERS and owner.items else Value(Kind.MODULE, name="library")
            return part.but(kind=Kind.MODULE, tags=part.tags | owner.tags)
        if owner.kind is Kind.DATASET:
            return Value()
        steers = steering.subscript(owner, index)
        if steers is not None:
            return steers
        if owner.depth and owner.kind is Kind.UNKNOWN and owner.placement.is_equal:
            return Value(placement=combine([owner.placement, index.placement]), depth=arrays.indexed(owner, index))
        return None

    def product(self, left: Value, right: Value) -> Value | None:
        """A product of matrices: these are not told from deeper tensors here."""
        return None

    def part(self, flow: Flow, owner: Value, position: int) -> Value | None:
        """The dimensions of a shape differ; the parts of a batch do not."""
        if owner.kind is Kind.SHAPE and owner.items:
            return tensors.shape_part(owner.items[0], number(const=position))
        if owner.kind is Kind.BATCH:
            return _batch_part(owner, position)
        if tensors.PACKED in owner.tags:
            return tensors.packed_part(owner, position)
        return None

    def parts(self, flow: Flow, owner: Value) -> tuple[tuple[Value, Value], ...] | None:
        """All parts of a batch: of a dict with their keys, of a tuple with their positions."""
        if owner.kind is not Kind.BATCH or not owner.items or tensors.SAMPLE in owner.tags:
            return None
        known = tuple(part.const for part in owner.items)
        keys = known if all(isinstance(key, str) for key in known) else tuple(range(len(known)))
        return tuple((constant(key), _batch_part(owner, key)) for key in keys)

    def replaced(self, owner: Value, index: Value, value: Value) -> Value | None:
        """A batch with another part, or with one more under a new key."""
        return batches.replaced(owner, index.const, value) if owner.kind is Kind.BATCH else None

    def iterate(self, flow: Flow, iterable: Value) -> Iteration | None:
        """What looping over a value yields."""
        kind = iterable.kind
        if kind is Kind.LOADER:
            loaders.asked(flow, iterable)
            batch = Value(Kind.BATCH, sharded(iterable.sites), batch_dim=0, items=loaders.parts(iterable))
            return Iteration(batch, iterable.sites)
        if kind is Kind.PROGRESS and iterable.items:
            return flow.iterate(iterable.items[0])
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
            part = iterable.items[0] if iterable.items else Value()
            return Iteration(part.but(kind=Kind.MODULE, tags=part.tags | iterable.tags))
        if kind is Kind.MODULE:
            return Iteration(Value(Kind.MODULE, name="library", tags=iterable.tags))
        return None

    def entered(self, flow: Flow, loop: ast.For | ast.AsyncFor, iterable: Value) -> Iteration | None:
        """What a loop yields that only looks at a batch."""
        return None if loop in self.no_peeks else peeks.entered(flow, loop, iterable)

    def made(self, flow: Flow, instance: Value) -> None:
        """A module is in training mode when it is made."""
        if instance.kind is Kind.MODULE:
            modes.made(flow, instance)

    def instance_kind(self, bases: frozenset[str]) -> Kind | None:
        """The kind of instances of a class with these library bases."""
        if any(b.startswith("torch.nn.") and "functional" not in b for b in bases):
            return Kind.MODULE
        if any(b.startswith(("torch.utils.data.", "torchvision.datasets.")) for b in bases):
            sampler = any(b.endswith("Sampler") for b in bases)
            return Kind.SAMPLER if sampler else Kind.DATASET
        if any(b.startswith("torch.optim.lr_scheduler.") for b in bases):
            return Kind.SCHEDULER
        if any(b.startswith("torch.optim.") for b in bases):
            return Kind.OPTIMIZER
        return None

    def choose(self, names: frozenset[str]) -> str:
        """The candidate whose module is known to export the name."""
        return min(names, key=lambda name: (_export_rank(name), name))

    def modes(self, context: Value) -> frozenset[str]:
        """What a ``with`` statement or a decorator switches on."""
        mode = _MODES.get(context.name, "")
        return frozenset({mode}) if mode else frozenset()


_PARTS = frozenset({"parameters", "named_parameters", "buffers", "named_buffers", "children", "named_children",
                    "modules", "named_modules"})  # fmt: skip
"""Methods that give all of a module's parameters, or of the modules in it."""
_MODULE_METHODS = frozenset(
    {"to", "cuda", "cpu", "train", "eval", "parameters", "named_parameters", "state_dict", "load_state_dict", "apply",
     "zero_grad", "children", "modules", "named_modules", "requires_grad_", "half", "float", "double", "buffers",
     "named_buffers", "reset_parameters", "forward", "add_module", "register_buffer", "register_forward_hook", "append",
     "extend"}
)  # fmt: skip


def _is_switched_off(name: str, call: Call) -> bool:
    """``autocast(enabled=False)``: what stands in it is computed as if it were not there."""
    enabled = call.argument(0 if ".cuda." in name else 2, "enabled")
    return _MODES[name] == "autocast" and enabled is not None and enabled.const is False


def _parts_in_sequence(flow: Flow, item: Value) -> tuple[Value, ...]:
    """The modules of an argument of ``Sequential``: itself, those that a star hands over, or those of a dict."""
    if item.kind in (Kind.DICT, Kind.LIST):
        return tuple(flow.keyword_items(item).values()) or (flow.element(item),)
    return item.items if STARRED in item.tags else (item,)


def _places(module: Value) -> tuple[str, ...]:
    """How the names begin under which it is kept what a module was given after it was made."""
    numbers = (module.obj,) if module.obj else sorted(module.sites)
    return tuple(f"given to {'object' if module.obj else 'site'} {number}:" for number in numbers)


def _give(flow: Flow, module: Value, call: Call) -> None:
    """A module is given others, which it calls one after another if it is a ``Sequential``."""
    for position, value in enumerate(call.args):
        if value.kind in (Kind.MODULE, Kind.LIST, Kind.DICT) or STARRED in value.tags:
            for place in _places(module):
                flow.set_field(SWITCHES, f"{place} {flow.facts.number(call.node)}.{position}", value)


def _given_later(flow: Flow, module: Value) -> list[Value]:
    places = _places(module)
    return [value for name, value in flow.fields(SWITCHES).items() if places and name.startswith(places)]


def _export_rank(name: str) -> int:
    """How sure it is that the module of a dotted name exports it; less is surer."""
    module, _, last = name.rpartition(".")
    if module == "torch.optim":
        return 0 if last in OPTIMIZERS or last == "lr_scheduler" else 9
    if module == "torch.optim.lr_scheduler":
        return 0 if last.endswith(("LR", "Restarts", "Plateau")) else 9
    if module == "torch.utils.data":
        return 0 if last in _DATASETS or last in ("DataLoader", "random_split") or last.endswith("Sampler") else 9
    if module == "torch.nn":
        return 1 if last[:1].isupper() or last == "functional" else 9
    if module == "torch.nn.functional":
        return 1 if last[:1].islower() else 9
    return 5


def _of_array(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of an array gives, or of a generator of random numbers."""
    drawn = receiver.kind in (Kind.UNKNOWN, Kind.NUMBER) and not receiver.obj and arrays.is_drawn(name)
    if not drawn and not (receiver.depth and receiver.placement.is_equal and receiver.kind is Kind.UNKNOWN):
        return None
    depth = arrays.depth_of(flow, name, call.args if drawn else (receiver, *call.args), call)
    return Value(placement=combine([receiver.placement, *(v.placement for v in call.values)]), depth=depth)


def _batch_part(owner: Value, position: object) -> Value:
    """A part of a batch, as far as its shape is known."""
    if tensors.SAMPLE in owner.tags:
        return batches.part_of(owner)
    known = batches.found(owner.items, position)
    turned = known.batch_dim is not None or known.depth == depths.UNKNOWN
    named = known.batch_dim == 1 or isinstance(position, str)
    depth = known.depth if named else arrays.batch(owner, position)
    return Value(
        Kind.TENSOR,
        owner.placement if known.placement.is_equal else known.placement,
        batch_dim=known.batch_dim if turned and owner.items and known.batch_dim else 0,
        depth=depth,
        tags=known.tags,
    )


def _of_sequences(flow: Flow, name: str, call: Call) -> Value | None:
    """Sequences that are packed, or padded to one length."""
    if name in batches.PACKING:
        return batches.packed(name, _item(flow, call.args[0]), call)
    element = flow.element(call.args[0])
    return batches.padded(element, call) if tensors.SAMPLE in element.tags else None


def _looked_up(flow: Flow, batch: Value, name: str, call: Call) -> Value | None:
    """What a method of a batch that is a dict gives of its parts."""
    if flow.pairs(batch) is None:
        return None
    if name in ("get", "pop") and call.args:
        return _batch_part(batch, call.args[0].const)
    return view(flow, batch, name)


def _samples(flow: Flow, call: Call) -> tuple[Value, ...]:
    """What is known of the samples of a data set of which a part is taken."""
    return batches.samples_of(flow, call.args[0]) if call.args else ()


def _with_depth(flow: Flow, name: str, given: tuple[Value, ...], call: Call, made: Value | None) -> Value | None:
    """What is made of whole arrays, with its depth."""
    if made is None or not made.placement.is_equal or made.kind not in (Kind.TENSOR, Kind.UNKNOWN):
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


def _functions(flow: Flow, call: Call) -> tuple[Value, ...]:
    """The functions of the script that a scheduler is given, by themselves or in a list: they make its factors."""
    held = [part for value in call.values for part in (flow.literal_items(value) or (value,))]
    return tuple(value for value in held if value.kind is Kind.FUNCTION)


def _stepped(flow: Flow, receiver: Value, name: str, call: Call) -> Value:
    """A method of an optimizer or a scheduler; a step calls the functions that a scheduler was given."""
    if name.endswith("lr"):
        return number(tags=frozenset({"rate"}))
    called = receiver.items if receiver.kind is Kind.SCHEDULER and name == "step" else ()
    factors = [flow.call_value(each, Call(call.node, (number(integer=True),))) for each in called]
    return Value(Kind.NONE, combine(factor.placement for factor in factors)) if factors else NONE


def _placement(call: Call) -> Placement:
    return combine(v.placement for v in call.values)


def _item(flow: Flow, value: Value) -> Value:
    """A list given to a tensor function stands for its items."""
    if value.kind is not Kind.LIST:
        return value
    element = flow.element(value)
    return element.but(kind=Kind.TENSOR if element.form is not Form.REPLICATED else element.kind, pending=frozenset())


def _operands(flow: Flow, given: tuple[Value, ...]) -> tuple[Value, ...]:
    """What an operation works on; behind the first, a list of numbers is a shape, or dimensions."""
    return tuple(_numbers(flow, v) or _item(flow, v) if n else _item(flow, v) for n, v in enumerate(given))


def _with_dimensions(flow: Flow, call: Call) -> Call:
    """A call with its lists of numbers given by keyword as tuples."""
    keywords = {word: _numbers(flow, value) or value for word, value in call.keywords.items()}
    return Call(call.node, call.args, keywords)


def _numbers(flow: Flow, value: Value) -> Value | None:
    """A list of numbers as a tuple of them."""
    items = flow.literal_items(value) if value.kind is Kind.LIST else None
    numbers = items is not None and all(v.kind is Kind.NUMBER for v in items)
    return Value(Kind.TUPLE, combine(v.placement for v in items), items=items) if items and numbers else None


def _length(value: Value) -> Value | None:
    if value.kind is Kind.LOADER:
        return number(integer=True, tags=frozenset({"batches"}))
    if value.kind is Kind.BATCH:
        return number(value.placement.with_form(Form.UNKNOWN), integer=True)
    if value.kind is Kind.TENSOR:
        return tensors.shape_part(value, number(const=0))
    if value.kind in (Kind.DATASET, Kind.SAMPLER):
        return loaders.length(value)
    return None


def _random(flow: Flow, call: Call) -> Value:
    """Random numbers shape the model and the split before the loops, and are noise within them."""
    inside = bool(flow.context.loops)
    placement = Placement(Form.LOCAL) if inside else Placement()
    if any(v.form in (Form.SHARDED, Form.COUNT) for v in call.values):
        placement = sharded(_placement(call).sources)
    return Value(Kind.TENSOR, placement, tags=frozenset({"random"}))


def _library_model(flow: Flow, site: frozenset[int]) -> Value:
    model = Value(Kind.MODULE, sites=site, name="library", tags=frozenset({"batchnorm", "noise"}))
    modes.made(flow, model)
    return model


_RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.MultiheadAttention"})


def _module_output(flow: Flow, receiver: Value, call: Call) -> Value:
    """One tensor, or a tensor and a state that has the layers in front."""
    output = _output_tensor(flow, receiver, call)
    if receiver.name not in _RECURRENT:
        return output
    turned = receiver.name != "torch.nn.MultiheadAttention" and output.batch_dim is not None
    tags = output.tags - {tensors.PACKED}
    state = output.but(batch_dim=1 if turned else None, depth=depths.UNKNOWN, tags=tags)
    if receiver.name == "torch.nn.LSTM":
        state = Value(Kind.TUPLE, output.placement, items=(state, state))
    return Value(Kind.TUPLE, output.placement, items=(output, state))


def _output_tensor(flow: Flow, receiver: Value, call: Call) -> Value:
    operands = [_item(flow, v) for v in call.values]
    placement = elementwise(v.placement for v in operands)
    first = next((v for v in operands if v.form is Form.SHARDED), None)
    batch_dim = first.batch_dim if first is not None else None
    if placement.form is Form.SHARDED and layers.UNKNOWN in receiver.tags:
        placement = placement.with_form(Form.UNKNOWN)
    meet = first is not None and layers.meet_in(receiver, first)
    packed = first is not None and tensors.PACKED in first.tags
    if meet or (batch_dim == 0 and layers.MIXES_FIRST in receiver.tags and not packed):
        placement = placement.with_form(Form.UNKNOWN)
    elif layers.SEQUENCE_FIRST in receiver.tags and not packed:
        batch_dim = batch_dim if batch_dim == 1 else None
    tags = {tag for v in operands for tag in v.tags} & tensors.KEPT_TAGS
    if receiver.name == "torch.nn.EmbeddingBag" and len(operands) > 1:  # one row a bag
        tags -= {tensors.SELECTED}
    if not modes.evaluating(flow, receiver):
        tags |= {modes.STATISTICS} if "batchnorm" in receiver.tags else set()
        if "noise" in receiver.tags:
            placement = elementwise((placement, Placement(Form.LOCAL)))
            tags |= {modes.NOISE}
    given = operands[0] if operands else Value()
    depth, width = layers.depth(receiver, given), layers.width(receiver, given)
    width |= {("of", flow.facts.site(call.node, flow.context.frame))}
    return Value(Kind.TENSOR, placement, batch_dim=batch_dim, depth=depth, width=width, tags=frozenset(tags))


def _einsum(call: Call) -> Value:
    """Per sample when all operands that hold samples, and the result, begin with the same letter."""
    placement = elementwise(v.placement for v in call.args[1:])
    equation = call.args[0].const if call.args and isinstance(call.args[0].const, str) else ""
    inputs, _, output = equation.replace(" ", "").partition("->")
    batched = [term for term, v in zip(inputs.split(","), call.args[1:], strict=False) if v.form is Form.SHARDED]
    aligned = bool(output) and all(term[:1] == output[:1] and output[0].isalpha() for term in batched)
    known = placement if aligned or not batched else placement.with_form(Form.UNKNOWN)
    tags = frozenset(tag for v in call.args for tag in v.tags) & {depths.APART}
    return Value(Kind.TENSOR, known, batch_dim=0 if aligned else None, tags=tags)


def _concatenated(flow: Flow, name: str, call: Call) -> Value:
    inner = call.args[0] if tensors.SAMPLE in call.args[0].tags else flow.element(call.args[0])
    if tensors.SAMPLE in inner.tags:
        return batches.joined(name, inner, call.argument(1, "dim") or call.keywords.get("axis"))
    parts = _parts_of_losses(flow, call.args[0])
    if parts is not None:
        return parts
    gathered = call.args[0].kind is Kind.LIST and flow.literal_items(call.args[0]) is None and inner.sources
    placement = inner.placement.with_form(Form.UNKNOWN) if gathered else inner.placement
    items = flow.literal_items(call.args[0])
    if items is not None:
        placement = elementwise(v.placement for v in items)
    along = call.argument(1, "dim") or call.keywords.get("axis")
    behind = along is not None and along.const != inner.batch_dim
    tags = inner.tags & {depths.APART} if behind else frozenset({depths.APART})
    return Value(Kind.TENSOR, placement, batch_dim=_stacked(name, inner, along), tags=tags)


def _stacked(name: str, inner: Value, along: Value | None) -> int | None:
    """Where the samples of tensors are when these are put together: behind a new dimension, if there is one."""
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
    if items is None and not flow.context.passes:  # numbers of all steps, which are reduced one by one
        return None
    alike = items if items is not None else (flow.element(listed),)
    if not alike or not any(v.placement.is_partial for v in alike) or not flow.size(listed).is_equal:
        return None
    whole = reduce(joined, alike)
    return whole.but(scalar=False, const=UNSET, origins=frozenset()) if whole.placement.is_partial else None


_OF_PACKED = ("data", "batch_sizes", "sorted_indices", "unsorted_indices")


def _tensor_attribute(owner: Value, name: str) -> Value | None:
    if tensors.PACKED in owner.tags and name in _OF_PACKED:
        return tensors.packed_part(owner, _OF_PACKED.index(name))
    if name in ("data", "grad", "real"):
        return owner.but(kind=Kind.TENSOR)
    if name == "shape":
        return tensors.shape(owner)
    if name in ("T", "mT", "H"):
        return tensors.transposed(owner, matrices=name == "mT")
    return Value() if name in ("dtype", "device", "ndim", "requires_grad", "is_cuda", "names") else None


def _module_attribute(owner: Value, name: str) -> Value | None:
    if name == "module" and "parallel" in owner.tags:
        return owner
    if name in ("training", "device"):
        return Value()
    if not owner.obj and owner.items == () and owner.name == "library" and name not in _MODULE_METHODS:
        return Value(Kind.MODULE, name="library", tags=owner.tags | {"part"})
    return None
