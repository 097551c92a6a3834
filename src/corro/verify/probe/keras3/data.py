"""Epochs of ``fit``, ``evaluate`` and ``predict`` of Keras 3 on JAX."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from keras.src.backend.jax.trainer import JAXTrainer
from keras.src.trainers.epoch_iterator import EpochIterator

from corro.verify.probe.fitting import epochs, pipelines
from corro.verify.probe.fitting.epochs import CALLS, Epoch
from corro.verify.probe.keras3.state import Weights
from corro.verify.probe.keras3.tensors import joined, kept, rows
from corro.verify.probe.session import Session
from corro.verify.records import Pass

_ARRAYS = "ArrayDataAdapter"


class Training(epochs.Training):
    """Where a process is in its data.

    Attributes:
        building: whether a batch is only looked at, to see its shape.
    """

    def __init__(self, session: Session, weights: Weights) -> None:
        super().__init__(session)
        self.weights = weights
        self.building = 0
        self._models: list[Any] = []
        self._iterators: list[Any] = []

    def rows(self, batch: Any) -> list[int]:
        """See ``fitting``."""
        return rows(batch)

    def kept(self, batch: Any) -> Any:
        """See ``fitting``."""
        return kept(batch)

    def joined(self, batches: list[Any], *, reverse: bool = False) -> Any:
        """See ``fitting``: random numbers belong to a place in the batch, so where there are any, samples keep it."""
        replay = self.session.replay
        placed = replay is not None and bool(replay.ranks[0].noisy) and self.session.settings.comparable
        return joined(batches, reverse=reverse and not placed)

    def of_model(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        """A method that iterates over data; see ``named``."""
        watched = self.named(plain, name)

        @functools.wraps(plain)
        def call(model: Any, *args: Any, **kwargs: Any) -> Any:
            self._models.append(model)
            try:
                return watched(model, *args, **kwargs)
            finally:
                self._models.pop()

        return call

    def only_built(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A method that looks at one batch to see what shapes a model has."""

        @functools.wraps(plain)
        def build(*args: Any, **kwargs: Any) -> Any:
            self.building += 1
            try:
                return plain(*args, **kwargs)
            finally:
                self.building -= 1

        return build

    def open_pass(self, iterator: Any) -> Pass:
        """Note that an epoch begins."""
        number = next((at for at, known in enumerate(self._iterators) if known is iterator), len(self._iterators))
        if number == len(self._iterators):
            self._iterators.append(iterator)
        adapter, length = iterator.data_adapter, iterator.num_batches
        graph = pipelines.graph(getattr(adapter, "_dataset", None))
        opened = Pass(
            loader=number,
            data=-1,
            length=-1 if length is None else int(length),
            batch_size=0,
            drop_last=False,
            shuffled=_shuffles(adapter) or pipelines.shuffles(graph),
            line=self.session.line(),
            augmented=pipelines.augments(graph),
            endless=_endless(iterator),
        )
        self.open(opened)
        if self.fits:
            self.weights.begin(self._models[-1])
            if self.session.settings.comparable:
                self.weights.take_over(self._models[-1], None)
        return opened


def install(session: Session, weights: Weights) -> Training:
    """Watch the calls that iterate over data."""
    training = Training(session, weights)
    for name in CALLS:
        setattr(JAXTrainer, name, training.of_model(getattr(JAXTrainer, name), name))
    JAXTrainer._symbolic_build = training.only_built(JAXTrainer._symbolic_build)
    plain = EpochIterator._enumerate_iterator

    def enumerate_iterator(self: Any) -> Iterator[tuple[int, int, Any]]:
        if training.building or not training.calls:
            yield from plain(self)
            return
        opened, seen = training.open_pass(self), None
        for first, last, iterator in plain(self):
            if seen is None:
                seen = Epoch(iterator, opened, training, lambda: setattr(self, "_num_batches", None))
                training.epoch = seen if training.fits else training.epoch
            yield first, last, seen

    EpochIterator._enumerate_iterator = enumerate_iterator
    return training


def _shuffles(adapter: Any) -> bool:
    """Whether arrays, or batches of the script's own, are given in another order each epoch."""
    sampler = type(getattr(getattr(adapter, "_dataloader", None), "sampler", None)).__name__
    return bool(getattr(adapter, "_shuffle", False) or getattr(adapter, "shuffle", False)) or sampler == "RandomSampler"


def _endless(iterator: Any) -> bool:
    """Whether an epoch is a number of steps from a stream that goes on, so that samples need not come once each."""
    adapter = iterator.data_adapter
    if not iterator.steps_per_epoch or type(adapter).__name__ == _ARRAYS:
        return False
    return bool(adapter.num_batches != iterator.steps_per_epoch)
