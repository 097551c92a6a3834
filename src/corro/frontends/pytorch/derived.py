"""Layers and losses of ``torch.nn`` that classes of the script derive from: what the library's part of them computes.

A class that has no ``forward`` computes what its base does, and one that has may ask for it by ``super().forward(x)``.
What that is hangs on what the base was made with, so it is kept from there: the arguments of the class where it has no
constructor, those of ``super().__init__(...)`` where it has one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import STARRED
from corro.flow.state import SWITCHES
from corro.flow.store import OPTIONAL
from corro.flow.values import Value
from corro.frontends.pytorch import layers, losses

if TYPE_CHECKING:
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

_TORCH = "torch.nn."
_HOLDING = layers.CONTAINERS | {"Module", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict", "DataParallel"}
"""Bases that compute nothing of their own."""
_ALIKE = ("Linear", "Conv", "BatchNorm", "GroupNorm", "InstanceNorm", "Embedding", "MaxPool", "AvgPool", "Adaptive",
          "Upsample", "ReLU", "LeakyReLU", "GELU", "SiLU")  # fmt: skip
"""Beginnings of the names of layers that take each sample by itself, whatever they are made with."""
_UNKNOWN = Value(Kind.MODULE, name=f"{_TORCH}Module", tags=frozenset({layers.UNKNOWN}))
_REDUCTIONS = frozenset({"none", "mean", "sum", "batchmean"})
_WEIGHING = ("weight", "ignore_index")


def made(flow: Flow, instance: Value, call: Call) -> None:
    """The library's part of an object of a class of the script is made."""
    name = _base(flow, instance)
    if name:
        flow.set_field(SWITCHES, _place(instance), _part(name, call, instance))


def part(flow: Flow, instance: Value) -> Value | None:
    """The layer or loss that an object of a class of the script is by its base; ``None``: it derives from none."""
    name = _base(flow, instance)
    if name is None:
        return None
    kept = flow.field(SWITCHES, _place(instance)) if name else None
    if kept is None or OPTIONAL in kept.tags or kept.kind not in (Kind.LOSS, Kind.MODULE):
        return _UNKNOWN
    return _as_set(flow, instance, kept) if kept.kind is Kind.LOSS else kept


def _base(flow: Flow, instance: Value) -> str | None:
    """The layer or loss that a class derives from; empty where it is one of several."""
    bases = flow.library_bases_of(instance)
    names = {base.rpartition(".")[2] for base in bases if base.startswith(_TORCH)} - _HOLDING
    names = {name for name in names if not name.startswith("_")}
    return None if not names else next(iter(names)) if len(names) == 1 else ""


def _place(instance: Value) -> str:
    return f"base of object {instance.obj}"


def _part(name: str, call: Call, instance: Value) -> Value:
    """A layer or loss as it is made; what is given by a star may be anything."""
    starred = "**" in call.keywords or any(STARRED in value.tags for value in call.args)
    if name.endswith("Loss"):
        how = losses.reduction(name, call)
        weighted = name in ("CrossEntropyLoss", "NLLLoss", "NLLLoss2d") and (starred or losses.is_weighted(call))
        tag = losses.Variant(name, how, weighted).tag
        return Value(Kind.LOSS, sites=instance.sites, name=name, tags=frozenset({tag}))
    tags = layers.tags(name, call)
    if starred and not name.startswith(_ALIKE):
        tags |= {layers.UNKNOWN}
    held, width = layers.held(name, call), layers.features(name, call)
    return Value(Kind.MODULE, sites=instance.sites, name=f"{_TORCH}{name}", tags=tags, items=held, width=width)


def _as_set(flow: Flow, instance: Value, loss: Value) -> Value:
    """A loss with what its object was given since: ``self.reduction = "none"``."""
    how, weighs = flow.field(instance.obj, "reduction"), [flow.field(instance.obj, name) for name in _WEIGHING]
    if how is None and not any(weighs):
        return loss
    known = how is not None and how.const in _REDUCTIONS and OPTIONAL not in how.tags
    tags = frozenset(
        losses.Variant(
            each.name, each.reduction if how is None else str(how.const) if known and how is not None else "unknown",
            each.weighted or any(weighs),
        ).tag
        for each in losses.variants(loss)
    )  # fmt: skip
    return loss.but(tags=tags)
