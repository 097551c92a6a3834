"""Sizes as the text of a script says them: layers whose sizes are numbers in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corro.anatomy.kinds import Kind
from corro.estimate.layers import WITHOUT, elements
from corro.estimate.sizes import Sizes, Unknown
from corro.frontends.pytorch.parts import owners, whole_of

if TYPE_CHECKING:
    from corro.anatomy.sites import Anatomy
    from corro.flow.facts import CallFact, Facts

_ELEMENT = 4
"""The bytes of a number, float32: what layers are made with."""
_OWN_PARAMETERS = ("Parameter", "register_parameter")
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
    found, learned, buffers, unknown = owners(facts), 0, 0, []
    for fact in facts.calls:
        if not _is_layer(fact) or not whole_of(found, fact.result.sites) & numbers:
            continue
        size = None if fact.context.loops else elements(fact.name.rpartition(".")[2], _given(fact))
        if size is None:
            unknown.append(Unknown(f"the size of {fact.name.removeprefix('torch.')}", _place(facts, fact)))
        else:
            learned, buffers = learned + size[0], buffers + size[1]
    unknown += (Unknown("the size of a parameter", _place(facts, fact)) for fact in facts.calls if _is_parameter(fact))
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


def _is_parameter(fact: CallFact) -> bool:
    return fact.name.rpartition(".")[2] in _OWN_PARAMETERS


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


def _place(facts: Facts, fact: CallFact) -> str:
    source = facts.units[fact.node].source
    return f"{source.path.name}:{source.place(fact.node).line}"
