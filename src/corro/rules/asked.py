"""What is asked about files on which it hangs whether rank 0 changes them: all processes ask before it begins.

A process that asks late would see what rank 0 has just made, take the other way, and be missed where the others wait.
What :mod:`corro.rules.rank_0_first` and :mod:`corro.rules.alone` know how to hand to rank 0 needs no such waiting.
"""

from __future__ import annotations

import ast
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from corro.classes import dataclass
from corro.flow.python import FILE_SYSTEM
from corro.frontends.effects import EffectKind
from corro.rules import mending, rank_0_first
from corro.rules.alone import around, with_check
from corro.rules.told import makes_folder
from corro.source import After, Before, arguments_of, walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer, Job
    from corro.source import Edit

_CHANGING = frozenset({EffectKind.FETCH, EffectKind.SAVE, EffectKind.OPEN, EffectKind.CONTAINER, EffectKind.DELETE,
                       EffectKind.DIRECTORY})  # fmt: skip
_LAZY = frozenset({"rglob", "iterdir", "scandir", "walk", "iglob"})
"""What lists files while it is gone through; as a method of a path, ``glob`` may."""
_ONCE = 99
"""The order of a barrier in front of all that other rules put there."""


@dataclass(frozen=True)
class Place:
    """Where all processes have asked: in front of a statement, or behind a condition by which others have left."""

    statement: ast.stmt
    behind: bool = False

    def waiting(self, barrier: str) -> Edit:
        """The barrier."""
        return After(self.statement, barrier, order=-_ONCE) if self.behind else Before(self.statement, barrier, -_ONCE)


def places(job: Job) -> Iterator[Place]:
    """Where processes have to wait for each other, as rank 0 changes files behind it."""
    yield from dict.fromkeys(place for fact in _changes(job) for place in places_for(job, [fact]))


def places_for(job: Job, facts: Iterable[CallFact]) -> Iterator[Place]:
    """Where processes have to wait for each other in front of calls by which rank 0 changes files."""
    if not job.facts.asks_for_files:
        return
    for fact in facts:
        held = rank_0_first.holds(job, fact.node) or mending.holds(job, fact.node)
        if not held and all(job.is_uniform(each.context) for each in job.calls_of(fact.node)):
            yield from _places(job, fact)


def waiting(job: Job, rule: str, found: Iterable[Place]) -> Iterator[Answer]:
    """The barriers there, in the name of a rule."""
    for place in found:
        here = job.at(place.statement)
        code = Code(here.ranked.barrier, (here.ranked.engine,))
        edits = [place.waiting(code.text)]
        yield here.change(rule, "all have looked for files before rank 0 changes them", place.statement, edits, code)


def _changes(job: Job) -> Iterator[CallFact]:
    """What rank 0 changes; in loops what others wait for in each round."""
    for effect in job.effects:
        waited_for = effect.kind in (EffectKind.FETCH, EffectKind.DELETE)
        if waited_for or (effect.kind in _CHANGING and not effect.fact.context.loops):
            yield effect.fact


def _places(job: Job, fact: CallFact) -> Iterator[Place]:
    alone = with_check(job, around(job, job.statement(fact.node)))
    inside = set(walk(alone)) - {alone}
    for node in _leading(fact):
        for place, asking in _decisions(job, fact, node, alone):
            asked = [each for each in _questions(job, asking, fact) if not _have_met(job, each.order, fact.order)]
            if asked:
                first = min(asked, key=lambda each: each.order)
                place = _at_once(job, place, asking, asked)
                earlier = _changed_before(job, first, fact, node)
                yield from (e for e in earlier if e.statement not in inside and _is_in_front_of(job, e, place))
                yield from [] if _waits_by_itself(job, fact, place) else [place]
                return


def _leading(fact: CallFact) -> Iterator[ast.Call]:
    """A call, and the calls that lead to it, from the inside out."""
    yield fact.node
    yield from (frame.call for frame in reversed(fact.context.frame.path()) if frame.call is not None)


