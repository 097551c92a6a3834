"""Epochs of ``fit``, ``evaluate`` and ``predict`` of Keras 2, and of loops over ``tf.data`` pipelines."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf
from tensorflow.python.data.ops import dataset_ops
from tensorflow.python.distribute import input_lib

from corro.verify.probe.fitting import epochs, pipelines
from corro.verify.probe.fitting.epochs import CALLS, Epoch
from corro.verify.probe.keras.engine import engine
from corro.verify.probe.keras.state import Weights
from corro.verify.probe.keras.tensors import joined, kept, replicas, rows
from corro.verify.probe.session import Session
from corro.verify.records import Pass

_LIBRARIES = tuple(f"{os.sep}{name}{os.sep}" for name in ("tensorflow", "keras", "tf_keras", "horovod"))
_LOOPS = 1000
"""Pipelines that a script iterates over by itself are counted from here."""


class Training(epochs.Training):
    """Where a process is in its data."""

    exhausted = (StopIteration, tf.errors.OutOfRangeError)

    def __init__(self, session: Session, weights: Weights) -> None:
        super().__init__(session)
        self.weights = weights
        self.model: Any = None
        self._handlers = 0
        self._looped: list[Any] = []

    def rows(self, batch: Any) -> list[int]:
        """See ``fitting``."""
        return rows(batch)

    def replicas(self, batch: Any) -> list[Any]:
        """See ``fitting``: those on the devices of a strategy."""
        return replicas(batch)

    def kept(self, batch: Any) -> Any:
        """See ``fitting``."""
        return kept(batch)

    def joined(self, batches: list[Any], *, reverse: bool = False) -> Any:
        """See ``fitting``."""
        return joined(batches, reverse=reverse)

    def replaced(self, batch: Any) -> None:
        """See ``fitting``."""
        self.weights.take_over(self.model, batch)

    def entered(self) -> None:
        """See ``fitting``."""
        self.weights.begin(None)

    def open_loop(self, data: Any) -> Pass:
        """Note that the script itself begins to iterate over a pipeline, or over what a strategy makes of it."""
        if isinstance(data, input_lib.DistributedDataset):
            self.session.record.averages = data._strategy.num_replicas_in_sync > 1
            data = data._original_dataset
        number = next((at for at, known in enumerate(self._looped) if known is data), len(self._looped))
        if number == len(self._looped):
            self._looped.append(data)
        graph, size = pipelines.graph(data), int(tf.data.experimental.cardinality(data).numpy())
        opened = Pass(
            loader=_LOOPS + number,
            data=-1,
            length=max(size, -1),
            batch_size=0,
            drop_last=False,
            shuffled=pipelines.shuffles(graph),
            line=self.session.line(),
            augmented=pipelines.augments(graph),
            endless=size == tf.data.INFINITE_CARDINALITY or _cut(data),
        )
        self.open(opened)
        self.model = None
        return opened

    def open_pass(self, handler: Any) -> Pass:
        """Note that an epoch begins."""
        if "_probe_number" not in handler.__dict__:
            handler._probe_number, self._handlers = self._handlers, self._handlers + 1
            handler._probe_steps = handler.inferred_steps
        steps = handler._probe_steps
        graph = pipelines.graph(handler._dataset)
        opened = Pass(
            loader=handler._probe_number,
            data=-1,
            length=-1 if steps is None else int(steps),
            batch_size=0,
            drop_last=False,
            shuffled=_shuffles(handler._adapter) or pipelines.shuffles(graph),
            line=self.session.line(),
            augmented=pipelines.augments(graph),
            endless=_endless(handler, steps),
        )
        self.open(opened)
        if self.fits:
            self.session.record.averages = tf.distribute.get_strategy().num_replicas_in_sync > 1
            self.model = handler._model
            self.weights.begin(handler._model)
        return opened


def install(session: Session, weights: Weights) -> Training:
    """Watch the calls that iterate over data."""
    training = Training(session, weights)
    model, handler = engine("engine.training").Model, engine("engine.data_adapter").DataHandler
    for name in CALLS:
        setattr(model, name, training.named(getattr(model, name), name))
    plain = handler.enumerate_epochs

    def enumerate_epochs(self: Any) -> Iterator[tuple[int, Any]]:
        for epoch, iterator in plain(self):
            seen = Epoch(iterator, training.open_pass(self), training, lambda: setattr(self, "_inferred_steps", None))
            training.epoch = seen if training.fits else training.epoch
            yield epoch, seen

    handler.enumerate_epochs = enumerate_epochs
    _map_in_turn(session)
    _make_in_turn(session)
    _untuned()
    _watch_loops(session, training)
    _enlarge(session, training)
    return training


def _map_in_turn(session: Session) -> None:
    """Side by side, calls of a function draw from its random numbers in another order each time."""
    plain = dataset_ops.DatasetV2.map

    @functools.wraps(plain)
    def map_in_turn(
        self: Any, map_func: Any, num_parallel_calls: Any = None, deterministic: Any = None, name: Any = None
    ) -> Any:
        if num_parallel_calls is None or _is_library(session, sys._getframe(1).f_code.co_filename):
            return plain(self, map_func, num_parallel_calls, deterministic, name)
        session.say("samples are mapped one after the other")
        return plain(self, map_func, name=name)

    dataset_ops.DatasetV2.map = map_in_turn


def _make_in_turn(session: Session) -> None:
    """Side by side, workers make batches that come, and draw random numbers, in another order each time."""
    adapters = engine("engine.data_adapter")
    for adapter in (adapters.GeneratorDataAdapter, adapters.KerasSequenceAdapter):
        adapter._handle_multiprocessing = _with_one_worker(adapter._handle_multiprocessing, session)


def _with_one_worker(plain: Callable[..., Any], session: Session) -> Callable[..., Any]:
    @functools.wraps(plain)
    def handle(self: Any, x: Any, workers: int, use_multiprocessing: bool, max_queue_size: int) -> Any:
        if workers > 1 or (workers and use_multiprocessing):
            session.say("batches are made one after the other")
        return plain(self, x, min(workers, 1), False, max_queue_size)

    return handle


def _untuned() -> None:
    """Pipelines do not tune themselves: a strategy's iterator that is dropped waits for the thread that tunes it.

    That thread may miss that it is to end, and sleep for up to a minute (TensorFlow 2.15, found with a debugger).
    """
    plain = dataset_ops.DatasetV2._apply_debug_options

    @functools.wraps(plain)
    def untuned(self: Any) -> Any:
        options = tf.data.Options()
        options.autotune.enabled = False
        return plain(self).with_options(options)

    dataset_ops.DatasetV2._apply_debug_options = untuned


def _watch_loops(session: Session, training: Training) -> None:
    """Pipelines that the script iterates over by itself, as loops with gradient tapes do."""
    for kind in (dataset_ops.DatasetV2, input_lib.DistributedDataset):
        kind.__iter__ = _begun(kind.__iter__, session, training)


def _begun(plain: Callable[[Any], Any], session: Session, training: Training) -> Callable[[Any], Any]:
    """An ``__iter__`` of pipelines whose batches are noted."""

    @functools.wraps(plain)
    def begin(self: Any) -> Any:
        caller = sys._getframe(1).f_code.co_filename
        if training.calls or not tf.executing_eagerly() or _is_library(session, caller):
            return plain(self)
        opened, replay = training.open_loop(self), session.replay
        recorded = replay.recorded(len(session.record.passes) - 1) if replay is not None else []
        if replay is not None and replay.following.weak and recorded and recorded[0].training:
            self = self.unbatch().batch(replay.size * _batch_size(self))
        seen = Epoch(plain(self), opened, training, lambda: None)
        training.epoch = seen
        return seen

    return begin


def _is_library(session: Session, file: str) -> bool:
    """Whether a file is TensorFlow's, Keras' or Horovod's; a script may lie in a folder that is called like them."""
    return not session.is_own(file) and any(each in file for each in _LIBRARIES)


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


def _endless(handler: Any, steps: Any) -> bool:
    """Whether an epoch is a number of steps from a stream that goes on, so that samples need not come once each."""
    adapter = type(handler._adapter).__name__
    if adapter in ("TensorLikeDataAdapter", "GenericArrayLikeDataAdapter"):
        return False
    if handler._steps_per_epoch is None:
        return _is_plain(handler._dataset) and _cut(handler._dataset)
    size = int(tf.data.experimental.cardinality(handler._dataset).numpy()) if _is_plain(handler._dataset) else -2
    return size != int(steps)


def _cut(data: Any) -> bool:
    """Whether the first elements of a longer shuffled stream are taken, so that chance decides which they are."""
    inputs = data._inputs()
    if "TakeDataset" in type(data).__name__ and pipelines.shuffles(pipelines.graph(inputs[0])):
        taken, there = (int(tf.data.experimental.cardinality(each).numpy()) for each in (data, inputs[0]))
        return taken != there
    return any(_cut(each) for each in inputs)


def _is_plain(data: Any) -> bool:
    return isinstance(data, tf.data.Dataset)
