"""Random numbers of a graph. On ranks and reference alike dropout is off and other noise belongs to samples.

Noise that belongs to no sample cannot be equal on N processes and one: it is noted with the step that it went into.
Whether noise *differs* between ranks, as it should, is seen in the seed of the graph as training begins.
"""

from __future__ import annotations

import functools
import random
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.python.framework import ops
from tensorflow.python.ops import gen_random_ops, nn_ops, script_ops

from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.session import Session
from corro.verify.probe.tensorflow1.feeds import Training

_ROWS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Array]] = {
    "random_uniform": lambda numbers, shape: numbers.random(shape),
    "random_standard_normal": lambda numbers, shape: numbers.standard_normal(shape),
    "truncated_normal": lambda numbers, shape: np.clip(numbers.standard_normal(shape), -2, 2),
}


class Drawn:
    """Random numbers that runs draw.

    Attributes:
        ties: the operations that tie noise to samples, by their names.
        free: the kinds that belong to no sample, of the run that is being made.
    """

    def __init__(self, session: Session, training: Training) -> None:
        self._session = session
        self._training = training
        self.ties: set[str] = set()
        self.free: list[str] = []
        self._watches = False

    def tied(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        """An operation whose numbers are those of the samples, in a run that has one row for each."""

        @functools.wraps(plain)
        def draw(*args: Any, **kwargs: Any) -> Any:
            made = plain(*args, **kwargs)
            if tf.executing_eagerly() or tf.get_default_graph().building_function:
                return made
            place = len(self.ties)
            with tf.device("/cpu:0"):
                rows = functools.partial(self._rows, name, place)
                tied = script_ops.py_func_common(rows, [made], made.dtype, name="probe_of_noise")
            tied.set_shape(made.shape)
            self.ties.add(tied.op.name)
            return tied

        return draw

    @contextmanager
    def watched(self, trains: bool) -> Iterator[None]:
        """While a run lasts; what is drawn in one that does not train, such as first values of weights, is no noise."""
        self.free, self._watches = [], trains
        try:
            yield
        finally:
            self._watches = False

    def _rows(self, name: str, place: int, made: Array) -> Array:
        """Called by TensorFlow: numbers that were drawn, or those of the samples."""
        batch, session = self._training.batch, self._session
        if not self._watches:
            return made
        session.noisy("numbers")
        if not session.settings.comparable:
            return made
        if not made.ndim or len(made) != len(batch):
            self.free.append(name)
            return made
        session.say("random numbers with a row for each sample are seeded by the content of the sample")
        generators = (np.random.default_rng((session.settings.seed, place, each)) for each in batch)
        return np.stack([_ROWS[name](each, made.shape[1:]) for each in generators]).astype(made.dtype)


def install(session: Session, training: Training) -> Drawn:
    """Note noise, and where runs are to be compared, pin it."""
    seed = session.settings.seed + session.record.rank
    random.seed(seed)
    np.random.seed(seed)
    _seed_graphs(seed)
    _watch_dropout(session)
    drawn = Drawn(session, training)
    for name in _ROWS:
        setattr(gen_random_ops, name, drawn.tied(getattr(gen_random_ops, name), name))
    training.begun.append(lambda: _note_seed(session))
    return drawn


def _seed_graphs(seed: int) -> None:
    """A graph that is given no seed draws other numbers in each run."""
    plain = ops.Graph.__init__

    @functools.wraps(plain)
    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        if self._seed is None:
            self._seed = seed

    ops.Graph.__init__ = make


def _note_seed(session: Session) -> None:
    if not session.record.steps:
        session.record.noise = {"tensorflow": zlib.crc32(repr(tf.get_default_graph().seed).encode())}


def _watch_dropout(session: Session) -> None:
    """It is made as ever, so that seeds stay, and passed by."""
    plain = nn_ops._dropout

    @functools.wraps(plain)
    def dropout(x: Any, rate: Any, *args: Any, **kwargs: Any) -> Any:
        made = plain(x, rate, *args, **kwargs)
        session.noisy("dropout")
        if not session.settings.comparable:
            return made
        session.say("dropout is off")
        return tf.identity(x)

    nn_ops._dropout = dropout
