"""The hooks of Keras 3 on JAX, as ``keras.distribution`` needs it: ``fit``, its steps, what is saved and reported.

One process has the whole batch, whatever the number of its devices: the sequential run is given the same batches in
the same order, and layers draw the same random numbers. Steps stay compiled, in two halves: gradients, and weights.
"""

from __future__ import annotations

from rueda.verify.probe.keras3 import data, noise, reports, state, steps
from rueda.verify.probe.session import Session


def install(session: Session) -> None:
    """Set all hooks."""
    weights = state.Weights(session)
    training = data.install(session, weights)
    steps.install(session, training, weights)
    noise.install(session, training)
    reports.install(session)
