"""Statements that make files where they are missing: rank 0 runs them first, and the others find the files."""

from __future__ import annotations

import ast
from itertools import chain
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass, replace
from corro.frontends.effects import Effect, EffectKind, effects
from corro.frontends.randomness import draws
from corro.rules.alone import with_check
from corro.rules.file_tests import ASKS, READING, conditions, leaves_for, looks_at_files, texts
from corro.rules.left_behind import Left, left_by
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence, Set

    from corro.flow.facts import CallFact, Context, TestFact
    from corro.rules.base import Job

_MAKING = frozenset({EffectKind.SAVE, EffectKind.OPEN, EffectKind.FETCH, EffectKind.DELETE})
_TRAINING = frozenset({Kind.MODULE, Kind.LAYERS, Kind.PARAMETERS, Kind.OPTIMIZER, Kind.LOADER, Kind.DATASET})
_WAITING = (ast.Expr, ast.Assign, ast.AnnAssign, ast.If, ast.With, ast.For, ast.Try)
"""Statements in front of which, and behind which, processes may wait for each other."""
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_LEAVING = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Break, ast.Continue)


@dataclass(frozen=True, eq=False)
class _Step:
    """A call on the way to another one, in the function that makes it.

    ``statements`` are those around it in that function, from the inside out.
    """

    scope: ast.AST | None
    statements: tuple[ast.stmt, ...]


@dataclass(frozen=True, eq=False)
class _Turn:
    """A statement on the way to a call, and what stands around it."""

    statement: ast.stmt
    outside: frozenset[ast.stmt]


def statements(job: Job) -> Mapping[ast.stmt, Left]:
    """The statements that look for files and make them where they are missing, which all processes run together.

    Each with what is known of what it leaves behind.
    """
    if not job.has_ranks:
        return {}
    making = [effect for effect in job.all_effects if effect.kind in _MAKING]
    making += [Effect(EffectKind.FETCH, fact) for fact in job.fetched]
    asked = [(effect.fact, [*_asking(job, effect)]) for effect in making]
    turns = [turn for fact, asking in asked if asking for turn in _innermost(job, fact, asking)]
    found = {turn.statement for turn in turns}
    outer = dict.fromkeys(turn.statement for turn in turns if found.isdisjoint(turn.outside))
    conditions_on_files = frozenset(test for _, asking in asked for test in asking)
    known = {each: _leaves(job, each, conditions_on_files) for each in outer}
    known |= dict.fromkeys(_tried(job, making), Left.EQUAL)
    return {each: left for each, left in known.items() if left is not Left.UNEQUAL}


def _tried(job: Job, making: Sequence[Effect]) -> Iterator[ast.Try]:
    """``try: nltk.data.find(name)``, and where that fails it is fetched: the others find it then.

    Both ways leave the same behind: the second one does again what was tried, and nothing else but fetch.
    """
    fetching = dict.fromkeys(effect.node for effect in making if effect.kind is EffectKind.FETCH)
    for node in fetching:
        handler = job.parent(job.statement(node))
        block = job.parent(handler) if isinstance(handler, ast.ExceptHandler) else None
        if not isinstance(block, ast.Try) or block.orelse or block.finalbody:
            continue
        calls = [fact for fact in job.calls if _is_in(job, fact, frozenset({block}))]
        alone = not any(isinstance(each, ast.Try) for each in job.ancestors(block))
        alike = alone and all(_repeats(job, block, each, fetching.keys()) for each in block.handlers)
        if alike and _reached_together(job, block, node) and not any(_is_shared(job, each) for each in calls):
            yield block


def _reached_together(job: Job, block: ast.stmt, node: ast.Call) -> bool:
    """Whether processes can wait for each other around a statement, whatever decides within it on a call."""
    inside = {*walk(block)}
    contexts = (fact.context for fact in job.calls_of(node))
    around = (replace(each, tests=tuple(t for t in each.tests if t.node not in inside)) for each in contexts)
    return all(_may_wait(job, block, each) for each in around)


def _repeats(job: Job, block: ast.Try, handler: ast.ExceptHandler, fetching: Set[ast.Call]) -> bool:
    """Whether a handler does nothing but fetch and say so, and what was tried."""
    shown = {effect.node for effect in effects(job.calls) if effect.kind in (EffectKind.PRINT, EffectKind.LOG)}
    tried = {ast.dump(each) for each in block.body}
    return all(
        isinstance(each, (ast.Import, ast.ImportFrom))
        or (isinstance(each, ast.Expr) and each.value in fetching | shown)
        or ast.dump(each) in tried
        for each in handler.body
    )


def holds(job: Job, node: ast.AST) -> bool:
    """Whether a call is always made in a statement that rank 0 runs first."""
    return bool(job.rank_0_first) and all(_is_in(job, fact, job.rank_0_first.keys()) for fact in job.calls_of(node))


def holds_test(job: Job, statement: ast.AST) -> bool:
    """Whether a condition is asked in a statement that rank 0 runs first: the others may find another answer."""
    if not job.rank_0_first:
        return False
    tests = (fact for fact in job.facts.tests.values() if fact.node is statement)
    return not job.rank_0_first.keys().isdisjoint({statement, *job.ancestors(statement)}) or any(
        _is_in(job, fact, job.rank_0_first.keys()) for fact in tests
    )


