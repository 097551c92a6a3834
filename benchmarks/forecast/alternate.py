"""One process of a validation: a program for DDP, or for Horovod, whose steps exchange gradients in turn, and do not.

    python alternate.py PROGRAM

Blocks of steps follow each other: in the first kind a bucket is summed at once, as in a profile of ``corro forecast``,
and what Horovod is asked for is given back; in the second gradients go over the network. Where ``EXCHANGES`` is set
messages of several sizes follow, as ``corro forecast`` measures the exchange. Both sides of a comparison so have the
same machine, whatever else it does.
"""

from __future__ import annotations

import functools
import json
import os
import runpy
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from corro.forecast import inside
from corro.forecast.exchange import copied

BLOCK = 4
SIZES = tuple(2**power for power in range(12, 25, 2))
taken: dict[int, list[tuple[float, float]]] = {}
copies: list[float] = []


class Alternating(inside.Profiler):
    """Says which steps exchange gradients."""

    def stepped(self, steps: int = 1) -> None:
        super().stepped(steps)
        made = len(self.rows)
        if "EXCHANGES" in os.environ and made % (2 * BLOCK) == 0:
            exchange()

    def finish(self) -> None:
        super().finish()
        told = {"taken": taken, "copies": copies}
        (self.folder / "exchanges.json").write_text(json.dumps(told))

    @property
    def exchanges(self) -> bool:
        return len(self.rows) // BLOCK % 2 == 1


def exchange() -> None:
    copies.append(copied())
    if not dist.is_initialized():  # Horovod has a group of its own
        dist.init_process_group("gloo")
    for size in SIZES:
        message = torch.ones(size // 4)
        dist.barrier()
        start, used = time.perf_counter(), time.process_time()
        dist.all_reduce(message)
        taken.setdefault(size, []).append((time.perf_counter() - start, time.process_time() - used))


def of_ddp(profilers: list[Alternating]) -> None:
    made = DistributedDataParallel.__init__

    @functools.wraps(made)
    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        self.register_comm_hook(None, hook)

    def hook(_: Any, bucket: Any) -> Any:
        gradients = bucket.buffer().mul_(1.0 / dist.get_world_size())
        if profilers[0].exchanges:
            return dist.all_reduce(gradients, async_op=True).get_future().then(lambda done: done.value()[0])
        summed: Any = torch.futures.Future()
        summed.set_result(gradients)
        return summed

    hook.__annotations__ = {"bucket": dist.GradBucket}
    DistributedDataParallel.__init__ = make


def of_horovod(profilers: list[Alternating]) -> None:
    optimizer = import_module("horovod.torch.optimizer")
    plain = optimizer.allreduce_async_

    @functools.wraps(plain)
    def reduce(tensor: Any, *args: Any, **kwargs: Any) -> Any:
        if profilers[0].exchanges:
            return plain(tensor, *args, **kwargs)
        return lambda: tensor  # Horovod takes what can be called for a handle, too

    optimizer.allreduce_async_ = reduce


def main() -> None:
    program = sys.argv[1]
    del sys.argv[0]
    profilers: list[Alternating] = []
    if rank := os.environ.get("HOROVOD_RANK"):
        os.environ |= {"RANK": rank, "WORLD_SIZE": os.environ["HOROVOD_SIZE"]}  # of the group that only measures
        of_horovod(profilers)
    else:
        of_ddp(profilers)

    def profiler(*args: Any) -> Alternating:
        profilers.append(Alternating(*args))
        return profilers[0]

    inside.measured(lambda: runpy.run_path(program, run_name="__main__"), profiler)  # type: ignore[arg-type]


if __name__ == "__main__":
    os.chdir(Path(sys.argv[1]).parent)
    main()
