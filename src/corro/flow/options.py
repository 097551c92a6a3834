"""What the defaults of the command line leave out: arms as of ``if args.apex:``, and all but one of several classes.

The arm is one where ``--apex`` is a flag; a class is taken by a name that an option has.
"""

from __future__ import annotations

import ast
import operator
from typing import TYPE_CHECKING, Any

from corro.anatomy.kinds import Kind
from corro.anatomy.observations import BODY, DEFINITION, ORELSE, UNTAKEN, Observation, path_of, where
from corro.classes import dataclass
from corro.flow.values import ALTERED, OPTIONS
from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from corro.flow.facts import Facts
    from corro.flow.state import Flow
    from corro.source import SourceFile

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINED = (ast.ClassDef, ast.FunctionDef)
_FLAGS = {"store_true": False, "store_false": True}
_CHANGING = frozenset({"update", "pop", "popitem", "setdefault", "clear"})
"""Methods of a dict of options, such as ``vars(args)``, that change it."""
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
    """What is not taken where the script is started with the defaults of its command line: arms, and other classes.

    Args:
        facts: of the script.
        of_machine: how names of a library begin that tell of the machine: the program may run on another one.
    """
    options = _options(facts)
    tests = dict.fromkeys(test.node for test in facts.tests.values() if isinstance(test.node, ast.If))
    found = [(node, arm) for node in tests if options and (arm := _left_out(facts, options, node)) is not None]
    arms = tuple(arm for node, arm in found if not _is_of_machine(facts, node, arm, of_machine))
    return (*arms, *(_chosen(facts, options) if options else ()))


def _chosen(facts: Facts, options: dict[str, _Option]) -> Iterator[Observation]:
    """The classes and functions that are taken by an option: ``models.__dict__[args.arch]``."""
    for node, value in facts.values.items():
        index = _index(node) if value.kind is Kind.CHOICE else None
        used: dict[str, None] = {}
        try:
            name = _value(facts, options, index, used) if index is not None else None
        except (_Unknown, TypeError):
            continue
        made = [facts.defined[one.obj] for one in value.items if one.obj in facts.defined]
        named = [(each, unit) for each, unit in made if isinstance(each, _DEFINED) and each.name == name]
        if not used or len(named) != 1 or node not in facts.units or not isinstance(node, ast.expr):
            continue
        (definition, unit), file = named[0], path_of(facts.units[node].source.path)
        bases, own = ("",) if isinstance(definition, ast.ClassDef) else (), path_of(unit.source.path)
        yield Observation(file, where(node), DEFINITION, unit.name, definition.name, own, bases, options=tuple(used))


def _index(node: ast.AST) -> ast.expr | None:
    """By what one of several is taken."""
    match node:
        case ast.Subscript(slice=index) | ast.Call(func=ast.Name(id="getattr"), args=[_, index]):
            return index
    return None


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


def _is_of_machine(facts: Facts, node: ast.If, arm: Observation, of_machine: tuple[str, ...]) -> bool:
    """Whether something in an arm depends on the machine, or is there for it, unless it is so in both arms."""
    body = _body(node, arm)
    other = node.orelse if body is node.body else node.body
    return _asks_for_machine(facts, body, of_machine) and not _asks_for_machine(facts, other, of_machine)


def _asks_for_machine(facts: Facts, body: list[ast.stmt], of_machine: tuple[str, ...]) -> bool:
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
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return _copied(facts, options, node, used)
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


def _copied(facts: Facts, options: dict[str, _Option], node: ast.expr, used: dict[str, None]) -> object:
    """What an option is that is read here, or was handed on to here; literals in its place elsewhere are alike.

    Raises:
        _Unknown: this is, or may be, something else.
    """
    value = facts.values.get(node)
    origins = [facts.nodes[number] for number in sorted(value.origins)] if value is not None else []
    names = [options.get(name) for origin in origins if (name := _name(origin))]
    if value is None or ALTERED in value.tags or not value.placement.is_equal or not any(names):
        raise _Unknown
    if value.kind is not Kind.UNKNOWN and not value.is_const:
        raise _Unknown
    literals = [origin.value for origin in origins if isinstance(origin, ast.Constant)]
    known = [option for option in names if option is not None]
    given = [*literals, *(option.default for option in known)]
    alike = all(type(each) is type(given[0]) and each == given[0] for each in given)
    if len(literals) + len(known) < len(origins) or not alike:
        raise _Unknown
    used.update((option.written, None) for option in known)
    return given[0]


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
    value = facts.values.get(node)
    return value is not None and (value.kind is Kind.NAMESPACE or value.name == OPTIONS)


