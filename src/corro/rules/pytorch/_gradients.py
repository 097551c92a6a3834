"""Shared by rules: where a step clips, unscales, reads or changes gradients, and how it gets there.

Between the backward pass and the update these must be gradients that are averaged already.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.frontends.pytorch.forwards import DERIVING
from corro.frontends.pytorch.steering import GRADIENT, PARAMETER
from corro.frontends.pytorch.steps import is_scaled
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.anatomy.steps import Step, StepCall
    from corro.flow.facts import CallFact, Frame, StoreFact
    from corro.flow.values import Value
    from corro.rules.pytorch._job import Job

CLIPPING = frozenset(
    f"torch.nn.utils.{module}{name}"
    for module in ("", "clip_grad.")
    for name in ("clip_grad_norm_", "clip_grad_norm", "clip_grad_value_")
)
_BY_NAME = frozenset({"getattr", "setattr", "hasattr", "delattr"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Way = tuple[ast.AST, ...]
"""A node and the calls by which a step gets to it, innermost first."""


@dataclass(frozen=True, eq=False)
class Use:
    """A place in a step that uses gradients.

    Args:
        node: the call that clips or unscales them, or the ``.grad`` of a tensor.
        step: the step it is made in.
        owner: what they are gradients of: parameters, a tensor or an optimizer.
        ways: how the step gets there.
    """

    node: ast.expr
    step: Step
    owner: Value
    ways: tuple[Way, ...]

    @property
    def is_attribute(self) -> bool:
        """Whether it is the gradient of a single tensor, which may be none of a parameter."""
        return isinstance(self.node, ast.Attribute) or self.owner.kind is Kind.TENSOR


def clips(fact: CallFact) -> bool:
    """Whether a call clips gradients."""
    return fact.name in CLIPPING


def uses(job: Job) -> Iterator[Use]:
    """All uses of gradients in training steps."""
    found = dict(_used(job))
    for step in job.anatomy.steps if found else ():
        reached = _reached(job, step)
        inside = set(walk(step.loop))
        for node, owner in found.items():
            function = _function(job, node)
            direct = node in inside and (function is None or function not in inside)
            ways = ((node,),) if direct else tuple((node, *calls) for calls in reached.get(function, ()))
            if ways:
                yield Use(node, step, owner, ways)


def outside(job: Job) -> Iterator[ast.expr]:
    """Uses of gradients that the script comes to in no training step."""
    inside = {use.node for use in uses(job)}
    for node, owner in _used(job):
        if node not in inside and owner.tags & {PARAMETER, GRADIENT}:
            yield node


def _used(job: Job) -> Iterator[tuple[ast.expr, Value]]:
    """What uses gradients, and what it takes them of."""
    for fact in job.calls:
        named = fact.name in _BY_NAME and len(fact.args) > 1 and fact.args[1].const == "grad"
        if fact.args and (clips(fact) or named or (is_scaled(fact) and fact.name == "unscale_")):
            yield fact.node, fact.args[0]
    for node in job.nodes.of(ast.Attribute):
        if node.attr == "grad" and job.value(node).name != DERIVING:
            yield node, job.value(node.value)


def _reached(job: Job, step: Step) -> Mapping[ast.AST | None, Iterable[Way]]:
    """The functions that a step calls, and how: the calls, innermost first."""
    found: dict[ast.AST | None, dict[Way, None]] = {}
    facts: tuple[CallFact | StoreFact, ...] = (*job.calls, *job.facts.stores)
    for fact in facts:
        running = next((loop for loop in fact.context.loops if loop.node is step.loop), None)
        if running is None:
            continue
        calls = Way()
        for frame in reversed(list(_up_to(fact.context.frame, running.frame))):
            calls = (*((frame.call,) if frame.call is not None else ()), *calls)
            found.setdefault(frame.scope.node, {})[calls] = None
        function = job.facts.functions.get(job.value(fact.node.func).obj) if isinstance(fact.node, ast.Call) else None
        if function is not None:
            calls = (fact.node, *calls)
            found.setdefault(function, {})[calls] = None
    return found


def _up_to(frame: Frame, outer: Frame) -> Iterator[Frame]:
    """The frames within another one, from the inside out; that of a comprehension stands in the one around it."""
    inner: Frame | None = frame
    while inner is not None and inner is not outer:
        yield inner
        inner = inner.caller or inner.closure


# ---------------------------------------------------------------------- where they stand


def _function(job: Job, node: ast.AST) -> ast.AST | None:
    return next((each for each in job.ancestors(node) if isinstance(each, _FUNCTIONS)), None)


def beside(job: Job, way: Way, node: ast.AST) -> ast.AST | None:
    """The part of a way that stands in the same function as a node."""
    there = _function(job, node), job.file_of(node)
    return next((part for part in way if (_function(job, part), job.file_of(part)) == there), None)


def between(job: Job, use: Use) -> bool:
    """Whether gradients are used behind a backward pass and in front of an update, which stand in one function."""
    behind = max(job.span(each.node).end for each in use.step.backwards)
    before = max(job.span(each.node).start for each in use.step.updates)
    parts = (beside(job, way, use.step.updates[0].node) for way in use.ways)
    return any(part is not None and behind <= job.span(part).start < before for part in parts)


def in_one_function(job: Job, step: Step, found: Iterable[Use]) -> bool:
    """Whether backward passes and updates are statements of one function, made for each batch, with all uses in it."""
    sites = (*step.backwards, *step.updates)
    if any(each.governed or not _is_alone(job, each) for each in sites):
        return False
    first = sites[0].node
    there = all(beside(job, (each.node,), first) is not None for each in sites)
    return there and all(beside(job, way, first) is not None for use in found for way in use.ways)


def _is_alone(job: Job, site: StepCall) -> bool:
    statement = job.statement(site.node)
    return isinstance(statement, ast.Expr) and statement.value is site.node


def place_for(job: Job, step: Step, way: Way, update: ast.AST) -> tuple[ast.stmt | None, bool]:
    """The statement in front of which gradients are averaged for a use, and whether that is in time for an update too.

    No statement where the use stands in another function than the update, in front of backward passes that add to what
    is left of others, or behind an update that is not made for each batch, where gradients may have been dropped. The
    update's own where it is always made before the use, and its gradients are averaged by then.
    """
    part = beside(job, way, update)
    if part is None:
        return None, False
    if _is_early(job, step, part):
        over = len(step.updates) == 1 and not any(each.governed for each in step.updates)
        return (job.statement(update), True) if over else (None, False)
    passes = {each for site in step.backwards for each in _way_to(job, site)}
    mine, its = list(_blocks(job, step, part)), list(_blocks(job, step, update))
    for block, at in mine:
        other = next((number for place, number in its if place is block), None)
        if other is None or other == at:
            continue
        inner, outer = sorted((at, other))
        quiet = not any(_holds(statement, passes) for statement in block[inner : outer + (at > other)])
        alone = block is its[0][0]
        if at < other and quiet and not _holds(block[other], passes):
            return block[at], True
        if at > other and quiet and alone:
            return block[other], True
        break
    held = passes | {each for site in step.updates for each in _way_to(job, site)}
    outermost = mine[0]
    if _holds(outermost[0][outermost[1]], passes) or job.span(update).start < job.span(part).start:
        return None, False
    for block, at in mine[1:]:
        if _holds(block[at], held):
            break
        outermost = block, at
    return outermost[0][outermost[1]], False


def _is_early(job: Job, step: Step, part: ast.AST) -> bool:
    """Whether a part of a way comes before all backward passes of a batch."""
    passes = [beside(job, tuple(_way_to(job, site)), part) for site in step.backwards]
    return all(each is not None and job.span(each).start > job.span(part).start for each in passes)


def _way_to(job: Job, site: StepCall) -> Iterator[ast.AST]:
    """A call of the step, and the calls by which it is reached."""
    yield site.node
    for fact in job.calls_of(site.node):
        yield from (frame.call for frame in fact.context.frame.path() if frame.call is not None)


def _holds(statement: ast.stmt, nodes: set[ast.AST]) -> bool:
    return any(node in nodes for node in walk(statement))


def _blocks(job: Job, step: Step, node: ast.AST) -> Iterator[tuple[list[ast.stmt], int]]:
    """The blocks of statements that a node stands in, from the inside out, up to the step's loop or the function."""
    inner: ast.AST = node
    for outer in job.ancestors(node):
        if isinstance(inner, ast.stmt):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(outer, name, None)
                if isinstance(block, list) and inner in block:
                    yield block, block.index(inner)
        if outer is step.loop or isinstance(outer, _FUNCTIONS):
            return
        inner = outer
