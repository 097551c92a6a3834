"""What a run could show that the text does not: what is called or chosen, and which arms of conditions are taken.

Only what is the same in the whole run is asked for, because a run is looked at for its first steps only: outside of
loops, or where nothing that decides is set within one.
"""

from __future__ import annotations

import ast
import builtins
import sys
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.observations import Questions, where
from corro.anatomy.placement import Form

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from corro.anatomy.observations import Where
    from corro.flow.facts import Context, Facts, Frame
    from corro.flow.values import Value

_READS = frozenset({"getattr", "get", "vars", "globals", "import_module", "isinstance", "len"})
"""Calls that give the same again."""
_OPEN = (Kind.UNKNOWN, Kind.CHOICE)
_LOADING = frozenset({"copy", "functools", "importlib", "operator", "pickle", "pkgutil", "pydoc", "runpy", "getattr"})
"""Modules, and functions, of Python's own that give what others have made."""
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def questions(facts: Facts, of_machine: tuple[str, ...]) -> Questions:
    """All questions, by their files and places.

    Args:
        facts: of the script.
        of_machine: how names of a library begin that tell of the machine: the program may run on another one.
    """
    contexts: dict[ast.AST, list[Context]] = {node: [*found.values()] for node, found in facts.in_loops.items()}
    for call in facts.calls:
        contexts.setdefault(call.node, []).append(call.context)
    values = {node for node, at in _unknown(facts) if _is_settled(facts, node, contexts.get(at, []))}
    written = _written(facts)
    tests = {node.test for node in _conditions(facts) if not _tells(facts, node.test, of_machine, set(), written)}
    return Questions(_places(facts, values), _places(facts, tests))


def _places(facts: Facts, nodes: Iterable[ast.expr]) -> frozenset[tuple[str, Where]]:
    return frozenset((str(facts.units[node].source.path), where(node)) for node in nodes)


def _unknown(facts: Facts) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Expressions of which it is not known what they are, each with the one that says where it is evaluated."""
    for node, value in facts.values.items():
        if node not in facts.units or not isinstance(node, (ast.Call, ast.Subscript)):
            continue
        called = facts.values.get(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and called is not None and called.kind in _OPEN and _is_equal(called):
            yield node.func, node
        several = value.kind is Kind.LOSS and len(value.sites) > 1
        unknown = value.kind is Kind.UNKNOWN and (node in facts.opaque or isinstance(node, ast.Subscript))
        dropped = isinstance(facts.units[node].source.parent(node), ast.Expr)
        if (several or unknown) and not dropped and _is_equal(value) and not _is_of_python(facts, node):
            yield node, node


def _is_of_python(facts: Facts, node: ast.AST) -> bool:
    """Whether a function of Python's own library is called, which gives no part of a training unless it loads one."""
    called = facts.values.get(node.func) if isinstance(node, ast.Call) else None
    top = called.name.partition(".")[0] if called is not None and called.kind is Kind.LIBRARY else ""
    return top not in _LOADING and (top in sys.stdlib_module_names or top in vars(builtins))


def _conditions(facts: Facts) -> Iterator[ast.If]:
    """Conditions that come out alike in the whole run."""
    found: dict[ast.If, list[Context]] = {}
    for test in facts.tests.values():
        if isinstance(test.node, ast.If):
            found.setdefault(test.node, []).append(test.context)
    for node, contexts in found.items():
        value = facts.values.get(node.test)
        if value is not None and _is_equal(value) and _is_settled(facts, node.test, contexts):
            yield node


def _tells(
    facts: Facts, node: ast.AST, begins: tuple[str, ...], seen: set[ast.AST], written: Mapping[str, list[ast.AST]]
) -> bool:
    """Whether an expression, or what its variables and options were set to, has a name in it that begins so."""
    if node in seen:
        return False
    seen.add(node)
    for part in ast.walk(node):
        value = facts.values.get(part)
        if value is not None and (value.kind is Kind.DEVICE or value.name.startswith(begins)):
            return True
        if any(_tells(facts, each, begins, seen, written) for each in _set_to(facts, part, written)):
            return True
    return False


def _set_to(facts: Facts, node: ast.AST, written: Mapping[str, list[ast.AST]]) -> Iterator[ast.AST]:
    """What a variable or an attribute is set to, wherever that is."""
    unit = facts.units.get(node)
    if isinstance(node, ast.Name) and unit is not None:
        scope = unit.names.binding(node)
        yield from (each for each in (scope.values[node.id] if scope else ()) if isinstance(each, ast.AST))
    if isinstance(node, ast.Attribute):
        yield from written.get(node.attr, ())


def _written(facts: Facts) -> dict[str, list[ast.AST]]:
    """The statements that set an attribute, by its name."""
    found: dict[str, list[ast.AST]] = {}
    for source in {unit.source.path: unit.source for unit in facts.units.values()}.values():
        for node in source.nodes.of(ast.Attribute):
            if isinstance(node.ctx, ast.Store):
                found.setdefault(node.attr, []).append(source.statement(node))
    return found


def _is_equal(value: Value) -> bool:
    """Whether a value is equal on all processes, and not decided by the data."""
    placement = value.placement
    return placement.is_equal and not placement.data_dependent and not value.sources and value.form is not Form.STEP


def _is_settled(facts: Facts, node: ast.expr, contexts: list[Context]) -> bool:
    """Whether an expression gives the same wherever and as often as it is evaluated."""
    return all(not context.loops or _is_fixed(facts, node, context) for context in contexts)


def _is_fixed(facts: Facts, node: ast.AST, context: Context) -> bool:
    """Whether all that an expression is made of has been set before the loops, and is not set in them."""
    if isinstance(node, ast.Name):
        return _is_bound_once(facts, node, context)
    if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Store):
        owner = facts.values.get(node.value)
        if owner is not None and owner.kind is Kind.NAMESPACE:
            return not any(getattr(each.node, "attr", "") == node.attr for each in facts.stores)
        return owner is not None and owner.kind is Kind.LIBRARY
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) not in _READS:
        return False
    return all(_is_fixed(facts, part, context) for part in ast.iter_child_nodes(node))


def _is_bound_once(facts: Facts, name: ast.Name, context: Context) -> bool:
    """Whether a variable is set outside of loops, in a function that is called outside of them."""
    unit = facts.units.get(name)
    scope = unit.names.binding(name) if unit is not None else None
    if unit is None or scope is None:
        return unit is not None
    frame: Frame | None = context.frame
    while frame is not None and frame.scope is not scope:
        frame = frame.closure
    around = {each.number for each in frame.path()} - {frame.number} if frame is not None else set()
    if frame is None or any(loop.frame.number in around for loop in context.loops):
        return False
    stores = (use for use in unit.names.uses(name.id, scope) if not isinstance(use.ctx, ast.Load))
    return not any(
        unit.names.scope(use) is not scope or any(isinstance(each, _LOOPS) for each in unit.source.ancestors(use))
        for use in stores
    )
