"""Literals that a function is given where it is called: they decide its conditions, within a pass over batches.

``reduction="sum"`` means to a loss of the script's own what it means to one of a library. What is set elsewhere, such
as the constants at the top of a script, decides nothing: it is what people change.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow.semantics import Call
from corro.flow.values import NONE_BY_CHANCE, SETTLED, TELLING, UNKNOWN, UNSET, Value, constant
from corro.source.walking import walk

if TYPE_CHECKING:
    from corro.flow.state import Flow


def settle(node: ast.expr, value: Value) -> Value:
    """The value of an argument, or of a default, as it is written."""
    return value.but(tags=value.tags | {SETTLED}) if isinstance(node, ast.Constant) else value


def settling(call: Call) -> Call:
    """A call whose arguments are marked where they are written as literals."""
    node = call.node
    if any(isinstance(arg, ast.Starred) for arg in node.args) or len(node.args) != len(call.args):
        return call
    written = {keyword.arg: keyword.value for keyword in node.keywords}
    args = tuple(map(settle, node.args, call.args))
    keywords = {name: settle(written[name], v) if name in written else v for name, v in call.keywords.items()}
    return Call(node, args, keywords)


def settled(flow: Flow, test: ast.expr) -> bool | None:
    """What a condition within a pass over batches is known to be by such literals, or by what kind of thing it asks.

    Outside of passes only those literals decide that tell calls, or rounds of a loop, apart, and those that say what a
    model is made of.
    """
    return _truth(flow, test) if flow.context.passes or flow.makes_model or _is_told(flow, test) else None


def told(flow: Flow, test: ast.expr) -> Value | None:
    """The value of a condition that such a literal decides."""
    outcome = _truth(flow, test) if _is_told(flow, test) else None
    return None if outcome is None else constant(outcome).but(tags=frozenset({SETTLED, TELLING}))


def _is_told(flow: Flow, test: ast.expr) -> bool:
    """Whether a condition asks for a literal that tells calls or rounds apart."""
    values = flow.facts.values
    asked = (node for node in _asked(test) if TELLING in values.get(node, UNKNOWN).tags)
    return any(TELLING in flow.eval(node).tags for node in asked)


@lru_cache(maxsize=1024)
def _asked(test: ast.expr) -> tuple[ast.Name | ast.Attribute, ...]:
    """The variables and attributes in a condition."""
    return tuple(node for node in walk(test) if isinstance(node, (ast.Name, ast.Attribute)))


def _truth(flow: Flow, node: ast.expr) -> bool | None:
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            inside = _truth(flow, inner)
            return None if inside is None else not inside
        case ast.BoolOp(op=op, values=values):
            return _combined([_truth(flow, each) for each in values], isinstance(op, ast.Or))
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type"), args=[asked]),
            ops=[ast.In() | ast.NotIn() as op],
            comparators=[types],
        ):
            inside = _is_instance(_named(flow, asked), types)
            return inside if inside is None or isinstance(op, ast.In) else not inside
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]) if (
            _is_there(flow, left) or _is_given(flow, left)
        ):
            return isinstance(op, ast.IsNot)
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(value=None)]) if (
            part := _part_of_model(flow, left)
        ) is not None:
            return part is isinstance(op, ast.IsNot)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            known, other = _literal(flow, left), _literal(flow, right)
            if (known is UNSET) is not (other is UNSET):  # a word beside the name of one: phase == TRAIN
                known, other = (_word(flow, side, value) for side, value in ((left, known), (right, other)))
            return _compared(op, known, other)
        case ast.Call(func=ast.Name(id="isinstance"), args=[asked, types]):
            return _is_instance(_named(flow, asked), types)
    if _is_there(flow, node):
        return True
    if _part_of_model(flow, node) is False:
        return False
    known = _literal(flow, node)
    return None if known is UNSET else bool(known)


THERE = (Kind.OPTIMIZER, Kind.SCHEDULER)
"""What a function is given where it trains, and ``None`` in its place where it does not."""


def _is_there(flow: Flow, node: ast.expr) -> bool:
    """Whether a parameter is given something that other calls leave out."""
    value = _named(flow, node)
    return TELLING in value.tags and value.kind in THERE


def _is_given(flow: Flow, node: ast.expr) -> bool:
    """Whether a parameter that is ``None`` unless it is given is given samples: ``forward(self, x, labels=None)``."""
    spec = getattr(flow.context.frame.scope.node, "args", None)
    if not isinstance(node, ast.Name) or not isinstance(spec, ast.arguments):
        return False
    optional = zip(reversed([*spec.posonlyargs, *spec.args]), reversed(spec.defaults), strict=False)
    defaults = {arg.arg: default for arg, default in (*optional, *zip(spec.kwonlyargs, spec.kw_defaults, strict=True))}
    default = defaults.get(node.id)
    if not isinstance(default, ast.Constant) or default.value is not None:
        return False
    value = flow.eval(node)
    known = value.kind is Kind.TENSOR and value.form is Form.SHARDED
    return known and not value.may_be_none and NONE_BY_CHANCE not in value.tags


def _part_of_model(flow: Flow, node: ast.expr) -> bool | None:
    """Whether a model has a layer or parameter, or ``None`` in its place: what it is made of stays."""
    if not isinstance(node, ast.Attribute) or flow.eval(node.value).kind is not Kind.MODULE:
        return None
    value = flow.eval(node)
    if value.kind is Kind.NONE:
        return False
    return True if value.kind is Kind.MODULE and not value.may_be_none else None


def _combined(parts: list[bool | None], deciding: bool) -> bool | None:
    """What is made of parts of which one decides: the true one of ``or``, the false one of ``and``."""
    if deciding in parts:
        return deciding
    return None if None in parts else not deciding


def _compared(op: ast.cmpop, left: Any, right: Any) -> bool | None:
    if left is UNSET or right is UNSET:
        return None
    match op:
        case ast.Eq():
            return bool(left == right)
        case ast.NotEq():
            return bool(left != right)
        case ast.Is():
            return left is right if right is None or isinstance(right, bool) else None
        case ast.IsNot():
            return left is not right if right is None or isinstance(right, bool) else None
        case ast.In() if isinstance(right, tuple):
            return left in right
        case ast.NotIn() if isinstance(right, tuple):
            return left not in right
    return None


def _literal(flow: Flow, node: ast.expr) -> Any:
    """The constant that an expression is by literals alone."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        parts = [_literal(flow, part) for part in node.elts]
        return UNSET if UNSET in parts else tuple(parts)
    value = _named(flow, node)
    return value.const if SETTLED in value.tags and value.placement.is_equal else UNSET


