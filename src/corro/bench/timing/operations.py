"""Time operations of PyTorch on one device; a line of JSON for each. Started by ``corro bench device``.

It is given one argument, a task as JSON. Processes of an all-reduce find each other by the variables that torchrun
sets, too.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import Any

import torch
import torch.distributed as dist
from torch.utils.benchmark import Timer

_UNSYNCHRONISED = 20
"""How often the clock is read without waiting."""
_ROUNDS = 5
"""The fewest rounds of an all-reduce."""
_CHANNELS, _FILTERS, _KERNEL, _PIXELS = 3, 32, 3, 128

Work = Callable[[], Any]


def main() -> None:
    """Do the task."""
    task = json.loads(sys.argv[1])
    torch.manual_seed(0)
    if task["operation"] == "all-reduce":
        _exchange(task)
        return
    device = torch.device(task["device"])
    _say(device=_named(device), torch=torch.__version__)
    _compute(task, device)


def _say(**known: Any) -> None:
    print(json.dumps(known), flush=True)


def _named(device: torch.device) -> str:
    return str(torch.cuda.get_device_name(device)) if device.type == "cuda" else device.type


# ---------------------------------------------------------------------- one device


def _compute(task: dict[str, Any], device: torch.device) -> None:
    """All sizes, the small ones first, as far as the time goes; what takes too long is said to be left out."""
    end = time.monotonic() + task["seconds"]
    rates: dict[tuple[str, int], float] = {}
    for size in sorted(task["sizes"]):
        for dtype in task["dtypes"]:
            for threads in task["threads"]:
                known = {"size": size, "dtype": dtype, "threads": threads}
                expected = _amount(task["operation"], size) / rates.get((dtype, threads), float("inf"))
                if time.monotonic() + 2 * expected > end:
                    _say(**known, problem="it did not fit into the budget")
                    continue
                try:
                    for how, found in _timed(task, device, known):
                        _say(**known, how=how, **found)
                        if how == "synchronised":
                            rates[dtype, threads] = _amount(task["operation"], size) / found["seconds"]
                except RuntimeError as error:  # of memory that runs out, too
                    _say(**known, problem=str(error).partition("\n")[0])


def _amount(operation: str, size: int) -> float:
    return float(size) ** (3 if operation == "matmul" else 1)


def _timed(task: dict[str, Any], device: torch.device, known: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The times of one operation: synchronised; on an accelerator also with transfer, and without waiting for it."""
    given, operate = _operation(task["operation"], known["size"], getattr(torch, known["dtype"]))
    there = [each.to(device) for each in given]
    wait = _waiting(device)

    def alone() -> None:
        operate(*there)
        wait()

    def with_transfer() -> None:
        operate(*(each.to(device) for each in given)).cpu()

    with torch.no_grad():
        yield "synchronised", _repeated(alone, known["threads"], task["shortest"])
        if device.type != "cpu":
            yield "with transfer", _repeated(with_transfer, known["threads"], task["shortest"])
            yield "unsynchronised", _queued(lambda: operate(*there), wait)


def _operation(name: str, size: int, dtype: torch.dtype) -> tuple[list[torch.Tensor], Callable[..., torch.Tensor]]:
    if name == "matmul":
        return [torch.randn(size, size, dtype=dtype) for _ in range(2)], torch.matmul
    images = torch.randn(size, _CHANNELS, _PIXELS, _PIXELS, dtype=dtype)
    filters = torch.randn(_FILTERS, _CHANNELS, _KERNEL, _KERNEL, dtype=dtype)
    return [images, filters], lambda x, w: torch.nn.functional.conv2d(x, w, padding=_KERNEL // 2)


def _waiting(device: torch.device) -> Work:
    modules: dict[str, Any] = {"cuda": torch.cuda, "mps": torch.mps, "xpu": getattr(torch, "xpu", None)}
    module = modules.get(device.type)
    return module.synchronize if module is not None else lambda: None


def _repeated(work: Work, threads: int, shortest: float) -> dict[str, Any]:
    """By ``torch.utils.benchmark``, which warms up, and sets the number of threads for the time being."""
    work()
    found = Timer("work()", globals={"work": work}, num_threads=threads).blocked_autorange(min_run_time=shortest)
    return {"seconds": found.median, "spread": found.iqr, "runs": len(found.times) * found.number_per_run}


def _queued(work: Work, wait: Work) -> dict[str, Any]:
    """How long it takes to ask for the work, which is what a clock shows that nobody waits with."""
    taken = []
    for _ in range(_UNSYNCHRONISED):
        wait()
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    wait()
    return _summary(taken)


def _summary(taken: list[float]) -> dict[str, Any]:
    low, _, high = quantiles(taken, n=4)
    return {"seconds": median(taken), "spread": high - low, "runs": len(taken)}


# ---------------------------------------------------------------------- several processes


def _exchange(task: dict[str, Any]) -> None:
    """All-reduce of messages of several sizes in bytes; rank 0 says how long they take."""
    number = int(os.environ["RANK"])
    on_gpus = task["device"].startswith("cuda") and torch.cuda.device_count() >= task["processes"]
    device = torch.device("cuda", number) if on_gpus else torch.device("cpu")
    if on_gpus:
        torch.cuda.set_device(device)
    backend = "nccl" if on_gpus else "gloo"
    dist.init_process_group(backend)
    if number == 0:
        _say(device=f"{_named(device)}, {backend}", torch=torch.__version__)
    end = time.monotonic() + task["seconds"]
    wait = _waiting(device)
    for size in sorted(task["sizes"]):
        for dtype in task["dtypes"]:
            kind = getattr(torch, dtype)
            message = torch.ones(size // kind.itemsize, dtype=kind, device=device)
            found = _rounds(message, wait, task["shortest"], end)
            if number == 0:
                _say(size=size, dtype=dtype, threads=0, **found)
    dist.destroy_process_group()


def _rounds(message: torch.Tensor, wait: Work, shortest: float, end: float) -> dict[str, Any]:
    """The times of rank 0, which decides for all processes whether there is another round."""
    if not _agreed(message, time.monotonic() < end):
        return {"problem": "it did not fit into the budget"}
    taken: list[float] = []
    worked: list[float] = []
    begun = time.monotonic()
    dist.all_reduce(message)  # makes what is needed
    while _agreed(message, len(taken) < _ROUNDS or time.monotonic() < min(begun + shortest, end)):
        message.fill_(1)
        dist.barrier()
        wait()
        start, used = time.perf_counter(), time.process_time()
        dist.all_reduce(message)
        wait()
        taken.append(time.perf_counter() - start)
        worked.append(time.process_time() - used)
    return {"how": "synchronised", **_summary(taken), "cpu_seconds": median(worked)}


def _agreed(message: torch.Tensor, goes_on: bool) -> bool:
    answer = torch.tensor(int(goes_on), device=message.device)
    dist.broadcast(answer, src=0)
    return bool(answer.item())


if __name__ == "__main__":
    main()
