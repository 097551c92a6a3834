"""TensorFlow 1: a step is a run of a session that comes to where an optimizer applies gradients in the graph.

Its samples are what it is fed, or what its graph takes from iterators. Of these the graph is asked for their length,
by operations that are added once the first step is about to run: what the script has made by then keeps the seeds that
TensorFlow draws from the number of operations in front of it.
"""

from __future__ import annotations

import functools
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from corro.bench.meter.clock import Meter
from corro.classes import dataclass
from corro.verify.probe.imports import after_import

_SESSIONS = "tensorflow.python.client.session"
_TAKES = "IteratorGetNext"
_MAKES = "MakeIterator"


@dataclass(frozen=True)
class Reach:
    """What a run comes to in its graph.

    Args:
        trains: whether gradients are applied.
        begins: whether a pass of an iterator over its data begins.
        length: of the batch that is taken from an iterator; ``None`` where none is.
    """

    trains: bool
    begins: bool = False
    length: Any = None


class Runs:
    """The runs of sessions of a process."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._applied: weakref.WeakKeyDictionary[Any, set[str]] = weakref.WeakKeyDictionary()
        self._known: weakref.WeakKeyDictionary[Any, dict[object, Reach]] = weakref.WeakKeyDictionary()

    def applies(self, operation: Any) -> None:
        """An operation of a graph applies gradients."""
        graph, name = getattr(operation, "graph", None), getattr(operation, "name", None)
        if graph is not None and name is not None:
            self._applied.setdefault(graph, set()).add(name)

    def watched(self, module: ModuleType) -> None:
        """Watch all sessions."""
        plain = module.BaseSession.run

        @functools.wraps(plain)
        def run(
            session: Any, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
        ) -> Any:
            if session.graph not in self._applied or self._meter.inside:
                return plain(session, fetches, feed_dict, options, run_metadata)
            reach = self._reach(module, session.graph, fetches, feed_dict or {})
            if not reach.trains:
                self._meter.aside(begins=reach.begins)
                return plain(session, fetches, feed_dict, options, run_metadata)
            extra = [] if reach.length is None else [reach.length]
            given, lengths = plain(session, (fetches, extra), feed_dict, options, run_metadata)
            self._meter.gave(int(lengths[0]) if lengths else fed(session.graph, feed_dict or {}))
            self._meter.stepped()
            return given

        module.BaseSession.run = run

    def _reach(self, module: ModuleType, graph: Any, fetches: Any, feeds: Mapping[Any, Any]) -> Reach:
        try:
            handler = module._FetchHandler(graph, fetches, {})
            cut = frozenset(each.name for each in (_element(graph, key) for key in feeds) if each is not None)
        except (TypeError, ValueError, KeyError, RuntimeError):
            return Reach(trains=False)  # what is wrong with it TensorFlow says itself
        wanted = [*(each.op for each in handler.fetches()), *handler.targets()]
        key = (tuple(each.name for each in wanted), cut)
        known = self._known.setdefault(graph, {})
        if key not in known:
            known[key] = self._looked_up(graph, wanted, cut)
        return known[key]

    def _looked_up(self, graph: Any, wanted: Iterable[Any], cut: frozenset[str]) -> Reach:
        found = sorted(_behind(wanted, cut), key=lambda each: str(each.name))
        trains = any(each.name in self._applied[graph] for each in found)
        taken = [each for each in found if each.type.startswith(_TAKES)]
        begins = any(each.type == _MAKES for each in found)
        return Reach(trains, begins, _length(graph, taken[0]) if trains and taken else None)


def install(meter: Meter) -> Runs:
    """Watch sessions once they are imported."""
    runs = Runs(meter)
    after_import(_SESSIONS, runs.watched)
    return runs


def _behind(wanted: Iterable[Any], cut: frozenset[str]) -> Iterator[Any]:
    """All operations that some depend on, with them; what is fed is not computed."""
    open_, seen = list(wanted), set()
    while open_:
        each = open_.pop()
        if each.name not in seen:
            seen.add(each.name)
            yield each
            open_ += [tensor.op for tensor in each.inputs if tensor.name not in cut]
            open_ += each.control_inputs


def _length(graph: Any, operation: Any) -> Any:
    """The length of what an operation takes; ``None`` where it has none."""
    taken = operation.outputs[0]
    if taken.shape.rank == 0 or not taken.dtype.is_numpy_compatible:
        return None
    finalized = graph.finalized
    if finalized:
        graph._unsafe_unfinalize()
    try:
        with (
            graph.as_default(),
            graph.device("/CPU:0"),
            graph.name_scope("corro_meter"),
            graph.control_dependencies(None),
        ):
            return import_module("tensorflow").shape(taken)[0]
    finally:
        if finalized:
            graph.finalize()


def fed(graph: Any, feeds: Mapping[Any, Any]) -> int | None:
    """How many samples a run is fed; ``None`` where that cannot be told.

    Placeholders whose first dimension is open take batches. Of several sizes the commonest is that of the batch. Where
    none is open, all are of that size whose first dimension is fixed.
    """
    open_: list[int] = []
    fixed: list[int] = []
    for key, value in feeds.items():
        tensor = _element(graph, key)
        shape = getattr(value, "shape", None)
        size = (int(shape[0]) if shape else 0) if shape is not None else _len(value)
        if tensor is None or not size:
            continue
        dims = tensor.shape.dims
        (open_ if dims is None or (dims and dims[0].value is None) else fixed).append(size)
    sizes = Counter(open_ or fixed)
    return max(sizes, key=lambda each: (sizes[each], each), default=None)


def _len(value: Any) -> int:
    return len(value) if isinstance(value, (list, tuple)) else 0


def _element(graph: Any, key: Any) -> Any:
    """The tensor that is meant by a key of what is fed, which may be its name; None where it is several."""
    try:
        return graph.as_graph_element(key, allow_operation=False)
    except (TypeError, ValueError, KeyError):
        return None