def _word(flow: Flow, node: ast.expr, known: Any) -> Any:
    """The text that a variable is known to hold, where no literal says what is known."""
    value = _named(flow, node) if known is UNSET else UNKNOWN
    return value.const if isinstance(value.const, str) and value.placement.is_equal else known


def _named(flow: Flow, node: ast.expr) -> Value:
    """What a name or an attribute is here."""
    return flow.eval(node) if isinstance(node, (ast.Name, ast.Attribute)) else UNKNOWN


_CONTAINERS = {"tuple": Kind.TUPLE, "list": Kind.LIST, "dict": Kind.DICT}


_MODULE = "Module"
"""What libraries call the class of all that is of this kind."""


def _is_instance(value: Value, types: ast.expr) -> bool | None:
    """Whether a value is a tuple, a list or a dict of Python's own, or that it is a module."""
    listed = types.elts if isinstance(types, (ast.Tuple, ast.List, ast.Set)) else [types]
    if value.kind is Kind.MODULE and not value.may_be_none:
        return True if any(getattr(each, "attr", getattr(each, "id", "")) == _MODULE for each in listed) else None
    kinds = {_CONTAINERS.get(getattr(each, "id", "")) for each in listed}
    if value.kind not in _CONTAINERS.values() or value.may_be_none:
        return None
    if value.kind in kinds:
        return True
    tuple_or_list = kinds & {Kind.TUPLE, Kind.LIST} and value.kind is not Kind.DICT  # a batch may come as either
    return None if None in kinds or tuple_or_list else False
