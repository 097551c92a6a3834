"""Arms of conditions that the defaults of the command line leave out: ``if args.apex:`` where ``--apex`` is a flag."""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from corro.anatomy.kinds import Kind
from corro.anatomy.observations import BODY, ORELSE, UNTAKEN, Observation, path_of, where
from corro.classes import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from corro.flow.facts import Facts

_FLAGS = {"store_true": False, "store_false": True}
_ON_DEVICE = "cuda"
"""The method that moves something to a device: the arm that does is for another machine."""
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, among: item in among,
    ast.NotIn: lambda item, among: item not in among,
}


@dataclass(frozen=True)
class _Option:
    """An option of a command line: how it is written there, and what it is without."""

    written: str
    default: object


class _Unknown(Exception):
    """What an expression gives is not known."""


def left_out(facts: Facts, of_machine: tuple[str, ...]) -> tuple[Observation, ...]:
    """The arms that are not taken where the script is started with the defaults of its command line.

    Args:
        facts: of the script.
        of_machine: how names of a library begin that tell of the machine: the program may run on another one.
    """
    options = _options(facts)
    tests = dict.fromkeys(test.node for test in facts.tests.values() if isinstance(test.node, ast.If))
    found = [(node, arm) for node in tests if options and (arm := _left_out(facts, options, node)) is not None]
    return tuple(arm for node, arm in found if not _is_of_machine(facts, _body(node, arm), of_machine))


def _left_out(facts: Facts, options: dict[str, _Option], node: ast.If) -> Observation | None:
    used: dict[str, None] = {}
    try:
        taken = bool(_value(facts, options, node.test, used))
    except (_Unknown, TypeError):
        return None
    if not used or (taken and not node.orelse):
        return None
    file = path_of(facts.units[node.test].source.path)
    return Observation(file, where(node.test), UNTAKEN, name=ORELSE if taken else BODY, options=tuple(used))


def _body(node: ast.If, arm: Observation) -> list[ast.stmt]:
    return node.body if arm.name == BODY else node.orelse


def _is_of_machine(facts: Facts, body: list[ast.stmt], of_machine: tuple[str, ...]) -> bool:
    """Whether something in an arm depends on the machine, or is there for it."""
    parts = (part for statement in body for part in ast.walk(statement))
    return any(
        getattr(part, "attr", "") == _ON_DEVICE
        or (part in facts.values and facts.values[part].name.startswith(of_machine))
        for part in parts
    )


# ---------------------------------------------------------------------- what a condition gives


def _value(facts: Facts, options: dict[str, _Option], node: ast.expr, used: dict[str, None]) -> object:
    """What an expression gives with the defaults; the options in it join ``used``.

    Raises:
        _Unknown: that is not known.
    """
    match node:
        case ast.Constant():
            return node.value
        case ast.Tuple() | ast.List() | ast.Set():
            return [_value(facts, options, each, used) for each in node.elts]
        case ast.Attribute(value=owner, attr=name) if name in options and _is_namespace(facts, owner):
            used[options[name].written] = None
            return options[name].default
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(facts, options, operand, used)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.BoolOp(op=op, values=values):
            return _decided(facts, options, values, isinstance(op, ast.Or), used)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            pair = [_value(facts, options, each, used) for each in (left, right)]
            return _COMPARED[type(op)](*pair)
    raise _Unknown


def _decided(
    facts: Facts, options: dict[str, _Option], values: list[ast.expr], decides: bool, used: dict[str, None]
) -> bool:
    """What ``and`` or ``or`` gives: one part that decides it does, whatever the others are."""
    unknown = False
    for each in values:
        own: dict[str, None] = {}
        try:
            if bool(_value(facts, options, each, own)) is decides and own:
                used.update(own)
                return decides
        except (_Unknown, TypeError):
            unknown = True
        else:
            used.update(own)
    if unknown:
        raise _Unknown
    return not decides


def _is_namespace(facts: Facts, node: ast.expr) -> bool:
    return node in facts.values and facts.values[node].kind is Kind.NAMESPACE


# ---------------------------------------------------------------------- options


def _options(facts: Facts) -> dict[str, _Option]:
    """The options whose defaults are written, by the names of their attributes; none where they are set otherwise."""
    known: dict[str, _Option | None] = {}
    written: set[str] = set()
    for source in {unit.source.path: unit.source for unit in facts.units.values()}.values():
        for node in source.nodes:
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                written.add(node.attr)
            elif isinstance(node, ast.Call):
                if _sets_options(facts, node):
                    return {}
                for attribute, option in _declared(node):
                    known[attribute] = option if known.get(attribute, option) == option else None
    return {name: option for name, option in known.items() if option is not None and name not in written}


def _sets_options(facts: Facts, call: ast.Call) -> bool:
    """Whether a call may set options in another way than a command line does, or gives one that is not the user's."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("parse_args", "parse_known_args"):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return any(not isinstance(each, ast.Constant) and getattr(each, "elts", given) for each in given)
    if name == "setattr":
        return bool(call.args) and _is_namespace(facts, call.args[0])
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    of = owner.value if isinstance(owner, ast.Attribute) and owner.attr == "__dict__" else None
    if isinstance(owner, ast.Call) and getattr(owner.func, "id", "") == "vars" and owner.args:
        of = owner.args[0]
    return name == "set_defaults" or (name == "update" and of is not None and _is_namespace(facts, of))


def _declared(call: ast.Call) -> Iterator[tuple[str, _Option | None]]:
    """The option that an ``add_argument`` declares, by its attribute; ``None`` where its default is not written."""
    if getattr(call.func, "attr", "") != "add_argument" or not call.args:
        return
    flags = [str(flag.value) for flag in call.args if isinstance(flag, ast.Constant)]
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    long = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
    attribute = _literal(given["dest"], "") if "dest" in given else long.lstrip("-").replace("-", "_")
    optional = bool(long) and long.startswith("-") and "required" not in given and None not in given
    action = _literal(given.get("action"), "store")
    if not isinstance(attribute, str) or not attribute:
        return
    if not optional or action not in (*_FLAGS, "store", "append", "count"):
        yield attribute, None
        return
    default = _literal(given["default"], ...) if "default" in given else _FLAGS.get(str(action))
    converted = isinstance(default, str) and getattr(given.get("type"), "id", "str") != "str"
    yield attribute, None if default is ... or converted else _Option(long, default)


def _literal(node: ast.expr | None, otherwise: object) -> object:
    """A value that is written; ``otherwise`` where there is none, or it is computed."""
    try:
        return otherwise if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return ...
