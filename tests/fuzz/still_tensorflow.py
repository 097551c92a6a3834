"""TensorFlow with the noise off, and as many devices as a strategy is to have."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import tensorflow as tf
from tensorflow import keras

from fuzz.stage import Weights


def install(jitter: int) -> Weights:
    """Change what is imported; the answer reads what was trained."""
    devices = int(os.environ.get("FUZZ_DEVICES", "1"))
    if devices > 1:
        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * devices)
    if jitter:
        _shake(jitter)
    return _weights


def _weights(names: dict[str, Any]) -> list[np.ndarray]:
    models = [value for value in names.values() if isinstance(value, keras.Model)]
    return [each for model in {id(m): m for m in models}.values() for each in model.get_weights()]


def _shake(jitter: int) -> None:
    chance = np.random.default_rng(jitter)
    plain = keras.optimizers.Optimizer.apply_gradients

    def shaken(gradient: Any) -> Any:
        gradient = tf.convert_to_tensor(gradient)
        noise = tf.constant(chance.standard_normal(gradient.shape.as_list()), dtype=gradient.dtype)
        return gradient + noise * tf.reduce_max(tf.abs(gradient)) * 3e-7

    def apply(self: Any, pairs: Any, *args: Any, **kwargs: Any) -> Any:
        return plain(self, [(g if g is None else shaken(g), v) for g, v in pairs], *args, **kwargs)

    keras.optimizers.Optimizer.apply_gradients = apply
