"""Objects that play a role in training, where they are made: loaders, optimizers, models, layers, losses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement
from corro.flow.python import STARRED
from corro.flow.semantics import Call
from corro.flow.state import LITERAL
from corro.flow.values import Value
from corro.frontends import arrays, trackers
from corro.frontends.progress import PROGRESS_BARS, progress
from corro.frontends.pytorch import (
    batches,
    fields,
    graphs,
    layers,
    loaders,
    losses,
    metric_objects,
    modes,
    patterns,
    pretrained,
    steering,
    stepping,
    zoo,
)

if TYPE_CHECKING:
    import ast
    from collections.abc import Collection

    from corro.anatomy.observations import Observation
    from corro.flow.state import Flow

LOADERS = graphs.LOADERS | graphs.SEED_LOADERS | {"torch.utils.data.DataLoader"}
_OTHER_PARAMETERS = frozenset({
    "torch.nn.utils.weight_norm", "torch.nn.utils.spectral_norm", "torch.nn.utils.parametrizations.weight_norm",
    "torch.nn.utils.parametrizations.spectral_norm", "torch.nn.utils.parametrizations.orthogonal",
})  # fmt: skip
"""What gives a layer other parameters for its weights, and the layer back."""
PARALLEL = frozenset({"torch.nn.DataParallel", "torch.nn.parallel.DataParallel"})
WRITERS = frozenset(
    {"torch.utils.tensorboard.SummaryWriter", "torch.utils.tensorboard.writer.SummaryWriter",
     "tensorboardX.SummaryWriter", "tensorboardX.FileWriter", "tensorflow.summary.FileWriter",
     "tensorflow.compat.v1.summary.FileWriter"}
)  # fmt: skip
_CHECKPOINT = "torch.utils.checkpoint.checkpoint"
_OF_CHECKPOINT = frozenset({"use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug"})
_SCRIPTED = frozenset({"torch.jit.script", "torch.jit.trace"})
PARALLEL_CALL = "torch.nn.parallel.data_parallel"
_IN_SEGMENTS = f"{_CHECKPOINT}_sequential"
_CALLING = frozenset({PARALLEL_CALL, _CHECKPOINT, _IN_SEGMENTS})
_SUBSETS = frozenset({"torch.utils.data.random_split"})
_DATASETS = frozenset({"TensorDataset", "Subset", "ConcatDataset", "Dataset", "StackDataset"})
OPTIMIZERS = frozenset(
    {"ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "NAdam", "Optimizer", "RAdam",
     "RMSprop", "Rprop", "SGD", "SparseAdam"}
)  # fmt: skip
ANY_OPTIMIZER = "Any"
"""The class of an optimizer that is chosen by a name: all step by the gradients that they find."""
SCALERS = frozenset(
    f"torch.{name}.GradScaler" for name in ("amp", "amp.grad_scaler", "cuda.amp", "cuda.amp.grad_scaler", "cpu.amp")
)
_COPY_NAMES = frozenset({"copy.deepcopy", "copy.copy"})
_PAIR = 2
_LAYER_LISTS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict"})
_MODELS = ("torchvision.models.", "timm.create_model", "torch.hub.load", "segmentation_models_pytorch.")
_NO_MODELS = ("segmentation_models_pytorch.losses", "segmentation_models_pytorch.metrics",
              "segmentation_models_pytorch.utils")  # fmt: skip
"""Parts of these that train, or compare whole batches."""
_OF_PATCHES = frozenset({"CCT", "CaiT", "DeepViT", "SimpleViT", "T2TViT", "ViT"})
"""Networks of ``vit_pytorch`` that give a row for each picture; what is around others there makes a loss."""
_RUN_SETTINGS = "hydra.core.hydra_config.HydraConfig.get"
"""Gives Hydra's own settings, among them the folder that it has named after the time."""
_RUN_FOLDERS = frozenset({"dir", "subdir", "output_dir"})
_OF_LOSSES = frozenset({"reduction", "weight", "ignore_index"})
"""The attributes of losses that say what they make of a batch."""


