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

from corro.verify.probe.fitting import seeds
from corro.verify.probe.fitting.weights import Weights
from corro.verify.probe.imports import after_import
from corro.verify.probe.keras.tensors import array
from corro.verify.probe.session import Session

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
            setattr(owner, attribute, seeds.followed(getattr(owner, attribute), session, given.get(name, [])))
    else:
        _watch_workers(workers)
        for name, (owner, attribute) in _SEEDS.items():
            setattr(owner, attribute, seeds.noted(getattr(owner, attribute), name, session, sent, workers))


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
