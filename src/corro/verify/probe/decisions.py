"""What the conditions of a script rest on: noted as the program runs, by the place of each condition.

The program's tree, not its text, is changed: each operand of a condition passes through a function that notes it and
gives it back. Evaluation order, short circuits and line numbers stay.
"""

from __future__ import annotations

import ast
import builtins
import zlib
from typing import Any

from corro.verify.probe.session import Session

_NOTE = "__corro_note__"
_KEPT = 500


def watched(tree: ast.Module, session: Session, file: str) -> ast.Module:
    """The tree of a file whose conditions are noted in ``session``'s record."""
    setattr(builtins, _NOTE, _Notes(session).note)
    _Watch(session.settings.name_of(file)).visit(tree)
    return ast.fix_missing_locations(tree)


class _Watch(ast.NodeTransformer):
    """Wraps the operands of all conditions."""

    def __init__(self, file: str) -> None:
        self._file = file

    def visit_If(self, node: ast.If) -> ast.AST:
        return self._watch(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._watch(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        return self._watch(node)

    def _watch(self, node: Any) -> ast.AST:
        self.generic_visit(node)
        node.test = _noted(node.test, f"{self._file}:{node.test.lineno}:{node.test.col_offset}")
        return node  # type: ignore[no-any-return]


def _noted(test: ast.expr, place: str) -> ast.expr:
    """A condition with its operands noted: those of comparisons, and whatever else is tested for truth."""
    if isinstance(test, ast.BoolOp):
        test.values = [_noted(each, place) for each in test.values]
        return test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test.operand = _noted(test.operand, place)
        return test
    whole = (ast.In, ast.NotIn, ast.Is, ast.IsNot)  # what a condition rests on there is not the operand's value
    if isinstance(test, ast.Compare) and not any(isinstance(op, whole) for op in test.ops):
        test.left, test.comparators = _call(test.left, place), [_call(each, place) for each in test.comparators]
        return test
    return _call(test, place)


def _call(value: ast.expr, place: str) -> ast.expr:
    if isinstance(value, ast.Constant):
        return value
    call = ast.Call(ast.Name(_NOTE, ast.Load()), [ast.Constant(place), value], [])
    return ast.copy_location(call, value)


class _Notes:
    """What was noted; after some hundred values of a place only a checksum goes on."""

    def __init__(self, session: Session) -> None:
        self._decisions = session.record.decisions

    def note(self, place: str, value: Any) -> Any:
        text = _in_full(value) or "something"  # a writer is another thing elsewhere than on rank 0
        seen = self._decisions.setdefault(place, [])
        if len(seen) < _KEPT:
            seen.append(text)
        else:
            seen[_KEPT:] = [f"{zlib.crc32(text.encode(), int(seen[_KEPT], 16) if len(seen) > _KEPT else 0):x}"]
        return value


def shown(value: Any) -> str:
    """Numbers and texts in full; of other things their type."""
    return _in_full(value) or type(value).__name__


def _in_full(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return repr(value.item())
    return ""