def _name(node: ast.AST) -> str:
    """The name under which a namespace is asked for an option."""
    if isinstance(node, ast.Subscript):
        return str(node.slice.value) if isinstance(node.slice, ast.Constant) else ""
    return node.attr if isinstance(node, ast.Attribute) else ""


# ---------------------------------------------------------------------- options


def _may_be_namespace(facts: Facts, source: SourceFile, node: ast.expr) -> bool:
    """Whether what is written to may be a namespace of options: it is no other object, and no ``self``."""
    if node in facts.values:
        value = facts.values[node]
        return value.kind is Kind.NAMESPACE or (value.kind is Kind.UNKNOWN and not value.obj and not value.sources)
    function = next((each for each in source.ancestors(node) if isinstance(each, _FUNCTIONS)), None)
    within = function is not None and isinstance(source.parent(function), ast.ClassDef)
    first = [arg.arg for arg in function.args.args[:1]] if function is not None and within else []
    return not (isinstance(node, ast.Name) and node.id in first)


def alike(flow: Flow, node: ast.AST) -> bool:
    """Whether an option that is read here is the same wherever it is read: no part of the program sets it."""
    count = len(flow.facts.files)
    if flow.unset is None or flow.unset[0] != count:
        known = _options(flow.facts, [unit.source for unit in flow.facts.files])
        single = {name for name, option in known.items() if isinstance(option.default, (bool, int, float, str))}
        flow.unset = count, frozenset(single)
    return _name(node) in flow.unset[1]


def default_text(flow: Flow, node: ast.expr) -> tuple[str, str]:
    """How an option that is read here is written on the command line, and its default; empty where that is no text."""
    if not isinstance(node, (ast.Attribute, ast.Subscript)) or not _is_namespace(flow.facts, node.value):
        return "", ""
    option = _options(flow.facts, [unit.source for unit in flow.facts.files]).get(_name(node))
    return (option.written, option.default) if option is not None and isinstance(option.default, str) else ("", "")


def _options(facts: Facts, sources: Iterable[SourceFile] | None = None) -> dict[str, _Option]:
    """The options whose defaults are written, by the names of their attributes; none where they are set otherwise."""
    known: dict[str, _Option | None] = {}
    written: set[str] = set()
    if sources is None:
        sources = {unit.source.path: unit.source for unit in facts.units.values()}.values()
    for source in sources:
        for node in source.nodes.of(ast.Attribute, ast.Subscript, ast.Call):
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
                if not _name(node) and _is_namespace(facts, node.value):  # of any name
                    return {}
                if _may_be_namespace(facts, source, node.value):
                    written.add(_name(node))
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
        given = arguments_of(call)
        return any(not isinstance(each, ast.Constant) and getattr(each, "elts", given) for each in given)
    if name == "setattr":
        return bool(call.args) and _is_namespace(facts, call.args[0])
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if owner is not None and name in _CHANGING and _is_namespace(facts, owner):
        return not _hands_on(facts, owner, call)
    of = owner.value if isinstance(owner, ast.Attribute) and owner.attr == "__dict__" else None
    if isinstance(owner, ast.Call) and getattr(owner.func, "id", "") == "vars" and owner.args:
        of = owner.args[0]
    return name == "set_defaults" or (name == "update" and of is not None and _is_namespace(facts, of))


def _hands_on(facts: Facts, owner: ast.expr, call: ast.Call) -> bool:
    """``wandb.config.update(args)``: settings that are kept elsewhere are told the options, which stay as they are."""
    kept, given = facts.values[owner], [facts.values.get(each) for each in call.args]
    told = given[0] if len(given) == 1 and not call.keywords else None
    elsewhere = kept.kind is Kind.NAMESPACE and bool(kept.name)
    return elsewhere and told is not None and (told.name == OPTIONS or (told.kind is Kind.NAMESPACE and not told.name))


def declared(call: ast.Call) -> tuple[str, ...]:
    """The attributes of the options that a call declares."""
    return tuple(attribute for attribute, _ in _declared(call))


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
