"""Modules and losses: what they give where they are called, and what their methods do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, elementwise
from corro.classes import replace
from corro.flow import depths
from corro.flow.python import AS_BASE, STARRED, given_one
from corro.flow.semantics import Call
from corro.flow.state import SWITCHES, Assumed
from corro.flow.values import NONE, Value, likeness
from corro.frontends import tensors, views
from corro.frontends.pytorch import derived, graphs, layers, losses, modes, patterns, pretrained, steering, zoo
from corro.frontends.pytorch.functions import item

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corro.flow.state import Flow

_PARTS = frozenset({"parameters", "named_parameters", "buffers", "named_buffers", "children", "named_children",
                    "modules", "named_modules"})  # fmt: skip
"""Methods that give all of a module's parameters, or of the modules in it."""
_OF_DICTS = {"items": "named_children", "values": "children"}
"""Methods of a ``ModuleDict`` that give the modules in it."""
_MODULE_METHODS = frozenset(
    {"to", "cuda", "cpu", "train", "eval", "parameters", "named_parameters", "state_dict", "load_state_dict", "apply",
     "zero_grad", "children", "modules", "named_modules", "requires_grad_", "half", "float", "double", "buffers",
     "named_buffers", "reset_parameters", "forward", "add_module", "register_buffer", "register_forward_hook", "append",
     "extend"}
)  # fmt: skip
_REGISTERING = frozenset({"add_module", "register_module", "register_buffer", "register_parameter"})
_HOOKING = {"register_forward_hook": 2, "register_forward_pre_hook": 1}
"""Methods that take a function to call at each forward pass, with how much that is given besides the module."""
_ROUNDS = 6
"""How often a module that calls itself is read at most."""
_RECURRENT = frozenset({"torch.nn.LSTM", "torch.nn.GRU", "torch.nn.RNN", "torch.nn.MultiheadAttention"})
_OF_SEQUENCES = 3
"""How many dimensions a batch of sequences of features has."""


def invoke(flow: Flow, receiver: Value, call: Call) -> Value | None:
    """The result of calling a module or a loss."""
    if receiver.kind is Kind.LOSS:
        variants = losses.variants(receiver)
        return flow.either(
            losses.loss_value(call, each.reduction, each.name, weighted=each.weighted) for each in variants
        )
    if receiver.kind is Kind.MODULE and receiver.obj:
        part = _by_its_base(flow, receiver)
        if part is not None:
            with flow.mode(*({modes.EVALUATING} if modes.evaluating(flow, receiver) else ())):
                return invoke(flow, part, call)
        receiver = receiver.but(tags=receiver.tags - {AS_BASE})
    if receiver.kind is Kind.MODULE and receiver.obj and flow.has_method(receiver, "forward"):
        with flow.mode(*({modes.EVALUATING} if modes.evaluating(flow, receiver) else ())):
            return _forward(flow, receiver, call)
    known = _one_of(flow, receiver, call) or _in_sequence(flow, receiver, call)
    if known is None and receiver.kind in (Kind.MODULE, Kind.LAYERS):
        made = _module_output(flow, receiver, call)
        return graphs.output(receiver, call, made) if graphs.layer(receiver.name) else made
    return known


def _by_its_base(flow: Flow, receiver: Value) -> Value | None:
    """The layer or loss of the library that a module of the script's own class calls, or is called as."""
    asked = AS_BASE in receiver.tags or not flow.has_method(receiver, "forward")
    return derived.part(flow, receiver) if asked else None


