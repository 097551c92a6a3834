"""Several models that a loop within the training step goes through, each with its optimizer.

    for net, optimizer in zip(nets, optimizers):
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()

All processes have to step the same model at a time. So the order is read in the text: the lists are written out once,
and nothing else is done with them than to go through them, or to count them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.anatomy.steps import Step
    from corro.flow.facts import CallFact, Frame
    from corro.names import Names

_BESIDE = frozenset({"zip", "enumerate"})
_COUNTING = frozenset({"len"})


def goes_through(frame: Frame, step: Step, fact: CallFact) -> bool:
    """Whether a loop within the step goes through the model that is called and all optimizers that step."""
    called, within = fact.node.func, set(walk(step.loop)) - {step.loop}
    stepped = [update.optimizer for update in step.updates]
    taken = [each for each in (called, *stepped) if isinstance(each, ast.Name)]
    if not stepped or len(taken) <= len(stepped):
        return False
    for loop in (loop.node for loop in fact.context.loops if loop.node in within):
        steps = isinstance(loop, ast.For) and all(update.node in set(walk(loop)) for update in step.updates)
        if steps and isinstance(loop, ast.For) and _are_its_targets(frame.unit.names, loop, taken):
            return _is_in_order(frame, loop.iter)
    return False


def _are_its_targets(names: Names, loop: ast.For, taken: Sequence[ast.Name]) -> bool:
    """Whether names are what a loop gives in each round, and nothing else within it."""
    targets, inside = set(walk(loop.target)), set(walk(loop))
    given = {part.id for part in targets if isinstance(part, ast.Name)}
    uses = (use for name in taken for use in names.uses(name.id, names.binding(name)))
    others = (use for use in uses if isinstance(use.ctx, ast.Store) and use in inside and use not in targets)
    return {name.id for name in taken} <= given and next(others, None) is None


def _is_in_order(frame: Frame, iterable: ast.expr) -> bool:
    """Whether a loop goes through lists in the order in which they are written."""
    if isinstance(iterable, ast.Call):
        return _is_builtin(frame.unit.names, iterable, _BESIDE) and all(
            _is_in_order(frame, each) for each in iterable.args
        )
    if isinstance(iterable, (ast.List, ast.Tuple)):
        return not any(isinstance(each, ast.Starred) for each in iterable.elts)
    names = frame.unit.names
    if not isinstance(iterable, ast.Name) or names.binding(iterable) is not frame.scope:
        return False
    uses = names.uses(iterable.id, frame.scope)
    stores = [use for use in uses if isinstance(use.ctx, ast.Store)]
    return (
        len(stores) == 1
        and _is_written_out(frame, stores[0])
        and all(use in stores or _is_only_looked_at(frame, use) for use in uses)
    )


def _is_written_out(frame: Frame, store: ast.Name) -> bool:
    above = frame.unit.source.parent(store)
    return isinstance(above, ast.Assign) and isinstance(above.value, (ast.List, ast.Tuple))


def _is_only_looked_at(frame: Frame, use: ast.Name) -> bool:
    """Whether a list is gone through, or counted."""
    above = frame.unit.source.parent(use)
    if isinstance(above, ast.Call):
        return use in above.args and _is_builtin(frame.unit.names, above, _BESIDE | _COUNTING)
    return isinstance(above, (ast.For, ast.comprehension)) and above.iter is use


def _is_builtin(names: Names, call: ast.Call, known: frozenset[str]) -> bool:
    function = call.func
    return isinstance(function, ast.Name) and function.id in known and names.binding(function) is None
