"""A step of training on N processes, simulated: gradients become ready, are put together, and go over the network.

Sources: S. Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training", VLDB 2020 (buckets);
A. Sergeev and M. Del Balso, "Horovod: fast and easy distributed deep learning in TensorFlow", 2018 (fusion).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from corro.classes import dataclass

DDP, HOROVOD = ENGINES = ("ddp", "horovod")
FIRST_BUCKET, BUCKET = 1 << 20, 25 << 20
"""Bytes at which DDP closes its first bucket, and all others: ``bucket_cap_mb`` of ``DistributedDataParallel``."""
FUSED = 128 << 20
"""Bytes that Horovod puts together at most: ``HOROVOD_FUSION_THRESHOLD``."""
CYCLE = 0.001
"""Seconds after which Horovod looks again for gradients that are ready: ``HOROVOD_CYCLE_TIME``."""


@dataclass(frozen=True)
class Exchanged:
    """What a step exchanges gradients with.

    Args:
        engine: ``ddp`` or ``horovod``.
        seconds: how long a message of so many bytes takes.
        load: the part of a core that a message of so many bytes takes away from the backward pass meanwhile.
    """

    engine: str
    seconds: Callable[[float], float]
    load: Callable[[float], float] = lambda size: 0.0


@dataclass(frozen=True)
class Step:
    """How long a step takes.

    Args:
        backward: until all gradients are there, in seconds.
        exchange: of all messages together.
        exposed: what is waited for when the backward pass is over.
        messages: when each was sent, when it was received, and its bytes.
    """

    backward: float
    exchange: float
    exposed: float
    messages: tuple[tuple[float, float, int], ...]


@dataclass(frozen=True)
class Message:
    """Bytes that are ready at a time."""

    ready: float
    bytes: int


def buckets(sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The gradients of each of DDP's buckets, by their numbers in the order in which they are ready.

    DDP puts them into that order after the first step. A bucket is closed by the gradient with which it is full.
    """
    found: list[tuple[int, ...]] = []
    own: list[int] = []
    filled = 0
    for number, size in enumerate(sizes):
        own.append(number)
        filled += size
        if filled >= (BUCKET if found else FIRST_BUCKET):
            found.append(tuple(own))
            own, filled = [], 0
    return (*found, tuple(own)) if own else tuple(found)


def simulated(sizes: Sequence[int], backward: Sequence[float], how: Exchanged) -> Step:
    """The backward pass of a step, and the exchange behind it.

    Args:
        sizes: bytes of each gradient, in the order in which they are ready.
        backward: seconds of each, from when the one before it was ready; then what comes after the last.
        how: what they are exchanged with.
    """
    run = _Run(how)
    run.pass_over(sizes, backward)
    messages = tuple((start, end, size) for start, end, size in run.sent)
    end = max((end for _, end, _ in messages), default=0.0)
    return Step(
        backward=run.now,
        exchange=sum(end - start for start, end, _ in messages),
        exposed=max(0.0, end - run.now),
        messages=messages,
    )


class _Run:
    """A backward pass that computes while messages are under way, one after the other."""

    def __init__(self, how: Exchanged) -> None:
        self._how = how
        self._waiting: list[Message] = []
        self.now = 0.0
        self.sent: list[tuple[float, float, int]] = []

    def pass_over(self, sizes: Sequence[int], backward: Sequence[float]) -> None:
        """Compute all gradients, and send them."""
        closes = self._closes(sizes)
        pending = 0
        for number, size in enumerate(sizes):
            self._compute(backward[number])
            pending += size
            if number in closes:
                self._waiting.append(Message(self.now, pending))
                pending = 0
        self._compute(backward[len(sizes)])
        self._send(float("inf"))

    def _closes(self, sizes: Sequence[int]) -> set[int]:
        """The gradients with which a message is ready: Horovod looks at each by itself."""
        return {each[-1] for each in buckets(sizes)} if self._how.engine == DDP else set(range(len(sizes)))

    @property
    def _free(self) -> float:
        """When the message before is over."""
        return self.sent[-1][1] if self.sent else 0.0

    def _compute(self, work: float) -> None:
        """So many seconds of work; what a message takes of the cores meanwhile makes it longer."""
        while work > 0:
            self._send(self.now)
            start, end, size = self.sent[-1] if self.sent else (0.0, 0.0, 0)
            pace = 1 - min(1.0, self._how.load(size)) if start <= self.now < end else 1.0
            until = min(end if self.now < end else float("inf"), self._next())
            if work <= pace * (until - self.now) if pace else False:
                self.now, work = self.now + work / pace, 0.0
            else:
                work, self.now = work - pace * (until - self.now), until

    def _next(self) -> float:
        """When the next message is sent that is ready already."""
        return self._starts(self._waiting[0]) if self._waiting else float("inf")

    def _starts(self, message: Message) -> float:
        look = CYCLE if self._how.engine == HOROVOD else 0.0
        return max(message.ready + look, self._free)

    def _send(self, until: float) -> None:
        """Send what can be sent by then."""
        while self._waiting and self._starts(self._waiting[0]) <= until:
            start = self._starts(self._waiting[0])
            size = self._waiting.pop(0).bytes
            while self._how.engine == HOROVOD and self._waiting and self._fits(size, start):
                size += self._waiting.pop(0).bytes
            self.sent.append((start, start + self._how.seconds(size), size))

    def _fits(self, size: int, start: float) -> bool:
        return self._waiting[0].ready <= start and size + self._waiting[0].bytes <= FUSED
