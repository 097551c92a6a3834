"""What a step has to make whole at once: numbers of a batch of which something is accumulated that is no sum or mean.

The largest loss of a pass, the sum of squared losses or of losses that are sums times counts: no reduction after the
pass mends them. What they are computed from are sums and means over the batch, so these are reduced in each step, in
front of the statement, and everything computed from then on is what the sequential script computes.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import PARTIAL
from corro.flow.loops import ACCUMULATED
from corro.frontends.effects import EffectKind, effects
from corro.source import children, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.anatomy.steps import Step
    from corro.flow.facts import Facts
    from corro.flow.values import Value

_SHOWN = frozenset({EffectKind.PRINT, EffectKind.LOG, EffectKind.RECORD})
_REPEATED = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


def pooled(facts: Facts, steps: tuple[Step, ...]) -> frozenset[ast.AST]:
    """The sums and means over a batch that are to be reduced where they are computed, in passes that train."""
    if not any(ACCUMULATED in value.tags for value in _shown(facts)):
        return frozenset()
    trained = frozenset().union(*(step.loaders for step in steps))
    loops = {step.loop for step in steps if isinstance(step.loop, ast.For)}
    found: set[ast.AST] = set()
    for loop in loops:
        runs = facts.loops.get(loop, [])
        if runs and all(run.loaders and run.loaders <= trained for run in runs):
            found.update(_of_pass(facts, loop, trained))
    return frozenset(found)


def _shown(facts: Facts) -> Iterator[Value]:
    """The values of all expressions in calls that print or log, and in what decides a learning rate."""
    nodes: list[ast.AST] = [effect.node for effect in effects(facts.calls) if effect.kind in _SHOWN]
    nodes += [
        fact.node
        for fact in facts.calls
        if fact.receiver is not None and fact.receiver.kind is Kind.SCHEDULER and fact.name == "step"
    ]
    parts = (part for node in nodes for part in walk(node))
    yield from (facts.values[part] for part in parts if part in facts.values)


def _of_pass(facts: Facts, loop: ast.For, trained: frozenset[int]) -> Iterator[ast.expr]:
    """The parts of all statements that accumulate one variable, where all of these can be made whole."""
    by_name: dict[str, list[list[ast.expr] | None]] = {}
    for statement in _statements(facts, loop.body):
        name = _accumulated(facts, statement)
        if name:
            by_name.setdefault(name, []).append(_parts(facts, statement.value, trained))
    for parts in by_name.values():
        known = [part for each in parts for part in each or ()]
        if known and None not in parts:
            yield from known


def _statements(facts: Facts, body: list[ast.stmt]) -> Iterator[ast.Assign | ast.AugAssign]:
    """The assignments of a pass that all processes make alike; of one that they may not, the pass is not looked at."""
    for statement in body:
        if isinstance(statement, (ast.Assign, ast.AugAssign)):
            yield statement
        elif isinstance(statement, ast.With):
            yield from _statements(facts, statement.body)
        elif isinstance(statement, ast.If):
            test = facts.values.get(statement.test)
            if test is not None and test.placement.is_equal:
                yield from _statements(facts, [*statement.body, *statement.orelse])


def _accumulated(facts: Facts, statement: ast.Assign | ast.AugAssign) -> str:
    """The variable that a statement accumulates something in, in a way that is not known to be a sum or a mean."""
    target = statement.target if isinstance(statement, ast.AugAssign) else statement.targets[0]
    unit = facts.units.get(statement)
    if not isinstance(target, ast.Name) or unit is None:
        return ""
    uses = unit.names.uses(target.id, unit.names.binding(target))
    tagged = any(use in facts.values and ACCUMULATED in facts.values[use].tags for use in uses)
    return target.id if tagged else ""


def _parts(facts: Facts, node: ast.expr, trained: frozenset[int]) -> list[ast.expr] | None:
    """The largest parts that are sums or means over a batch; ``None`` where something else differs, too."""
    value = facts.values.get(node)
    if isinstance(node, _REPEATED):
        return None
    if value is not None and value.form in PARTIAL and value.kind is Kind.NUMBER and not value.carry:
        return [node] if value.sources <= trained else None
    given = (child.value if isinstance(child, ast.keyword) else child for child in children(node))
    inner = [_parts(facts, child, trained) for child in given if isinstance(child, ast.expr)]
    if any(part is None for part in inner):
        return None
    found = [part for each in inner for part in each or ()]
    differs = value is not None and not value.placement.is_equal and bool(value.sources)
    return None if differs and not found and not _grows_itself(value) else found


def _grows_itself(value: Value | None) -> bool:
    """Whether a value is what rounds before have left, which is whole as soon as its summands are."""
    return value is not None and bool(value.carry | value.mixed)
