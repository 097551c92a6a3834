"""A step of training on N processes, simulated: gradients become ready, are put together, and go over the network.

Sources: S. Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training", VLDB 2020 (buckets);
A. Sergeev and M. Del Balso, "Horovod: fast and easy distributed deep learning in TensorFlow", 2018 (fusion); Horovod
0.28, docs/tensor-fusion.rst and ``BackgroundThreadLoop`` (cycles, in each of which processes ask each other).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from corro.classes import dataclass

DDP, HOROVOD = ENGINES = ("ddp", "horovod")
FIRST_BUCKET, BUCKET = 1 << 20, 25 << 20
"""Bytes at which DDP closes its first bucket, and all others: ``bucket_cap_mb`` of ``DistributedDataParallel``."""
FUSED = 128 << 20
"""Bytes that Horovod puts together at most: ``HOROVOD_FUSION_THRESHOLD``."""
CYCLE = 0.001
"""Seconds from one of Horovod's cycles to the next, if its messages are over by then: ``HOROVOD_CYCLE_TIME``.

In a cycle processes ask each other which gradients are ready on all; then these are put together and sent.
"""


@dataclass(frozen=True)
class Exchanged:
    """What a step exchanges gradients with.

    Args:
        engine: ``ddp`` or ``horovod``.
        seconds: how long a message of so many bytes takes.
        load: the part of a core that a message of so many bytes takes away from the backward pass meanwhile.
        asking: how long processes take to ask each other what is ready, in each of Horovod's cycles.
        copying: seconds for each byte that is put into a message with others, and taken out of it again.
    """

    engine: str
    seconds: Callable[[float], float]
    load: Callable[[float], float] = lambda size: 0.0
    asking: float = 0.0
    copying: float = 0.0


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
        self._free = 0.0
        """When the next message, or cycle, can begin."""
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

    def _compute(self, work: float) -> None:
        """So many seconds of work; what a message takes of the cores meanwhile makes it longer."""
        while work > 0:
            self._send(self.now)
            load, until = self._meanwhile()
            until = min(until, self._next())
            pace = 1 - min(1.0, load)
            if work <= pace * (until - self.now) if pace else False:
                self.now, work = self.now + work / pace, 0.0
            else:
                work, self.now = work - pace * (until - self.now), until

    def _meanwhile(self) -> tuple[float, float]:
        """What part of a core messages take now, and until when."""
        until = float("inf")
        for start, end, size in reversed(self.sent):
            if start <= self.now < end:
                return self._how.load(size), end
            if end <= self.now:
                break
            until = start
        return 0.0, until

    def _next(self) -> float:
        """When the next message is sent that is ready already."""
        return self._starts(self._waiting[0]) if self._waiting else float("inf")

    def _starts(self, message: Message) -> float:
        """When it is sent: once the one before is over; by Horovod in the next cycle, of which half is waited for."""
        if self._how.engine == DDP:
            return max(message.ready, self._free)
        if not self.sent:
            return message.ready + self._period / 2
        late = ceil((message.ready - self._free) / self._period)
        return max(message.ready, self._free + max(0, late) * self._period)

    @property
    def _period(self) -> float:
        """Of a cycle in which nothing is sent."""
        return max(CYCLE, self._how.asking)

    def _send(self, until: float) -> None:
        """Send what can be sent by then."""
        while self._waiting and self._starts(self._waiting[0]) <= until:
            start = self._starts(self._waiting[0])
            self._free = start
            if self._how.engine == DDP:
                self._one(start)
                continue
            self._free += self._how.asking
            while self._waiting and self._waiting[0].ready <= start:
                self._one(start)
            self._free = max(self._free, start + CYCLE)

    def _one(self, cycle: float) -> None:
        """Send the first of those that wait, with those that fit behind it and were ready when the cycle began."""
        size, together = self._waiting.pop(0).bytes, False
        while self._how.engine == HOROVOD and self._waiting and self._fits(size, cycle):
            size, together = size + self._waiting.pop(0).bytes, True
        taken = self._how.seconds(size) + (self._how.copying * size if together else 0.0)
        self.sent.append((self._free, self._free + taken, size))
        self._free += taken

    def _fits(self, size: int, cycle: float) -> bool:
        return self._waiting[0].ready <= cycle and size + self._waiting[0].bytes <= FUSED