def _forward(flow: Flow, receiver: Value, call: Call) -> Value:
    """What a module of the script's own class gives.

    Where it calls itself, as a tree of modules does, something is assumed of what it is given and gives there, and read
    again until what comes out agrees with that.
    """
    running = flow.assumed.get(receiver.obj)
    if running is not None and len(running.args) == len(call.args) and not call.keywords:
        running.again = True
        running.args = tuple(flow.either(pair) for pair in zip(running.args, call.args, strict=True))
        return running.result
    if running is not None or not call.args or call.keywords:
        return flow.call_method(receiver, "forward", call)
    args, result = call.args, call.args[0]
    for _ in range(_ROUNDS):
        assumed = flow.assumed[receiver.obj] = Assumed(args, result)
        try:
            given = flow.call_method(receiver, "forward", Call(call.node, args))
        finally:
            del flow.assumed[receiver.obj]
        if not assumed.again or (assumed.args == args and given == result):
            return given
        args, result = assumed.args, given
    return given.but(placement=given.placement.with_form(Form.UNKNOWN))


def _one_of(flow: Flow, receiver: Value, call: Call) -> Value | None:
    """What one of several modules gives, of which some are of the script's own classes."""
    ones = [receiver.but(obj=number, locations=frozenset()) for number in sorted(receiver.locations)]
    ones = [one for one in ones if flow.has_method(one, "forward")] if receiver.kind is Kind.MODULE else []
    if not ones:
        return None
    others = _of_libraries(flow, receiver, ones)
    with flow.mode(*({modes.EVALUATING} if modes.evaluating(flow, receiver) else ())):
        given = flow.each_alone([partial(_given, flow, one, call) for one in (*ones, *(others or ()))])
    return flow.either(given if others is not None else [*given, _module_output(flow, receiver, call)])


def _given(flow: Flow, receiver: Value, call: Call) -> Value:
    return invoke(flow, receiver, call) or Value()


def _of_libraries(flow: Flow, receiver: Value, own: Sequence[Value]) -> list[Value] | None:
    """The modules that a value may be besides those of own classes, as each was made; ``None``: not known."""
    seen = {flow.facts.number(flow.facts.made[one.obj]) for one in own}
    made = [flow.facts.values.get(flow.facts.nodes[site]) for site in sorted(receiver.sites - seen)]
    known = [
        each for each in made if each is not None and each.kind is Kind.MODULE and not (each.obj or each.locations)
    ]
    return known if len(known) == len(made) else None


def _in_sequence(flow: Flow, receiver: Value, call: Call) -> Value | None:
    """What modules give one after the other, where some are of the script's own classes."""
    given = (*receiver.items, *_given_later(flow, receiver))
    parts = [part for item in given for part in _parts_in_sequence(flow, item)]
    derived = receiver.obj and receiver.kind is Kind.MODULE and all(part.kind is Kind.MODULE for part in parts)
    sequential = (receiver.name == "torch.nn.Sequential" or derived) and bool(call.args)
    if not sequential or not any(part.obj or part.locations or part.name in patterns.LAYERS for part in parts):
        return None
    value = call.args[0]
    kept: set[str] = set()
    for position, part in enumerate(parts):
        inner = Call(flow.unwritten(f"part_{position}"), (value,))
        flow.facts.see(inner.node.func, part)
        value = invoke(flow, part, inner) or Value(placement=value.placement.with_form(Form.UNKNOWN))
        kept |= value.tags & {modes.STATISTICS, modes.NOISE}
    return value.but(tags=value.tags | kept)


def _parts_in_sequence(flow: Flow, item: Value) -> tuple[Value, ...]:
    """The modules of an argument of ``Sequential``: itself, those that a star hands over, or those of a dict."""
    if item.kind in (Kind.DICT, Kind.LIST):
        return tuple(flow.keyword_items(item).values()) or (flow.element(item),)
    return item.items if STARRED in item.tags else (item,)


