"""What a statement that rank 0 runs first leaves behind: equal for who has made the files and for who has found them.

What says that something was made, or is changed on one of the two ways alone, is not. What is computed on one and read
on the other is, where it is written as it is and read by what gives it back to the bit; else that is assumed: a table
that goes through CSV gets a column more, an image through JPEG other pixels.
"""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.places import blocks
from corro.source import position, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Job

_GROWING = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "pop", "remove", "clear"})
_EXACT = {"numpy.load": "numpy.save", "torch.load": "torch.save", "pickle.load": "pickle.dump", "joblib.load":
          "joblib.dump", "read": "write"}  # fmt: skip
"""What reads a file to the bit, and what writes it: functions, and methods of files."""
_SEVERAL = 2
_MAKING_GENERATORS = ("default_rng", "RandomState", "Generator", "random.Random")
_REACHING_OUT = (ast.Global, ast.Nonlocal, ast.Delete)
_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, *_REACHING_OUT)


class Left(Enum):
    """What is known of what a statement leaves behind."""

    EQUAL = "equal"
    ASSUMED = "equal if what is read is what was written"
    UNEQUAL = "not equal"


def left_by(job: Job, statement: ast.stmt, inside: Sequence[CallFact], asking: frozenset[ast.If]) -> Left:
    """Whether what others may use of a statement is the same on both ways through the conditions in it.

    Args:
        job: the job at hand.
        statement: what rank 0 runs first.
        inside: the calls that are made in it, those of functions that it calls included.
        asking: the conditions on files in it, which rank 0 finds otherwise than the others.
    """
    own = frozenset(walk(statement))
    bodies = {fact.context.frame.scope.node for fact in inside if fact.node not in own}
    functions = [body for body in bodies if isinstance(body, (ast.FunctionDef, ast.AsyncFunctionDef))]
    parts = frozenset(part for function in functions for part in walk(function))
    reaches_out = any(isinstance(part, _DEFINING) for part in own) or any(isinstance(p, _REACHING_OUT) for p in parts)
    draws = not _generators(job, parts | own).isdisjoint(_words(parts | own))
    if reaches_out or draws or not _stays_within(job, own, parts, inside):
        return Left.UNEQUAL
    answering = [each for each in _answering(job, own, inside) if not asking.isdisjoint(walk(each))]
    arms = [(test, own) for test in asking if test in own]
    arms += [(test, frozenset(walk(test))) for test in asking if any(test in walk(each) for each in answering)]
    used = [(test, *_used_names(job, test, within)) for test, within in arms]
    if not all(even for _, even, _ in used) or not all(map(_returns_same, answering)):
        return Left.UNEQUAL
    kept = (_is_kept(job, test, name) for test, _, names in used for name in names)
    returned = (_returns_kept(job, each) for each in answering)
    return Left.EQUAL if all(kept) and all(returned) else Left.ASSUMED


def _generators(job: Job, parts: frozenset[ast.AST]) -> set[str]:
    """The names of random generators that are made elsewhere: who draws from one goes on with other numbers."""
    made = [fact.node for fact in job.calls if fact.name.endswith(_MAKING_GENERATORS) and fact.node not in parts]
    return {word for node in made for word in _words(frozenset(walk(job.statement(node))), ast.Store)}


def _words(parts: frozenset[ast.AST], context: type[ast.expr_context] = ast.Load) -> set[str]:
    """The names and attributes that are read, or set."""
    named = (part for part in parts if isinstance(getattr(part, "ctx", None), context))
    return {word for part in named if (word := getattr(part, "attr", getattr(part, "id", "")))}


def _stays_within(job: Job, own: frozenset[ast.AST], parts: frozenset[ast.AST], inside: Sequence[CallFact]) -> bool:
    """Whether functions that are called set nothing of what was made outside of them, and put nothing into it."""
    owners = [store.owner for store in job.facts.stores if store.node in parts - own]
    grown = (fact.receiver for fact in inside if fact.node not in own and _word_of(fact.node.func) in _GROWING)
    owners += [each for each in grown if each is not None and each.kind in (Kind.LIST, Kind.DICT)]
    return all(_is_made_within(job, each, own, parts) for each in owners)


