"""The sites of a script that runs a graph in sessions of TensorFlow 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy import fits
from corro.classes import dataclass

if TYPE_CHECKING:
    import ast
    from collections.abc import Mapping


@dataclass(frozen=True, eq=False)
class RunSite:
    """A call that computes parts of the graph: ``session.run(fetches, feed_dict)``, ``tensor.eval(feed_dict)``.

    Args:
        node: the call.
        fetches: the expressions that are fetched, one by one; ``None`` where they are not written there.
        given: the expression for what is fed.
        feed: the dict display with what is fed; ``None`` where there is none.
        opaque: something is fed that is not written as a dict.
        trains: it makes a training step, for which each process feeds its shard of the batch.
        initialises: it gives all variables their first values.
        named: the calls that may have made what is fetched or fed by its name, by the text that stands there.
    """

    node: ast.Call
    fetches: tuple[ast.expr, ...] | None
    given: ast.expr | None
    feed: ast.Dict | None
    opaque: bool
    trains: bool
    initialises: bool
    named: Mapping[str, tuple[ast.Call, ...]]


@dataclass(frozen=True, eq=False)
class SessionAnatomy(fits.Anatomy):
    """All sites of a script of TensorFlow 1.

    Args:
        runs: the calls that compute parts of the graph.
        sessions: the calls that make plain sessions.
        monitored: the calls that make monitored sessions.
        updates: the calls by which optimizers compute gradients: ``minimize``, ``compute_gradients``.
        gradients: calls of ``tf.gradients`` for variables.
        placeholders: the calls that make placeholders.
        sizes: where the numbers come from that say how many samples a batch is to have.
    """

    runs: tuple[RunSite, ...]
    sessions: tuple[ast.Call, ...]
    monitored: tuple[ast.Call, ...]
    updates: tuple[ast.Call, ...]
    gradients: tuple[ast.Call, ...]
    placeholders: tuple[ast.Call, ...]
    sizes: frozenset[int]
