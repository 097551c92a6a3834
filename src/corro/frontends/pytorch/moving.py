"""Functions of the script that move what they are given to a device, part by part, whatever it consists of.

``def to_device(data, device)`` calls itself for each item of a list or a dict, and gives ``data.to(device)`` of others.
That is what it was given, so it need not be followed into the parts of batches of which nothing is known.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from corro.source import walk

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

_MOVING = frozenset({"to", "cuda", "cpu"})
_ASKING = frozenset({"isinstance", "hasattr", "type", "callable", "is_tensor", "len"})
"""Functions that ask what something is."""
_CONTAINERS = frozenset({"list", "tuple", "dict"})


@lru_cache(maxsize=1024)
def moves(function: Function, *, bound: bool) -> bool:
    """Whether a function, or a method that is bound to its object, gives what it is given first, moved part by part."""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    parameters = [*function.args.posonlyargs, *function.args.args][bound:]
    if not parameters:
        return False
    given = _Given(function.name, parameters[0].arg)
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    return given.is_kept_by(body) and given.calls_itself and _always_ends(body)


class _Given:
    """What a function is given first; ``calls_itself``: it has been seen that its parts are moved by the function."""

    def __init__(self, function: str, name: str) -> None:
        self.function, self.name = function, name
        self.calls_itself = False

    def is_kept_by(self, body: list[ast.stmt]) -> bool:
        """Whether all that is returned there is what was given, moved."""
        return all(self._is_kept_at(statement) for statement in body)

    def _is_kept_at(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.If(test=test, body=body, orelse=otherwise):
                return _only_asks(test) and self.is_kept_by(body) and self.is_kept_by(otherwise)
            case ast.Return(value=ast.expr() as value):
                return self._is_moved(value)
            case ast.Raise() | ast.Pass():
                return True
        return False

    def _is_moved(self, value: ast.expr) -> bool:
        match value:
            case ast.Name(id=name):
                return name == self.name
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)):
                return name == self.name and method in _MOVING
            case ast.Call(func=made, args=[parts], keywords=[]) if self._makes_container(made):
                return self._are_moved(parts)
        return self._are_moved(value)

    def _makes_container(self, made: ast.expr) -> bool:
        """``list``, ``type(data)`` or ``data.__class__``."""
        match made:
            case ast.Name(id=name):
                return name in _CONTAINERS
            case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)], keywords=[]):
                return name == self.name
            case ast.Attribute(value=ast.Name(id=name), attr="__class__"):
                return name == self.name
        return False

    def _are_moved(self, parts: ast.expr) -> bool:
        """Whether a comprehension has each part of what was given, moved."""
        match parts:
            case ast.ListComp(elt=moved, generators=[each]) | ast.GeneratorExp(elt=moved, generators=[each]):
                part, of = each.target, each.iter
            case ast.DictComp(key=ast.Name(id=key), value=moved, generators=[each]):
                match each:
                    case ast.comprehension(
                        target=ast.Tuple(elts=[ast.Name(id=first), part]),
                        iter=ast.Call(func=ast.Attribute(value=of, attr="items"), args=[], keywords=[]),
                    ) if first == key:
                        pass
                    case _:
                        return False
            case _:
                return False
        plain = isinstance(part, ast.Name) and isinstance(of, ast.Name) and of.id == self.name
        return plain and not each.ifs and not each.is_async and self._moves_part(moved, part)

    def _moves_part(self, moved: ast.expr, part: ast.expr) -> bool:
        if not isinstance(moved, ast.Call) or not moved.args or not isinstance(part, ast.Name):
            return False
        called = getattr(moved.func, "attr", getattr(moved.func, "id", ""))
        given, *others = [*moved.args, *(keyword.value for keyword in moved.keywords)]
        apart = {node.id for other in others for node in walk(other) if isinstance(node, ast.Name)}
        own = called == self.function and isinstance(given, ast.Name) and given.id == part.id
        self.calls_itself |= own
        return own and apart.isdisjoint({part.id, self.name})


def _always_ends(body: list[ast.stmt]) -> bool:
    """Whether something is returned or raised on every path: what falls through gives ``None``."""
    match body[-1:]:
        case [ast.If(body=inner, orelse=otherwise)]:
            return _always_ends(inner) and _always_ends(otherwise)
        case [ast.Return() | ast.Raise()]:
            return True
    return False


def _only_asks(test: ast.expr) -> bool:
    calls = [node for node in walk(test) if isinstance(node, ast.Call)]
    return all(getattr(call.func, "attr", getattr(call.func, "id", "")) in _ASKING for call in calls)
