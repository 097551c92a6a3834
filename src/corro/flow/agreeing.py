"""Conditions on one option of the command line: what one has decided, those that ask again within its arms come out.

A model that gives its attention, too, ``if args.output_attention``, is called in one way if it does, and in another if
it does not. An option that nothing in the program sets is the same wherever it is read, so each call gives one thing.
"""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import TYPE_CHECKING

from corro.flow.options import alike
from corro.flow.values import ALTERED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.state import Flow

Asked = tuple[int, tuple[type, object] | None]
"""What is asked: of which option, by its origin, and whether it is this literal; ``None``: whether it is true."""
_READS = (ast.Name, ast.Attribute, ast.Subscript)


@contextmanager
def deciding(flow: Flow, test: ast.expr, outcome: bool) -> Iterator[None]:
    """Run what stands in an arm of a condition: it is known there what was asked of options."""
    before = flow.agreed
    flow.agreed = {**before, **dict(_outcomes(flow, test, outcome))}
    try:
        yield
    finally:
        flow.agreed = before


def decided(flow: Flow, test: ast.expr) -> bool | None:
    """What a condition is by those around it, also around the calls that lead here; ``None``: it may be either."""
    return _truth(flow, test) if flow.agreed else None


def _outcomes(flow: Flow, test: ast.expr, outcome: bool) -> Iterator[tuple[Asked, bool]]:
    """What is known of options where a condition has an outcome."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _outcomes(flow, inner, not outcome)
        case ast.BoolOp(op=op, values=values) if isinstance(op, ast.And) is outcome:
            for each in values:
                yield from _outcomes(flow, each, outcome)
        case _:
            asked, denied = _asked(flow, test)
            if asked is not None:
                yield asked, outcome is not denied


def _truth(flow: Flow, test: ast.expr) -> bool | None:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            inside = _truth(flow, inner)
            return None if inside is None else not inside
        case ast.BoolOp(op=op, values=values):
            parts, deciding = [_truth(flow, each) for each in values], isinstance(op, ast.Or)
            return deciding if deciding in parts else None if None in parts else not deciding
    asked, denied = _asked(flow, test)
    known = _known(flow, asked) if asked is not None else None
    return None if known is None else known is not denied


def _known(flow: Flow, asked: Asked) -> bool | None:
    if asked in flow.agreed:
        return flow.agreed[asked]
    option, literal = asked
    others = (given for (of, given), outcome in flow.agreed.items() if of == option and given is not None and outcome)
    return False if literal is not None and any(given[0] is literal[0] for given in others) else None


def _asked(flow: Flow, test: ast.expr) -> tuple[Asked | None, bool]:
    """What a condition asks of an option, if it does, and whether it is true where the answer is no."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Constant(value=literal)]):
            origin = _option(flow, left)
            return (origin, (type(literal), literal)) if origin else None, isinstance(op, ast.NotEq)
    origin = _option(flow, test) if isinstance(test, _READS) else 0
    return (origin, None) if origin else None, False


def _option(flow: Flow, node: ast.expr) -> int:
    """The origin of an option that is read here, or was copied to here from nowhere else; zero for anything else."""
    value = flow.facts.values.get(node)
    if value is None or len(value.origins) != 1 or ALTERED in value.tags:
        return 0
    if not value.placement.is_equal or value.placement.data_dependent:
        return 0
    (origin,) = value.origins
    return origin if alike(flow, flow.facts.nodes[origin]) else 0
