"""What times a program of PyTorch from inside its process, for a forecast. Runs where the program runs, and only there.

A program for several processes runs as the first of so many as it is told, in a group that has no others: the
collectives of PyTorch's ``fake`` backend give back what they are given. So it does exactly what one process does, and
nobody is waited for.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from corro.bench.meter import measured
from corro.bench.meter.clock import Meter
from corro.forecast.rows import FILE
from corro.trace.inside import COLLECTIVES
from corro.verify.probe.imports import after_import
from corro.verify.settings import Settings

PROCESSES = "CORRO_FORECAST"
"""The environment variable that says as one of how many processes the program runs; 0 for a sequential script."""
_BACKEND = "fake"
_BARRIER = "TORCH_DIST_INIT_BARRIER"


def profiled(run: Callable[[], None]) -> None:
    """Run a program, and leave what it did, however it ends."""
    measured(run, Profiler)


class Profiler(Meter):
    """One timed process.

    Args:
        settings: as of a meter.
    """

    def __init__(self, settings: Settings) -> None:
        self.rows: list[dict[str, Any]] = []
        self.parameters: list[Any] = []
        self.length = 0
        self.buffer_bytes = 0
        self._known: dict[int, int] = {}
        self._clock = _Clock()
        self._row: dict[str, Any] = _empty()
        super().__init__(settings)
        after_import("torch", lambda torch: _watch(torch, self))
        if int(os.environ[PROCESSES]):
            after_import("torch", lambda torch: _alone(torch, self))

    def note(self, what: str, seconds: float) -> None:
        """Add to what a step has of something."""
        self._row[what] += seconds

    def began_backward(self) -> None:
        """A backward pass begins; of several before a step the last one counts."""
        self._row["backward"], self._row["ready"] = self._clock.mark(), {}

    def ended_backward(self) -> None:
        """It has ended."""
        self._row["end"] = self._clock.mark()

    def ready(self, number: int) -> None:
        """The gradient of a parameter is there."""
        self._row["ready"][number] = self._clock.mark()

    def before_step(self, optimizer: Any) -> None:
        """An optimizer is about to step: see to the gradients of all that it has."""
        self._row["optimizer"] = self._clock.mark()
        for group in optimizer.param_groups:
            for each in group["params"]:
                if each.requires_grad and id(each) not in self._known:
                    number = self._known[id(each)] = len(self.parameters)
                    self.parameters.append(each)
                    each.register_post_accumulate_grad_hook(lambda _, number=number: self.ready(number))

    def stepped(self, steps: int = 1) -> None:
        """A step has ended."""
        self._row["stepped"] = self._clock.mark()
        self.rows.append(self._clock.settled(self._row))
        self._row = _empty()
        self._clock.begin()
        super().stepped(steps)

    def finish(self) -> None:
        """Leave the rows, too."""
        names = _names(self.parameters)
        told = {
            "rows": self.rows,
            "parameters": [(names[n], each.numel() * each.element_size()) for n, each in enumerate(self.parameters)],
            "passes": self.length,
            "buffer_bytes": self.buffer_bytes,
            "device": self._clock.device,
        }
        (self.folder / FILE).write_text(json.dumps(told))
        super().finish()


def _empty() -> dict[str, Any]:
    return {"loading": 0.0, "saving": 0.0, "messages": 0, "message_bytes": 0, "ready": {}}


class _Clock:
    """Times within a step: the processor's, or those of an accelerator that works through a queue."""

    device = "cpu"

    def __init__(self) -> None:
        self._events: Any = None
        self._begun: Any = time.monotonic()

    def begin(self) -> None:
        """A step begins."""
        cuda = import_module("torch").cuda
        if self._events is None and cuda.is_initialized():
            self._events = functools.partial(cuda.Event, enable_timing=True)
            self.device = str(cuda.get_device_name())
        self._begun = self.mark()

    def mark(self) -> Any:
        """This moment; on an accelerator that at which it has done all that it was asked for."""
        if self._events is None:
            return time.monotonic()
        event = self._events()
        event.record()
        return event

    def settled(self, row: dict[str, Any]) -> dict[str, Any]:
        """A step whose moments are seconds from its beginning; those of gradients by the number of the parameter."""
        if self._events is not None:
            import_module("torch").cuda.synchronize()
        moments: dict[str, Any] = {
            key: self._since(row[key]) for key in ("backward", "end", "optimizer", "stepped") if key in row
        }
        ready = {str(number): self._since(moment) for number, moment in row["ready"].items()}
        return {**row, **moments, "ready": ready}

    def _since(self, moment: Any) -> float:
        if isinstance(moment, float):
            return moment - self._begun if isinstance(self._begun, float) else 0.0
        return 0.0 if isinstance(self._begun, float) else float(self._begun.elapsed_time(moment)) / 1000