def made(flow: Flow, name: str, call: Call) -> Value | None:
    """Objects that play a role in training."""
    site = frozenset({flow.facts.number(call.node)})
    module, _, last = name.rpartition(".")
    if name in LOADERS:
        site = frozenset({flow.facts.site(call.node, flow.context.frame)})
        if name in graphs.SEED_LOADERS:
            return loaders.made(call, Value(), site).but(tags=frozenset({graphs.SEEDS}))
        data = call.argument(0, "dataset") or Value()
        if name in graphs.LOADERS:
            return loaders.made(call, data, site).but(tags=frozenset({graphs.GRAPHS}))
        of_batch = batches.content(flow, data, call, site)
        return batches.with_rows(flow, loaders.made(call, data, site, of_batch), of_batch.items, call)
    if name in graphs.PARTS:
        return Value(sites=site, name=name)
    if name in _SUBSETS:
        parts = flow.new_object(call.node, Kind.LIST)
        flow.add_element(parts, Value(Kind.DATASET, sites=site, items=_samples(flow, call)))
        return parts
    if name.startswith(graphs.DATASETS) and last[:1].isupper():
        return Value(Kind.DATASET, sites=site, name=name, tags=frozenset({graphs.GRAPHS}))
    if (module.startswith("torch.utils.data") and last in _DATASETS) or name.startswith("torchvision.datasets."):
        whole = _samples(flow, call) if last == "Subset" else ()
        others = call.args[2 if last == "ImageFolder" else 3 :]
        labelled = last in arrays.LABELLED and "target_transform" not in call.keywords and not others
        given = (batches.pictures(flow, call), arrays.array(0)) if labelled else whole
        given = call.args if last == "TensorDataset" else given
        return Value(Kind.DATASET, sites=site, name=name, items=tuple(map(batches.outline, given)))
    if module.startswith("torch.utils.data") and last.endswith("Sampler"):
        return Value(Kind.SAMPLER, sites=site, name=name)
    if module.startswith("torch.optim.lr_scheduler"):
        return Value(Kind.SCHEDULER, sites=site, name=last, items=_functions(flow, call))
    if module.startswith("torch.optim") and last[:1].isupper() and last != "Optimizer":
        return Value(Kind.OPTIMIZER, sites=site, name=last)
    if (kind := stepping.kind_of(name)) is not None:
        return Value(kind, sites=site, name=last)
    return fields.made(flow, name, call) or _tool(flow, name, call, site) or _module(flow, name, call, site)


def _samples(flow: Flow, call: Call) -> tuple[Value, ...]:
    """What is known of the samples of a data set of which a part is taken."""
    return batches.samples_of(flow, call.args[0]) if call.args else ()


def _functions(flow: Flow, call: Call) -> tuple[Value, ...]:
    """The functions of the script that a scheduler is given, by themselves or in a list: they make its factors."""
    held = [part for value in call.values for part in (flow.literal_items(value) or (value,))]
    return tuple(value for value in held if value.kind is Kind.FUNCTION)


