"""Optimizer steps: reduced gradients, rates, weights; in a reference, what is taken over from the recorded run.

All optimizers end in the base class's ``apply_gradients``, with gradients that Horovod or a strategy has reduced.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from corro.verify.probe.fitting import gradients as scratch
from corro.verify.probe.fitting.arrays import Array
from corro.verify.probe.fitting.arrays import flat as flattened
from corro.verify.probe.keras.data import Training
from corro.verify.probe.keras.engine import engine
from corro.verify.probe.keras.state import Weights
from corro.verify.probe.keras.tensors import array, checksum, norm
from corro.verify.probe.keras.tensors import rows as tensor_rows
from corro.verify.probe.session import Session
from corro.verify.records import Difference, Step

Gradients = list[Any]


class Steps:
    """The steps of one process."""

    def __init__(self, session: Session, training: Training, weights: Weights) -> None:
        self._session = session
        self._training = training
        self._weights = weights
        self._busy = False
        self._collected: list[Gradients] | None = None
        self._shares: list[Gradients] = []
        self._scratch = scratch.Gradients(session)
        session.at_end.append(self._note_rates)

    def watched(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """An ``apply_gradients`` that is observed; one within another is part of it."""

        @functools.wraps(plain)
        def apply_gradients(optimizer: Any, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            if self._busy:
                return plain(optimizer, grads_and_vars, *args, **kwargs)
            if self._collected is not None:
                self._collected.append([gradient for gradient, _ in grads_and_vars])
                return optimizer.iterations
            self._busy = True
            try:
                return self._step(plain, optimizer, list(grads_and_vars), *args, **kwargs)
            finally:
                self._busy = False

        return apply_gradients

    def _step(self, plain: Callable[..., Any], optimizer: Any, pairs: list[Any], *args: Any, **kwargs: Any) -> Any:
        gradients, variables = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        gradients = _averaged([gradients, *self._shares])
        record, number = self._session.record, len(self._session.record.steps)
        noise = self._training.drawn()
        self._weights.before_step(variables)
        which = self._weights.optimizer(optimizer, variables)
        for each in variables:
            scratch.note_precision(record, _spacing(each.dtype))
        own = [_flat(each) for each in gradients]
        gradients, planned, difference = self._imposed(optimizer, gradients, own, number)
        rates = [rate(optimizer)]
        made = plain(optimizer, list(zip(gradients, variables, strict=True)), *args, **kwargs)
        step = Step(
            optimizer=which,
            line=self._session.line(),
            rates=rates,
            planned=planned or rates,
            gradients=[0 if each is None else checksum(each) for each in gradients],
            gradient_norms=[0.0 if each is None else norm(each) for each in gradients],
            weights=[checksum(each) for each in variables],
            weight_norms=[norm(each) for each in variables],
            difference=difference,
            noise=noise,
        )
        self._shares = []
        self._scratch.keep(step, [each.size for each in own], own)
        if planned:
            optimizer.learning_rate = planned[0]
        self._training.stepped(step)
        return made

    def followed(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A ``make_train_function``: steps that processes made with weights of their own are made for each of them."""

        @functools.wraps(plain)
        def make_train_function(model: Any, *args: Any, **kwargs: Any) -> Any:
            train = plain(model, *args, **kwargs)
            if getattr(train, "_probe_follows", False):
                return train

            def step(batches: Any) -> Any:
                replay, number = self._session.replay, len(self._session.record.steps)
                if replay is None or not self._session.settings.comparable or not replay.is_single(number):
                    return train(batches)
                return self._share_by_share(train, next(batches))

            step._probe_follows = True  # type: ignore[attr-defined]
            model.train_function = step
            return step

        return make_train_function

    def _share_by_share(self, train: Callable[..., Any], whole: Any) -> Any:
        """One step: each process's share with its weights, rank 0's last, with which the run goes on."""
        replay, training = self._session.replay, self._training
        assert replay is not None
        shares = training.shares
        if len(shares) != replay.size:
            return train(iter([whole]))
        self._session.say("first steps of the reference are made for each process with its weights, as no seed is set")
        self._session.record.followed.append(len(self._session.record.steps))
        training.parts, self._collected = [], []
        for rank in range(replay.size - 1, 0, -1):
            self._weights.become(replay.ranks[rank].folder)
            training.batch = tensor_rows(shares[rank])
            train(iter([shares[rank]]))
        self._shares, self._collected = self._collected, None
        self._weights.become(replay.ranks[0].folder)
        training.batch = tensor_rows(shares[0])
        return train(iter([shares[0]]))

    def _note_rates(self) -> None:
        self._session.record.last_rates = [rate(each) for each in self._weights.optimizers]

    def _imposed(
        self, optimizer: Any, gradients: Gradients, own: list[Array], number: int
    ) -> tuple[Gradients, list[float], Difference | None]:
        """In a reference, the recorded gradients instead of its own, and how far these were apart."""
        replay = self._session.replay
        recorded = replay.step(number) if replay is not None else None
        if replay is None or recorded is None:
            return gradients, [], None
        planned = []
        if replay.following.weak and recorded.rates:
            planned = [rate(optimizer)]
            if not _scheduled(optimizer):
                optimizer.learning_rate = recorded.rates[0]
        wanted, difference = self._scratch.imposed(own, number)
        if wanted is not None:
            gradients = [_like(each, other) for each, other in zip(gradients, wanted, strict=True)]
        return gradients, planned, difference


