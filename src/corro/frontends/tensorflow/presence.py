"""Before any analysis: does this script train with TensorFlow in a loop of its own?"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.keras import presence as keras

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.changes import Finding
    from corro.source import Nodes, SourceFile

TITLE = "TensorFlow"
SIGN = "a tf.GradientTape"
LIBRARIES = keras.LIBRARIES


def distributed_by(source: SourceFile, nodes: Nodes) -> Finding | None:
    """What distributes TensorFlow is told by the frontend for Keras."""
    return None


def engine(source: SourceFile, nodes: Nodes) -> str:
    """As ``distributed_by``."""
    return ""


def trains(files: Sequence[SourceFile]) -> bool:
    """Whether the script, or a module of its own, trains in a loop, also beside ``fit``."""
    return keras.trains_in_loops(files) and not keras.runs_graphs(files)


def default_target(files: Sequence[SourceFile]) -> str:
    """Horovod: the engine that leaves loops as they are."""
    return "horovod"


def tapes(nodes: Nodes) -> list[ast.Call]:
    """The calls that make gradient tapes, wherever they stand."""
    return [
        n
        for n in nodes.of(ast.Call)
        if (n.func.attr if isinstance(n.func, ast.Attribute) else getattr(n.func, "id", "")) == "GradientTape"
    ]