def _word_of(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else ""


def _is_made_within(job: Job, owner: Value, own: frozenset[ast.AST], parts: frozenset[ast.AST]) -> bool:
    """Whether a statement, or what it calls, has made what something is set of."""
    if owner.sites:
        return (parts | own).issuperset(job.facts.nodes[number] for number in owner.sites)
    objects = {owner.obj} if owner.obj else owner.locations
    return bool(objects) and all(not own.isdisjoint(job.facts.paths.get(number, ())) for number in objects)


def _used_names(job: Job, test: ast.If, within: frozenset[ast.AST]) -> tuple[bool, list[str]]:
    """The names set under a condition that are used elsewhere; and whether each is set in both arms, to no constant."""
    arms = [_set_in(arm) for arm in (test.body, test.orelse)]
    names = [
        name
        for name in dict.fromkeys(each for arm in arms for each in arm)
        if _is_used_outside(job, test, name, within)
    ]
    even = all(
        name in arm and not any(isinstance(each, ast.Constant) for each in arm[name]) for name in names for arm in arms
    )
    return even, names


def _is_kept(job: Job, test: ast.If, name: str) -> bool:
    """Whether one arm of a condition writes a name as it stands at its end, and the other reads it back exactly."""
    for there, missing in ((test.body, test.orelse), (test.orelse, test.body)):
        read = _set_in(there).get(name, [])
        writing = _written_by(job, read[0]) if len(read) == 1 else ""
        if writing and writing in _last_written(job, missing, name):
            return True
    return False


def _returns_kept(job: Job, function: ast.AST) -> bool:
    """Whether a function that returns in several places returns what it reads, or what it has written as it is."""
    body = getattr(function, "body", [])
    returned = [part.value for part in walk(function) if isinstance(part, ast.Return) and part.value is not None]
    computed = [each for each in returned if not isinstance(each, ast.Constant) and not _written_by(job, each)]
    reading = {_written_by(job, each) for each in returned} - {""}
    return len(returned) < _SEVERAL or all(_last_written(job, body, ast.unparse(each)) & reading for each in computed)


def _written_by(job: Job, value: ast.expr | None) -> str:
    """What writes a file that an expression reads exactly; empty where it does not."""
    if not isinstance(value, ast.Call):
        return ""
    return next((_EXACT[name] for name in _called(job, value) if name in _EXACT), "")


def _last_written(job: Job, body: Sequence[ast.stmt], name: str) -> set[str]:
    """What writes a name to a file, where nothing is done with it after that."""
    calls = [part for statement in body for part in walk(statement) if isinstance(part, ast.Call)]
    calls = [call for call in calls if any(ast.unparse(each) == name for each in call.args)]
    found = {writes: call for call in calls for writes in _called(job, call) if writes in _EXACT.values()}
    last = max((_end(call) for call in found.values()), default=(0, 0))
    named = [part for statement in body for part in walk(statement) if isinstance(part, (ast.Name, ast.Attribute))]
    after = [part for part in named if position(part) >= last and ast.unparse(part) == name]
    used = any(not isinstance(job.parent(part), ast.Return) for part in after)
    arrays = all(job.value(each).kind is Kind.TENSOR for call in found.values() for each in call.args[1:])
    return set() if used else {writes for writes in found if writes != "numpy.save" or arrays}


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or 0, node.end_col_offset or 0


def _called(job: Job, call: ast.Call) -> set[str]:
    """The functions that may be called, by their full names, or the method of a file."""
    names = set(job.names_of(call).qualified(call.func))
    return names or ({call.func.attr} if isinstance(call.func, ast.Attribute) else set())


def _set_in(arm: Sequence[ast.stmt]) -> dict[str, list[ast.expr | None]]:
    """The names and attributes that an arm sets or changes, as they are written, with what they are set to."""
    found: dict[str, list[ast.expr | None]] = {}
    for part in (part for statement in arm for part in walk(statement)):
        match part:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    for each in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                        found.setdefault(_word(each), []).append(value)
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                found.setdefault(_word(target), []).append(value)
            case ast.AugAssign(target=target):
                found.setdefault(_word(target), []).append(None)
            case ast.For(target=target) | ast.withitem(optional_vars=ast.expr() as target):
                names = (each.id for each in walk(target) if isinstance(each, ast.Name))
                found.update({name: found.get(name, []) for name in names})
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _GROWING:
                found.setdefault(_word(owner), [])
    return found


def _word(target: ast.expr) -> str:
    """How a name, an attribute, or the owner of an item is written."""
    while isinstance(target, (ast.Subscript, ast.Starred)):
        target = target.value
    return ast.unparse(target)


def _is_used_outside(job: Job, test: ast.If, name: str, own: frozenset[ast.AST]) -> bool:
    """Whether a name is read outside of the statement, or an attribute, which is known again by its last word."""
    last = name.rpartition(".")[2]
    names = job.names_of(test)
    if last != name:
        return any(n.attr == last and _is_read(n, own) for n in job.nodes.of(ast.Attribute))
    uses = names.uses(name, names.lookup(name, names.scope(test)))
    return any(
        _is_read(node, own) and not _is_bound_around(job, node) and not _is_set_before(job, node, test) for node in uses
    )


def _is_read(node: ast.Name | ast.Attribute, own: frozenset[ast.AST]) -> bool:
    return node not in own and isinstance(node.ctx, ast.Load)


def _is_bound_around(job: Job, name: ast.Name) -> bool:
    """Whether a statement around a place sets a variable anew: what it was before does not matter there."""
    targets: list[ast.expr] = []
    inner: ast.AST = name
    for above in job.ancestors(name):
        if isinstance(above, ast.For) and inner is not above.iter:
            targets.append(above.target)
        if isinstance(above, ast.With) and not isinstance(inner, ast.withitem):
            targets += [item.optional_vars for item in above.items if item.optional_vars is not None]
        inner = above
    return any(getattr(part, "id", "") == name.id for target in targets for part in walk(target))


def _is_set_before(job: Job, name: ast.Name, test: ast.If) -> bool:
    """Whether a statement in front of a place, and not in front of a condition before it, sets a variable anew."""
    inner: ast.AST = name
    for above in job.ancestors(name):
        for block in blocks(above):
            earlier = block[: block.index(inner)] if isinstance(inner, ast.stmt) and inner in block else []
            for statement in earlier:
                sets = isinstance(statement, ast.Assign) and any(
                    isinstance(target, ast.Name) and target.id == name.id for target in statement.targets
                )
                if sets and not position(statement) < position(test) < position(name):
                    return True
        if isinstance(above, (*_DEFINING, ast.For, ast.AsyncFor, ast.While, ast.Lambda)):
            return False
        inner = above
    return False


def _answering(job: Job, own: frozenset[ast.AST], inside: Sequence[CallFact]) -> set[ast.AST]:
    """The functions that compute what a statement uses, and not only what is done for its own sake."""
    found: set[ast.AST] = set()
    for fact in inside:
        path = fact.context.frame.path()
        entry = next((place for place, frame in enumerate(path) if frame.call in own), None)
        if entry is not None and not isinstance(job.parent(path[entry].call), ast.Expr):  # type: ignore[arg-type]
            found.update(frame.scope.node for frame in path[entry:])
    return found


def _returns_same(function: ast.AST) -> bool:
    """Whether a function that asks for files returns no constant on one way that it does not return on the other."""
    returned = [part.value for part in walk(function) if isinstance(part, ast.Return)]
    constants = {
        None if each is None else ast.dump(each) for each in returned if not each or isinstance(each, ast.Constant)
    }
    body = getattr(function, "body", [])
    ends = not returned or isinstance(body[-1] if isinstance(body, list) and body else None, ast.Return)
    return not constants or (
        len(constants) == 1 and ends and all(isinstance(e, (ast.Constant, type(None))) for e in returned)
    )
