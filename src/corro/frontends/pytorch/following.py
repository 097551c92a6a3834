"""Follow names outwards, from the function that something happens in to the one that holds the training loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import NONE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corro.flow.facts import Facts, Frame

    _Function = ast.FunctionDef | ast.AsyncFunctionDef

_PLAIN_BASES = frozenset({"object", "ABC"})
_FORBIDDING = frozenset({"__slots__", "__setattr__", "__getattribute__", "__dict__", "vars"})
_COPYING = frozenset({"torch.save", "copy.copy", "copy.deepcopy", "pickle.dump", "pickle.dumps"})


class NotFollowed(Exception):
    """Something reaches the training step in a way that is not followed.

    ``args``: the reason, and the node where it shows.
    """


def argument_of(frame: Frame, name: ast.Name) -> ast.expr:
    """The argument of the call that gave a parameter its value; for ``self``, the object whose method is called."""
    node, call = frame.scope.node, frame.call
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or call is None:
        raise NotFollowed("the model is not reached through a plain name", name)
    bound, names = parameters(frame, node, call)
    if name.id not in {*bound, *names, *(a.arg for a in node.args.kwonlyargs)}:
        raise NotFollowed("it is assigned inside the function that is called once an epoch", name)
    if name.id in bound and isinstance(call.func, ast.Attribute):
        return call.func.value
    for keyword in call.keywords:
        if keyword.arg == name.id:
            return keyword.value
    starred = any(isinstance(a, ast.Starred) for a in call.args)
    if name.id in names[: len(call.args)] and not starred:
        return call.args[names.index(name.id)]
    raise NotFollowed("it is not among the arguments as they are written in the call", name)


def parameters(frame: Frame, node: _Function, call: ast.Call) -> tuple[list[str], list[str]]:
    """The parameters of a function: the one that is bound to an object, if any, and those given by position."""
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
    owner = frame.closure.scope.node if frame.closure is not None else None
    decorators = {last_name(each) for each in node.decorator_list}
    if not isinstance(owner, ast.ClassDef) or "staticmethod" in decorators:
        return [], names
    by_class = isinstance(call.func, ast.Attribute) and last_name(call.func.value) == owner.name
    return ([], names) if by_class and "classmethod" not in decorators else (names[:1], names[1:])


def outside(expression: ast.expr, frames: Sequence[Frame]) -> tuple[ast.expr, str] | None:
    """What an expression of the innermost frame is called in the outermost: an expression there, and what follows it.

    ``self.loader`` in a method of ``trainer`` is ``trainer``, and ``.loader``.
    """
    attributes = ""
    for frame in reversed(frames[1:]):
        name, inner = rooted(expression)
        if name is None or frame.unit.names.binding(name) is not frame.scope:
            continue
        try:
            expression, attributes = argument_of(frame, name), inner + attributes
        except NotFollowed:
            return None
    return (expression, attributes) if isinstance(expression, (ast.Name, ast.Attribute, ast.Subscript)) else None


def rooted(expression: ast.expr) -> tuple[ast.Name | None, str]:
    """The name that attributes are taken of, and the attributes: ``self`` and ``.trainer.model``."""
    if isinstance(expression, ast.Attribute):
        name, attributes = rooted(expression.value)
        return name, f"{attributes}.{expression.attr}"
    return (expression if isinstance(expression, ast.Name) else None), ""


def last_name(node: ast.AST) -> str:
    """The last word of a name or an attribute."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def check_object(facts: Facts, use: ast.Attribute) -> None:
    """An attribute may be put beside another one: of an object of the script's own class, known to be this one."""
    owner = facts.values.get(use.value, NONE)
    node = facts.classes.get(owner.obj)
    if owner.kind is Kind.MODULE:
        raise NotFollowed("the model is not reached through a plain name", use)
    if node is None or owner.kind is not Kind.INSTANCE:
        raise NotFollowed("it is an attribute of an object that Corro cannot follow", use)
    if not _takes_attributes(node, _classes(facts)):
        raise NotFollowed("it is an attribute of an object that may not take another one", use)
    for fact in facts.calls:
        if fact.name in _COPYING and any(value.obj == owner.obj for value in fact.args):
            raise NotFollowed("the object that holds it is copied or saved as a whole", fact.node)


def _classes(facts: Facts) -> dict[str, ast.ClassDef | None]:
    """The classes of the script by their names, ``None`` where several have one."""
    found: dict[str, ast.ClassDef | None] = {}
    for source in {unit.source.path: unit.source for unit in facts.units.values()}.values():
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                found[node.name] = None if node.name in found else node
    return found


def _takes_attributes(node: ast.ClassDef, known: Mapping[str, ast.ClassDef | None]) -> bool:
    """Whether objects of a class take any attribute: nothing in it, or in what it is derived from, says otherwise."""
    for each in node.decorator_list:
        keywords = each.keywords if isinstance(each, ast.Call) else []
        decorator = each.func if isinstance(each, ast.Call) else each
        if last_name(decorator) != "dataclass" or {"frozen", "slots"} & {keyword.arg for keyword in keywords}:
            return False
    if {last_name(part) or getattr(part, "name", "") for part in ast.walk(node)} & _FORBIDDING:
        return False
    bases = [base for base in node.bases if last_name(base) not in _PLAIN_BASES]
    above = [known.get(base.id) if isinstance(base, ast.Name) else None for base in bases]
    return all(base is not None and base is not node and _takes_attributes(base, known) for base in above)


def is_set_within(facts: Facts, attributes: str, around: ast.AST) -> bool:
    """Whether an attribute of one of these names is set while a statement runs."""
    inside = set(ast.walk(around))
    for store in facts.stores:
        if isinstance(store.node, ast.Attribute) and store.node.attr in attributes.split("."):
            calls = {frame.call for frame in store.context.frame.path() if frame.call is not None}
            if {store.node, *calls} & inside:
                return True
    return False
