"""Give what an expression makes to a wrapper: shared by the rules of all frontends that wrap optimizers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.source import After, Wrap

if TYPE_CHECKING:
    from collections.abc import Callable

    from corro.rules.base import Job
    from corro.source import Edit

_PLACE = "\0"


def wrapped(job: Job, node: ast.expr, wrapper: Callable[[str], str]) -> tuple[Edit, ...]:
    """Wrap what a call makes, right after its assignment to a name or else in its place.

    ``wrapper`` gives the expression around an expression.
    """
    parent = job.parent(node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
        name = parent.targets[0].id
        return (After(parent, f"{name} = {wrapper(name)}", order=-5),)
    return wrapped_in_place(job, node, wrapper)


def wrapped_in_place(job: Job, node: ast.expr, wrapper: Callable[[str], str]) -> tuple[Edit, ...]:
    """Wrap an expression where it stands."""
    before, _, after = wrapper(_PLACE).partition(_PLACE)
    return (Wrap(job.span(node), before, after),)
