"""TensorFlow 1's hooks: what sessions are fed and draw, optimizer steps in a graph, noise, what is saved and reported.

A session runs a part of a graph, so what a run does is known from the operations that it reaches. Steps pass through
Python between the reduction of gradients and the update.
"""

from __future__ import annotations

from corro.verify.probe.keras import shared
from corro.verify.probe.session import Session
from corro.verify.probe.tensorflow1 import noise, reports, runs
from corro.verify.probe.tensorflow1.feeds import Training
from corro.verify.probe.tensorflow1.state import Weights
from corro.verify.probe.tensorflow1.steps import Steps


def install(session: Session) -> None:
    """Set all hooks."""
    weights = Weights(session)
    training = Training(session)
    drawn = noise.install(session, training)
    steps = Steps(session, training, weights)
    steps.install()
    runs.install(session, training, weights, steps, drawn)
    shared.install(session, weights)
    reports.install(session)
