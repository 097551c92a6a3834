"""What steers training, and where the script writes to it: the optimizer's options, layers, weights, what is trained.

Values that steer carry tags which survive aliases, loops and indexing, so that a write is found whatever way leads to
it: by assignment, ``+=``, ``setattr``, a method or a function of PyTorch.
"""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement
from corro.classes import dataclass, replace
from corro.flow import depths
from corro.flow.values import UNSET, Value
from corro.frontends.in_place import is_in_place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Context, Facts, StoreFact

PARAMETER = "parameter"
"""The tag of a parameter or a buffer of a module, and of what shows its storage."""
BUFFER = "buffer"
"""The tag of a buffer of a module."""
OPTIONS = "options of an optimizer"
"""The tag of an optimizer's groups, state and defaults, and of what is read of them."""
LOOSE = "of no module yet"
"""The tag of a parameter by itself, which may be that of a module or of none."""
GRADIENT = "gradient"
"""The tag of the gradient of a parameter, and of what shows its storage."""
COPY = "copy"
"""The tag of a deep copy."""

_OF_OPTIMIZERS = frozenset({"param_groups", "state", "defaults"})
_OF_ROWS = frozenset({"torch.nn.Embedding", "torch.nn.EmbeddingBag", "torch.nn.Linear"})
"""Layers whose weight is a matrix."""
_OF_LAYERS = ("weight", "bias", "in_proj_", "running_")
"""How the names of parameters and buffers of PyTorch's layers begin."""
_READING = frozenset({"get", "items", "keys", "values", "copy", "__getitem__", "__contains__", "__len__", "item",
                      "clone", "detach", "to", "cpu", "numel", "size", "norm", "mean", "sum", "abs", "max", "min",
                      "index", "count", "tolist"})  # fmt: skip
"""Methods of an optimizer's groups and state that change nothing."""
_INNER = frozenset({"items", "values", "get", "copy"})
_INITIALISING = "torch.nn.init."
_OF_EACH = "torch._foreach_"
"""How functions begin that change all tensors of a list, which are those of a model or an optimizer."""
_CONSTANT = ("constant_", "zeros_", "ones_", "eye_", "dirac_")
_DRAWING = frozenset({"normal_", "uniform_", "random_", "bernoulli_", "exponential_", "log_normal_", "cauchy_",
                      "geometric_"})  # fmt: skip
_RESETTING = frozenset({"reset_parameters", "_reset_parameters"})
_ADDING = frozenset({"register_parameter", "add_module", "register_module", "add_param_group"})
_ADDING_TO_LISTS = frozenset({"append", "extend", "insert"})
CHANCE = Value(placement=Placement(Form.LOCAL), name="chance")
"""What is drawn by a function that writes random numbers."""


class Steered(Enum):
    """What a write changes, as messages say it."""

    OPTIONS = "an option or the state of the optimizer"
    MADE = "an optimizer or a schedule"
    MADE_LOSS = "a loss function"
    MADE_LAYER = "a layer"
    SCHEDULE = "the learning rate schedule"
    LAYER = "an attribute of a layer"
    LOSS = "an option of the loss function"
    MODE = "whether the model trains or evaluates"
    WEIGHTS = "weights"
    BUFFER = "a buffer of the model"
    GRADIENTS = "gradients"
    SCALE = "the scale of gradients"
    TRAINABLE = "which parameters are trained"
    LOADED = "which weights are loaded"
    STRUCTURE = "the layers and parameters of a model"


_MADE_OF = {Kind.LOSS: Steered.MADE_LOSS, Kind.MODULE: Steered.MADE_LAYER, Kind.LAYER: Steered.MADE_LAYER}
"""What the classes of ``torch.nn`` make."""


@dataclass(frozen=True, eq=False)
class Write:
    """A write to what steers training.

    ``name`` is the option or the attribute, where it is known; ``given`` all that the new value is made of.
    """

    node: ast.expr
    what: Steered
    owner: Value
    name: str
    given: tuple[Value, ...]
    context: Context


