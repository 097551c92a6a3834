"""Random numbers. Layers draw them from seeds that are part of a model's state, for the whole batch at once.

So they are equal in a run and in its reference, however many devices there are: only dropout is off, as everywhere.
"""

from __future__ import annotations

import functools
import random
import zlib
from typing import Any

import jax
import numpy as np
from keras.src.backend.jax import random as drawing
from keras.src.random.seed_generator import SeedGenerator

from corro.verify.probe.keras3.data import Training
from corro.verify.probe.session import Session


def install(session: Session, training: Training) -> None:
    """Note noise, and where runs are to be compared, take dropout out."""
    random.seed(session.settings.seed + session.record.rank)
    np.random.seed(session.settings.seed + session.record.rank)
    _watch_dropout(session)
    _watch_seeds(session, training)


def _watch_dropout(session: Session) -> None:
    plain = drawing.dropout

    @functools.wraps(plain)
    def dropout(inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None) -> Any:
        if not session.settings.comparable:
            return plain(inputs, rate, noise_shape, seed)
        session.say("dropout is off")
        return inputs

    drawing.dropout = dropout


def _watch_seeds(session: Session, training: Training) -> None:
    plain = SeedGenerator.next

    @functools.wraps(plain)
    def draw(self: Any, *args: Any, **kwargs: Any) -> Any:
        if training.calls and training.fits and training.batch and not training.building:
            session.noisy("numbers")
            process = jax.process_index()  # each takes its own rows of what all draw
            session.record.noise = {"keras": zlib.crc32(repr((process, self.name)).encode())}
        return plain(self, *args, **kwargs)

    SeedGenerator.next = draw
