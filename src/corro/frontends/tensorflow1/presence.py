"""Before any analysis: does this script train with a session, or with an estimator?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.keras import presence as keras

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.changes import Finding
    from corro.source import Nodes, SourceFile

TITLE = "TensorFlow 1"
SIGN = "a tf.Session"
LIBRARIES = keras.LIBRARIES


def distributed_by(source: SourceFile, nodes: Nodes) -> Finding | None:
    """What distributes TensorFlow is told by the frontend for Keras."""
    return None


def engine(source: SourceFile, nodes: Nodes) -> str:
    """As ``distributed_by``."""
    return ""


def trains(files: Sequence[SourceFile]) -> bool:
    """Whether the script, or a module of its own, trains in graphs and never with ``fit`` or a tape."""
    return keras.trains_in_loops(files) and keras.runs_graphs(files)


def default_target(files: Sequence[SourceFile]) -> str:
    """Horovod: the one engine that leaves sessions as they are."""
    return "horovod"
