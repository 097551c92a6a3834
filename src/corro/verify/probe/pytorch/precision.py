"""How coarse the numbers are that gradients are computed with: mixed precision, models in half precision."""

from __future__ import annotations

import functools
from typing import Any

import torch

from corro.verify.probe.fitting.gradients import note_precision
from corro.verify.probe.session import Session
from corro.verify.records import Record


def install(session: Session) -> None:
    """Watch mixed precision being switched on."""
    mode = torch.amp.autocast_mode.autocast
    enter = mode.__enter__

    @functools.wraps(enter)
    def entered(self: Any) -> Any:
        if self._enabled:
            note(session.record, self.fast_dtype)
        return enter(self)

    mode.__enter__ = entered


def note(record: Record, dtype: torch.dtype) -> None:
    """Note that numbers of a type take part."""
    if dtype.is_floating_point:
        note_precision(record, torch.finfo(dtype).eps)
