"""What a run has shown: it counts as if it were written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.observations import DEFINITION, path_of
from corro.classes import replace
from corro.flow.semantics import Call
from corro.flow.state import Flow
from corro.flow.values import UNKNOWN, Value

if TYPE_CHECKING:
    from collections.abc import Collection

    from corro.anatomy.observations import Observation

_DEFINED = (ast.ClassDef, ast.FunctionDef)


class Observing(Flow):
    """Expressions of which a run has shown what they are."""

    def _observed(self, node: ast.expr, value: Value) -> Value:
        """The value of an expression by what a run has shown of it; as it is, where it has shown nothing."""
        seen = self._observations.value(self._frame.unit.source.path, node)
        several = value.kind is Kind.LOSS and len(value.sites) > 1
        if seen is None or not (several or value.kind in (Kind.UNKNOWN, Kind.CHOICE)):
            return value
        if not value.placement.is_equal or value.placement.data_dependent:
            return value
        known, by = self._known(node, seen)
        if known is None:
            return value
        attributes = tuple((name, each) for name, each in seen.attributes if name in by)
        self.facts.observed[node] = replace(seen, attributes=attributes)
        return known

    def _known(self, node: ast.expr, seen: Observation) -> tuple[Value | None, Collection[str]]:
        """What was seen as a value, and the attributes by which it is known."""
        definition = self._definition(node, seen)
        if definition is None or seen.form == DEFINITION:
            return definition, ()
        if definition.kind is Kind.LIBRARY:
            return self.semantics.observed(self, node, seen) or (None, ())
        return self._instance(node, definition), ()

    def _definition(self, node: ast.expr, seen: Observation) -> Value | None:
        """The function or class that was seen; nothing where the text has another one by that name."""
        if not seen.own:
            return Value(Kind.LIBRARY, name=seen.dotted)
        own = self._frame.unit.source.statement(node)
        known = (frame for unit, frame in self._modules.items() if unit.name == seen.module)
        frame = next(known, None) or self._import(seen.module, own)
        if frame is None or path_of(frame.unit.source.path) != seen.own:
            return None
        value = self._get(frame, seen.name)
        if value is None or value.kind not in (Kind.CLASS, Kind.FUNCTION):
            return None
        made = self._classes[value.obj].node if value.kind is Kind.CLASS else self.facts.functions.get(value.obj)
        return value if isinstance(made, _DEFINED) and made.name == seen.name else None

    def _instance(self, node: ast.expr, definition: Value) -> Value | None:
        """The object that was seen: of the script's own classes, models are followed, whatever they were given."""
        if definition.kind is not Kind.CLASS:
            return None
        module = self.semantics.instance_kind(self.library_bases(definition.obj)) is Kind.MODULE
        given = self._anything(definition) if module and isinstance(node, ast.Call) else None
        if given is None:
            return None
        assert isinstance(node, ast.Call)
        return self._instantiate(definition, Call(node, (), given))

    def _anything(self, definition: Value) -> dict[str, Value] | None:
        """Any arguments that a class may take; nothing where they cannot all be named."""
        member = self._class_member(definition.obj, "__init__")
        function = self._functions.get(member.obj) if member is not None else None
        if function is None:
            return {}
        spec = function.node.args
        if spec.vararg is not None or spec.posonlyargs:
            return None
        names = {each.arg: UNKNOWN for each in (*spec.args[1:], *spec.kwonlyargs)}
        return {**names, **({"**": UNKNOWN} if spec.kwarg is not None else {})}
