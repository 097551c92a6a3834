"""The names of a program's own scope: where they are bound, and which are read."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


def bound_names(body: Iterable[ast.stmt]) -> dict[str, list[ast.AST]]:
    """The names that statements bind in their own scope, each with the nodes that bind it."""
    found: dict[str, list[ast.AST]] = {}
    for node in _own_nodes(body):
        for name in _bound_by(node):
            found.setdefault(name, []).append(node)
    return found


def names_read(body: Iterable[ast.stmt]) -> set[str]:
    """The names that statements read in their own scope: what functions read, they read when they are called."""
    return {node.id for node in _own_nodes(body) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def names_mentioned(body: Iterable[ast.AST]) -> set[str]:
    """All names in some statements, those in functions included."""
    return {node.id for statement in body for node in ast.walk(statement) if isinstance(node, ast.Name)}


def definitions(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """All functions and classes in some statements."""
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield node


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of the scopes in it."""
    todo = list(body)[::-1]
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, _SCOPES):
            inner: list[ast.AST] = [*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]
            arguments = getattr(node, "args", None)
            if isinstance(arguments, ast.arguments):
                inner += [each for each in (*arguments.defaults, *arguments.kw_defaults) if each is not None]
            todo += inner
        elif isinstance(node, _COMPREHENSIONS):
            todo += [each for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
            targets = {each.id for g in node.generators for each in ast.walk(g.target) if isinstance(each, ast.Name)}
            for each in ast.walk(node):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id not in targets:
                    yield each
        else:
            todo += list(ast.iter_child_nodes(node))[::-1]


def _bound_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        yield node.name
