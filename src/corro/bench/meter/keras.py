"""Keras, 2 and 3: the steps of ``fit``, by its callbacks and train functions, and ``train_on_batch``."""

from __future__ import annotations

import functools
from importlib import import_module
from types import ModuleType
from typing import Any

from corro.bench.meter.clock import Meter
from corro.bench.meter.counter import Counter, length
from corro.verify.probe.imports import after_import

_CALLBACKS = ("keras.src.callbacks.callback_list", "keras.src.callbacks", "tf_keras.src.callbacks")
_KERAS_2 = ("keras.src.engine.training", "tf_keras.src.engine.training")
_JAX = "keras.src.backend.jax.trainer"
_MODELS = {
    **dict.fromkeys(_KERAS_2, "Model"),
    "keras.src.backend.tensorflow.trainer": "TensorFlowTrainer",
    _JAX: "JAXTrainer",
}
_SEEN = "_corro_meter"


def install(meter: Meter) -> None:
    """Watch lists of callbacks, and models, once they are imported."""
    counter = Counter()
    counter.install()
    for name in _CALLBACKS:
        after_import(name, lambda module: _watch_callbacks(module, meter, counter))
    for name, model in _MODELS.items():
        after_import(name, lambda module, model=model: _watch_model(module, model, meter, counter))  # type: ignore[misc]


def _watch_callbacks(module: ModuleType, meter: Meter, counter: Counter) -> None:
    callbacks = getattr(module, "CallbackList", None)
    if callbacks is None or _SEEN in vars(callbacks):
        return
    setattr(callbacks, _SEEN, True)

    def ended() -> None:
        """A call of a train function has: of one step, of several (``steps_per_execution``), or not known."""
        steps, samples = counter.since()
        meter.gave(samples if steps else None)
        meter.stepped(max(1, steps))

    for name, then in {
        "on_train_begin": meter.enter,
        "on_epoch_begin": meter.began,
        "on_train_batch_end": ended,
        "on_train_end": meter.leave,
    }.items():
        setattr(callbacks, name, _followed_by(getattr(callbacks, name), then))


def _followed_by(plain: Any, then: Any) -> Any:
    @functools.wraps(plain)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = plain(self, *args, **kwargs)
        then()
        return given

    return method


def _watch_model(module: ModuleType, name: str, meter: Meter, counter: Counter) -> None:
    model = getattr(module, name)
    model.train_on_batch = _on_batch(model.train_on_batch, meter, counter)
    if module.__name__ in _KERAS_2:
        counter.late = True
        module.reduce_per_replica = _followed_by(module.reduce_per_replica, counter.complete)  # type: ignore[attr-defined]
    watched = functools.partial(_on_jax, counter=counter) if module.__name__ == _JAX else counter.train
    plain = model.make_train_function

    @functools.wraps(plain)
    def make_train_function(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = plain(self, *args, **kwargs)
        if not hasattr(self.train_function, _SEEN):
            self.train_function = watched(self.train_function)
            setattr(self.train_function, _SEEN, True)
        return None if given is None else self.train_function

    model.make_train_function = make_train_function


def _on_jax(plain: Any, counter: Counter) -> Any:
    """A train function on JAX. It has ended when it has computed: the clock waits for it."""

    @functools.wraps(plain)
    def train(state: Any, iterator: Any) -> Any:
        logs, state = plain(state, counter.given(iterator))
        import_module("jax").block_until_ready(logs)
        return logs, state

    return train


def _on_batch(plain: Any, meter: Meter, counter: Counter) -> Any:
    @functools.wraps(plain)
    def train_on_batch(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        meter.enter()
        try:
            given = plain(self, x, *args, **kwargs)
        finally:
            meter.leave()
        counter.since()
        meter.gave(length(x))
        meter.stepped()
        return given

    return train_on_batch
