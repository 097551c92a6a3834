"""Where the analysis loses sight of the samples that a loss is computed from."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.source import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import Facts, Unit
    from corro.flow.values import Value

_SETTING = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)
_HOLDING = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT, Kind.INSTANCE})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def lost_at(facts: Facts, loss: ast.expr) -> ast.expr | None:
    """The first expression on the way to a loss that is computed from followed values alone, and is not followed."""
    found = _Way(facts).back_from(loss)
    order = {node: number for number, node in enumerate(facts.values)}
    return min(found, key=lambda node: order.get(node, len(order)), default=None)


class _Way:
    """The way back from a loss, through names, attributes, calls and arguments."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.seen: set[ast.AST] = set()

    def back_from(self, node: ast.expr) -> list[ast.expr]:
        """Where what an expression is computed from is lost from sight."""
        found: list[ast.expr] = []
        pending = [node]
        while pending:
            node = pending.pop()
            value = self.facts.values.get(node)
            if node in self.seen or value is None or not (_is_lost(value) or value.kind in _HOLDING):
                continue
            self.seen.add(node)
            parts = list(self._parts(node))
            pending += parts
            if not _is_lost(value) or any(_is_lost(self.facts.values.get(part)) for part in parts):
                continue
            if isinstance(node, ast.Name):
                found += self._changed(node)
            elif not isinstance(node, (ast.Attribute, ast.Starred, ast.Slice)):
                found.append(node)
        return found

    def _parts(self, node: ast.expr) -> Iterator[ast.expr]:
        """The expressions that one gets its value from."""
        unit = self.facts.units.get(node)
        if isinstance(node, ast.Name):
            yield from self._of_name(node, unit) if unit is not None else ()
            return
        if isinstance(node, ast.Attribute):
            stores = (each.node for each in self.facts.stores if isinstance(each.node, ast.Attribute))
            for store in (each for each in stores if each.attr == node.attr):
                yield from _set_by(store, self.facts.units.get(store))
        functions = list(self._called(node)) if isinstance(node, ast.Call) else []
        for function in functions:
            yield from (
                each.value for each in walk(function) if isinstance(each, ast.Return) and each.value is not None
            )
        for child in ast.iter_child_nodes(node) if not functions else ():
            inner = child.value if isinstance(child, ast.keyword) else child
            if isinstance(inner, (ast.comprehension, ast.expr)):
                yield inner.iter if isinstance(inner, ast.comprehension) else inner
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not functions:
            yield node.func.value

    def _of_name(self, name: ast.Name, unit: Unit) -> Iterator[ast.expr]:
        scope = unit.names.binding(name)
        for use in unit.names.uses(name.id, scope):
            if isinstance(use.ctx, ast.Store):
                yield from _set_by(use, unit)
        if scope is not None and isinstance(scope.node, _Function):
            yield from self._given(scope.node, name.id)

    def _changed(self, name: ast.Name) -> Iterator[ast.expr]:
        """Where parts of a variable are set."""
        unit = self.facts.units[name]
        for use in unit.names.uses(name.id, unit.names.binding(name)):
            part = unit.source.parent(use)
            if isinstance(part, ast.Subscript) and part.value is use and isinstance(part.ctx, ast.Store):
                yield part

    def _given(self, function: _Function, name: str) -> Iterator[ast.expr]:
        """What a parameter is given in the calls of its function."""
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        for node in dict.fromkeys(fact.node for fact in self.facts.calls) if name in names else ():
            if function in self._called(node):
                place = names.index(name) - (names[:1] == ["self"])
                yield from (each.value for each in node.keywords if each.arg == name)
                yield from node.args[place : place + 1] if place >= 0 else ()

    def _called(self, node: ast.Call) -> Iterator[ast.AST]:
        """The functions of the script's own that a call calls."""
        value = self.facts.values.get(node.func)
        if value is None:
            return
        if value.kind is Kind.FUNCTION and value.obj in self.facts.functions:
            yield self.facts.functions[value.obj]
        classes = [self.facts.classes.get(number) for number in (value.obj, *sorted(value.locations))]
        for each in (each for each in classes if each is not None and value.kind is Kind.MODULE):
            yield from (part for part in each.body if isinstance(part, _Function) and part.name == "forward")


def _set_by(target: ast.AST, unit: Unit | None) -> Iterator[ast.expr]:
    """What is assigned to a name or an attribute, or looped over."""
    node: ast.AST | None = target
    while node is not None and unit is not None and not isinstance(node, (ast.stmt, ast.comprehension, ast.NamedExpr)):
        node = unit.source.parent(node)
    if isinstance(node, _SETTING) and node.value is not None:
        yield node.value
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        yield node.iter


def _is_lost(value: Value | None) -> bool:
    return value is not None and value.form is Form.UNKNOWN and bool(value.sources)