def _module_output(flow: Flow, receiver: Value, call: Call) -> Value:
    """One tensor, or a tensor and a state that has the layers in front."""
    if receiver.name in patterns.LAYERS and call.args:
        return patterns.layer(receiver, item(flow, call.args[0]))
    output = _output_tensor(flow, receiver, call)
    if pretrained.is_model(receiver):
        return pretrained.output(flow, receiver, call, output)
    if pretrained.is_layer(receiver):
        return pretrained.row(output)
    if receiver.name not in _RECURRENT:
        return output
    turned = receiver.name != "torch.nn.MultiheadAttention" and output.batch_dim is not None
    tags = output.tags - {tensors.PACKED}
    depth = depths.known(1) if turned and depths.dimensions(output) == _OF_SEQUENCES else depths.UNKNOWN
    state = output.but(batch_dim=1 if turned else None, depth=depth, tags=tags)
    if receiver.name == "torch.nn.LSTM":
        state = Value(Kind.TUPLE, output.placement, items=(state, state))
    return Value(Kind.TUPLE, output.placement, items=(output, state))


def _output_tensor(flow: Flow, receiver: Value, call: Call) -> Value:
    operands = [item(flow, given_one(value)) for value in call.values]
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
    regroups = receiver.name == "torch.nn.Unflatten" or (receiver.name == "torch.nn.Flatten" and receiver.items)
    if batch_dim == 0 and not regroups:
        tags |= views.of_all([v for v in operands if v.sources])
    if receiver.name == "torch.nn.EmbeddingBag" and len(operands) > 1:  # one row a bag
        tags -= {tensors.SELECTED}
    asked = all(value.is_const for value in call.values)  # model.get_classifier() of a library, and nothing computed
    if not asked and not modes.evaluating(flow, receiver):
        does = zoo.does(flow.facts, receiver)
        tags |= {modes.STATISTICS, tensors.NORMALISED} if "batchnorm" in does else set()
        if "noise" in does:
            placement = elementwise((placement, Placement(Form.LOCAL)))
            tags |= {modes.NOISE}
    if placement.is_equal:  # of data that all processes have
        placement = replace(placement, separate=True, data_dependent=True)
    given = operands[0] if operands else Value()
    depth, width = layers.depth(receiver, given), layers.width(receiver, given)
    width |= {("of", flow.facts.site(call.node, flow.context.frame))}
    return Value(Kind.TENSOR, placement, batch_dim=batch_dim, depth=depth, width=width, tags=frozenset(tags))


def part_of(flow: Flow, owner: Value) -> Value:
    """Any of the modules that a list or a dict of modules holds."""
    lists = [owner, *(owner.but(obj=number) for number in sorted(owner.locations))]
    held = [*owner.items, *(part for each in lists for part in flow.every_item(each))]
    part = flow.either(held) if held else Value()
    known = part.kind in (Kind.MODULE, Kind.LAYERS)
    kind = Kind.LAYERS if part.kind is Kind.LAYERS else Kind.MODULE
    return part.but(kind=kind, tags=part.tags | owner.tags | (frozenset() if known else {layers.UNKNOWN}))


def part_at(flow: Flow, owner: Value, position: int) -> Value | None:
    """One of the modules that a list of them holds, where all of them are known."""
    lists = [flow.literal_items(Value(Kind.LIST, obj=number)) for number in sorted(owner.locations or {owner.obj})]
    known = [items[position] for items in lists if items and -len(items) <= position < len(items)]
    if not known or len(known) < len(lists):
        return None
    part = flow.either(known)
    return part.but(tags=part.tags | owner.tags) if part.kind in (Kind.MODULE, Kind.LAYERS) else None


