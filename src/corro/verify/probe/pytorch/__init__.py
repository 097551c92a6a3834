"""PyTorch's hooks: loaders, optimizer steps, noise, saved objects, weights. Nothing of the script is changed."""

from __future__ import annotations

from corro.verify.probe.pytorch import (
    loaders,
    made,
    noise,
    precision,
    prepared,
    reports,
    sizes,
    state,
    steps,
    streams,
    unseen,
)
from corro.verify.probe.session import Session


def install(session: Session) -> None:
    """Set all hooks."""
    weights = state.install(session)
    training = loaders.install(session, weights)
    prepared.install(session, training)
    streams.install(session, training)
    steps.install(session, training, weights)
    made.install(session, training)
    noise.install(session, training)
    precision.install(session)
    reports.install(session)
    unseen.install(session)
    sizes.install(session, weights)
