"""How coarse the numbers are that gradients are computed with or sent as: mixed precision, half precision."""

from __future__ import annotations

import functools
from typing import Any

import torch

from corro.verify.probe.fitting.gradients import note_precision
from corro.verify.probe.imports import after_import
from corro.verify.probe.session import Session
from corro.verify.records import Record


def install(session: Session) -> None:
    """Watch mixed precision being switched on, and gradients being rounded to be sent."""
    mode = torch.amp.autocast_mode.autocast
    enter = mode.__enter__

    @functools.wraps(enter)
    def entered(self: Any) -> Any:
        if self._enabled:
            note(session.record, self.fast_dtype)
        return enter(self)

    mode.__enter__ = entered
    if torch.distributed.is_available():
        _watch_exchange(session)
    after_import("horovod.torch.compression", lambda module: _watch_compression(session, module.FP16Compressor))


def _watch_exchange(session: Session) -> None:
    """Note the type that ``torch.distributed`` adds up."""
    reduce = torch.distributed.all_reduce

    @functools.wraps(reduce)
    def reduced(tensor: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        note(session.record, tensor.dtype)
        return reduce(tensor, *args, **kwargs)

    torch.distributed.all_reduce = reduced


def _watch_compression(session: Session, compressor: Any) -> None:
    """Note the type that Horovod sends."""
    compress = compressor.compress

    def compressed(tensor: torch.Tensor) -> Any:
        made = compress(tensor)
        note(session.record, made[0].dtype)
        return made

    compressor.compress = staticmethod(compressed)


def note(record: Record, dtype: torch.dtype) -> None:
    """Note that numbers of a type take part."""
    if dtype.is_floating_point:
        note_precision(record, torch.finfo(dtype).eps)
