"""Programs that cannot be observed: those that start their processes by themselves, or share weights out to them."""

from __future__ import annotations

from typing import Any

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from corro.verify.probe.session import Session

SPAWNS = "the program starts its own processes (torch.multiprocessing.spawn): what they do is not seen"
SHARDED = "weights are sharded over the processes (DTensor): no process has all that would be compared"


def install(session: Session) -> None:
    """End such programs where they show what they are."""

    def spawn(*args: Any, **kwargs: Any) -> None:
        session.unseen(SPAWNS)

    def before_step(optimizer: Any, args: Any, kwargs: Any) -> None:
        if any(hasattr(each, "placements") for group in optimizer.param_groups for each in group["params"]):
            session.unseen(SHARDED)

    torch.multiprocessing.spawn = spawn
    register_optimizer_step_pre_hook(before_step)
