"""Random numbers. On ranks and reference alike dropout is off and other noise belongs to samples, so it is equal.

Noise that belongs to no sample cannot be equal on N processes and one: it is noted with the step that it went into.
Whether noise *differs* between ranks, as it should, is seen in the seeds of their layers as training begins.
"""

from __future__ import annotations

import functools
import random
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import context
from tensorflow.python.ops import gen_random_ops, gen_stateful_random_ops

from corro.verify.probe.keras.data import Training
from corro.verify.probe.keras.engine import engine
from corro.verify.probe.session import Session

_ROWS = {
    "random_uniform": lambda shape, seed, dtype: tf.random.stateless_uniform(shape, seed, dtype=dtype),
    "random_standard_normal": lambda shape, seed, dtype: tf.random.stateless_normal(shape, seed, dtype=dtype),
    "truncated_normal": lambda shape, seed, dtype: tf.random.stateless_truncated_normal(shape, seed, dtype=dtype),
}
_OTHERS = (
    (gen_random_ops, ("random_uniform_int", "random_shuffle", "random_gamma", "multinomial", "random_poisson_v2")),
    (gen_stateful_random_ops, ("rng_read_and_skip", "stateful_uniform", "stateful_standard_normal_v2")),
)


def install(session: Session, training: Training) -> None:
    """Note noise, and where runs are to be compared, pin it."""
    seed = session.settings.seed + session.record.rank
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    training.begun.append(lambda: _note_seeds(session, training))
    _watch_dropout(session, training)
    draws = Draws(session, training)
    draws.install()
    if session.settings.comparable and session.replay is not None:
        _split_batch_norm(session, training)


def _note_seeds(session: Session, training: Training) -> None:
    """What noise depends on: the seed of all of it, and those of layers, drawn as these are made."""
    if session.record.steps or not training.fits:
        return
    models = [training.model] if training.model is not None else training.weights.models
    layers = [layer for model in models if hasattr(model, "_flatten_layers") for layer in model._flatten_layers()]
    generators = [vars(each).get("_random_generator") for each in layers]
    seeds = [(getattr(each, "_seed", None), str(getattr(each, "_generator", ""))) for each in generators]
    drawn = random.getstate() if context.global_seed() is None else None
    session.record.noise = {"tensorflow": zlib.crc32(repr((context.global_seed(), seeds, drawn)).encode())}


def _watch_dropout(session: Session, training: Training) -> None:
    generator = engine("backend").RandomGenerator
    plain = generator.dropout

    @functools.wraps(plain)
    def dropout(self: Any, inputs: Any, rate: Any, noise_shape: Any = None) -> Any:
        session.noisy("dropout")
        if not session.settings.comparable:
            return plain(self, inputs, rate, noise_shape)
        session.say("dropout is off")
        return tf.identity(inputs)

    generator.dropout = dropout


class Draws:
    """Random numbers that a training step draws: with a row for each sample, or belonging to none."""

    def __init__(self, session: Session, training: Training) -> None:
        self._session = session
        self._training = training
        self._calls = 0
        self._free: list[str] = []
        self._making = 0
        training.begun.append(self._begin)
        training.drawn = self._drawn

    def install(self) -> None:
        """Watch the operations that all random functions come down to."""
        for name, rows in _ROWS.items():
            setattr(gen_random_ops, name, self._tied(getattr(gen_random_ops, name), name, rows))
        for module, names in _OTHERS:
            for name in names:
                setattr(module, name, self._noted(getattr(module, name), name))
        layer = engine("engine.base_layer").Layer
        layer.add_weight = self._apart(layer.add_weight)

    def _begin(self) -> None:
        self._calls = 0
        self._free = []

    def _drawn(self) -> str:
        return ", ".join(dict.fromkeys(self._free))

    @property
    def _watches(self) -> bool:
        """Whether this happens in a training step, and makes no weights."""
        return self._training.fits and bool(self._training.batch) and not self._making

    def _apart(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """First values of weights are no noise."""

        @functools.wraps(plain)
        def make(*args: Any, **kwargs: Any) -> Any:
            self._making += 1
            try:
                return plain(*args, **kwargs)
            finally:
                self._making -= 1

        return make

    def _noted(self, plain: Callable[..., Any], name: str) -> Callable[..., Any]:
        @functools.wraps(plain)
        def draw(*args: Any, **kwargs: Any) -> Any:
            if self._watches:
                self._session.noisy("numbers")
                self._free.append(name)
            return plain(*args, **kwargs)

        return draw

    def _tied(self, plain: Callable[..., Any], name: str, rows: Callable[..., Any]) -> Callable[..., Any]:
        """Each row seeded by its sample, where there is one for each."""

        @functools.wraps(plain)
        def draw(shape: Any, dtype: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._watches:
                return plain(shape, dtype, *args, **kwargs)
            self._session.noisy("numbers")
            if not self._session.settings.comparable:
                return plain(shape, dtype, *args, **kwargs)
            size = [int(each) for each in np.asarray(shape)]
            if not size or size[0] != len(self._training.batch):
                self._free.append(name)
                return plain(shape, dtype, *args, **kwargs)
            self._calls += 1
            self._session.say("random numbers with a row for each sample are seeded by the content of the sample")
            seeds = [(self._session.settings.seed + 1_000_003 * self._calls, each) for each in self._training.batch]
            return tf.stack([rows(size[1:], seed, tf.as_dtype(dtype)) for seed in seeds])

        return draw


def _split_batch_norm(session: Session, training: Training) -> None:
    """In training each process normalises its own share; the first one's running statistics are kept, or the mean."""
    averages = session.replay is not None and session.replay.ranks[0].averages
    base = engine("layers.normalization.batch_normalization").BatchNormalizationBase
    plain = base.call

    @functools.wraps(plain)
    def call(self: Any, inputs: Any, training_mode: Any = None, mask: Any = None, **named: Any) -> Any:
        asked = named.get("training", training_mode)
        mode = bool(self._get_training_value(asked))
        parts, total = training.parts, sum(training.parts)
        if not mode or mask is not None or len(parts) < 2 or self.synchronized or inputs.shape[0] % total:
            return plain(self, inputs, training=asked, mask=mask)
        session.say("batch normalisation of the reference is split by process")
        pieces = tf.split(inputs, [part * (inputs.shape[0] // total) for part in parts])
        statistics, normal, after = self.non_trainable_weights, [], []
        before = [each.numpy() for each in statistics]
        for piece in pieces:
            for variable, value in zip(statistics, before, strict=True):
                variable.assign(value)
            normal.append(plain(self, piece, training=asked))
            after.append([each.numpy() for each in statistics])
        for variable, *values in zip(statistics, *(after if averages else after[:1]), strict=True):
            variable.assign(np.mean(values, axis=0))
        return tf.concat(normal, 0)

    base.call = call
