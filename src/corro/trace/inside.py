"""What traces a program from inside its process. Runs where the program runs, and only there.

Functions of PyTorch and Horovod are wrapped in a clock. What they compute stays the same: the hook that sees a bucket
of gradients does to it what DDP does without one, bit by bit.
"""

from __future__ import annotations

import functools
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from corro.bench.meter import measured
from corro.bench.meter.clock import Meter
from corro.trace import inside_keras, spans
from corro.trace.inside_horovod import Horovod
from corro.trace.spans import Span
from corro.verify.probe.imports import after_import
from corro.verify.settings import Settings

WATCHED = "CORRO_TRACE"
"""The environment variable that says for how many steps other tracers look as well; 0: for all."""
COLLECTIVES = ("all_reduce", "broadcast", "barrier", "all_gather", "all_gather_object", "broadcast_object_list",
                "reduce", "gather", "all_gather_into_tensor", "reduce_scatter_tensor", "all_to_all")  # fmt: skip
_OF_HOROVOD = ("allreduce", "allreduce_", "allgather", "broadcast", "broadcast_", "grouped_allreduce",
               "grouped_allreduce_", "broadcast_object", "barrier", "broadcast_parameters")  # fmt: skip


def traced(run: Callable[[], None]) -> None:
    """Run a program, and leave what it did, however it ends."""
    measured(run, Tracer)


class Tracer(Meter):
    """One traced process.

    Args:
        settings: as of a meter.
    """

    def __init__(self, settings: Settings) -> None:
        self._spans: list[Span] = []
        self._within = threading.local()
        self.own_seconds = 0.0
        self._watched = int(os.environ[WATCHED])
        self.notes: dict[str, Callable[[], dict[str, Any]]] = {}
        self.at_step: list[Callable[[], None]] = []
        super().__init__(settings)
        after_import("torch", lambda torch: _watch(torch, self))
        after_import("horovod.torch", lambda horovod: _watch_horovod(horovod, self))
        inside_keras.install(self)

    @contextmanager
    def span(self, kind: str | Callable[[], str], within: str = "") -> Iterator[None]:
        """Note what is done meanwhile, unless it is a part of something that is noted.

        Args:
            kind: of work; asked in the end where only that shows it.
            within: a kind of which it may be a part, and is noted all the same.
        """
        outer = getattr(self._within, "kind", "")
        if outer and outer != within:
            yield
            return
        begun = time.monotonic()
        line, step = self.line(), self.made
        self._within.kind = kind if isinstance(kind, str) else spans.STEP
        start = time.monotonic()
        self.own_seconds += start - begun
        try:
            yield
        finally:
            end = time.monotonic()
            self.add(Span(kind if isinstance(kind, str) else kind(), start, end, line, step))
            self._within.kind = outer
            self.own_seconds += time.monotonic() - end

    @property
    def is_watched(self) -> bool:
        """Whether other tracers still look: those of engines slow down what they see, and leave the rest as it is."""
        return not self._watched or self.made < self._watched

    def stepped(self, steps: int = 1) -> None:
        """A step has ended, or several at once, and the last was not among them."""
        super().stepped(steps)
        for each in self.at_step:
            each()

    def add(self, span: Span) -> None:
        """Keep a span."""
        self._spans.append(span)

    def finish(self) -> None:
        """Leave the spans, too, and what helps to read other tracers."""
        spans.write(self.folder, self._spans, self.own_seconds, {name: noted() for name, noted in self.notes.items()})
        super().finish()


def _wrapped(tracer: Tracer, kind: str | Callable[[Any], str], function: Any) -> Any:
    @functools.wraps(function)
    def within(*args: Any, **kwargs: Any) -> Any:
        with tracer.span(kind if isinstance(kind, str) else kind(args[0])):
            return function(*args, **kwargs)

    return within


def _wrap(owner: Any, tracer: Tracer, kind: str | Callable[[Any], str], *names: str) -> None:
    for name in names:
        if hasattr(owner, name):
            setattr(owner, name, _wrapped(tracer, kind, getattr(owner, name)))


