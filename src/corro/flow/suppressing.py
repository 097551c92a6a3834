"""Context managers that may catch what is raised in their block: which handlers a value stands for, as tags."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import Facts
    from corro.flow.semantics import Call
    from corro.flow.state import Flow

ENTERING = frozenset({"enter_context", "enter_async_context", "push", "push_async_exit"})
"""Methods of a stack that take a context manager."""
STACK = "stack of context managers"
"""The tag of one."""
_PREFIX = "suppresses by "


def by(facts: Facts, handlers: Iterable[ast.AST]) -> frozenset[str]:
    """The tags of a context manager that catches by some handlers."""
    return frozenset(f"{_PREFIX}{facts.number(handler)}" for handler in handlers)


def handlers(facts: Facts, manager: Value) -> tuple[ast.AST, ...]:
    """The handlers of a context manager: a call of ``suppress``, ``except`` clauses, an ``__exit__`` method."""
    numbers = sorted(int(tag[len(_PREFIX) :]) for tag in manager.tags if tag.startswith(_PREFIX))
    return tuple(facts.nodes[number] for number in numbers)


def around_yield(facts: Facts, function: ast.AST) -> Iterator[ast.AST]:
    """The handlers around the places where a generator gives a value, as for ``contextlib.contextmanager``."""
    for node in ast.walk(function):
        if isinstance(node, ast.Try) and _yields(node.body):
            yield from node.handlers
        elif isinstance(node, (ast.With, ast.AsyncWith)) and _yields(node.body):
            yield from facts.handlers_of(node)


@lru_cache(maxsize=64)  # the same few decorators stand above most functions
def around_call(decorator: ast.AST) -> tuple[ast.AST, ...]:
    """The handlers around the places where a decorator's function calls what it was given."""
    arguments = decorator.args.args if isinstance(decorator, (ast.FunctionDef, ast.Lambda)) else []
    given = {argument.arg for argument in arguments}
    tries = (node for node in ast.walk(decorator) if isinstance(node, ast.Try) and _calls(node.body, given))
    return tuple(handler for node in tries for handler in node.handlers)


def may_suppress(method: ast.AST | None) -> bool:
    """Whether an ``__exit__`` method returns something that may be true where an exception has been raised."""
    returned = (node.value for node in ast.walk(method) if isinstance(node, ast.Return)) if method is not None else ()
    return any(value is not None and not _is_false(value) for value in returned)


def _is_false(value: ast.expr) -> bool:
    """``None``, ``False``, and what asks whether nothing was raised."""
    nothing = isinstance(value, ast.Compare) and isinstance(value.ops[0], ast.Is) and len(value.ops) == 1
    if nothing and isinstance(value, ast.Compare):
        right = value.comparators[0]
        return isinstance(right, ast.Constant) and right.value is None
    return isinstance(value, ast.Constant) and not value.value


def _calls(body: list[ast.stmt], names: set[str]) -> bool:
    called = (node.func for statement in body for node in ast.walk(statement) if isinstance(node, ast.Call))
    return any(isinstance(each, ast.Name) and each.id in names for each in called)


def _yields(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for statement in body for node in ast.walk(statement))


def suppress(flow: Flow, call: Call) -> Value:
    """``contextlib.suppress``."""
    return Value(Kind.CONTEXT, tags=by(flow.facts, (call.node,)))


def stack(flow: Flow, call: Call) -> Value:
    """``contextlib.ExitStack``."""
    return Value(Kind.CONTEXT, tags=frozenset({STACK}))
