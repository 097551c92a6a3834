"""Where a program starts and ends, and what can be said there: shared by the rules of all frontends."""

from __future__ import annotations

import ast
from itertools import takewhile
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.python import asks_for_main
from corro.frontends.randomness import draws
from corro.rules import handed
from corro.source import After, Before, imports_only, sets_path, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.flow.facts import CallFact, Frame
    from corro.rules.base import Job

_INNER_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
_IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (*_IMPORTS, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def entry_body(job: Job) -> Sequence[ast.stmt]:
    """The statements that run first and last: those under the ``__main__`` guard, or the module's own."""
    tree = job.script.tree
    guard = main_guard(tree)
    return guard.body if guard is not None and not _works_outside(job, tree, guard) else tree.body


def main_guard(tree: ast.Module) -> ast.If | None:
    """The statement ``if __name__ == "__main__":`` at the top level."""
    for node in tree.body:
        if isinstance(node, ast.If) and not node.orelse and asks_for_main(node.test):
            return node
    return None


def _works_outside(job: Job, tree: ast.Module, guard: ast.If) -> bool:
    """Whether something that needs the group happens at module level, outside the guard."""
    inside = set(walk(guard))
    needing = job.joining | {effect.node for effect in job.effects}
    for fact in job.calls:
        if fact.node in needing:
            path = fact.context.frame.path()
            entry = (path[1].call if len(path) > 1 else None) or fact.node
            statement = job.statement(entry)
            if path[0].unit.source is not job.script or entry in inside or statement in inside:
                continue
            if not isinstance(statement, DEFINITIONS) and statement not in job.heads:
                return True
    return False


def first_statement(job: Job) -> ast.stmt:
    """The first statement that does something, after docstring, imports and definitions.

    Settings made before the framework is imported (environment variables, warnings) stay where they are, and so does
    data that is read there, unless it is drawn from.
    """
    body = job.entry_body
    imports = [i for i, node in enumerate(body) if _imports_any(node, job.packages)]
    last_import = imports[0] if imports else -1
    told = {node for cause in job.told for fact in job.calls_of(cause) for node in way(fact)}
    needing = {job.statement(node) for node in {*told, *(node for fact in _needing(job) for node in way(fact))}}
    for position, node in enumerate(body):
        docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        defines = isinstance(node, DEFINITIONS) and told.isdisjoint(_at_once(node))
        if (docstring or defines or imports_only(node) or sets_path(node) or node in job.heads) and node not in needing:
            continue
        touched = any(part in needing for part in walk(node))
        if position > last_import or touched:
            return node
    return body[-1]


def _at_once(node: ast.stmt) -> Iterator[ast.AST]:
    """What is computed where something is defined: the body of a class, the defaults of a function."""
    if isinstance(node, ast.ClassDef):
        for statement in node.body:
            yield from _at_once(statement)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield from walk(node.args)
    else:
        yield from walk(node)


def _needing(job: Job) -> Iterator[CallFact]:
    """What asks for the rank, or draws what all processes may need alike."""
    yield from (effect.fact for effect in job.effects)
    yield from (fact for fact in job.calls if is_on_import(job, fact) and _is_trained_with(job, fact))
    for fact in job.calls:
        table = fact.receiver is not None and fact.receiver.kind is Kind.TABLE
        if draws(fact) is not None or (table and fact.name == "sample"):
            yield fact
    yield from (fact for _, fact in handed.drawing(job))


def _is_trained_with(job: Job, fact: CallFact) -> bool:
    return fact.node in job.joining or fact.result.kind in (Kind.LOADER, Kind.MODULE, Kind.OPTIMIZER)


def handlers(job: Job, nodes: Iterable[ast.AST], outer: Sequence[ast.AST] = ()) -> Iterator[ast.AST]:
    """The handlers around some nodes, of which each is in a function that the next one calls, up to an outer loop.

    Each is an ``except``, ``contextlib.suppress(...)`` or an ``__exit__`` method.
    """
    for node in nodes:
        inner: ast.AST = node
        for above in job.ancestors(node):
            if inner in outer:
                return
            if isinstance(above, ast.Try) and inner in above.body:
                yield from above.handlers
            if isinstance(above, (ast.With, ast.AsyncWith, ast.FunctionDef)) and inner in above.body:
                yield from job.facts.handlers_of(above)
            inner = above


def way(fact: CallFact) -> list[ast.AST]:
    """A call, and the calls that lead to it; after them the imports by which it is reached."""
    return [fact.node, *_leading(fact.context.frame)]


def _leading(frame: Frame) -> Iterator[ast.AST]:
    path = frame.path()
    yield from (each.call for each in path if each.call is not None)
    if path[0].importer is not None and path[0].imported_by is not None:
        yield path[0].imported_by
        yield from _leading(path[0].importer)


def is_before_start(job: Job, node: ast.AST) -> bool:
    """Whether a place in a project module is reached before the processes join: while the module is imported."""
    if job.file_of(node) is job.script:
        return False
    inside = {part for part in walk(job.statement(node)) if isinstance(part, ast.Call)}
    facts = [fact for call in inside for fact in job.calls_of(call)]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    if not facts:
        return not any(isinstance(above, functions) for above in job.ancestors(node))
    body, first = [*job.entry_body], job.first_statement
    early = set(job.script.tree.body) - set(body[body.index(first) :])
    return any(is_on_import(job, fact) and not early.isdisjoint(way(fact)) for fact in facts)


def is_on_import(job: Job, fact: CallFact) -> bool:
    """Whether a call is made while the script still imports a project module."""
    return fact.context.frame.path()[0].unit.source is not job.script


def at_start(job: Job, text: str, order: int) -> Before | After:
    """Statements at the start: in front of the comment that belongs to the first statement, if there is one."""
    first = job.first_statement
    previous = before_comment(job, first, job.entry_body)
    if previous is None:
        above = job.file_of(first).text[: job.span(first).start]
        among_imports = order == -100 and isinstance(first, _IMPORTS) and not above.endswith("\n\n")
        return Before(first, f"\n{text}" if among_imports else text, order)
    return After(previous, f"\n{text}" if order == -100 else text, order)


def before_comment(job: Job, statement: ast.stmt, body: Sequence[ast.stmt]) -> ast.stmt | None:
    """The statement after which to write, where a comment above another one of its block belongs to that one."""
    position = list(body).index(statement)
    line = job.file_of(statement).text[: job.span(statement).start].rstrip(" \t").splitlines()[-1:]
    commented = bool(line) and line[0].lstrip().startswith("#")
    previous = body[position - 1] if position and commented else None
    return None if isinstance(previous, (ast.FunctionDef, ast.ClassDef)) else previous


_BEHIND = 100
"""What is defined after a statement stands after what else is written there, as it does in front of the next one."""


def defined_before(job: Job, node: ast.AST, text: str, order: int = -9) -> Before | After:
    """The definition of a function or class, at the top level of the module, in front of what uses it."""
    statement = job.statement(node)
    for above in job.ancestors(statement):
        if isinstance(above, ast.stmt):
            statement = above
    previous = before_comment(job, statement, job.file_of(statement).tree.body)
    if previous is not None:
        return After(previous, f"\n\n{text}\n", order=order + _BEHIND)
    lines = job.file_of(statement).text[: job.span(statement).start].splitlines()
    blank = len(list(takewhile(lambda line: not line.strip(), reversed(lines))))
    return Before(statement, "\n" * (2 - blank) + f"{text}\n\n\n", order=order)


def _imports_any(node: ast.stmt, packages: tuple[str, ...]) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").split(".")[0] in packages
    return isinstance(node, ast.Import) and any(a.name.split(".")[0] in packages for a in node.names)


def leaves(node: ast.stmt) -> bool:
    """The last statement ends the program itself."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call):
        return isinstance(node, ast.Raise)
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in ("exit", "quit", "_exit")


def exit_code(node: ast.stmt) -> ast.Call | None:
    """The call in ``sys.exit(main())`` as the last statement."""
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call) and leaves(node) and call.args and isinstance(call.args[0], ast.Call):
        return call.args[0]
    return None


def inner_scopes(job: Job, node: ast.AST) -> Iterator[ast.expr]:
    """The comprehensions and lambdas of a statement around a node: their names mean nothing in front of it."""
    file = job.file_of(node)
    for above in file.ancestors(node):
        if isinstance(above, ast.stmt):
            return
        if isinstance(above, _INNER_SCOPES):
            yield above


def uses_inner_names(job: Job, node: ast.expr) -> bool:
    """Whether an expression uses names that a comprehension or a lambda around it binds."""
    used = {part.id for part in walk(node) if isinstance(part, ast.Name)}
    bound = {name for scope in inner_scopes(job, node) for name in _names_of(scope)}
    return bool(used & bound)


def _names_of(scope: ast.expr) -> Iterator[str]:
    """The names that a comprehension or a lambda binds."""
    targets = [scope.args] if isinstance(scope, ast.Lambda) else [g.target for g in getattr(scope, "generators", ())]
    for part in (part for target in targets for part in walk(target)):
        if isinstance(part, (ast.Name, ast.arg)):
            yield part.id if isinstance(part, ast.Name) else part.arg


def is_certain(fact: CallFact, other: CallFact | None = None) -> bool:
    """Whether a call happens in every run; or in every run in which another one does."""
    given = other.context.tests if other is not None else ()
    return {test.node for test in fact.context.tests} <= {test.node for test in given}


def is_repeated(job: Job, fact: CallFact, place: ast.AST) -> bool:
    """Whether a call is made in a loop that a place is not in: again and again, and later than the place is reached."""
    around = {*job.ancestors(place)}
    ways = (step.call for step in fact.context.frame.path() if step.call is not None)
    loops = (above for node in (fact.node, *ways) for above in job.ancestors(node))
    return any(isinstance(above, (ast.For, ast.While)) and above not in around for above in loops)


def seed_at(job: Job, fact: CallFact, place: ast.AST) -> str | None:
    """The seed that a call sets, as an expression that means the same at another place; ``None`` where none does.

    What is set under a condition, such as that a seed was given, may be no number elsewhere. What a function of the
    script's own is given to seed with, ``set_seed(args.seed)``, is what stands in that call.
    """
    around = {*job.ancestors(place)}
    if len(fact.node.args) != 1 or any(test.node not in around for test in fact.context.tests):
        return None
    node = _as_given(fact.node.args[0], fact.context.frame)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return str(node.value)
    name = node.value if isinstance(node, ast.Attribute) else node
    if not isinstance(name, ast.Name):
        return None
    names = job.names_of(place)
    same = job.file_of(name) is job.file_of(place) and names.lookup(name.id, names.scope(place)) is names.binding(name)
    return job.segment(node) if same else None


def _as_given(node: ast.expr, frame: Frame) -> ast.expr:
    """An expression, or where it is a parameter that is never set again, what the function was given for it."""
    function, call = frame.scope.node, frame.call
    if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef) or call is None:
        return node
    spec = function.args
    names = [each.arg for each in (*spec.posonlyargs, *spec.args)]
    plain = isinstance(call.func, ast.Name) and not any(isinstance(each, ast.Starred) for each in call.args)
    if not plain or node.id not in names or len(frame.scope.values[node.id]) > 1 or frame.caller is None:
        return node
    given = dict(zip(names[len(names) - len(spec.defaults) :], spec.defaults, strict=True))
    given |= dict(zip(names, call.args, strict=False))
    given |= {each.arg: each.value for each in call.keywords if each.arg is not None}
    return _as_given(given[node.id], frame.caller) if node.id in given else node


def blocks(node: ast.AST | None) -> Iterator[list[ast.stmt]]:
    """The lists of statements that stand right in a node: its body, and what is run else or at last."""
    fields = (getattr(node, field, None) for field in ("body", "orelse", "finalbody"))
    return (each for each in fields if isinstance(each, list))