def method(flow: Flow, receiver: Value, name: str, call: Call) -> Value | None:
    """What a method of a module, a loss or a list of layers gives."""
    if name in ("forward", "__call__") and receiver.kind is not Kind.LAYERS:
        return invoke(flow, receiver, call)
    receiver = _initialised(flow, receiver, name, call)
    if name in ("train", "eval"):
        modes.switched(flow, receiver, name, call)
    _called_back(flow, receiver, name, call)
    if name in ("to", "cuda", "cpu", "train", "eval", "half", "float", "double", "apply", "requires_grad_", "type"):
        return receiver
    if name in ("get_parameter", "get_buffer"):
        return steering.parameter(receiver)
    name = _OF_DICTS.get(name, name) if receiver.kind is Kind.MODULE else name
    if name in _PARTS:
        is_parameter = name.endswith(("parameters", "buffers"))
        module = receiver.but(obj=0, tags=receiver.tags | {modes.INNER})
        inner = steering.parameter(receiver) if is_parameter else module
        item = Value(Kind.TUPLE, items=(Value(Kind.TEXT), inner)) if name.startswith("named") else inner
        return Value(Kind.PARAMETERS, sites=receiver.sites, items=(item,))
    if name in ("state_dict",):
        return Value(Kind.STATE, sites=receiver.sites, tags=frozenset({steering.PARAMETER}))
    registers = name in _REGISTERING and len(call.args) > 1
    if registers and likeness(call.args[0]):
        part = steering.buffer(call.args[1]) if name == "register_buffer" else call.args[1]
        if call.args[0].is_const:
            flow.set_field(receiver.obj, str(call.args[0].const), part)
        else:
            flow.set_like(receiver, likeness(call.args[0]), part)
        _give(flow, receiver, call)
        return NONE
    if name in ("append", "extend", "insert", "update", "__init__"):
        _give(flow, receiver, call)
    if name in ("append", "extend", "insert", "update", "load_state_dict", "zero_grad", "register_buffer", "__init__"):
        return NONE
    return None


def _initialised(flow: Flow, receiver: Value, name: str, call: Call) -> Value:
    """A module of which its base in a library is asked something: to make its part of it, for one."""
    if AS_BASE not in receiver.tags:
        return receiver
    receiver = receiver.but(tags=receiver.tags - {AS_BASE})
    if name == "__init__":
        derived.made(flow, receiver, call)
    return receiver


def _called_back(flow: Flow, receiver: Value, name: str, call: Call) -> None:
    """Methods that take a function of the script: to call it with each part, or at each forward pass."""
    if not call.args or call.args[0].kind is not Kind.FUNCTION:
        return
    if name == "apply":
        part = Value(Kind.MODULE, name="library", tags=receiver.tags)
        flow.call_value(call.args[0], Call(call.node, (part,)))
    elif name in _HOOKING:
        of_model = Value(placement=Placement(Form.REPLICATED, separate=True, data_dependent=True))
        flow.call_value(call.args[0], Call(call.node, (receiver, *(of_model,) * _HOOKING[name])))


def _places(module: Value) -> tuple[str, ...]:
    """How the names begin under which it is kept what a module was given after it was made."""
    numbers = (module.obj,) if module.obj else sorted(module.sites)
    return tuple(f"given to {'object' if module.obj else 'site'} {number}:" for number in numbers)


def _give(flow: Flow, module: Value, call: Call) -> None:
    """A module is given others, which it calls one after another if it is a ``Sequential``."""
    if module.kind is Kind.LAYERS:
        for value in call.args[-1:]:
            flow.add_element(module, flow.element(value) if value.kind in (Kind.LIST, Kind.DICT) else value)
        return
    for position, value in enumerate(call.args):
        if value.kind in (Kind.MODULE, Kind.LIST, Kind.DICT) or STARRED in value.tags:
            for place in _places(module):
                flow.set_field(SWITCHES, f"{place} {flow.facts.number(call.node)}.{position}", value)


def _given_later(flow: Flow, module: Value) -> list[Value]:
    given = flow.read_once(SWITCHES, _by_place)
    return [value for place in _places(module) for value in given.get(place, ())]


def _by_place(fields: Mapping[str, Value]) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for name, value in fields.items():
        place, colon, _ = name.partition(":")
        if colon:
            found.setdefault(f"{place}:", []).append(value)
    return found


def attribute(flow: Flow, owner: Value, name: str) -> Value | None:
    """An attribute of a module."""
    if name == "module" and "parallel" in owner.tags:
        return owner
    if name == "training":
        return modes.training(flow, owner)
    if name == "device":
        return Value()
    if not owner.obj and owner.items == () and owner.name == "library" and name not in _MODULE_METHODS:
        return Value(Kind.MODULE, name="library", tags=owner.tags | {"part"})
    return None
