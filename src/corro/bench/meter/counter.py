"""Counts of what ``fit`` trains with, made where batches are taken: in the graph of TensorFlow's train functions.

An array, a pipeline, a generator and a strategy's parts of a batch all come through ``next`` of an iterator, which is
called once, while the function is traced. So the graph is given one more operation, which adds the length of each batch
to a variable: the steps of one call are counted with it, and no process sees what another is given. What evaluates has
functions of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from corro.verify.probe.imports import after_import

_ITERATORS = {
    "tensorflow.python.data.ops.iterator_ops": "OwnedIterator",
    "tensorflow.python.distribute.input_lib": "DistributedIteratorBase",
}


class Counter:
    """The steps and the samples of train functions, of this process alone."""

    def __init__(self) -> None:
        self.late = False
        """Whether what is taken is added when a step is complete: nothing of the user's may stand behind it then, as
        TensorFlow draws the seeds of operations from the number of those in front of them."""
        self._training = 0
        self._taking = 0
        self._taken: list[Any] = []
        self._variable: Any = None
        self._eager = [0, 0]
        self._told = (0, 0)

    def install(self) -> None:
        """Watch TensorFlow's iterators once they are imported."""
        for name, kind in _ITERATORS.items():
            after_import(name, lambda module, kind=kind: self._watch(getattr(module, kind)))  # type: ignore[misc]

    def train(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A train function of TensorFlow whose batches are counted."""

        @functools.wraps(plain)
        def train(*args: Any, **kwargs: Any) -> Any:
            self._training += 1
            try:
                return plain(*args, **kwargs)
            finally:
                self._training -= 1
                self._taken.clear()

        return train

    def complete(self) -> None:
        """A step is: add what it has taken."""
        while self._taken:
            self._add(*self._taken.pop())

    def given(self, batches: Iterator[Any]) -> Iterator[Any]:
        """The same batches of Python, counted."""
        for batch in batches:
            self._count(length(batch))
            yield batch

    def since(self) -> tuple[int, int]:
        """Steps and samples since this was last asked for."""
        made = self._eager
        if self._variable is not None:
            made = [a + b for a, b in zip(made, self._variable.numpy().tolist(), strict=True)]
        steps, samples = (now - before for now, before in zip(made, self._told, strict=True))
        self._told = (made[0], made[1])
        return steps, samples

    def _watch(self, iterator: Any) -> None:
        for name in ("__next__", "get_next", "get_next_as_optional"):
            setattr(iterator, name, self._take(getattr(iterator, name), optional=name.endswith("optional")))

    def _take(self, plain: Callable[..., Any], *, optional: bool) -> Callable[..., Any]:
        @functools.wraps(plain)
        def take(*args: Any, **kwargs: Any) -> Any:
            self._taking += 1
            try:
                batch = plain(*args, **kwargs)
            finally:
                self._taking -= 1
            if self._training and not self._taking:  # a distributed iterator takes from those of its replicas
                self._taken.append((batch, optional))
                if not self.late:
                    self.complete()
            return batch

        return take

    def _count(self, samples: int | None) -> None:
        if samples is not None:
            self._eager[0] += 1
            self._eager[1] += samples

    def _add(self, batch: Any, optional: bool) -> None:
        tf = import_module("tensorflow")
        if optional:
            none = tf.zeros(2, tf.int64)
            added = tf.cond(batch.has_value(), lambda: _one_step(tf, batch.get_value()), lambda: none)
        else:
            added = _one_step(tf, batch)
        if tf.executing_eagerly():
            self._eager = [a + b for a, b in zip(self._eager, added.numpy().tolist(), strict=True)]
            return
        with tf.device("/CPU:0"):
            if self._variable is None:
                with tf.init_scope():
                    self._variable = _plain_variable(tf)
            self._variable.assign_add(added)


def _plain_variable(tf: ModuleType) -> Any:
    """A variable that no strategy knows: it would have one on each replica."""
    kind = import_module("tensorflow.python.ops.resource_variable_ops").ResourceVariable
    return kind(tf.zeros(2, tf.int64), trainable=False, name="corro_meter")


def _one_step(tf: ModuleType, batch: Any) -> Any:
    """One, and the samples of the batch on all replicas of this process; nothing where these cannot be told."""
    first = next((each for each in tf.nest.flatten(batch) if each is not None), None)
    sizes = [
        _rows(tf, each) for each in (first.values if isinstance(first, tf.distribute.DistributedValues) else [first])
    ]
    if any(each is None for each in sizes):
        return tf.zeros(2, tf.int64)
    return tf.stack([tf.constant(1, tf.int64), tf.add_n(sizes)])


def _rows(tf: ModuleType, tensor: Any) -> Any:
    """The length of a tensor, computed from it: where there is none any more, nothing is added."""
    if isinstance(tensor, tf.RaggedTensor):
        return tf.cast(tensor.nrows(), tf.int64)
    if isinstance(tensor, tf.SparseTensor):
        return tensor.dense_shape[0]
    if not tf.is_tensor(tensor) or tensor.shape.rank == 0:
        return None
    with tf.control_dependencies([tensor]):
        return tf.shape(tensor, tf.int64)[0]


def length(batch: Any) -> int | None:
    """The samples of a batch of arrays, by the first of them; ``None`` where that does not say it."""
    while isinstance(batch, (list, tuple, dict)):
        found = (each for each in (batch.values() if isinstance(batch, dict) else batch) if each is not None)
        batch = next(found, None)
    shape = getattr(batch, "shape", None)
    if not shape or shape[0] is None:
        return None
    return int(shape[0]) if getattr(batch, "is_fully_addressable", True) else _own_part(int(shape[0]))


def _own_part(samples: int) -> int:
    """Of an array of JAX that all processes have together: with the parts of the others it is the whole."""
    jax = import_module("jax")
    number, processes = jax.process_index(), jax.process_count()
    return int(samples * (number + 1) // processes - samples * number // processes)
