"""The hooks of Keras 3 on JAX, as ``keras.distribution`` needs it: ``fit``, its steps, what is saved and reported.

One process has the whole batch, whatever the number of its devices: the sequential run is given the same batches in
the same order, and layers draw the same random numbers. Steps stay compiled, in two halves: gradients, and weights.
"""

from __future__ import annotations

import os
import threading
import time

import jax

from corro.verify.probe.keras3 import data, noise, reports, state, steps
from corro.verify.probe.session import Session

_BUSY = 0.02
"""So many seconds of work within one are work: processes that wait for each other have none."""


def install(session: Session) -> None:
    """Set all hooks."""
    _keep_compiled()
    threading.Thread(target=_beat_while_working, args=(session,), daemon=True).start()
    weights = state.Weights(session)
    training = data.install(session, weights)
    steps.install(session, training, weights)
    noise.install(session, training)
    reports.install(session)


def _keep_compiled() -> None:
    """Say again what JAX was told by its environment, in case it was imported before that: it compiles for long."""
    kinds = {"COMPILATION_CACHE_DIR": str, "PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": float}
    for name, kind in {**kinds, "PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": int}.items():
        jax.config.update(f"jax_{name.lower()}", kind(os.environ[f"JAX_{name}"]))


def _beat_while_working(session: Session) -> None:
    """Signs of life while JAX compiles, which may take minutes, in threads of its own."""
    worked = time.process_time()
    while True:
        time.sleep(1)
        before, worked = worked, time.process_time()
        if worked - before > _BUSY:
            session.beat()