# ---------------------------------------------------------------------- values


def parameter(module: Value) -> Value:
    """A parameter of a module."""
    return Value(Kind.TENSOR, sites=module.sites, tags=frozenset({PARAMETER}) | (module.tags & {COPY}))


def gradient(tensor: Value) -> Value:
    """The gradient of a parameter, once it is averaged over processes, as rules see to it."""
    placement = replace(tensor.placement, data_dependent=True)
    return Value(Kind.TENSOR, placement, sites=tensor.sites, tags=frozenset({GRADIENT}) | (tensor.tags & {LOOSE}))


def buffer(value: Value) -> Value:
    """A tensor that was registered as a buffer."""
    return value.but(tags=value.tags | {PARAMETER, BUFFER}, const=UNSET)


def attribute(owner: Value, name: str) -> Value | None:
    """An attribute of an optimizer or a module by which training is steered."""
    if owner.kind is Kind.OPTIMIZER and name in _OF_OPTIMIZERS:
        return Value(sites=owner.sites, tags=frozenset({OPTIONS}))
    if owner.kind is Kind.MODULE and name.startswith(_OF_LAYERS):
        of_rows = name == "weight" and owner.name in _OF_ROWS
        return parameter(owner).but(depth=depths.known(1)) if of_rows else parameter(owner)
    return None


def subscript(owner: Value, index: Value) -> Value | None:
    """An option in an optimizer's group; the parameters of it."""
    if OPTIONS in owner.tags:
        return Value(Kind.PARAMETERS, items=(parameter(owner),)) if index.const == "params" else owner
    if owner.kind is Kind.PARAMETERS and owner.items:
        return owner if "slice" in index.tags else owner.items[0]
    if owner.kind is Kind.METHOD and _of(owner) is not None:
        return owner
    if owner.kind is Kind.STATE:
        return parameter(owner) if PARAMETER in owner.tags else Value()
    return None


def method(owner: Value, name: str) -> Value | None:
    """What a method of an optimizer's group, or of a model's state, gives."""
    if OPTIONS in owner.tags:
        return owner if name in _INNER else None
    if owner.kind is Kind.STATE and PARAMETER in owner.tags and name in ("items", "values"):
        held = parameter(owner)
        pair = Value(Kind.TUPLE, items=(Value(Kind.TEXT), held))
        return Value(Kind.PARAMETERS, items=(pair if name == "items" else held,))
    return None


# ---------------------------------------------------------------------- writes


def writes(facts: Facts) -> Iterator[Write]:
    """All writes to what steers training, those by assignment first."""
    changed = {store.node for store in facts.stores if store.in_place}
    buffers = set(_buffers(facts))
    for store in facts.stores:
        if isinstance(store.node, ast.Attribute) and (store.owner.obj, store.node.attr) in buffers:
            yield Write(store.node, Steered.BUFFER, store.owner, store.node.attr, store.given, store.context)
        yield from (w for w in _stored(store) if w.what is not Steered.STRUCTURE or w.node not in changed)
    for call in facts.calls:
        if not (call.name == "requires_grad_" and _is_cut(facts, call)):
            yield from _called(call)


def _is_cut(facts: Facts, call: CallFact) -> bool:
    """Whether a method is called on what a tensor is cut to: another tensor, which is no parameter itself."""
    owner = call.node.func.value if isinstance(call.node.func, ast.Attribute) else None
    cut = facts.values.get(owner.value) if isinstance(owner, ast.Subscript) else None
    return cut is not None and cut.kind is Kind.TENSOR


def _buffers(facts: Facts) -> Iterator[tuple[int, object]]:
    """The modules, by their numbers, with the names of their buffers."""
    for call in facts.calls:
        if call.name == "register_buffer" and call.receiver is not None and call.args:
            yield call.receiver.obj, call.args[0].const