def _watch(torch: ModuleType, tracer: Tracer) -> None:
    def forward(module: Any) -> str:
        return spans.FORWARD if torch.is_grad_enabled() and module.training else spans.EVALUATION

    _wrap(torch.nn.Module, tracer, forward, "__call__")
    _wrap(torch.Tensor, tracer, spans.BACKWARD, "backward")
    _wrap(torch.autograd, tracer, spans.BACKWARD, "backward")
    _wrap(torch, tracer, spans.CHECKPOINT, "save")
    _wrap(torch.utils.data.dataloader._BaseDataLoaderIter, tracer, spans.LOADING, "__next__")
    _wrap(torch.utils.data.DataLoader, tracer, spans.LOADING, "__iter__")
    _watch_moves(torch, tracer)
    _watch_steps(tracer)
    if torch.distributed.is_available():
        _wrap(torch.distributed, tracer, spans.WAITING, *COLLECTIVES)
        after_import("torch.nn.parallel.distributed", lambda module: _watch_buckets(module, tracer))


def _watch_moves(torch: ModuleType, tracer: Tracer) -> None:
    """What goes from one device to another."""
    for name in ("to", "cuda", "cpu"):
        plain = getattr(torch.Tensor, name)

        def moved(self: Any, *args: Any, _plain: Any = plain, **kwargs: Any) -> Any:
            start = time.monotonic()
            result = _plain(self, *args, **kwargs)
            if result.device != self.device:
                tracer.add(Span(spans.MOVING, start, time.monotonic(), tracer.line(), tracer.made))
            return result

        setattr(torch.Tensor, name, functools.wraps(plain)(moved))


def _watch_steps(tracer: Tracer) -> None:
    begun: list[tuple[float, int]] = []

    def before(*_: Any) -> None:
        begun.append((time.monotonic(), tracer.made))

    def after(*_: Any) -> None:
        start, step = begun.pop()
        if not begun:
            tracer.add(Span(spans.OPTIMIZER, start, time.monotonic(), tracer.line(), step))

    optimizer = import_module("torch.optim.optimizer")
    optimizer.register_optimizer_step_pre_hook(before)
    optimizer.register_optimizer_step_post_hook(after)


def _watch_buckets(module: ModuleType, tracer: Tracer) -> None:
    """Each bucket of DDP, which takes one hook: that of the program, where it has one, is called by this one."""
    distributed = import_module("torch.distributed")
    kind = module.DistributedDataParallel
    made, register = kind.__init__, kind.register_comm_hook

    @functools.wraps(made)
    def make(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        self._corro_own_hook = [(None, plainly)]
        register(self, self._corro_own_hook, hook)

    @functools.wraps(register)
    def registered(self: Any, state: Any, hook: Any) -> None:
        self._check_comm_hook(hook)
        self._corro_own_hook[0] = (state, hook)

    def plainly(_: Any, bucket: Any) -> Any:
        # as in reducer.cpp: PyTorch's own hook divides, which rounds otherwise where N is no power of two
        gradients = bucket.buffer().mul_(1.0 / distributed.get_world_size())
        return distributed.all_reduce(gradients, async_op=True).get_future()

    def hook(given: Any, bucket: Any) -> Any:
        start, size = time.monotonic(), bucket.buffer().nbytes
        outer, tracer._within.kind = getattr(tracer._within, "kind", ""), spans.EXCHANGE
        state, own = given[0]
        exchanged = own(state, bucket)
        tracer._within.kind = outer

        def ended(future: Any) -> Any:
            tracer.add(Span(spans.EXCHANGE, start, time.monotonic(), "", tracer.made, size))
            value = future.value()
            return value[0] if isinstance(value, list) else value

        return exchanged.then(ended)

    hook.__annotations__ = {"bucket": distributed.GradBucket}  # as PyTorch asks for
    kind.__init__, kind.register_comm_hook = make, registered


def _watch_horovod(horovod: ModuleType, tracer: Tracer) -> None:
    _wrap(horovod, tracer, spans.WAITING, *_OF_HOROVOD)
    optimizer = horovod.optimizer
    _wrap(optimizer._DistributedOptimizer, tracer, spans.WAITING, "synchronize")
    noted = Horovod(tracer, horovod)
    optimizer.allreduce_async_ = noted.give(optimizer.allreduce_async_)
    optimizer.synchronize = noted.wait(optimizer.synchronize)
