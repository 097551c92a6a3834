"""Under which conditions the text of a script comes to a place, and whether some of them cover all cases."""

from __future__ import annotations

import ast
from itertools import chain, product
from math import prod
from typing import TYPE_CHECKING

from corro.anatomy.steps import Condition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corro.anatomy.steps import Ways
    from corro.flow.facts import Unit

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.NotIn: ast.In, ast.NotEq: ast.Eq, ast.IsNot: ast.Is}
_LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)
_LOOPING = (ast.Continue, ast.Break)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_BRANCHING = (ast.ExceptHandler, ast.match_case, ast.IfExp)
_MANY = 8
"""The most different conditions of which it is tried whether they cover all cases."""


def of_test(test: ast.expr, *, holds: bool = True) -> Ways:
    """How a test can turn out as it is said."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return of_test(test.operand, holds=not holds)
    if isinstance(test, ast.BoolOp):
        parts = [of_test(part, holds=holds) for part in test.values]
        return together(parts) if isinstance(test.op, ast.And) is holds else tuple(chain.from_iterable(parts))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITES:
        opposite = ast.Compare(test.left, [_OPPOSITES[type(test.ops[0])]()], test.comparators)
        return ((Condition(ast.unparse(opposite), not holds),),)
    return ((Condition(ast.unparse(test), holds),),)


def unknown(node: ast.expr | ast.stmt | ast.ExceptHandler | ast.match_case) -> Ways:
    """A condition that nothing is known of, so that nothing is its opposite."""
    place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    return ((Condition(f"{type(node).__name__} {place} of {id(node)}", holds=True),),)


def together(parts: Iterable[Ways]) -> Ways:
    """How all of several can hold; where that is in very many ways, in one that nothing is known of."""
    several = tuple(parts)
    if prod(map(len, several)) > _MANY**2:
        return ((Condition(f"one of many: {id(several)}", holds=True),),)
    return tuple(tuple(chain.from_iterable(each)) for each in product(*several))


def around(unit: Unit, node: ast.AST, outer: ast.AST) -> Ways:
    """How the text of a function, a loop or a module comes to a node in it."""
    found: list[Ways] = []
    inner = node
    for above in unit.source.ancestors(node):
        if isinstance(above, ast.If) and inner is not above.test:
            found.append(of_test(above.test, holds=inner in above.body))
        elif isinstance(above, _BRANCHING):
            found.append(unknown(above))
        if isinstance(inner, ast.stmt):
            found += _passed(above, inner)
        if above is outer:
            break
        inner = above
    return together(found)


def _passed(above: ast.AST, node: ast.stmt) -> Iterator[Ways]:
    """How each statement in front of one, in the same block, goes on to it."""
    blocks = (getattr(above, name, ()) for name in ("body", "orelse", "finalbody"))
    block = next((each for each in blocks if isinstance(each, list) and node in each), [])
    for before in block[: block.index(node)] if block else ():
        leaves = _leaves(before)
        if leaves and isinstance(before, ast.If) and not before.orelse and isinstance(before.body[-1], _LEAVING):
            yield of_test(before.test, holds=False)
        elif leaves:
            yield unknown(before)


def _leaves(node: ast.AST, *, looped: bool = False) -> bool:
    """Whether a statement may leave the block that it stands in; what a loop in it goes round by does not."""
    if isinstance(node, _FUNCTIONS):
        return False
    if isinstance(node, _LEAVING):
        return not (looped and isinstance(node, _LOOPING))
    looped = looped or isinstance(node, (ast.For, ast.While))
    return any(_leaves(child, looped=looped) for child in ast.iter_child_nodes(node))


def are_exhaustive(ways: Iterable[Iterable[Condition]]) -> bool:
    """Whether, whatever turns out, at least one way holds."""
    sets = [frozenset(each) for each in ways]
    return len({each.text for way in sets for each in way}) <= _MANY and _cover(sets)


def _cover(ways: Sequence[frozenset[Condition]]) -> bool:
    if not ways or not all(ways):
        return bool(ways)
    first = next(iter(ways[0]))
    return all(_cover([way - {case} for way in ways if case.opposite not in way]) for case in (first, first.opposite))
