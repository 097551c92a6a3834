"""Keras 2's hooks: epochs of ``fit``, optimizer steps, noise, what is saved and reported.

Functions that TensorFlow would compile are run eagerly, so that each step passes through Python.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.distribute import cross_device_ops

from corro.verify.probe.keras import data, noise, reports, shared, state, steps
from corro.verify.probe.keras.engine import engine
from corro.verify.probe.session import Session


def install(session: Session) -> None:
    """Set all hooks."""
    _run_eagerly(session)
    weights = state.install(session)
    training = data.install(session, weights)
    steps.install(session, training, weights)
    noise.install(session, training)
    shared.install(session, weights)
    reports.install(session)


def _run_eagerly(session: Session) -> None:
    tf.config.run_functions_eagerly(True)
    warnings.filterwarnings("ignore", ".*run_functions_eagerly", UserWarning)
    model = engine("engine.training").Model
    model.run_eagerly = property(lambda self: True, model.run_eagerly.fset)
    workers = cross_device_ops.CollectiveAllReduce
    workers._batch_all_gather = _compiled(workers._batch_all_gather)
    session.say("functions are run eagerly")


def _compiled(plain: Callable[..., Any]) -> Callable[..., Any]:
    """What TensorFlow cannot do eagerly, and compiles by itself: workers gather predictions in a function."""

    @functools.wraps(plain)
    def call(*args: Any, **kwargs: Any) -> Any:
        tf.config.run_functions_eagerly(False)
        try:
            return plain(*args, **kwargs)
        finally:
            tf.config.run_functions_eagerly(True)

    return call
