"""When Horovod makes weights equal, and seeds that it shares: what a script that sets no seed is given instead.

Horovod's callback sends rank 0's weights after the first step, once the optimizer has its variables. Until then each
process of a script without a seed has weights of its own.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf

from rueda.verify.probe.imports import after_import
from rueda.verify.probe.keras.state import Weights
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
        for name, value in session.replay.ranks[0].seeds.items():
            _SEEDS[name](value)
    else:
        _watch_workers(workers)
        np.random.seed = _noted(np.random.seed, "numpy", session, sent, workers)
        random.seed = _noted(random.seed, "random", session, sent, workers)
        tf.random.set_seed = _noted(tf.random.set_seed, "tensorflow", session, sent, workers)


_SEEDS: dict[str, Callable[[int], Any]] = {
    "numpy": np.random.seed,
    "random": random.seed,
    "tensorflow": tf.random.set_seed,
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
    @functools.wraps(plain)
    def seed(*args: Any, **kwargs: Any) -> Any:
        value = next(iter((*args, *kwargs.values())), None)
        number = int(value) if isinstance(value, (int, np.integer)) else None
        if number is not None and name not in session.record.seeds and (number in sent or workers):
            session.record.seeds[name], session.record.drawn = number, [*random.getstate()]
        return plain(*args, **kwargs)

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
