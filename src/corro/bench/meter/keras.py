"""Keras, 2 and 3: batches of ``fit``, by its callbacks, and ``train_on_batch``."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from corro.bench.meter.clock import Meter
from corro.verify.probe.imports import after_import

_CALLBACKS = ("keras.src.callbacks.callback_list", "keras.src.callbacks", "tf_keras.src.callbacks")
_MODELS = {
    "keras.src.engine.training": "Model",
    "tf_keras.src.engine.training": "Model",
    "keras.src.backend.tensorflow.trainer": "TensorFlowTrainer",
    "keras.src.backend.jax.trainer": "JAXTrainer",
}
_SEEN = "_corro_meter"


def install(meter: Meter) -> None:
    """Watch lists of callbacks, and models, once they are imported."""
    for name in _CALLBACKS:
        after_import(name, lambda module: _watch_callbacks(module, meter))
    for name, model in _MODELS.items():
        after_import(name, lambda module, model=model: _watch_model(getattr(module, model), meter))  # type: ignore[misc]


def _watch_callbacks(module: ModuleType, meter: Meter) -> None:
    callbacks = getattr(module, "CallbackList", None)
    if callbacks is None or _SEEN in vars(callbacks):
        return
    setattr(callbacks, _SEEN, True)
    for name, then in {
        "on_train_begin": meter.enter,
        "on_epoch_begin": meter.began,
        "on_train_batch_end": meter.stepped,
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


def _watch_model(model: Any, meter: Meter) -> None:
    plain = model.train_on_batch

    @functools.wraps(plain)
    def train_on_batch(self: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        shape = getattr(x, "shape", None)
        meter.gave(int(shape[0] or 0) if shape else 0)
        meter.enter()
        try:
            given = plain(self, x, *args, **kwargs)
        finally:
            meter.leave()
        meter.stepped()
        return given

    model.train_on_batch = train_on_batch