def _names(parameters: list[Any]) -> list[str]:
    """What the largest module calls each parameter."""
    modules = [each for each in gc.get_objects() if _is_module(each)]
    counted = sorted(modules, key=lambda each: -sum(1 for _ in each.parameters()))
    named: dict[int, str] = {}
    for module in counted[:1]:
        named = {id(each): name.removeprefix("module.") for name, each in module.named_parameters()}
    return [named.get(id(each), f"parameter {number}") for number, each in enumerate(parameters)]


def _is_module(thing: Any) -> bool:
    try:
        return isinstance(thing, import_module("torch").nn.Module)
    except Exception:  # what only pretends to have a class
        return False


def _watch(torch: Any, profiler: Profiler) -> None:
    torch.autograd.backward = _timed_pass(torch.autograd.backward, profiler)  # by that of tensors, too
    torch.save = _timed(torch.save, profiler, "saving")
    loaders = torch.utils.data.dataloader
    loaders._BaseDataLoaderIter.__next__ = _timed(loaders._BaseDataLoaderIter.__next__, profiler, "loading")
    torch.utils.data.DataLoader.__iter__ = _lengths(torch.utils.data.DataLoader.__iter__, profiler)
    optimizer = import_module("torch.optim.optimizer")
    optimizer.register_optimizer_step_pre_hook(lambda own, *_: profiler.before_step(own))


def _timed(plain: Any, profiler: Profiler, what: str) -> Any:
    @functools.wraps(plain)
    def timed(*args: Any, **kwargs: Any) -> Any:
        start = time.monotonic()
        try:
            return plain(*args, **kwargs)
        finally:
            profiler.note(what, time.monotonic() - start)

    return timed


def _timed_pass(plain: Any, profiler: Profiler) -> Any:
    @functools.wraps(plain)
    def backward(*args: Any, **kwargs: Any) -> Any:
        profiler.began_backward()
        try:
            return plain(*args, **kwargs)
        finally:
            profiler.ended_backward()

    return backward


def _lengths(plain: Any, profiler: Profiler) -> Any:
    """How many batches the loader has that the first step is made with."""

    @functools.wraps(plain)
    def begin(loader: Any) -> Any:
        if not profiler.made:
            try:
                profiler.length = len(loader)
            except TypeError:  # a stream
                profiler.length = 0
        return plain(loader)

    return begin


# ---------------------------------------------------------------------- a group without others


def _alone(torch: ModuleType, profiler: Profiler) -> None:
    distributed = torch.distributed
    plain = distributed.init_process_group
    processes = int(os.environ[PROCESSES])

    @functools.wraps(plain)
    def join(*_: Any, **__: Any) -> None:
        store = import_module("torch.testing._internal.distributed.fake_pg").FakeStore()
        os.environ[_BARRIER] = "0"
        plain(_BACKEND, rank=0, world_size=processes, store=store)

    distributed.init_process_group = join
    for name in COLLECTIVES:
        if hasattr(distributed, name):
            setattr(distributed, name, _counted(getattr(distributed, name), profiler))
    after_import("torch.nn.parallel.distributed", lambda module: _without_others(module, profiler))


def _counted(plain: Any, profiler: Profiler) -> Any:
    """Collectives of the script itself, with the bytes of the first tensor."""

    @functools.wraps(plain)
    def collective(*args: Any, **kwargs: Any) -> Any:
        profiler.note("messages", 1)
        profiler.note("message_bytes", next((each.nbytes for each in args if hasattr(each, "nbytes")), 0))
        return plain(*args, **kwargs)

    return collective


def _without_others(module: ModuleType, profiler: Profiler) -> None:
    """DDP's buckets are filled and divided as ever, and are summed at once."""
    kind = module.DistributedDataParallel
    made = kind.__init__
    processes = int(os.environ[PROCESSES])

    @functools.wraps(made)
    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        if self.broadcast_buffers:
            profiler.buffer_bytes += sum(each.nbytes for each in self.module.buffers())
        self.register_comm_hook(None, hook)

    def hook(_: Any, bucket: Any) -> Any:
        summed = import_module("torch").futures.Future()
        summed.set_result(bucket.buffer().mul_(1.0 / processes))
        return summed

    hook.__annotations__ = {"bucket": import_module("torch.distributed").GradBucket}  # as PyTorch asks for
    kind.__init__ = make
