"""Sizes as the text of a script says them: layers whose sizes are numbers in it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from corro.anatomy.kinds import Kind
from corro.estimate.layers import WITHOUT, elements
from corro.estimate.sizes import Sizes, Unknown
from corro.flow.python import asks_for_main
from corro.frontends.pytorch.parts import owners, whole_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.sites import Anatomy
    from corro.flow.facts import CallFact, Facts, Frame, StoreFact

_ELEMENT = 4
"""The bytes of a number, float32: what layers are made with."""
_OWN_PARAMETERS = ("Parameter", "register_parameter")
_TYPES = frozenset({"half", "double", "bfloat16", "set_default_dtype", "set_default_tensor_type"})
_NUMBERS = ("torch.float", "torch.half", "torch.double", "torch.bfloat16")
_COPYING = frozenset({"copy.copy", "copy.deepcopy"})
_UNCERTAIN = (ast.For, ast.AsyncFor, ast.While, ast.comprehension, ast.ListComp, ast.SetComp, ast.DictComp,
              ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.If, ast.Try, ast.Match)  # fmt: skip
"""What is in them may be done several times, or not at all."""
_STATES: dict[str, int] = {
    "Adagrad": 1, "Adadelta": 2, "Adam": 2, "AdamW": 2, "Adamax": 2, "NAdam": 2, "RAdam": 2, "Rprop": 2,
}  # fmt: skip
"""How many numbers an optimizer of ``torch.optim`` keeps for each parameter (``state`` in its documentation)."""


def sizes_in(facts: Facts, anatomy: Anatomy, name: str) -> Sizes | tuple[Unknown, ...]:
    """The sizes of the trained models of a script; what is not known, where they are not.

    Args:
        facts: of the script.
        anatomy: of the script.
        name: of the script, for places.
    """
    numbers = frozenset().union(*(site.numbers for site in anatomy.models))
    if not numbers:
        return (Unknown("which model is trained", name),)
    found, learned, buffers, unknown = owners(facts), 0, 0, [*_changed(facts)]
    for fact in filter(_is_layer, facts.calls):
        layer = fact.name.removeprefix("torch.")
        size = elements(fact.name.rpartition(".")[2], _given(fact))
        if size is None:
            unknown.append(Unknown(f"the size of {layer}", _place(fact)))
        elif not _is_made_once(fact):
            unknown.append(Unknown(f"how often {layer} is made", _place(fact)))
        elif not whole_of(found, fact.result.sites) & numbers:
            unknown.append(Unknown(f"whether {layer} is trained", _place(fact)))
        else:
            learned, buffers = learned + size[0], buffers + size[1]
    if unknown or not learned:
        return tuple(dict.fromkeys(unknown)) or (Unknown("which layers the model has", name),)
    states = [_kept(fact) for fact in facts.calls if fact.result.kind is Kind.OPTIMIZER]
    kept = None if None in states or len(states) != 1 else states[0]
    size_in_bytes = learned * _ELEMENT
    return Sizes(
        parameters=learned,
        trained=learned,
        parameter_bytes=size_in_bytes,
        gradient_bytes=size_in_bytes,
        buffer_bytes=buffers,
        optimizer_bytes=None if kept is None else kept * size_in_bytes,
        batch=_batch(facts, anatomy),
    )


def _is_layer(fact: CallFact) -> bool:
    """Whether a call makes a layer, and no class of the script's own."""
    made = fact.result.kind in (Kind.MODULE, Kind.LAYERS) and bool(fact.result.sites)
    library = fact.name.startswith("torch.") and not fact.name.startswith("torch.nn.init")
    return made and library and fact.name.rpartition(".")[2] not in WITHOUT


def _is_made_once(fact: CallFact) -> bool:
    """Whether a call is made, and but once: neither it nor a call that leads to it stands in a loop or an arm."""
    frames = fact.context.frame.path()
    places = [(fact.node, fact.context.frame)]
    places += [(frame.call, frame.caller) for frame in frames if frame.call is not None and frame.caller is not None]
    return not fact.context.loops and not any(_is_uncertain(node, frame) for node, frame in places)


def _is_uncertain(node: ast.AST, frame: Frame) -> bool:
    for around in frame.unit.source.ancestors(node):
        if isinstance(around, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            return False
        if isinstance(around, _UNCERTAIN) and not (isinstance(around, ast.If) and asks_for_main(around.test)):
            return True
    return False


def _changed(facts: Facts) -> Iterator[Unknown]:
    """What changes the parameters of models after, or besides, their layers."""
    for fact in facts.calls:
        last = fact.name.rpartition(".")[2]
        if last in _OWN_PARAMETERS:
            yield Unknown("the size of a parameter", _place(fact))
        elif last in _TYPES or (last == "to" and any(each.name.startswith(_NUMBERS) for each in fact.args)):
            yield Unknown("the type of the parameters", _place(fact))
        elif last == "requires_grad_":
            yield Unknown("which parameters are trained", _place(fact))
        elif fact.name in _COPYING and any(each.kind in (Kind.MODULE, Kind.LAYERS) for each in fact.args):
            yield Unknown("how often layers are copied", _place(fact))
    for store in facts.stores:
        if isinstance(store.node, ast.Attribute) and store.node.attr == "requires_grad":
            yield Unknown("which parameters are trained", _place(store))


def _given(fact: CallFact) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call, with ``...`` for those that are not known."""
    args = [value.const if value.is_const else ... for value in fact.args]
    return args, {name: value.const if value.is_const else ... for name, value in fact.keywords.items()}


def _kept(fact: CallFact) -> int | None:
    """How many numbers an optimizer keeps for each parameter."""
    name, (args, keywords) = fact.name.rpartition(".")[2], _given(fact)
    if name == "SGD":
        momentum = args[2] if len(args) > 2 else keywords.get("momentum", 0)
        return None if momentum is ... else int(bool(momentum))
    if name == "RMSprop":
        flags = [keywords.get(each, 0) for each in ("momentum", "centered")]
        return None if ... in flags or len(args) > 1 else 1 + sum(map(bool, flags))
    kept = _STATES.get(name)
    return kept + 1 if kept and keywords.get("amsgrad") is True else kept


def _batch(facts: Facts, anatomy: Anatomy) -> int | None:
    """The batch size of the loader that is trained on, where it is a number in the text."""
    trained = frozenset().union(*(step.loaders for step in anatomy.steps))
    given = {_size_of(fact) for number in trained for fact in facts.calls if fact.node is facts.nodes[number]}
    return given.pop() if len(given) == 1 else None


def _size_of(fact: CallFact) -> int | None:
    size = fact.argument(1, "batch_size")
    return size.const if size is not None and isinstance(size.const, int) else None


def _place(fact: CallFact | StoreFact) -> str:
    source = fact.context.frame.unit.source
    return f"{source.path.name}:{source.place(fact.node).line}"