def _of(value: Value) -> Steered | None:
    """What is steered by a value that is changed."""
    if OPTIONS in value.tags or value.kind is Kind.OPTIMIZER:
        return None if COPY in value.tags else Steered.OPTIONS
    if GRADIENT in value.tags:
        return Steered.GRADIENTS
    if PARAMETER in value.tags:
        return Steered.BUFFER if BUFFER in value.tags else Steered.WEIGHTS
    if value.kind in (Kind.MODULE, Kind.LAYERS):
        return None if value.obj else Steered.LAYER
    if value.kind is Kind.METHOD and value.items:  # an attribute that is not followed
        return Steered.LAYER if value.items[0].kind is Kind.MODULE else _of(value.items[0])
    return {Kind.SCHEDULER: Steered.SCHEDULE, Kind.SCALER: Steered.SCALE, Kind.LOSS: Steered.LOSS}.get(value.kind)


def _stored(fact: StoreFact) -> Iterator[Write]:
    node, name = fact.node, ""
    if isinstance(node, ast.Attribute):
        name = node.attr
    elif isinstance(node, ast.Subscript) and len(fact.given) > 1 and isinstance(fact.given[1].const, str):
        name = fact.given[1].const
    what = _set(fact.owner, name, fact.given[0])
    if what is not None:
        yield Write(node, what, fact.owner, name, fact.given, fact.context)


def _set(owner: Value, name: str, value: Value) -> Steered | None:
    """What is steered by setting an attribute or an item."""
    if name == "requires_grad":
        return Steered.TRAINABLE if _may_be_parameter(owner) else None
    if name == "grad" and PARAMETER in owner.tags:
        return Steered.GRADIENTS
    modular = owner.kind in (Kind.MODULE, Kind.LAYERS)
    if modular and (value.kind in (Kind.MODULE, Kind.LAYERS) or PARAMETER in value.tags):
        return Steered.STRUCTURE
    return _of(owner)


def _may_be_parameter(value: Value) -> bool:
    """Whether ``requires_grad`` of this may be that of a parameter; that of a batch or of noise is not."""
    if PARAMETER in value.tags or value.kind in (Kind.MODULE, Kind.LAYERS, Kind.PARAMETERS):
        return True
    return value.kind in (Kind.UNKNOWN, Kind.METHOD) and not value.sources


def _called(fact: CallFact) -> Iterator[Write]:
    if fact.receiver is None and fact.name.startswith("torch.nn.") and fact.result.kind in _MADE_OF:
        if made_of := _making(fact):
            yield Write(fact.node, _MADE_OF[fact.result.kind], fact.result, "", made_of, fact.context)
    elif fact.name == "load_state_dict" or (fact.name and fact.result.kind in (Kind.OPTIMIZER, Kind.SCHEDULER)):
        yield from _made(fact)
        return
    found = _by_function(fact) if fact.receiver is None else _by_method(fact, fact.receiver)
    if found is not None:
        what, owner, name, given = found
        yield Write(fact.node, what, owner, name, given, fact.context)


def _made(fact: CallFact) -> Iterator[Write]:
    """An optimizer or a schedule that is made of some options, or a state that is loaded."""
    receiver = fact.receiver
    if receiver is None:
        yield Write(fact.node, Steered.MADE, fact.result, "", _given(fact), fact.context)
    elif receiver.kind in (Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULER, Kind.SCALER):
        yield Write(fact.node, Steered.LOADED, receiver, "", _given(fact), fact.context)


_Found = tuple[Steered, Value, str, tuple[Value, ...]]