def _decisions(job: Job, fact: CallFact, node: ast.AST, alone: ast.stmt) -> list[tuple[Place, ast.expr]]:
    """What decides in a function that it comes to a call, the last first: where it has decided, and by what."""
    above = [*takewhile(lambda each: not isinstance(each, rank_0_first.SCOPES), job.ancestors(node))]
    inside = set(walk(alone))
    found: list[tuple[int, Place, ast.expr]] = []
    inner: Place | None = None
    for child, outer in pairwise([node, *above]):
        arm = _arm(child, outer)
        if outer is alone and isinstance(outer, ast.If) and _is_known_besides(job, outer, fact):
            found.append((job.span(outer).start, Place(outer), outer.test))
        if arm is None or outer in inside:
            continue
        is_elif = isinstance(outer, ast.If) and arm is outer.orelse and arm == [child] and isinstance(child, ast.If)
        place = inner if is_elif and inner is not None else Place(arm[0])
        found.append((job.span(outer).start, place, _asking(outer)))
        inner = place
    for statement, asking in _left(job, fact, node, above):
        found.append((job.span(statement).start, Place(statement, behind=True), asking))
    return [(place, asking) for _, place, asking in sorted(found, key=lambda each: -each[0])]


def _is_known_besides(job: Job, alone: ast.If, fact: CallFact) -> bool:
    """Whether others read, too, what rank 0 alone does something for: what it has found of files."""
    inside = set(walk(alone))
    calls = (part for part in walk(alone.test) if isinstance(part, ast.Call) and any(map(_asks, job.calls_of(part))))
    asked = {part for call in calls for part in walk(call)}  # now, and by nobody else
    named = (part for part in walk(alone.test) if isinstance(part, ast.Name) and part not in asked)
    names = (name for name in named if next(_questions(job, name, fact), None) is not None)
    uses = (use for name in names for use in _uses(job, name))
    return any(isinstance(use.ctx, ast.Load) and use not in inside for use in uses)


def _left(job: Job, fact: CallFact, node: ast.AST, above: Sequence[ast.AST]) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """Statements in front of a call by which others leave the function, or the round of a loop, and what they ask."""
    frames = fact.context.frame.path()
    for leave in job.facts.exits:
        if leave.context.frame not in frames or not isinstance(leave.node, (ast.Return, ast.Break, ast.Continue)):
            continue
        if job.file_of(leave.node) is not job.file_of(node) or _scope(job, leave.node) is not _scope(job, node):
            continue
        chain = [
            leave.node,
            *takewhile(lambda each: not isinstance(each, rank_0_first.SCOPES), job.ancestors(leave.node)),
        ]
        loop = next((each for each in chain if isinstance(each, (ast.For, ast.While))), None)
        apart = [each for each in chain if isinstance(each, ast.stmt) and each not in above]
        if not apart or job.span(apart[-1]).end > job.span(node).start:
            continue
        if isinstance(leave.node, ast.Return) or loop in above:
            asking = (each for each in apart if isinstance(each, (ast.If, ast.While, ast.For)))
            yield from ((apart[-1], _asking(each)) for each in asking)


def _arm(child: ast.AST, outer: ast.AST) -> Sequence[ast.stmt] | None:
    """The statements among which a statement is run where a condition, or what is gone through, has it so."""
    if not isinstance(outer, (ast.If, ast.While, ast.For)) or not isinstance(child, ast.stmt):
        return None
    return next((arm for arm in (outer.body, outer.orelse) if child in arm), None)


def _asking(outer: ast.AST) -> ast.expr:
    assert isinstance(outer, (ast.If, ast.While, ast.For))
    return outer.iter if isinstance(outer, ast.For) else outer.test


def _scope(job: Job, node: ast.AST) -> ast.AST | None:
    return next((each for each in job.ancestors(node) if isinstance(each, rank_0_first.SCOPES)), None)


def _have_met(job: Job, first: int, last: int) -> bool:
    """Whether all processes meet in a step of training between two calls."""
    return any(first < fact.order < last for node in job.meeting for fact in job.calls_of(node))


def _is_in_front_of(job: Job, one: Place, other: Place) -> bool:
    here = job.file_of(one.statement) is job.file_of(other.statement)
    return not here or job.span(one.statement).start < job.span(other.statement).start


def _waits_by_itself(job: Job, fact: CallFact, place: Place) -> bool:
    """Whether others are waited for there anyway, as they may read what is deleted."""
    alone = with_check(job, around(job, job.statement(fact.node)))
    deletes = any(effect.node is fact.node and effect.kind is EffectKind.DELETE for effect in job.effects)
    return deletes and place == Place(alone) and job.is_read(alone)