def install(session: Session, training: Training, weights: Weights) -> None:
    """Watch all optimizers."""
    steps = Steps(session, training, weights)
    for name, kind in (("optimizers.optimizer", "_BaseOptimizer"), ("optimizers.legacy.optimizer_v2", "OptimizerV2")):
        optimizer = getattr(engine(name), kind)
        optimizer.apply_gradients = steps.watched(optimizer.apply_gradients)
    model = engine("engine.training").Model
    model.make_train_function = steps.followed(model.make_train_function)


def _averaged(shares: list[Gradients]) -> Gradients:
    if len(shares) == 1:
        return shares[0]
    return [None if each[0] is None else _mean(each) for each in zip(*shares, strict=True)]


def _mean(gradients: tuple[Any, ...]) -> Any:
    return tf.add_n([tf.convert_to_tensor(each) for each in gradients]) / len(gradients)


def rate(optimizer: Any) -> float:
    """The learning rate of the next step."""
    if hasattr(optimizer, "_decayed_lr"):
        return float(array(optimizer._decayed_lr(tf.float32)))
    own = optimizer._learning_rate
    return float(array(own(optimizer.iterations) if callable(own) and not hasattr(own, "numpy") else own))


def _scheduled(optimizer: Any) -> bool:
    own = optimizer._hyper["learning_rate"] if hasattr(optimizer, "_hyper") else optimizer._learning_rate
    return callable(own) and not hasattr(own, "numpy")


def _flat(gradient: Any) -> Array:
    """A gradient as single-precision numbers; none are empty."""
    return flattened(None if gradient is None else array(gradient))


def _like(own: Any, wanted: Any) -> Any:
    """Recorded numbers in the shape and kind of a gradient."""
    if own is None:
        return None
    if isinstance(own, tf.IndexedSlices):
        dense = tf.reshape(tf.constant(wanted, own.values.dtype), own.dense_shape)
        rows = tf.unique(own.indices).y
        return tf.IndexedSlices(tf.gather(dense, rows), rows, own.dense_shape)
    return tf.reshape(tf.cast(tf.constant(wanted), own.dtype), own.shape)


def _spacing(kind: Any) -> float:
    """The spacing near 1 of numbers of a type."""
    if not kind.is_floating:
        return 0.0
    return 2.0**-7 if kind == tf.bfloat16 else float(np.finfo(kind.as_numpy_dtype).eps)
