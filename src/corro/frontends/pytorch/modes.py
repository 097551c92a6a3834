"""Training and evaluation mode: whether a forward pass makes noise, or uses the statistics of its batch.

Each module made in the script has a switch in the store, so that branches are joined and loops run to a fixed point
as for any variable. A module is in training mode unless it is known to have been switched on all paths.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.state import SWITCHES
from corro.flow.values import SETTLED, UNKNOWN, Value, constant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.semantics import Call
    from corro.flow.state import Flow

EVALUATING = "evaluating"
"""The mode of the analysis while the forward method of a module in evaluation mode is followed."""
NOISE = "noise of the training mode"
"""The tag of a forward pass with dropout in it, in training mode."""
STATISTICS = "statistics of the batch"
"""The tag of a forward pass with batch normalisation in it, in training mode."""
INNER = "one of the modules in it"
"""The tag of what goes through the modules in another one gives: it has the sites of the whole."""

_FRESH = Value(Kind.NONE)
_OWN = "training"
_BY_ITSELF = "switched by itself"
"""The tag of the mode of a module that was not switched with one that it is a part of."""


def made(flow: Flow, module: Value) -> None:
    """A module was made: it is in training mode, and follows the module it becomes a part of."""
    for name in _switches(module):
        flow.set_field(SWITCHES, name, _FRESH)


class MadeOn(str):
    """The tag of a module that a function makes: on which path of calls, as each call of that function makes another.

    Args:
        node: the number of the expression that makes it.
        path: the number of that expression on this path.
    """

    __slots__ = ("node",)
    node: int

    def __new__(cls, node: int, path: int) -> MadeOn:
        """The tag, which is told from others by the path alone."""
        made = super().__new__(cls, f"made on path {path}")
        made.node = node
        return made


def told_apart(flow: Flow, module: Value) -> Value:
    """A module that may be made once more by another call of its function; layers belong to what has them made."""
    frame = flow.context.frame
    function = frame.scope.node
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)) or getattr(function, "name", "") == "__init__":
        return module
    nodes = ((number, flow.facts.nodes[number]) for number in module.sites)
    return module.but(tags=module.tags | {MadeOn(number, flow.facts.site(node, frame)) for number, node in nodes})


def copied(flow: Flow, module: Value, copy: Value) -> None:
    """A copy of a module is in the mode of the original."""
    for name, of in zip(_switches(copy), _switches(module), strict=False):
        flow.set_field(SWITCHES, name, flow.field(SWITCHES, of) or _FRESH)


def switched(flow: Flow, module: Value, name: str, call: Call) -> None:
    """``module.eval()`` or ``module.train(mode)``: the module and all its parts."""
    mode = call.argument(0, "mode") if name == "train" else constant(False)
    known = constant(mode.const) if mode is not None and isinstance(mode.const, bool) else UNKNOWN
    for part in _parts(flow, module, set()):
        shared = _made_often(flow, part)
        by_itself = frozenset({_BY_ITSELF} if part is module or shared else ())
        for switch in _switches(part):
            if shared and part is not module and _BY_ITSELF not in (flow.field(SWITCHES, switch) or _FRESH).tags:
                flow.set_field(SWITCHES, switch, _FRESH)  # each of those made here follows the module it is a part of
                continue
            mode_now = UNKNOWN if shared or INNER in part.tags else constant(True) if mode is None else known
            flow.set_field(SWITCHES, switch, mode_now.but(tags=mode_now.tags | by_itself))
        if part.obj and flow.field(part.obj, _OWN) is not None:  # the script's own, which is the very attribute
            flow.set_field(part.obj, _OWN, training(flow, part))


def evaluating(flow: Flow, module: Value) -> bool:
    """Whether a module is known to be in evaluation mode."""
    found = [flow.field(SWITCHES, name) or _FRESH for name in _switches(module)]
    if any(value.kind is not Kind.NONE for value in found):
        return all(value.const is False for value in found)
    return EVALUATING in flow.context.modes


def training(flow: Flow, module: Value) -> Value:
    """``module.training``: known where the module is in one mode on all paths, and so is what it is called by."""
    found = [flow.field(SWITCHES, name) or _FRESH for name in _switches(module)]
    if found and all(value.const is True for value in found):
        return constant(True).but(tags=frozenset({SETTLED}))
    return constant(False).but(tags=frozenset({SETTLED})) if evaluating(flow, module) else Value()


def has_gradients(flow: Flow) -> Value | None:
    """That a loss has gradients, where that is known: it is not computed under ``no_grad``."""
    recorded = flow.context.modes.isdisjoint({"no_grad", "maybe_grad"})
    return constant(True).but(tags=frozenset({SETTLED})) if recorded else None


def _switches(module: Value) -> list[str]:
    """The names of a module's switches; several where it is one of several modules."""
    copy = " copied" if "copy" in module.tags else ""
    if module.obj:
        return [f"object {module.obj}{copy}"]
    paths = {number: _paths(module, number) for number in sorted(module.sites)}
    return [f"{each}{copy}" for number, found in paths.items() for each in found or (f"made at {number}",)]


def _paths(module: Value, number: int) -> list[str]:
    """On which paths an expression of this number made a module, where that is told apart."""
    return sorted(tag for tag in module.tags if isinstance(tag, MadeOn) and tag.node == number)


def _parts(flow: Flow, module: Value, seen: set[int]) -> Iterator[Value]:
    """A module and the modules in it, as far as they are seen."""
    if module.obj in seen:
        return
    seen |= {module.obj} - {0}
    yield module
    inner = flow.fields(module.obj).values() if module.obj else ()
    for part in (*module.items, *inner):
        if part.kind in (Kind.MODULE, Kind.LAYERS):
            yield from _parts(flow, part, seen)
        elif part.kind is Kind.LIST and part.obj:
            yield from _parts(flow, flow.element(part), seen)


def _made_often(flow: Flow, module: Value) -> bool:
    """Whether a place in the script made several modules, which share a switch here."""
    if module.obj:
        return False
    shared = (number for number in module.sites if not _paths(module, number))
    return any(flow.facts.times_called(flow.facts.nodes[number]) > 1 for number in shared)
