"""When Horovod makes weights equal, and seeds that it shares: what a script that sets no seed is given instead.

Horovod's callback sends rank 0's weights after the first step, once the optimizer has its variables. Until then each
process of a script without a seed has weights of its own.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf

from rueda.verify.probe.fitting.weights import Weights
from rueda.verify.probe.imports import after_import
from rueda.verify.probe.keras.tensors import array
from rueda.verify.probe.session import Session

_SENDING = ("broadcast_variables", "broadcast_global_variables")
_VALUES = ("broadcast", "broadcast_object")


def install(session: Session, weights: Weights) -> None:
    """Watch Horovod's broadcasts, and what seeds are set with; a reference begins as if it had drawn and set them."""
    sent: set[int] = set()
    workers: list[object] = []
    after_import("horovod.tensorflow", lambda module: _watch(module, session, weights, sent))
    if session.replay is not None:
        drawn = session.replay.ranks[0].drawn
        if drawn:
            random.setstate((drawn[0], tuple(drawn[1]), drawn[2]))
        given = session.replay.ranks[0].seeds
        for name, (owner, attribute) in _SEEDS.items():
            setattr(owner, attribute, _followed(getattr(owner, attribute), session, given.get(name, [])))
    else:
        _watch_workers(workers)
        for name, (owner, attribute) in _SEEDS.items():
            setattr(owner, attribute, _noted(getattr(owner, attribute), name, session, sent, workers))


_SEEDS: dict[str, tuple[Any, str]] = {
    "numpy": (np.random, "seed"),
    "random": (random, "seed"),
    "tensorflow": (tf.random, "set_seed"),
}


def _watch_workers(workers: list[object]) -> None:
    """Workers have fixed seeds, which a program sets once it has its strategy."""
    kind = tf.distribute.MultiWorkerMirroredStrategy
    plain = kind.__init__

    @functools.wraps(plain)
    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        plain(self, *args, **kwargs)
        workers.append(self)

    kind.__init__ = make


def _noted(
    plain: Callable[..., Any], name: str, session: Session, sent: set[int], workers: list[object]
) -> Callable[..., Any]:
    """What sets a seed: those that the engine gave are noted, with how many the script had set before.

    A seed of chance, which is asked for by giving none, is the run's.
    """
    own = 0

    @functools.wraps(plain)
    def seed(*args: Any, **kwargs: Any) -> Any:
        nonlocal own
        value = next(iter((*args, *kwargs.values())), None)
        number = int(value) if isinstance(value, (int, np.integer)) else None
        known = session.record.seeds.get(name, [])
        if number is not None and (number in sent or (workers and not known)):
            session.record.seeds[name] = [*known, (own, number)]
            session.record.drawn = session.record.drawn if known else [*random.getstate()]
        else:
            own += 1
        return plain(session.settings.seed + session.record.rank) if value is None else plain(*args, **kwargs)

    return seed


def _followed(plain: Callable[..., Any], session: Session, seeds: Sequence[tuple[int, int]]) -> Callable[..., Any]:
    """What sets a seed in a reference, which begins with the first one that the engine gave.

    Where a library seeds by chance, as it reads data, the engine's seeds come behind, one for each place.
    """
    behind = [value for before, value in seeds if before]
    places: list[str] = []
    for _, value in seeds[:1]:
        plain(value)

    @functools.wraps(plain)
    def seed(*args: Any, **kwargs: Any) -> Any:
        value = next(iter((*args, *kwargs.values())), None)
        if value is not None and session.is_own(sys._getframe(1).f_code.co_filename):
            return plain(*args, **kwargs)
        place = session.line()
        if place not in places:
            places.append(place)
        at = places.index(place)
        if at < len(behind):
            return plain(behind[at])
        return plain(session.settings.seed) if value is None else plain(*args, **kwargs)

    return seed


def _watch(module: ModuleType, session: Session, weights: Weights, sent: set[int]) -> None:
    for name in _SENDING:
        setattr(module, name, _sending(getattr(module, name), session, weights))
    for name in _VALUES:
        setattr(module, name, _giving(getattr(module, name), sent))


def _sending(plain: Callable[..., Any], session: Session, weights: Weights) -> Callable[..., Any]:
    @functools.wraps(plain)
    def send(*args: Any, **kwargs: Any) -> Any:
        made = plain(*args, **kwargs)
        weights.shared()
        return made

    return send


def _giving(plain: Callable[..., Any], sent: set[int]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def give(*args: Any, **kwargs: Any) -> Any:
        made = plain(*args, **kwargs)
        value = array(made) if isinstance(made, (int, np.integer, tf.Tensor)) else None
        if value is not None and value.ndim == 0 and value.dtype.kind in "iu":
            sent.add(int(value))
        return made

    return give