def _is_in(job: Job, fact: CallFact | TestFact, among: Set[ast.stmt]) -> bool:
    around = job.statements_around(fact.node), job.statements_to(fact.context.frame)
    return not all(map(among.isdisjoint, around))


def _steps(job: Job, fact: CallFact | TestFact) -> Iterator[_Step]:
    """A call, and the calls that lead to it."""
    frames = [*reversed(fact.context.frame.path())]
    for node in (fact.node, *(frame.call for frame in frames if frame.call is not None)):
        yield _Step(_scope(job, node), job.statements_around(node))


def _scope(job: Job, node: ast.AST) -> ast.AST | None:
    return next((above for above in job.ancestors(node) if isinstance(above, SCOPES)), None)


def _asking(job: Job, effect: Effect) -> Iterator[ast.If]:
    """The conditions that let something be made only where it is missing; none where one may let it be made again."""
    statement = job.statement(effect.node)
    if with_check(job, statement) is not statement:
        return  # rank 0 alone asks and makes
    around = {each for step in _steps(job, effect.fact) for each in step.statements}
    held = [n for n in conditions(job, effect.fact) if isinstance(n, ast.If) and looks_at_files(job, n.test)]
    left = [*leaves_for(job, effect)]
    signs = [_is_missing(node.test, there=around.isdisjoint(node.body)) for node in held]
    signs += [_is_missing(test.test, there=leave.node in _parts(test.body)) for leave, test in left]
    if all(signs):
        yield from chain(held, (test for _, test in left))


def _parts(body: Sequence[ast.stmt]) -> set[ast.AST]:
    return {part for statement in body for part in walk(statement)}


def _is_missing(test: ast.expr, *, there: bool) -> bool:
    """Whether each question after a file in a condition is one after a file that is missing, or is ``there``."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_missing(operand, there=not there)
        case ast.BoolOp(values=values):
            asking = [each for each in values if any(map(_is_question, walk(each)))]
            return bool(asking) and all(_is_missing(each, there=there) for each in asking)
    return _is_question(test) and there


def _is_question(node: ast.AST) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", "")) in ASKS


def _innermost(job: Job, fact: CallFact, asking: Sequence[ast.If]) -> Iterator[_Turn]:
    """The innermost statement around a call that holds all the conditions, and that all processes run together."""
    steps = [*_steps(job, fact)]
    for depth, step in enumerate(steps):
        deeper = {each.scope for each in steps[:depth]}
        for place, statement in enumerate(step.statements):
            inside = set(walk(statement))
            if any(node not in inside and _scope(job, node) not in deeper for node in asking):
                continue
            tests = (t for t in fact.context.tests if t.node not in inside and _scope(job, t.node) not in deeper)
            later = (each for outer in steps[depth + 1 :] for each in outer.statements)
            turn = _Turn(statement, frozenset((*step.statements[place + 1 :], *later)))
            tried = any(isinstance(each, ast.Try) for each in turn.outside)
            if not tried and _may_wait(job, statement, replace(fact.context, tests=tuple(tests))):
                yield turn
                return


def _may_wait(job: Job, statement: ast.stmt, context: Context) -> bool:
    """Whether processes can wait for each other in front of a statement and behind it."""
    above = job.parent(statement)
    is_elif = isinstance(above, ast.If) and isinstance(statement, ast.If) and statement in above.orelse
    leaves = any(isinstance(part, _LEAVING) for part in walk(statement))
    return isinstance(statement, _WAITING) and not is_elif and not leaves and job.is_uniform(context)


def _leaves(job: Job, statement: ast.stmt, asking: frozenset[ast.If]) -> Left:
    """What is known of what a statement leaves behind, in which nothing needs all processes at once."""
    inside = [fact for fact in job.calls if _is_in(job, fact, frozenset({statement}))]
    if any(_is_shared(job, fact) for fact in inside) or _rereads(job, inside):
        return Left.UNEQUAL
    return left_by(job, statement, inside, asking)


def _is_shared(job: Job, fact: CallFact) -> bool:
    """Whether something is made, drawn or computed that all processes have to have alike."""
    samples = fact.receiver is not None and fact.receiver.kind is Kind.TABLE and fact.name == "sample"
    return fact.node in job.joining or draws(fact) is not None or samples or fact.result.kind in _TRAINING


def _rereads(job: Job, inside: Sequence[CallFact]) -> bool:
    """Whether a file is read before it is written: the other processes would read something else."""
    made = [effect.fact for effect in effects(inside) if effect.kind in _MAKING]
    writing = {fact.node for fact in made}
    for fact in inside:
        if fact.node not in writing and fact.name.rpartition(".")[2].startswith(READING):
            later = (each for each in made if each.order > fact.order)
            paths = texts(job, [fact.node])
            if any(not paths.isdisjoint(texts(job, [each.node])) and not _apart(job, fact, each) for each in later):
                return True
    return False


def _apart(job: Job, one: CallFact, other: CallFact) -> bool:
    """Whether two calls stand in the two arms of a condition."""
    arms = (above for above in job.ancestors(one.node) if isinstance(above, ast.If))
    for arm in arms:
        body, orelse = _parts(arm.body), _parts(arm.orelse)
        if (one.node in body and other.node in orelse) or (one.node in orelse and other.node in body):
            return True
        if one.node in body and other.node not in body and any(isinstance(each, ast.Return) for each in body):
            return True
    return False
