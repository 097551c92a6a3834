"""Epochs of ``fit``, ``evaluate`` and ``predict``: which samples each batch has; in a reference, which it is to have.

Samples have no numbers here, as arrays and pipelines come already cut into shares: they are known by checksums. What
``fit`` is given is kept, and the reference is given the batches of all processes, one behind the other.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import tensorflow as tf
from tensorflow.python.data.ops import dataset_ops

from rueda.verify.probe.keras.engine import engine
from rueda.verify.probe.keras.state import Weights
from rueda.verify.probe.keras.tensors import joined, kept, replicas, rows
from rueda.verify.probe.session import Session, Stop
from rueda.verify.records import Pass

_LIBRARIES = tuple(f"{os.sep}{name}{os.sep}" for name in ("tensorflow", "keras", "tf_keras", "horovod"))
_CALLS = ("fit", "evaluate", "predict")
_NOISY = (b"RandomUniform", b"RandomNormal", b"TruncatedNormal", b"StatelessRandom", b"StatefulUniform", b"RngRead")
_LOOPS = 1000
"""Pipelines that a script iterates over by itself are counted from here."""

_SHUFFLES = (b"ShuffleDataset", b"ShuffleAndRepeat")


class Training:
    """Where a process is in its data.

    Attributes:
        current: the pass that gave the newest batch.
        batch: the samples of that batch.
        parts: in a reference, how many samples of it come from which process.
        shares: in a reference, the batches of the processes.
        begun: called when a batch is given.
        drawn: which random numbers were drawn since, that belong to no sample.
    """

    def __init__(self, session: Session, weights: Weights) -> None:
        self.session = session
        self.weights = weights
        self.calls: list[str] = []
        self.current: Pass | None = None
        self.batch: list[int] = []
        self.parts: list[int] = []
        self.shares: list[Any] = []
        self.begun: list[Callable[[], None]] = []
        self.drawn: Callable[[], str] = str
        self.model: Any = None
        self.epoch: _Epoch | None = None
        self._handlers = 0
        self._looped: list[Any] = []

    def read_on(self) -> None:
        """In a reference that was ended within an epoch, see which samples the rest of it would have had."""
        epoch = self.epoch
        if epoch is not None and self.session.replay is not None and self.session.settings.comparable:
            epoch.read_on()

    @property
    def fits(self) -> bool:
        """Whether what is iterated over is trained on, as far as that can be known: a loop of the script's own may."""
        return not self.calls or self.calls[-1] == "fit"

    def open_loop(self, data: Any) -> Pass:
        """Note that the script itself begins to iterate over a pipeline."""
        number = next((at for at, known in enumerate(self._looped) if known is data), len(self._looped))
        if number == len(self._looped):
            self._looped.append(data)
        graph, size = _graph(data), int(tf.data.experimental.cardinality(data).numpy())
        opened = Pass(
            loader=_LOOPS + number,
            data=-1,
            length=max(size, -1),
            batch_size=0,
            drop_last=False,
            shuffled=any(each in graph for each in _SHUFFLES),
            line=self.session.line(),
            augmented=any(each in graph for each in _NOISY),
            endless=size == tf.data.INFINITE_CARDINALITY,
        )
        self._check_limit(opened)
        self.session.record.passes.append(opened)
        self.model = None
        return opened

    def open_pass(self, handler: Any) -> Pass:
        """Note that an epoch begins."""
        if "_probe_number" not in handler.__dict__:
            handler._probe_number, self._handlers = self._handlers, self._handlers + 1
            handler._probe_steps = handler.inferred_steps
        steps = handler._probe_steps
        graph = _graph(handler._dataset)
        opened = Pass(
            loader=handler._probe_number,
            data=-1,
            length=-1 if steps is None else int(steps),
            batch_size=0,
            drop_last=False,
            shuffled=_shuffles(handler._adapter) or any(each in graph for each in _SHUFFLES),
            line=self.session.line(),
            augmented=any(each in graph for each in _NOISY),
            endless=_endless(handler, steps),
        )
        self._check_limit(opened)
        self.session.record.passes.append(opened)
        if self.fits:
            self.session.record.averages = tf.distribute.get_strategy().num_replicas_in_sync > 1
            self.model = handler._model
            self.weights.begin(handler._model)
        return opened

    def _check_limit(self, opened: Pass) -> None:
        """End the run where it has made its epochs."""
        limit = self.session.settings.epochs
        trained = [each for each in self.session.record.passes if each.training]
        if limit and self.fits and len(trained) >= limit and any(each.loader == opened.loader for each in trained):
            raise Stop

    def give(self, opened: Pass, batch: list[int], parts: list[int]) -> None:
        """A batch reaches the script."""
        self.current, self.batch, self.parts = opened, batch, parts
        for each in self.begun:
            each()
        self.session.beat()


