"""Handlers after which training begins again because memory ran out: ``except torch.cuda.OutOfMemoryError``.

One process may run out of memory while the others go on: it cannot begin again by itself.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.observations import HANDLER, UNTAKEN, Observation, path_of, where

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import Facts

_NAME = "OutOfMemoryError"


def begun_again(facts: Facts) -> Iterator[Observation]:
    """The handlers of a script that catch this alone, and do not raise it again."""
    for source in {unit.source.path: unit.source for unit in facts.units.values()}.values():
        for node in source.nodes:
            if isinstance(node, ast.ExceptHandler) and node.type is not None and _catches(node.type):
                if not isinstance(node.body[-1], ast.Raise):
                    yield Observation(path_of(source.path), where(node.type), UNTAKEN, name=HANDLER)


def _catches(caught: ast.expr) -> bool:
    return getattr(caught, "attr", getattr(caught, "id", "")) == _NAME
