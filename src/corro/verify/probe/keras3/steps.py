"""Optimizer steps: gradients, rates, weights; in a reference, what is taken over from the recorded run.

All of Keras' steps on JAX hand their gradients to ``stateless_apply``. A step that Keras would compile is compiled in
two halves, before and after that call, as gradients and weights pass through Python between them. A ``train_step`` of
a model's own may use its new weights, so it is run eagerly, as one that is not compiled anyway.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import keras
import numpy as np
from keras.src.backend.jax.trainer import JAXTrainer
from keras.src.optimizers.base_optimizer import BaseOptimizer
from keras.src.optimizers.loss_scale_optimizer import LossScaleOptimizer

from corro.verify.probe.fitting.arrays import Array, checksum, flat, norm
from corro.verify.probe.fitting.gradients import Gradients
from corro.verify.probe.keras3.data import Training
from corro.verify.probe.keras3.state import Weights
from corro.verify.probe.keras3.tensors import array
from corro.verify.probe.session import Session
from corro.verify.records import Step

Apply = Callable[[Any, Any, Any], tuple[Any, Any]]


class Steps:
    """The steps of one process."""

    def __init__(self, session: Session, training: Training, weights: Weights) -> None:
        self._session = session
        self._training = training
        self._weights = weights
        self._scratch = Gradients(session)
        self._inside = False
        self._captured: list[Any] | None = None
        self._rates: dict[int, float] = {}
        session.at_end.append(self._note_rates)

    def watched(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A ``stateless_apply`` that is observed; one within another is part of it."""

        @functools.wraps(plain)
        def stateless_apply(optimizer: Any, values: Any, gradients: Any, trainable: Any) -> Any:
            if self._captured is not None:
                self._captured += gradients
                return trainable, values
            traced = any(isinstance(each, jax.core.Tracer) for each in gradients)
            if self._inside or traced:
                return plain(optimizer, values, gradients, trainable)
            return self._step(optimizer, values, gradients, trainable, functools.partial(plain, optimizer))

        return stateless_apply

    def divided(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A ``make_train_function`` whose function passes through Python between gradients and weights."""

        @functools.wraps(plain)
        def make_train_function(model: Any, force: bool = False) -> None:
            if model.train_function is None or force:
                own = type(model).train_step is not JAXTrainer.train_step or "train_step" in vars(model)
                compiled = model.jit_compile and not model.run_eagerly and not own
                step = self._halves(model) if compiled else model.train_step
                if not compiled:
                    self._session.say("training steps that are the script's own are run eagerly")
                model.train_function = model._make_function(step)

        return make_train_function

    def _halves(self, model: Any) -> Callable[[Any, Any], Any]:
        trainable, state, optimizer = None, None, None
        if keras.distribution.distribution() is not None:
            state = model._get_state_sharding_spec()
            trainable, _, optimizer, _ = state
        compute = jax.jit(functools.partial(self._computed, model), out_shardings=(None, state, trainable))
        apply = jax.jit(model.optimizer.stateless_apply, out_shardings=(trainable, optimizer))

        def step(before: Any, data: Any) -> Any:
            logs, (_, others, _, metrics), gradients = compute(before, data)
            weights, values = self._step(model.optimizer, before[2], gradients, before[0], apply)
            return logs, (weights, others, values, metrics)

        return step

    def _computed(self, model: Any, state: Any, data: Any) -> Any:
        """The first half of a step: all but the new weights, which are the old ones yet, and the gradients."""
        self._captured = []
        try:
            logs, state = model.train_step(state, data)
            return logs, state, self._captured
        finally:
            self._captured = None

    def _step(self, optimizer: Any, values: Any, gradients: Any, trainable: Any, apply: Apply) -> tuple[Any, Any]:
        record = self._session.record
        variables = optimizer._trainable_variables
        self._weights.now([*variables, *optimizer.variables], [*trainable, *values])
        if not record.steps:
            self._weights.note(variables)
        which = self._weights.optimizer(optimizer, variables)
        own = [flat(array(each)) for each in gradients]
        wanted, difference = self._scratch.imposed(own, len(record.steps))
        if wanted is not None:
            gradients = [_like(each, other) for each, other in zip(gradients, wanted, strict=True)]
        self._inside = True
        try:
            rates = [_rate(optimizer, values)]
            trainable, values = apply(values, gradients, trainable)
            self._rates[which] = _rate(optimizer, values)
        finally:
            self._inside = False
        self._compare_copies(variables, trainable)
        used, made = [array(each) for each in gradients], [array(each) for each in trainable]
        step = Step(
            optimizer=which,
            line=self._session.line(),
            rates=rates,
            planned=rates,
            gradients=[checksum(each) for each in used],
            gradient_norms=[norm(each) for each in used],
            weights=[checksum(each) for each in made],
            weight_norms=[norm(each) for each in made],
            difference=difference,
        )
        self._scratch.keep(step, [each.size for each in own], own)
        self._training.stepped(step)
        return trainable, values

    def _compare_copies(self, variables: Any, trainable: Any) -> None:
        """Each device has a copy of each weight, unless it is shared out."""
        record = self._session.record
        for variable, each in zip(variables, trainable, strict=True):
            if each.is_fully_replicated:
                copies = {checksum(np.asarray(shard.data)) for shard in each.addressable_shards}
                record.devices = max(record.devices, len(each.addressable_shards))
                if len(copies) > 1:
                    record.unlike.setdefault(self._weights.name(variable), len(record.steps))

    def _note_rates(self) -> None:
        self._session.record.last_rates = [self._rates[number] for number in sorted(self._rates)]


def install(session: Session, training: Training, weights: Weights) -> None:
    """Watch all optimizers."""
    steps = Steps(session, training, weights)
    for kind in (BaseOptimizer, LossScaleOptimizer):
        kind.stateless_apply = steps.watched(kind.stateless_apply)
    JAXTrainer.make_train_function = steps.divided(JAXTrainer.make_train_function)
    session.say("training steps are compiled in two halves, gradients and weights")


def _rate(optimizer: Any, values: Any) -> float:
    """The learning rate of a step, by the values that the optimizer's variables have then."""
    with keras.StatelessScope(state_mapping=list(zip(optimizer.variables, values, strict=True))):
        return float(array(keras.ops.convert_to_tensor(optimizer.learning_rate)))


def _like(own: Any, wanted: Array) -> Any:
    """Recorded numbers in the shape and kind of a gradient, and where it is."""
    return jax.device_put(wanted.reshape(own.shape).astype(own.dtype), own.sharding)