class _Epoch:
    """An iterator over batches that notes them, and in a reference gives others."""

    def __init__(self, iterator: Any, opened: Pass, training: Training, handler: Any) -> None:
        self._iterator = iterator
        self._handler = handler
        self._opened = opened
        self._training = training
        self._number = len(training.session.record.passes) - 1

    def __iter__(self) -> _Epoch:
        return self

    def __next__(self) -> Any:
        opened, training = self._opened, self._training
        if self._handler is None and not opened.batches:  # an iterator may be made before the weights are there
            training.weights.begin(None)
        try:
            batch = next(self._iterator)
        except (StopIteration, tf.errors.OutOfRangeError):
            opened.ended = True
            raise
        if self._unlike(batch):
            return batch
        shares = replicas(batch)
        opened.batches.append([row for share in shares for row in rows(share)])
        opened.batch_size = max(opened.batch_size, len(opened.batches[-1]))
        batch, parts = self._replayed(batch, shares)
        opened.ended = opened.ended or len(opened.batches) == opened.length
        if parts is not None:
            training.weights.take_over(training.model, batch)
        training.give(opened, opened.batches[-1] if parts is None else rows(batch), parts or [])
        return batch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._iterator, name)

    def read_on(self) -> None:
        """Note all samples of an epoch that was not ended."""
        opened = self._opened
        if opened.ended or opened.length < 0:
            return
        rest = islice(self._iterator, opened.length - len(opened.batches))
        samples = [*opened.batches, *(rows(share) for batch in rest for share in replicas(batch))]
        opened.drawn = [each for batch in samples for each in batch]

    def _unlike(self, batch: Any) -> bool:
        """Whether these are no batches: single samples, numbers."""
        return not rows(batch) if not self._training.calls else False

    def _replayed(self, natural: Any, shares: list[Any]) -> tuple[Any, list[int] | None]:
        """In a reference, the batch that the processes had together, and how many samples each had."""
        session, given = self._training.session, len(self._opened.batches) - 1
        replay = session.replay
        if not session.settings.comparable or not self._training.fits:
            return natural, None
        if replay is None:
            with (session.folder / f"batch.{self._number}.{given}").open("wb") as file:
                pickle.dump([kept(each) for each in shares], file)
            return natural, None
        recorded = replay.recorded(self._number)
        if not recorded or not recorded[0].training:
            return natural, None
        files = [Path(each.folder, f"batch.{self._number}.{given}") for each in replay.ranks]
        present = [share for path in files if path.exists() for share in pickle.loads(path.read_bytes())]
        if not present:  # the processes made fewer steps: the epoch ends, but not the training
            if self._handler is not None:
                self._handler._inferred_steps = None
            self._opened.ended = True
            raise StopIteration
        self._training.shares = [joined([each]) for each in present]
        batch = joined(present, reverse=replay.following.reverse)
        return batch, [len(rows(each)) for each in present]


