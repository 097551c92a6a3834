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
        for node in source.nodes.of(ast.ExceptHandler):
            if _begins_again(node) and node.type is not None:
                yield Observation(path_of(source.path), where(node.type), UNTAKEN, name=HANDLER)


def _begins_again(handler: ast.ExceptHandler) -> bool:
    caught = getattr(handler.type, "attr", getattr(handler.type, "id", ""))
    return caught == _NAME and not isinstance(handler.body[-1], ast.Raise)
