"""Which samples a run of a session has: those that it is fed, and those that its graph takes from iterators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from corro.verify.probe.fitting import arrays, epochs, pipelines
from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.session import Session
from corro.verify.records import Pass

Batch = Mapping[str, Array]
"""Arrays of as many samples, by the names of the tensors that take them."""

_EVALUATIONS = 1000
"""All runs that do not train are counted as one pass over this loader."""


class Training(epochs.Training):
    """The runs of a process. Those of a training step are a pass; so are all that take from an iterator."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._numbers: dict[object, int] = {}
        self._evaluations = Pass(_EVALUATIONS, -1, -1, 0, drop_last=False, shuffled=False, fed=True)
        session.at_end.append(self._end)

    def rows(self, batch: Batch) -> list[int]:
        """See ``fitting``."""
        return arrays.rows(batch[name] for name in sorted(batch))

    def kept(self, batch: Batch) -> Batch:
        """See ``fitting``."""
        return dict(batch)

    def joined(self, batches: list[Batch], *, reverse: bool = False) -> Batch:
        """See ``fitting``."""
        names = [name for name in batches[0] if all(name in each for each in batches)]
        return {name: arrays.joined([each[name] for each in batches], reverse=reverse) for name in names}

    def opened(self, key: object, graph: Any, *, takes: bool) -> tuple[int, Pass]:
        """The pass that a run belongs to, and its number among all.

        Args:
            key: what such runs have in common: their training step, or the iterators they take from.
            graph: of the session.
            takes: whether the graph takes the batch from an iterator.
        """
        if key not in self._numbers:
            self._numbers[key] = len(self.session.record.passes)
            shuffled, augmented = (takes and each for each in _pipelines(graph))
            self.open(
                Pass(
                    loader=len(self._numbers) - 1,
                    data=-1,
                    length=-1,
                    batch_size=0,
                    drop_last=False,
                    shuffled=shuffled,
                    line=self.session.line(),
                    augmented=augmented,
                    endless=shuffled or augmented,
                    fed=not (shuffled or augmented),
                )
            )
        number = self._numbers[key]
        return number, self.session.record.passes[number]

    def evaluated(self, batch: Batch) -> None:
        """A run that does not train is fed samples."""
        seen = self._evaluations
        seen.line = seen.line or self.session.line()
        seen.batches.append(self.rows(batch))

    def _end(self) -> None:
        record = self.session.record
        for number in self._numbers.values():
            record.passes[number].ended = not record.stopped
        if self._evaluations.batches:
            self._evaluations.ended = not record.stopped
            record.passes.append(self._evaluations)


def batch_of(graph: Any, feeds: Mapping[Any, Any]) -> Batch:
    """What a run is fed for each sample; nothing where that cannot be told.

    Placeholders whose first dimension is open take batches. Of several sizes the commonest is that of the batch.
    """
    fed = {}
    for each, value in feeds.items():
        tensor = element(graph, each)
        if tensor is None:
            return {}
        plain = np.asarray(value, tensor.dtype.as_numpy_dtype)
        if plain.ndim and (tensor.shape.dims is None or tensor.shape.dims[0].value is None):
            fed[tensor.name] = plain
    sizes = Counter(len(each) for each in fed.values())
    size = max(sizes, key=lambda each: (sizes[each], each), default=0)
    return {name: each for name, each in fed.items() if len(each) == size}


def element(graph: Any, fed: Any) -> Any:
    """The tensor that is meant by a key of what is fed, which may be its name; None where it is several."""
    try:
        return graph.as_graph_element(fed, allow_operation=False)
    except (TypeError, ValueError, KeyError):
        return None


def _pipelines(graph: Any) -> tuple[bool, bool]:
    """Whether a graph has pipelines that shuffle, and functions of pipelines that draw random numbers."""
    described = graph.as_graph_def()
    mapped = described.library.SerializeToString()
    return pipelines.shuffles(described.SerializeToString()), pipelines.augments(mapped)
