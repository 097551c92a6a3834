"""Follow names outwards, from the function that something happens in to the one that holds the training loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.flow.values import NONE
from corro.frontends.batch_sources import uses_of
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from corro.flow.facts import Context, Facts, Frame
    from corro.flow.values import Value

    _Function = ast.FunctionDef | ast.AsyncFunctionDef

_PLAIN_BASES = frozenset({"object", "ABC"})
_FORBIDDING = frozenset({"__slots__", "__setattr__", "__getattribute__", "__dict__", "vars"})
_SETTING = frozenset({"setattr", "delattr", "object.__setattr__"})
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
    handed = [each for each in arguments_of(call) if last_name(each) == node.name]
    bound, names = parameters(frame, node, call)
    if handed and name.id in bound:  # a method that is given to what calls it, as a closure
        if last_name(call.func) == node.name or not isinstance(handed[0], ast.Attribute):
            raise NotFollowed("it is not known which object's method is called", name)
        return handed[0].value
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
    if not _takes_attributes(node, _classes(facts), _PLAIN_BASES):
        raise NotFollowed("it is an attribute of an object that may not take another one", use)
    copied = next(_copies(facts, owner), None)
    if copied is not None:
        raise NotFollowed("the object that holds it is copied or saved as a whole", copied)


def _copies(facts: Facts, owner: Value) -> Iterator[ast.Call]:
    """The calls that copy or save an object as a whole."""
    for fact in facts.calls:
        if fact.name in _COPYING and any(value.obj == owner.obj for value in fact.args):
            yield fact.node


def _classes(facts: Facts) -> dict[str, ast.ClassDef | None]:
    """The classes of the script by their names, ``None`` where several have one."""
    found: dict[str, ast.ClassDef | None] = {}
    for source in {unit.source.path: unit.source for unit in facts.units.values()}.values():
        for node in source.nodes.of(ast.ClassDef):
            found[node.name] = None if node.name in found else node
    return found


def _takes_attributes(node: ast.ClassDef, known: Mapping[str, ast.ClassDef | None], plain: Collection[str]) -> bool:
    """Whether objects of a class take any attribute: nothing in it, or in what it is derived from, says otherwise."""
    for each in node.decorator_list:
        keywords = each.keywords if isinstance(each, ast.Call) else []
        decorator = each.func if isinstance(each, ast.Call) else each
        if last_name(decorator) != "dataclass" or {"frozen", "slots"} & {keyword.arg for keyword in keywords}:
            return False
    if {last_name(part) or getattr(part, "name", "") for part in ast.walk(node)} & _FORBIDDING:
        return False
    bases = [base for base in node.bases if last_name(base) not in plain]
    above = [known.get(base.id) if isinstance(base, ast.Name) else None for base in bases]
    return all(base is not None and base is not node and _takes_attributes(base, known, plain) for base in above)


def is_set_within(facts: Facts, attributes: str, around: ast.AST) -> bool:
    """Whether an attribute of one of these names is set while a statement runs."""
    inside = set(ast.walk(around))
    for store in facts.stores:
        if isinstance(store.node, ast.Attribute) and store.node.attr in attributes.split("."):
            calls = {frame.call for frame in store.context.frame.path() if frame.call is not None}
            if {store.node, *calls} & inside:
                return True
    return False


def at_loop(facts: Facts, use: ast.Attribute, context: Context, loop: ast.AST) -> str | None:
    """What an attribute is called in front of a loop, if all rounds have the same; ``None`` where that is not known.

    It is one of an object of the script's own class, which takes another one beside it.
    """
    running = next((each for each in context.loops if each.node is loop), None)
    frames = context.frame.path()
    found = outside(use, frames[frames.index(running.frame) :]) if running is not None else None
    name, inner = rooted(found[0]) if found is not None else (None, "")
    if running is None or found is None or name is None:
        return None
    attributes, names = inner + found[1], running.frame.unit.names
    scope = names.lookup(name.id, names.scope(loop))
    inside = set(ast.walk(loop))
    bound = any(each in inside and not isinstance(each.ctx, ast.Load) for each in names.uses(name.id, scope))
    if facts.units.get(name) is not running.frame.unit or names.binding(name) is not scope or bound:
        return None
    if is_set_within(facts, attributes, loop) or any(fact.name in _SETTING for fact in facts.calls):
        return None
    owner = facts.values.get(use.value, NONE)
    node = facts.classes.get(owner.obj) if owner.kind in (Kind.INSTANCE, Kind.MODULE) else None
    if node is None or not _takes_attributes(node, _classes(facts), _PLAIN_BASES | {"Module"}):
        return None
    kept = any(_copies(facts, owner)) or _is_written_in_place(facts, use)
    return None if kept else f"{name.id}{attributes}"


def _is_written_in_place(facts: Facts, use: ast.Attribute) -> bool:
    """Whether some of what an attribute of this name holds is written, anywhere."""
    for unit, each in uses_of(facts, use):
        parent = unit.source.parent(each)
        if isinstance(parent, ast.Subscript) and parent.value is each and not isinstance(parent.ctx, ast.Load):
            return True
        if isinstance(parent, ast.Attribute) and parent.attr.endswith("_") and parent.attr != "requires_grad_":
            return True
        if isinstance(parent, ast.Attribute) and parent.attr == "data":
            return True
    return False
