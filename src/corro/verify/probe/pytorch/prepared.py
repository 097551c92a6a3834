"""Loaders that Accelerate puts around the script's: they fetch a batch ahead, and fill up the last one.

Which loader each is made of is seen as it is made (``loaders``); here, when a batch of theirs reaches the script.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from types import ModuleType
from typing import Any

from corro.verify.probe.imports import after_import
from corro.verify.probe.pytorch.loaders import WAITING, Training, Waiting
from corro.verify.probe.pytorch.samplers import SKIPPED
from corro.verify.probe.session import Session

DISPATCHED = "rank 0 loads the batches of all processes (dispatch_batches): which samples each one has is not seen"
_LOADERS = ("DataLoaderShard", "DataLoaderDispatcher", "SkipDataLoader")


def install(session: Session, training: Training) -> None:
    """Watch Accelerate once it is imported."""

    def watch_loaders(module: ModuleType) -> None:
        for name in _LOADERS:
            loader = getattr(module, name)
            dispatches = name == "DataLoaderDispatcher" and session.record.size > 1
            loader.__iter__ = _unseen(session) if dispatches else _kept_back(loader.__iter__, training)
        module.SkipBatchSampler.__iter__ = _skip

    after_import("accelerate.data_loader", watch_loaders)
    after_import("accelerate.accelerator", lambda module: _watch_gathering(module.Accelerator, training))


def _unseen(session: Session) -> Callable[[Any], Iterator[Any]]:
    def iterate(self: Any) -> Iterator[Any]:
        session.unseen(DISPATCHED)
        yield

    return iterate


def _kept_back(plain: Callable[[Any], Iterator[Any]], training: Training) -> Callable[[Any], Iterator[Any]]:
    """A batch reaches the script when it is given on, not when it is fetched."""

    @functools.wraps(plain)
    def iterate(self: Any) -> Iterator[Any]:
        waiting: Waiting = deque()
        setattr(self.base_dataloader, WAITING, waiting)
        for number, batch in enumerate(plain(self)):
            for _ in range(0 if number else min(self.skip_batches, len(waiting))):
                waiting.popleft()
            if waiting:
                training.reaches(waiting.popleft())
            yield batch

    return iterate


def _skip(self: Any) -> Iterator[Any]:
    """The batches of a ``SkipBatchSampler``; those that it leaves out are kept: the epoch has had them."""
    batches = iter(self.batch_sampler)
    setattr(self, SKIPPED, list(islice(batches, self.skip_batches)))
    yield from batches


def _watch_gathering(accelerator: Any, training: Training) -> None:
    """``gather_for_metrics`` leaves out what fills up the last batches."""
    plain = accelerator.gather_for_metrics

    @functools.wraps(plain)
    def gather(self: Any, *args: Any, **kwargs: Any) -> Any:
        state = self.gradient_state
        if training.current is not None and state.end_of_dataloader and state.remainder > 0:
            training.current.trimmed = True
        return plain(self, *args, **kwargs)

    accelerator.gather_for_metrics = gather
