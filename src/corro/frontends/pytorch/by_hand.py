"""Weights that the script changes by itself, by their gradients: no optimizer does it.

Recognised is a function of the script's own that takes a list of tensors, goes through it, and subtracts from each its
gradient times what else it was given:

    def sgd(params, lr, batch_size):
        for param in params:
            param.data -= lr * param.grad / batch_size

What it does is read in its text, so it does nothing else: each statement either changes the tensor by an expression of
numbers and of its own gradient, or sets that gradient to zero.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts

_IN_PLACE = frozenset({"sub_", "add_"})
_STEPPING = (ast.Add, ast.Sub)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_NO_GRAD = frozenset({"no_grad", "inference_mode"})


def update_calls(facts: Facts) -> Iterator[CallFact]:
    """Calls of functions that change a list of tensors by their gradients."""
    for fact in facts.calls:
        function = facts.functions.get(facts.values[fact.node.func].obj) if fact.node.func in facts.values else None
        if isinstance(function, ast.FunctionDef) and tensors(fact, function) is not None:
            yield fact


def changed(facts: Facts) -> frozenset[int]:
    """The locations of all tensors that such calls change."""
    found: set[int] = set()
    for fact in update_calls(facts):
        function = function_of(facts, fact.node)
        given = tensors(fact, function) if function is not None else None
        parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
        held = [facts.values.get(part) for part in parts]
        held.append(facts.elements.get(given) if given is not None else None)
        found.update(place for value in held if value is not None for place in value.locations)
    return frozenset(found)


def function_of(facts: Facts, call: ast.Call) -> ast.FunctionDef | None:
    """The function that a call calls, if it changes tensors by their gradients."""
    function = facts.functions.get(facts.values[call.func].obj) if call.func in facts.values else None
    return function if isinstance(function, ast.FunctionDef) and _loop(function) is not None else None


def tensors(fact: CallFact, function: ast.FunctionDef) -> ast.expr | None:
    """The expression of the tensors that such a call changes; ``None`` where it is no such call."""
    if fact.receiver is not None and fact.receiver.kind is Kind.INSTANCE:
        return None
    loop = _loop(function)
    taken = loop.iter.id if loop is not None and isinstance(loop.iter, ast.Name) else ""
    names = [each.arg for each in function.args.args]
    if taken not in names or any(isinstance(each, ast.Starred) for each in fact.node.args):
        return None
    place = names.index(taken)
    named = next((k.value for k in fact.node.keywords if k.arg == taken), None)
    return fact.node.args[place] if place < len(fact.node.args) else named


def is_zeroed(node: ast.Attribute, parent: ast.AST | None, above: ast.AST | None) -> bool:
    """Whether a gradient is only set to zero or asked for here: ``w.grad.zero_()``, ``w.grad is not None``."""
    if isinstance(parent, ast.Compare):
        return all(isinstance(op, (ast.Is, ast.IsNot)) for op in parent.ops)
    if isinstance(parent, ast.Assign):
        return parent.targets == [node] and isinstance(parent.value, ast.Constant) and parent.value.value is None
    method = above if isinstance(parent, ast.Attribute) and parent.attr == "data" else parent
    return isinstance(method, ast.Attribute) and method.attr == "zero_"


def _loop(function: ast.FunctionDef) -> ast.For | None:
    """The loop over the tensors that is all that a function does."""
    body = [each for each in function.body if not _is_text(each)]
    arguments = function.args
    if function.decorator_list or arguments.vararg or arguments.kwarg or arguments.posonlyargs:
        return None
    if not all(isinstance(each, ast.Constant) for each in arguments.defaults):
        return None
    under = False
    while len(body) == 1 and isinstance(body[0], ast.With) and _is_no_grad(body[0]):
        under, body = True, body[0].body
    loop = body[0] if len(body) == 1 else None
    if not isinstance(loop, ast.For) or loop.orelse or not isinstance(loop.target, ast.Name):
        return None
    given = {each.arg for each in function.args.args} - {loop.target.id}
    changes = [_changes(each, loop.target.id, given, under=under) for each in loop.body]
    return loop if True in changes and None not in changes else None


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_no_grad(statement: ast.With) -> bool:
    called = [item.context_expr for item in statement.items if item.optional_vars is None]
    known = [c for c in called if isinstance(c, ast.Call) and getattr(c.func, "attr", "") in _NO_GRAD and not c.args]
    return len(known) == len(statement.items) == 1


def _changes(statement: ast.stmt, name: str, given: set[str], *, under: bool) -> bool | None:
    """Whether a statement changes a tensor by its gradient; false where it sets that to zero, ``None`` for others."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, _STEPPING):
        target = statement.target
        bare = under and isinstance(target, ast.Name) and target.id == name
        return True if (bare or _is_data(target, name)) and _is_step(statement.value, name, given) else None
    if isinstance(statement, ast.Assign):
        none = isinstance(statement.value, ast.Constant) and statement.value.value is None
        return False if len(statement.targets) == 1 and none and _is_gradient(statement.targets[0], name) else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return None
    owner, method = call.func.value, call.func.attr
    if method == "zero_" and not call.args:
        return False if _is_gradient(owner, name) else None
    bare = under and isinstance(owner, ast.Name) and owner.id == name
    steps = method in _IN_PLACE and len(call.args) == 1 and (bare or _is_data(owner, name))
    return True if steps and _is_step(call.args[0], name, given) else None


def _is_data(node: ast.expr, name: str) -> bool:
    """``param.data``."""
    of_tensor = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == name
    return of_tensor and isinstance(node, ast.Attribute) and node.attr == "data"


def _is_gradient(node: ast.expr, name: str) -> bool:
    """``param.grad``, ``param.grad.data``."""
    inner = node.value if isinstance(node, ast.Attribute) and node.attr == "data" else node
    of_tensor = isinstance(inner, ast.Attribute) and inner.attr == "grad" and isinstance(inner.value, ast.Name)
    return of_tensor and isinstance(inner, ast.Attribute) and getattr(inner.value, "id", "") == name


def _is_step(node: ast.expr, name: str, given: set[str]) -> bool:
    """Whether an expression is made of the gradient of a tensor, the tensor itself, and numbers that were given."""
    return any(_is_gradient(part, name) for part in walk(node) if isinstance(part, ast.expr)) and _is_known(
        node, name, given
    )


def _is_known(node: ast.expr, name: str, given: set[str]) -> bool:
    if _is_gradient(node, name) or _is_data(node, name):
        return True
    if isinstance(node, ast.BinOp):
        both = (node.left, node.right)
        return isinstance(node.op, _ARITHMETIC) and all(_is_known(each, name, given) for each in both)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.UAdd)) and _is_known(node.operand, name, given)
    number = isinstance(node, ast.Constant) and isinstance(node.value, (int, float))
    return number or (isinstance(node, ast.Name) and node.id in given)