def _by_function(fact: CallFact) -> _Found | None:
    """What a function of Python or PyTorch writes."""
    if not fact.args:
        return None
    first, name = fact.args[0], str(fact.args[1].const) if len(fact.args) > 1 else ""
    if fact.name == "setattr" and len(fact.args) > 2:
        what = _set(first, name, fact.args[2])
        return (what, first, name, fact.args[1:]) if what is not None else None
    if fact.name.startswith(_INITIALISING):
        drawn = () if fact.name.endswith(_CONSTANT) else (CHANCE,)
        is_other = first.kind is Kind.TENSOR and not first.tags & {PARAMETER, GRADIENT}
        return None if is_other else (Steered.WEIGHTS, first, "", (*_given(fact), *drawn))
    if fact.name.endswith(".vector_to_parameters"):
        return Steered.WEIGHTS, first, "", _given(fact)
    in_place = fact.name.startswith("torch.") and is_in_place(fact.name.rpartition(".")[2].lstrip("_"))
    if in_place and (_holds_weights(first) or fact.name.startswith(_OF_EACH)):
        return _weights(first), first, "", _given(fact)
    out = fact.keywords.get("out")
    return (_weights(out), out, "", _given(fact)) if out is not None and _holds_weights(out) else None


def _weights(value: Value) -> Steered:
    return Steered.GRADIENTS if GRADIENT in value.tags else Steered.WEIGHTS


def _holds_weights(value: Value) -> bool:
    parts = (value, *(value.items if value.kind in (Kind.PARAMETERS, Kind.ITERATOR) else ()))
    return any(part.tags & {PARAMETER, GRADIENT} or part.kind is Kind.PARAMETERS for part in parts)


def _by_method(fact: CallFact, receiver: Value) -> _Found | None:
    """What a method of PyTorch writes."""
    what = _of(receiver)
    if fact.name == "requires_grad_":
        return (Steered.TRAINABLE, receiver, "requires_grad", ()) if _may_be_parameter(receiver) else None
    if what is Steered.OPTIONS and receiver.kind is not Kind.OPTIMIZER:
        name = next(iter(fact.keywords), "")
        return None if fact.name in _READING else (what, receiver, name, _given(fact))
    if what is Steered.SCHEDULE and fact.name == "step":  # arguments are reduced as metrics are
        return what, receiver, "", (fact.result,)
    if what is Steered.SCALE and fact.name == "update":
        return what, receiver, "", _given(fact)
    if what is Steered.GRADIENTS and is_in_place(fact.name):
        return what, receiver, "", (*_given(fact), *((CHANCE,) if fact.name in _DRAWING else ()))
    if is_in_place(fact.name) and what in (Steered.WEIGHTS, Steered.BUFFER, Steered.LAYER):
        changed = Steered.BUFFER if what is Steered.BUFFER else Steered.WEIGHTS
        return changed, receiver, "", (*_given(fact), *((CHANCE,) if fact.name in _DRAWING else ()))
    if receiver.kind not in (Kind.MODULE, Kind.LAYERS, Kind.OPTIMIZER):
        return None
    if fact.name in _RESETTING or (fact.name == "apply" and not _is_followed(fact)):
        return Steered.WEIGHTS, receiver, "", (CHANCE,)
    if fact.name in _ADDING or (receiver.kind is Kind.LAYERS and fact.name in _ADDING_TO_LISTS):
        return Steered.STRUCTURE, receiver, "", ()
    return (Steered.MODE, receiver, "", fact.args) if fact.name in ("train", "eval") else None


def _is_followed(fact: CallFact) -> bool:
    """Whether ``model.apply(f)`` is given a function of the script, in which writes are seen."""
    return bool(fact.args) and fact.args[0].kind is Kind.FUNCTION


def _making(fact: CallFact) -> tuple[Value, ...]:
    """What a loss or a layer is made of that depends on data: within a pass what has a row a sample is as a batch."""
    in_pass = bool(fact.context.passes)
    of_data = (value for value in _given(fact) if value.sources and not value.placement.is_equal)
    return tuple(value for value in of_data if not (in_pass and value.form is Form.SHARDED))


def _given(fact: CallFact) -> tuple[Value, ...]:
    """All that a call is given, and what lists and dicts among it hold."""
    held = tuple(Value(placement=placement) for placement in fact.depends)
    return (*fact.args, *fact.keywords.values(), *held)