def _at_once(job: Job, place: Place, asking: ast.expr, asked: Sequence[CallFact]) -> Place:
    """In front of a loop where what it goes through was listed before, not within each of its rounds."""
    loop = job.parent(place.statement)
    inside = set(walk(asking))
    listed = all(each.node not in inside and each.name.rpartition(".")[2] not in _LAZY for each in asked)
    return Place(loop) if isinstance(loop, ast.For) and loop.iter is asking and listed else place


def _changed_before(job: Job, question: CallFact, fact: CallFact, node: ast.Call) -> Iterator[Place]:
    """Where something else is changed after a question, and before it has decided about what leads to a call."""
    scope, above = _scope(job, node), {node, *job.ancestors(node)}
    changing = [each for each in job.calls if makes_folder(each)]
    changing += [effect.fact for effect in job.effects if effect.kind in _CHANGING]
    for change in sorted(changing, key=lambda each: each.order):
        if not question.order < change.order < fact.order or rank_0_first.holds(job, change.node):
            continue
        here = next((each for each in _leading(change) if _scope(job, each) is scope and each not in above), None)
        if here is None or job.file_of(here) is not job.file_of(node) or not job.is_uniform(change.context):
            continue
        apart = [each for each in job.ancestors(here) if isinstance(each, ast.stmt) and each not in above]
        apart = [*takewhile(lambda each: not isinstance(each, rank_0_first.SCOPES), apart)]
        within = {*walk(apart[-1])}.isdisjoint(_leading(question)) if apart else False
        if within:
            yield Place(apart[-1])
            return


def _questions(job: Job, asking: ast.expr, fact: CallFact) -> Iterator[CallFact]:
    """The calls that ask about files on the way to the value of an expression."""
    pending: list[ast.expr] = [asking]
    seen: set[ast.AST] = set()
    while pending:
        expression = pending.pop()
        if expression in seen:
            continue
        seen.add(expression)
        for part in walk(expression):
            if isinstance(part, ast.Call):
                asked = [each for each in _calls(job, part) if _asks(each) and each.order <= fact.order]
                yield from (each for each in asked if not rank_0_first.holds(job, each.node))
            elif isinstance(part, (ast.Name, ast.Attribute)):
                pending += _origins(job, part)
                pending += _given(job, part, fact)


def _calls(job: Job, call: ast.Call) -> Iterator[CallFact]:
    yield from job.calls_of(call)
    yield from job.facts.calls_within(call)


def _asks(fact: CallFact) -> bool:
    return "file system" in fact.result.tags or fact.name in FILE_SYSTEM


def _origins(job: Job, name: ast.Name | ast.Attribute) -> Iterator[ast.expr]:
    """What a variable is given or filled with, and what decides that it is."""
    for use in _uses(job, name):
        user = job.parent(use)
        filled = isinstance(user, ast.Attribute) and isinstance(job.statement(use), ast.Expr)
        filled = filled and not job.names_of(use).qualified(use)  # a library
        stored = not isinstance(use.ctx, ast.Load)
        stored = stored or (isinstance(user, ast.Subscript) and not isinstance(user.ctx, ast.Load))
        if not stored and not filled:
            continue
        for above in takewhile(lambda each: not isinstance(each, rank_0_first.SCOPES), job.ancestors(use)):
            match above:
                case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.NamedExpr():
                    yield from [above.value] if above.value is not None else []
                case ast.For() | ast.comprehension():
                    yield above.iter
                case ast.If() | ast.While():
                    yield above.test
                case ast.withitem():
                    yield above.context_expr
                case ast.Call() if filled:
                    yield from arguments_of(above)


def _given(job: Job, name: ast.Name | ast.Attribute, fact: CallFact) -> Iterator[ast.expr]:
    """What the calls that lead to a place give to a function, where a name is one of its parameters."""
    scope = job.names_of(name).binding(name) if isinstance(name, ast.Name) else None
    function = scope.node if scope is not None else None
    if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and isinstance(name, ast.Name):
        arguments = (each.arg for each in walk(function.args) if isinstance(each, ast.arg))
        if name.id in arguments:
            yield from (each for call in _leading(fact) if call is not fact.node for each in arguments_of(call))


def _uses(job: Job, name: ast.Name | ast.Attribute) -> Iterator[ast.Name | ast.Attribute]:
    """Where the same variable stands, or an attribute of the same word."""
    if isinstance(name, ast.Name):
        names = job.names_of(name)
        scope = names.binding(name)
        yield from names.uses(name.id, scope) if scope is not None else ()
    else:
        yield from (each for each in job.mentions.get(name.attr, ()) if isinstance(each, ast.Attribute))
