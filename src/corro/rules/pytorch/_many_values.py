"""Shared by the rules for loaders: whether a single sample has many values of each channel.

Batch normalisation needs two values of a channel. A sample of a sequence has one for each of its steps, as a
convolution along them leaves them, and a graph one for each of its nodes.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow import depths
from corro.frontends.pytorch import layers
from corro.frontends.pytorch.graphs import is_passing, passes_along
from corro.frontends.pytorch.modes import INNER
from corro.frontends.pytorch.parts import is_forward
from corro.rules.places import blocks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

_SEQUENTIAL = "torch.nn.Sequential"
_WITH_STEPS = 3
"""How many dimensions a batch of sequences has: samples, channels and steps."""
_ALONG_STEPS = frozenset(f"torch.nn.{name}" for name in ("Conv1d", "ConvTranspose1d", "LazyConv1d"))
_ROWS_KEPT = frozenset({"torch.nn.Linear", "torch.nn.LazyLinear"})
"""What takes each node of a graph by itself."""
_ELEMENTWISE = frozenset({"relu", "relu_", "leaky_relu", "elu", "selu", "gelu", "silu", "tanh", "sigmoid", "dropout"})


def has_many_values(job: Job, number: int, seen: frozenset[int] = frozenset()) -> bool:
    """Whether all that a layer is known to be given has many values of each channel for a single sample.

    Args:
        job: as it is spelt in some file.
        number: that of the call that makes the layer.
        seen: the layers that hold it, and are asked for already.
    """
    if number in seen:
        return False
    found = list(_uses(job, number, seen | {number}))
    return bool(found) and all(found)


def _uses(job: Job, number: int, seen: frozenset[int]) -> Iterator[bool]:
    for fact in job.calls:
        if fact.receiver is not None and number in fact.receiver.sites and is_forward(fact):
            yield INNER not in fact.receiver.tags and _is_given_many(job, fact)
        elif fact.result.kind in (Kind.MODULE, Kind.LAYERS) and number not in fact.result.sites:
            given = [*fact.args, *fact.keywords.values()]
            yield from (_is_held(job, fact, place, seen) for place, each in enumerate(given) if number in each.sites)


def _is_held(job: Job, holder: CallFact, place: int, seen: frozenset[int]) -> bool:
    """Whether a layer has many values where it stands in another one."""
    if is_passing(holder.name):
        return True
    if holder.name != _SEQUENTIAL or place >= len(holder.args):
        return False
    direct = True
    for layer in reversed(holder.args[:place]):
        if layer.name in _ALONG_STEPS:
            return direct
        direct = direct and layer.name not in _ROWS_KEPT
        if not (layers.keeps_shape(layer) or layer.name in _ROWS_KEPT):
            return False
    return has_many_values(job, job.facts.number(holder.node), seen)


def _is_given_many(job: Job, fact: CallFact) -> bool:
    value = fact.args[0] if fact.args else None
    if value is None or not fact.node.args:
        return False
    return depths.dimensions(value) == _WITH_STEPS or _comes_of_many(job, fact.node.args[0])


def _comes_of_many(job: Job, node: ast.expr) -> bool:
    """Whether an expression is what goes along steps or edges gives, or what each of its values makes of it."""
    while True:
        if isinstance(node, ast.Name):
            assigned = _assigned(job, node)
            if assigned is None:
                return False
            node = assigned
            continue
        facts = list(job.calls_of(node)) if isinstance(node, ast.Call) else []
        if not facts or not isinstance(node, ast.Call):
            return False
        if all(passes_along(each) or _name(each.receiver) in _ALONG_STEPS for each in facts):
            return True
        if not node.args or not all(_keeps(each) for each in facts):
            return False
        node = node.args[0]


def _name(layer: Value | None) -> str:
    return layer.name if layer is not None else ""


def _keeps(fact: CallFact) -> bool:
    """Whether a call makes as many values as it is given."""
    if fact.receiver is not None:
        return is_forward(fact) and layers.keeps_shape(fact.receiver)
    module, _, last = fact.name.rpartition(".")
    return module in ("torch", "torch.nn.functional") and last in _ELEMENTWISE


def _assigned(job: Job, name: ast.Name) -> ast.expr | None:
    """What a name was last given, right before in the same block."""
    statement = job.statement(name)
    for block in blocks(job.parent(statement)):
        for above in reversed(block[: block.index(statement)] if statement in block else ()):
            stored = [each for each in ast.walk(above) if isinstance(each, ast.Name) and each.id == name.id]
            if not any(isinstance(each.ctx, ast.Store) for each in stored):
                continue
            plain = isinstance(above, ast.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ast.Name)
            return above.value if isinstance(above, ast.Assign) and plain else None
    return None