def install(session: Session, weights: Weights) -> Training:
    """Watch the calls that iterate over data."""
    training = Training(session, weights)
    model, handler = engine("engine.training").Model, engine("engine.data_adapter").DataHandler
    for name in _CALLS:
        setattr(model, name, _named(getattr(model, name), name, training))
    plain = handler.enumerate_epochs

    def enumerate_epochs(self: Any) -> Iterator[tuple[int, Any]]:
        for epoch, iterator in plain(self):
            seen = _Epoch(iterator, training.open_pass(self), training, self)
            training.epoch = seen if training.fits else training.epoch
            yield epoch, seen

    handler.enumerate_epochs = enumerate_epochs
    _watch_loops(session, training)
    _enlarge(session, training)
    session.at_end.append(training.read_on)
    return training


def _watch_loops(session: Session, training: Training) -> None:
    """Pipelines that the script iterates over by itself, as loops with gradient tapes do."""
    kind = dataset_ops.DatasetV2
    plain = kind.__iter__

    @functools.wraps(plain)
    def begin(self: Any) -> Any:
        caller = sys._getframe(1).f_code.co_filename
        if training.calls or not tf.executing_eagerly() or any(each in caller for each in _LIBRARIES):
            return plain(self)
        opened, replay = training.open_loop(self), session.replay
        recorded = replay.recorded(len(session.record.passes) - 1) if replay is not None else []
        if replay is not None and replay.following.weak and recorded and recorded[0].training:
            self = self.unbatch().batch(replay.size * _batch_size(self))
        seen = _Epoch(plain(self), opened, training, None)
        training.epoch = seen
        return seen

    kind.__iter__ = begin


def _named(plain: Callable[..., Any], name: str, training: Training) -> Callable[..., Any]:
    @functools.wraps(plain)
    def call(*args: Any, **kwargs: Any) -> Any:
        training.calls.append(name)
        try:
            return plain(*args, **kwargs)
        finally:
            training.calls.pop()

    return call


def _enlarge(session: Session, training: Training) -> None:
    """With weak scaling the reference's batches are N times as big."""
    handler = engine("engine.data_adapter").DataHandler
    made = handler.__init__

    @functools.wraps(made)
    def make(self: Any, x: Any, y: Any = None, **kwargs: Any) -> None:
        replay = session.replay
        trained = training.fits and "class_weight" in kwargs  # fit also makes what it validates on
        if trained and replay is not None and replay.following.weak:
            if kwargs.get("steps_per_epoch"):
                kwargs["steps_per_epoch"] //= replay.size
            if isinstance(x, tf.data.Dataset):
                x = x.unbatch().batch(replay.size * _batch_size(x))
            else:
                kwargs["batch_size"] = replay.size * (kwargs.get("batch_size") or 32)
        made(self, x, y, **kwargs)

    handler.__init__ = make


def _batch_size(data: Any) -> int:
    return next((len(rows(batch)) for batch in data.take(1)), 1)


def _shuffles(adapter: Any) -> bool:
    """Whether arrays, or a sequence of batches, are given in another order each epoch."""
    return bool(getattr(adapter, "_shuffle", False) or getattr(adapter, "_shuffle_sequence", False))


def _graph(data: Any) -> bytes:
    """The operations that make the batches; none where they cannot be written down."""
    with contextlib.suppress(Exception):
        return bytes(data._as_serialized_graph().numpy())
    return b""


def _endless(handler: Any, steps: Any) -> bool:
    """Whether an epoch is a number of steps from a stream that goes on, so that samples need not come once each."""
    adapter = type(handler._adapter).__name__
    if handler._steps_per_epoch is None or adapter in ("TensorLikeDataAdapter", "GenericArrayLikeDataAdapter"):
        return False
    size = int(tf.data.experimental.cardinality(handler._dataset).numpy()) if _is_plain(handler._dataset) else -2
    return size != int(steps)


def _is_plain(data: Any) -> bool:
    return isinstance(data, tf.data.Dataset)