def _tool(flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
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
    known = trackers.made(flow, name, call, site) or metric_objects.made(name, call, site)
    if known is not None:
        return known
    if name in PROGRESS_BARS:
        return progress(name, call, site)
    if name in ("logging.getLogger", "logging.Logger"):
        return Value(Kind.LOGGER, name="logging")
    if name in SCALERS:
        return Value(Kind.SCALER, sites=site)
    if name == "torch.Generator":
        return Value(name=name)
    if name == "torch.device":
        return Value(Kind.DEVICE, const=call.args[0].const if call.args else Value().const)
    if name == _RUN_SETTINGS:
        return Value(name=name, sites=site)
    if name in ("torch.load",):
        return Value(Kind.STATE, sites=site)
    return None


def of_run(settings: Value, name: str) -> Value | None:
    """One of Hydra's own settings, or a group of them."""
    if settings.name != _RUN_SETTINGS:
        return None
    return Value(placement=Placement(Form.LOCAL, causes=settings.sites)) if name in _RUN_FOLDERS else settings


def _module(flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
    """Models, layers and losses."""
    last = name.rpartition(".")[2]
    if name in PARALLEL:
        model = call.argument(0, "module") or Value()
        return model.but(tags=model.tags | {"parallel"})
    if name in _CALLING and call.args:
        return _called(flow, name, call)
    if name == "torch.compile" or (name in _SCRIPTED and call.args and call.args[0].kind is Kind.MODULE):
        return call.args[0] if call.args else call.argument(0, "model") or Value()
    if name in _OTHER_PARAMETERS:
        return call.argument(0, "module") or Value()
    if name in _LAYER_LISTS:
        return _layers(flow, call)
    if name.startswith(_NO_MODELS):
        return None
    if name.startswith(_MODELS) and (last[:1].islower() or last in ("load", "create_model") or last[:1].isupper()):
        return None if last.endswith("_Weights") else _library_model(flow, site, zoo.tags(name, call))
    if name.startswith("vit_pytorch.") and last in _OF_PATCHES:
        return _library_model(flow, site, frozenset({"noise"}))
    of_transformers = pretrained.made(name, call, site)
    if of_transformers is not None:
        return _made(flow, of_transformers) if of_transformers.kind is Kind.MODULE else of_transformers
    if graphs.layer(name):
        return _made(flow, Value(Kind.MODULE, sites=site, name=name, tags=graphs.tags(name, call), items=call.args))
    if name in patterns.LAYERS and call.args:
        return _made(flow, Value(Kind.MODULE, sites=site, name=name, items=call.args[:2]))
    layer = (last[:1].isupper() and last not in batches.PACKING) or last == "from_pretrained"
    if name.startswith("torch.nn.") and layer and "functional" not in name:
        return _layer(flow, last, call, site)
    return None


def _layers(flow: Flow, call: Call) -> Value:
    """A list or dict of layers; those with names are its attributes."""
    pairs = _named_layers(flow, call)
    each = [layer for _, layer in pairs] or [flow.element(v) for v in call.values]
    tags = frozenset(tag for v in (*call.values, *each) for tag in v.tags)
    listed = [() if pairs else flow.literal_items(v) for v in call.args]
    given = tuple(flow.element(v) for v, items in zip(call.args, listed, strict=True) if items != ())
    given += tuple(layer for _, layer in pairs)
    held = flow.new_object(call.node, Kind.LAYERS, tags=tags, items=given)
    if len(listed) == 1 and listed[0]:
        flow.set_field(held.obj, LITERAL, Value(Kind.TUPLE, items=listed[0]))
    for key, layer in pairs or ((flow.pairs(call.args[0]) or ()) if call.args else ()):
        if isinstance(key.const, str):
            flow.set_field(held.obj, key.const, layer)
    return held


def _named_layers(flow: Flow, call: Call) -> tuple[tuple[Value, Value], ...]:
    """The names and the layers of ``ModuleDict([["relu", nn.ReLU()], ...])``, where all of them are known."""
    listed = flow.literal_items(call.args[0]) if call.args and call.args[0].kind in (Kind.LIST, Kind.TUPLE) else ()
    pairs = [flow.literal_items(each) if each.kind in (Kind.LIST, Kind.TUPLE) else () for each in listed or ()]
    known = all(pair and len(pair) == _PAIR and isinstance(pair[0].const, str) for pair in pairs)
    return tuple((pair[0], pair[1]) for pair in pairs if pair) if known else ()


def _called(flow: Flow, name: str, call: Call) -> Value | None:
    """What a function or a model gives that is called by another one, be it again in the backward pass."""
    first = 2 if name == _IN_SEGMENTS else 1
    if len(call.args) <= first and name != _CHECKPOINT:
        return None
    given = call.args[first:] if name == _CHECKPOINT else call.args[first : first + 1]
    keywords = {word: value for word, value in call.keywords.items() if word not in _OF_CHECKPOINT}
    return flow.call_value(call.args[0], Call(call.node, given, keywords if name == _CHECKPOINT else {}))


def observed(flow: Flow, node: ast.expr, seen: Observation) -> tuple[Value, Collection[str]] | None:
    """A model of a library, or one of PyTorch's losses, that a run has shown."""
    site = frozenset({flow.facts.number(node)})
    if seen.module != "torch.nn.modules.loss":
        return (_library_model(flow, site, zoo.ANY), ()) if "torch.nn.modules.module.Module" in seen.bases else None
    shown = dict(seen.attributes)
    weighted = shown.get("weight") is not None or shown.get("ignore_index", losses.IGNORED) != losses.IGNORED
    what = losses.Variant(seen.name, str(shown.get("reduction", "unknown")), weighted)
    return Value(Kind.LOSS, sites=site, name=seen.name, tags=frozenset({what.tag})), _OF_LOSSES


def _library_model(flow: Flow, site: frozenset[int], tags: frozenset[str]) -> Value:
    return _made(flow, Value(Kind.MODULE, sites=site, name=zoo.LIBRARY, tags=tags))


def _made(flow: Flow, module: Value) -> Value:
    module = modes.told_apart(flow, module)
    modes.made(flow, module)
    return module


def _tags(flow: Flow, part: Value) -> frozenset[str]:
    """The tags of what a container is given: a module, a list or dict of some, or those that a star hands over."""
    if STARRED in part.tags:
        return part.tags - {STARRED} | frozenset[str]().union(*(_tags(flow, each) for each in part.items))
    held = flow.element(part).tags if part.kind in (Kind.LIST, Kind.DICT) else frozenset[str]()
    return (part.tags | held) - {modes.INNER}


def _layer(flow: Flow, last: str, call: Call, site: frozenset[int]) -> Value:
    if last.endswith("Loss"):
        weighted = last in ("CrossEntropyLoss", "NLLLoss", "NLLLoss2d") and losses.is_weighted(call)
        what = losses.Variant(last, losses.reduction(last, call), weighted)
        return Value(Kind.LOSS, sites=site, name=last, tags=frozenset({what.tag}))
    if last in ("Parameter", "UninitializedParameter", "Buffer"):
        made = steering.parameter(Value())
        made = made.but(tags=made.tags | {steering.LOOSE})
        return made.but(depth=call.args[0].depth) if call.args else made
    if last == "from_pretrained":
        return Value(Kind.MODULE, sites=site, name="torch.nn.Embedding")
    tags = layers.tags(last, call)
    for value in call.values if last in layers.CONTAINERS else ():
        tags |= _tags(flow, value)
    width = layers.features(last, call)
    items = layers.held(last, call)
    return _made(flow, Value(Kind.MODULE, sites=site, name=f"torch.nn.{last}", tags=tags, items=items, width=width))


def export_rank(name: str) -> int:
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
