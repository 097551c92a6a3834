"""Networks of torchvision by their names: which have batch normalisation, and which drop something at random.

So in torchvision 0.29, with the arguments that are the defaults. Of other networks of libraries nothing is known: they
may do both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.frontends.pytorch import steering
from corro.frontends.pytorch.layers import CONTAINERS

if TYPE_CHECKING:
    from corro.flow.facts import Facts, StoreFact
    from corro.flow.semantics import Call
    from corro.flow.values import Value

LIBRARY = "library"
"""The name of a network of a library, and of its parts."""
ANY = frozenset({"batchnorm", "noise"})
_MAKER = r"torchvision\.models(\.[a-z]+)?\.([a-z][a-z0-9_]*)"
_OTHER_TASKS = frozenset({".segmentation", ".detection", ".video", ".quantization", ".optical"})
_NOT_NORMALISED = r"alexnet|vgg(11|13|16|19)|squeezenet1_[01]|convnext_[a-z]+|swin_\w+|vit_\w+"
_SILENT = r"resnet(18|34|50|101|152)|resnext\w+|wide_resnet\w+|densenet\d+|shufflenet_v2_\w+|regnet_[xy]_\w+|vit_\w+"
_HARMLESS = frozenset({"pretrained", "weights", "progress", "num_classes"})
"""Arguments that change no layer of these kinds."""
_ADDING = frozenset({"add_module", "register_module", "append", "extend", "insert", "setattr"})
_PLAIN = (Kind.NUMBER, Kind.TEXT, Kind.NONE, Kind.TENSOR, Kind.STATE, Kind.DEVICE)
_RATES = r"p$|drop|training"


def tags(name: str, call: Call) -> frozenset[str]:
    """What a network of a library does to samples in training mode, by the name of what makes it."""
    found = re.fullmatch(_MAKER, name)
    if found is None or found[1] in _OTHER_TASKS or not call.keywords.keys() <= _HARMLESS or len(call.args) > 1:
        return ANY
    normalised = set() if re.fullmatch(_NOT_NORMALISED, found[2]) else {"batchnorm"}
    return frozenset(normalised | (set() if re.fullmatch(_SILENT, found[2]) else {"noise"}))


def does(facts: Facts, module: Value) -> frozenset[str]:
    """What a module does to samples in training mode, with what networks in it may have been given since."""
    return module.tags if module.tags >= ANY or not _holds_one(module) else module.tags | added(facts)


def _holds_one(module: Value) -> bool:
    """Whether a module is a network of a library, or a part of one, or has one in it."""
    is_one = module.name == LIBRARY and (module.sites or "part" in module.tags)
    return bool(is_one) or any(_holds_one(part) for part in module.items if part.kind is Kind.MODULE)


def added(facts: Facts) -> frozenset[str]:
    """What parts that networks of libraries are given do, be it to any of them."""
    found: set[str] = set()
    for store in facts.stores:
        if _is_part(store.owner) and store.given:
            found |= _of_part(store.given[0], _named(store))
    for fact in facts.calls:
        owner = fact.args[0] if fact.name == "setattr" and fact.args else fact.receiver
        if fact.name in _ADDING and owner is not None and _is_part(owner):
            for value in (*fact.args[fact.name == "setattr" :], *fact.keywords.values()):
                found |= _of_part(value, str(fact.args[1].const) if fact.name == "setattr" else "")
    return frozenset(found)


def _named(store: StoreFact) -> str:
    return str(getattr(store.node, "attr", ""))


def _is_part(owner: Value) -> bool:
    """Whether this may be a network of a library, or a part of one."""
    return owner.kind in (Kind.MODULE, Kind.LAYERS) and not owner.obj and not owner.name.startswith("torch.nn.")


def _of_part(value: Value, name: str) -> frozenset[str]:
    """What something does to samples that a network is given as a part, or as an attribute of this name."""
    if value.kind in _PLAIN or steering.PARAMETER in value.tags:
        return ANY if re.match(_RATES, name) else frozenset()
    if value.kind is not Kind.MODULE or value.obj or value.locations:
        return ANY
    if value.name == LIBRARY:
        return value.tags & ANY
    if not value.name.startswith("torch.nn."):
        return ANY
    inner = value.items if value.name.rpartition(".")[2] in CONTAINERS else ()
    return (value.tags & ANY).union(*(_of_part(part, "") for part in inner))
