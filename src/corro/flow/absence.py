"""Values that may be ``None``: options that were not given, and conditions after which something is there."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import combine
from corro.flow.state import Flow
from corro.flow.values import MAYBE_NONE, NONE, OPTION, OPTIONS, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.semantics import Call

_OPTIONS = -2
"""The owner of what is known of command-line options: whether they may be ``None``, and which are numbers."""
_COMMANDS = -5
"""The owner of the functions of the script that are defaults of options, by their names: one for each subcommand."""
_NUMBERS = frozenset({"int", "float"})
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Absence(Flow):
    """What may be ``None``, and where it cannot be."""

    def _declare(self, name: str, call: Call) -> None:
        """Options of a command line: ``add_argument`` and ``set_defaults`` of ``argparse``, flags of ``absl``."""
        if name == "set_defaults":
            for option, default in call.keywords.items():
                self._note_option(option, default)
                if default.kind is Kind.FUNCTION and self._store is not None:
                    known = self.field(_COMMANDS, option)
                    self.set_field(_COMMANDS, option, default if known is None else self.either((known, default)))
        elif "DEFINE_" in name and call.args:
            self._note_option(call.args[0].const, call.argument(1, "default") or NONE)
        elif name == "add_argument" and "**" not in call.keywords:
            required = call.keywords.get("required")
            optional = all(str(flag.const).startswith("-") for flag in call.args)
            value = "action" not in call.keywords and optional and (required is None or required.const is False)
            default = call.keywords.get("default", NONE)
            made = call.keywords.get("type", NONE)
            single = not {"action", "nargs"} & call.keywords.keys()
            number = single and made.kind is Kind.LIBRARY and made.name in _NUMBERS
            self._note_option(_destination(call), default if value else Value(), OPTION if number else "")

    def _note_option(self, option: object, default: Value, name: str = "") -> None:
        if isinstance(option, str) and self._store is not None:
            tags = frozenset({MAYBE_NONE} if default.may_be_none else ())
            self.set_field(_OPTIONS, option, Value(placement=default.placement, tags=tags, name=name))

    def _option(self, owner: Value, name: str, value: Value) -> Value:
        """An option as it is read."""
        known = self.field(_OPTIONS, name) if _has_options(owner) else None
        if known is None:
            return value
        command = self.field(_COMMANDS, name) if owner.kind is Kind.NAMESPACE else None
        if command is not None and command.kind in (Kind.FUNCTION, Kind.CHOICE):
            return command
        differs = not known.placement.is_equal
        placement = combine((value.placement, known.placement)) if differs else value.placement
        name = value.name or known.name
        return value.but(placement=placement, tags=value.tags | (known.tags & {MAYBE_NONE}), name=name)

    def _set_option(self, owner: Value, name: str, value: Value) -> None:
        """An option that the script sets itself."""
        if _has_options(owner):
            self._note_option(name, value)
            if self.field(_COMMANDS, name) is not None:
                self.set_field(_COMMANDS, name, Value())

    def _note_given(self, test: ast.expr, outcome: bool) -> None:
        """A condition has had this outcome: what it asked for is there."""
        asked = self.facts.values.get(test)
        if asked is None or (asked.placement.is_equal and not asked.placement.data_dependent):
            for node in _given(test, outcome):
                self._note_there(node)

    def _note_there(self, node: ast.expr) -> None:
        if isinstance(node, ast.Name):
            value = self._variable(node)
            if value is not None and MAYBE_NONE in value.tags:
                self._bind(node, value.but(tags=value.tags - {MAYBE_NONE}))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self._variable(node.value) or Value()
            value = self.field(owner.obj, node.attr) if owner.obj else None
            if value is not None and MAYBE_NONE in value.tags:
                self.set_field(owner.obj, node.attr, value.but(tags=value.tags - {MAYBE_NONE}))
            known = self.field(_OPTIONS, node.attr) if _has_options(owner) else None
            if known is not None and _has_options(owner):
                self.set_field(_OPTIONS, node.attr, known.but(tags=known.tags - {MAYBE_NONE}))

    def _variable(self, node: ast.Name) -> Value | None:
        frame = self._frame_of(node)
        return self._get(frame, node.id) if frame is not None else None

    @contextmanager
    def _where(self, test: ast.expr, outcome: bool) -> Iterator[None]:
        """Evaluate an arm of a conditional expression; what it asks for may be ``None`` again after it."""
        before = self._store
        if before is None or not any(_given(test, outcome)):
            yield
            return
        self._store = before.copy()
        self._note_given(test, outcome)
        noted = [(key, value, before.get(key)) for key, value in self._store.changes(before)]
        yield
        for key, value, earlier in noted:
            if self._store is not None and earlier is not None and self._store.get(key) == value:
                self._store.set(key, earlier)


def _has_options(owner: Value) -> bool:
    return (
        owner.kind is Kind.NAMESPACE
        or owner.name == OPTIONS
        or (owner.kind is Kind.LIBRARY and owner.name.endswith("flags.FLAGS"))
    )


def _destination(call: Call) -> str | None:
    """The name under which ``argparse`` keeps an option."""
    given = call.keywords.get("dest")
    if given is not None:
        return given.const if isinstance(given.const, str) else None
    flags = [flag.const for flag in call.args if isinstance(flag.const, str)]
    long = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else None)
    return long.lstrip("-").replace("-", "_") if long is not None else None


def _given(test: ast.expr, outcome: bool) -> Iterator[ast.expr]:
    """What is not ``None`` where a condition has an outcome."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _given(test.operand, not outcome)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == outcome:
        for part in test.values:
            yield from _given(part, outcome)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1:
        asks_for_none = isinstance(test.comparators[0], ast.Constant) and test.comparators[0].value is None
        differs = isinstance(test.ops[0], (ast.IsNot, ast.NotEq))
        if isinstance(test.ops[0], _ORDERS) or (asks_for_none and differs == outcome):
            yield test.left
    elif isinstance(test, (ast.Name, ast.Attribute)) and outcome:
        yield test
