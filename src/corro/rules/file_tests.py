"""What a script asks about files before it writes one."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.places import way
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, ExitFact
    from corro.frontends.effects import Effect
    from corro.rules.base import Job

ASKS = frozenset({"exists", "isfile", "isdir", "lexists", "is_file", "is_dir"})
"""Whether something is there."""
_SAME_PATH = frozenset({"Path", "str", "fspath", "abspath", "realpath", "expanduser", "resolve", "absolute"})
"""What gives back the path that it is given."""
READING = ("load", "open", "read", "imread", "genfromtxt")
"""How functions begin that read a file."""


def looks_at_files(job: Job, test: ast.expr) -> bool:
    """Whether a condition asks what is on disk."""
    return any("file system" in job.value(node).tags for node in walk(test))


def conditions(job: Job, fact: CallFact) -> set[ast.AST]:
    """What a call stands in the arms of; what is left before it is another matter."""
    above = {part for node in way(fact) for part in job.ancestors(node)}
    return {test.node for test in fact.context.tests} & above


def leaves_for(job: Job, effect: Effect) -> Iterator[tuple[ExitFact, ast.If]]:
    """``if os.path.exists(path): return read(path)``, and after it the path is written: what leaves, and on what."""
    place, written = effect.fact.context, texts(job, [effect.node])
    held = conditions(job, effect.fact)
    for leave in job.facts.exits:
        here = job.file_of(leave.node) is job.file_of(effect.node)
        before = here and job.span(leave.node).end < job.span(effect.node).start
        if not before or leave.context.frame is not place.frame:
            continue
        for test in leave.context.tests:
            if isinstance(test.node, ast.If) and test.node not in held and looks_at_files(job, test.node.test):
                asked = (part for part in walk(test.node.test) if "file system" in job.value(part).tags)
                if not written.isdisjoint(texts(job, asked)):
                    yield leave, test.node


def stood_in(job: Job, effect: Effect) -> Iterator[ast.Try]:
    """Where a file is written that could not be read: ``try: np.load(path)``, and ``except`` saves it."""
    written = texts(job, [effect.node])
    for test in effect.fact.context.tests:
        tried = job.parent(test.node) if isinstance(test.node, ast.ExceptHandler) else None
        body = tried.body if isinstance(tried, ast.Try) else []
        inside = {node for statement in body for node in walk(statement)}
        read = (f.node for f in job.calls if f.node in inside and f.name.rpartition(".")[2].startswith(READING))
        if isinstance(tried, ast.Try) and not written.isdisjoint(texts(job, read)):
            yield tried


def texts(job: Job, nodes: Iterable[ast.AST]) -> set[str]:
    """What calls are given, and what they are methods of, to be compared: of ``Path(path)`` that is the path, too."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    given = [arg for call in calls for arg in call.args]
    owners = [call.func.value for call in calls if isinstance(call.func, ast.Attribute)]
    given += [owner for owner in owners if job.value(owner).kind is not Kind.LIBRARY]
    spelled = (part for node in given for part in _spellings(job, node, frozenset()))
    return {ast.dump(part) for part in spelled if not isinstance(part, ast.Constant) or isinstance(part.value, str)}


def _spellings(job: Job, node: ast.expr, seen: frozenset[str]) -> Iterator[ast.expr]:
    """An expression, and the other ways in which the path that it may be is written."""
    yield node
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[only]) if name in _SAME_PATH:
            yield from _spellings(job, only, seen)
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[]) if name in _SAME_PATH:
            yield from _spellings(job, owner, seen)
        case ast.Name(id=name) if name not in seen:
            scope = job.names_of(node).binding(node)
            for value in scope.values[name] if scope is not None else ():
                if isinstance(value, ast.expr):
                    yield from _spellings(job, value, seen | {name})
