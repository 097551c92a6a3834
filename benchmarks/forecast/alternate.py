"""One process of a validation: a program for DDP whose steps exchange gradients in turn, and do not.

    python alternate.py PROGRAM

Blocks of steps follow each other: in the first kind a bucket is summed at once, as in a profile of ``corro forecast``;
in the second it goes over the network. Where ``EXCHANGES`` is set messages of several sizes follow, as ``corro
forecast`` measures the exchange. Both sides of a comparison so have the same machine, whatever else it does.
"""

from __future__ import annotations

import functools
import json
import os
import runpy
import sys
import time
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from corro.forecast import inside

BLOCK = 4
SIZES = tuple(2**power for power in range(12, 25, 2))
taken: dict[int, list[tuple[float, float]]] = {}


class Alternating(inside.Profiler):
    """Says which steps exchange gradients."""

    def stepped(self) -> None:
        super().stepped()
        made = len(self.rows)
        if "EXCHANGES" in os.environ and made % (2 * BLOCK) == 0:
            exchange()

    def finish(self) -> None:
        super().finish()
        (self.folder / "exchanges.json").write_text(json.dumps(taken))

    @property
    def exchanges(self) -> bool:
        return len(self.rows) // BLOCK % 2 == 1


def exchange() -> None:
    for size in SIZES:
        message = torch.ones(size // 4)
        dist.barrier()
        start, used = time.perf_counter(), time.process_time()
        dist.all_reduce(message)
        taken.setdefault(size, []).append((time.perf_counter() - start, time.process_time() - used))


def main() -> None:
    program = sys.argv[1]
    del sys.argv[0]
    profilers: list[Alternating] = []
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

    def profiler(*args: Any) -> Alternating:
        profilers.append(Alternating(*args))
        return profilers[0]

    inside.measured(lambda: runpy.run_path(program, run_name="__main__"), profiler)  # type: ignore[arg-type]


if __name__ == "__main__":
    os.chdir(Path(sys.argv[1]).parent)
    main()
