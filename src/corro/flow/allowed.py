"""Which names a script allows a text to be: an option's choices, or what an assertion in front asks for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source import arguments_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.state import Flow
    from corro.source import SourceFile

_LISTED = (ast.List, ast.Tuple, ast.Set)


def names(flow: Flow, node: ast.expr) -> tuple[str, ...]:
    """The names that an expression may give, where they are written; none where it is no variable or attribute."""
    unit = flow.facts.units.get(node)
    if unit is None or not all(isinstance(part, (ast.Name, ast.Attribute, ast.Load)) for part in ast.walk(node)):
        return ()
    asked = next(_asserted(unit.source, node), ())
    if asked or not isinstance(node, ast.Attribute):
        return asked
    calls = (call for file in flow.facts.files for call in file.source.nodes.of(ast.Call))
    found = dict.fromkeys(choices for call in calls if (choices := _choices(call, node.attr)))
    return next(iter(found)) if len(found) == 1 else ()


def _asserted(source: SourceFile, node: ast.expr) -> Iterator[tuple[str, ...]]:
    """What ``assert name in ["a", "b"]`` asks for, wherever in the file it stands."""
    same = ast.dump(node)
    for each in source.nodes.of(ast.Assert):
        match each.test:
            case ast.Compare(left=left, ops=[ast.In()], comparators=[listed]) if ast.dump(left) == same:
                yield _written(listed)


def _choices(call: ast.Call, attribute: str) -> tuple[str, ...]:
    """The choices of the option that an ``add_argument`` declares, if its attribute is called so."""
    if getattr(call.func, "attr", "") != "add_argument":
        return ()
    flags = (each.value for each in arguments_of(call) if isinstance(each, ast.Constant))
    called = {flag.lstrip("-").replace("-", "_") for flag in flags if isinstance(flag, str)}
    listed = next((each.value for each in call.keywords if each.arg == "choices"), None)
    return _written(listed) if listed is not None and attribute in called else ()


def _written(listed: ast.expr) -> tuple[str, ...]:
    items = listed.elts if isinstance(listed, _LISTED) else []
    texts = tuple(each.value for each in items if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return texts if len(texts) == len(items) else ()
