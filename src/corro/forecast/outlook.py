"""What is to be expected of N processes: throughput, efficiency, time, cost, and where it stops paying."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import ceil, log2
from statistics import fmean, median, quantiles

from corro.classes import dataclass
from corro.forecast.allreduce import Cluster, Link, broadcast, seconds
from corro.forecast.profile import Profile, Share
from corro.forecast.simulate import DDP, HOROVOD, Exchanged, Step, simulated

STRONG, WEAK = SCALINGS = ("strong", "weak")
LEAST = 0.5
"""More processes pay as long as those that are added bring half of what they would, had they nobody to wait for."""
_RESAMPLES = 200
_CONFIDENCE = 0.95
_QUANTILES = tuple((2 * n + 1) / 18 for n in range(9))
"""At these the slowest of N processes is looked at: the mean over them is that of its steps."""
_RARE = 0.05
"""Steps slower than all but so many count as the slowest of these: what is rarer is the machine's doing."""
_HOUR = 3600.0
_COPIES = 2
"""Horovod copies what it puts together into its buffer, and out of it."""


@dataclass(frozen=True)
class Setting:
    """What a training is forecast for.

    Args:
        cluster: what the processes are connected by.
        engine: ``ddp`` or ``horovod``.
        spread: by which part of itself the time of a message may be off.
        on_cpu: whether processes, and the exchange, compete for the cores of a machine.
        price: of a process for an hour; 0 where there is none.
        epochs: how many passes over the data there are; 0 for what the profile says.
    """

    cluster: Cluster
    engine: str = DDP
    spread: float = 0.0
    on_cpu: bool = False
    price: float = 0.0
    epochs: int = 0


def link_of(profile: Profile, given: Link | None) -> Link | None:
    """What processes are connected by: a network, behind what the exchange itself takes of a CPU.

    Args:
        profile: of the training.
        given: the network; ``None`` for what was measured between processes of one machine.

    Returns:
        ``None`` where neither is known.
    """
    exchange = profile.exchange
    if exchange is None:
        return given
    if given is None:
        return Link(exchange.latency, exchange.bandwidth)
    return Link(given.latency + exchange.latency, min(given.bandwidth, exchange.bandwidth))


@dataclass(frozen=True)
class Range:
    """A number, and between which two it is in 95 of 100 cases, as far as the measured steps say it."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Outlook:
    """What N processes are expected to do; times in seconds.

    Args:
        processes: how many.
        scaling: ``strong`` or ``weak``.
        batch: samples of each process for a step.
        step: how long a step takes.
        rate: samples a second, of all processes.
        efficiency: the rate by that of as many processes that have nothing to wait for.
        exposed: the part of a step in which gradients are waited for.
        slowest: the part of a step in which the slowest process is waited for.
        total: to the end of the training, or of one pass where the number of passes is not known; ``None`` where the
            samples are not known either.
        cost: of that time; ``None`` without a price.
    """

    processes: int
    scaling: str
    batch: int
    step: Range
    rate: Range
    efficiency: Range
    exposed: float
    slowest: float
    total: Range | None
    cost: Range | None


def outlook(profile: Profile, setting: Setting, processes: int, scaling: str) -> Outlook | None:
    """What is to be expected of so many processes; ``None`` where the batch cannot be shared out over them."""
    if scaling == STRONG and profile.alone.batch % processes:
        return None
    own, one = _of(profile, setting, processes, scaling), _of(profile, setting, 1, scaling)
    drawn = [(own.drawn(number), one.drawn(number)) for number in range(_RESAMPLES)]
    steps = [step for step, _ in drawn]
    samples, alone = own.share.batch * processes, one.share.batch * processes
    step = own.mean
    total = own.total(steps)
    hours = processes * setting.price / _HOUR
    return Outlook(
        processes=processes,
        scaling=scaling,
        batch=own.share.batch,
        step=_range(step, steps),
        rate=_range(samples / step, [samples / each for each in steps]),
        efficiency=_range(
            samples / step / (alone / one.mean), [samples / each / (alone / other) for each, other in drawn]
        ),
        exposed=own.exposed() / step,
        slowest=max(0.0, 1 - own.at(1.0) / step),
        total=total,
        cost=Range(total.value * hours, total.low * hours, total.high * hours) if total and setting.price else None,
    )


def rate(profile: Profile, setting: Setting, processes: int, scaling: str) -> float | None:
    """Samples a second that so many processes are expected to take; ``None`` where the batch cannot be shared out."""
    if scaling == STRONG and profile.alone.batch % processes:
        return None
    own = _of(profile, setting, processes, scaling)
    return own.share.batch * processes / own.mean


def outlooks(profile: Profile, setting: Setting, numbers: Sequence[int], scaling: str) -> tuple[Outlook, ...]:
    """What is to be expected of each of these numbers of processes over which the batch can be shared out."""
    found = (outlook(profile, setting, number, scaling) for number in numbers)
    return tuple(each for each in found if each is not None)


@dataclass(frozen=True)
class Limit:
    """Where more processes stop to pay.

    Args:
        last: the last number that does.
        next: the next that was looked at, which does not; ``None`` where none was found.
        gained: which part of what they would with nobody to wait for the processes bring that ``next`` adds.
    """

    last: int
    next: int | None = None
    gained: float = 1.0


def pays_up_to(profile: Profile, setting: Setting, most: int, scaling: str) -> Limit:
    """Where it stops paying.

    Doubled are 1, 2, 4, ...: it pays as long as the processes that are added bring at least half of what they would
    with nobody to wait for.

    Args:
        profile: of the training.
        setting: of the forecast.
        most: so far it is looked at.
        scaling: ``strong`` or ``weak``.
    """
    alone = rate(profile, setting, 1, scaling) or 0.0
    last, own = 1, alone
    for number in doubled(most):
        found = rate(profile, setting, number, scaling)
        if found is None:
            break
        gained = (found - own) / ((number - last) * alone)
        if gained < LEAST:
            return Limit(last, number, gained)
        last, own = number, found
    return Limit(last)


def doubled(most: int) -> Iterator[int]:
    """2, 4, 8, ... and the most."""
    number = 2
    while number < most:
        yield number
        number *= 2
    if most > 1:
        yield most


class _Steps:
    """The steps of N processes.

    Args:
        profile: of the training.
        setting: of the forecast.
        processes: how many.
        share: what each of them does.
    """

    def __init__(self, profile: Profile, setting: Setting, processes: int, share: Share) -> None:
        self.share = share
        self._profile, self._setting, self._processes = profile, setting, processes
        self._sizes = [each.bytes for each in profile.gradients]
        used = min(processes, setting.cluster.per_machine) * profile.threads
        self._crowding = used / profile.cores if profile.cores and setting.on_cpu else 0.0
        measured = share.copies * profile.threads / profile.cores if profile.cores else 1.0
        self._pace = max(1.0, self._crowding) / max(1.0, measured)
        self._known: dict[float, float] = {}

    @property
    def mean(self) -> float:
        """Of a step, in seconds."""
        return self._mean(steady(self.share.steps))

    def drawn(self, number: int) -> float:
        """The same, had other steps and another time of the exchange been measured (a bootstrap, by its number)."""
        chance = random.Random(number)
        steps = [chance.choice(self.share.steps) for _ in self.share.steps]
        level = median(steps) / median(self.share.steps) if steps else 1.0
        slower = max(-0.9, chance.gauss(0.0, self._setting.spread))
        return self._mean(steady(steps)) * level + self.exposed() * slower

    def at(self, factor: float) -> float:
        """A step whose slowest process takes so many times as long as usual, in seconds."""
        factor = round(factor, 2)
        if factor not in self._known:
            slower = factor * self._pace
            busy = slower * (self.share.before + self.share.optimizer)
            step = self._simulated(slower)
            self._known[factor] = busy + self._other() + step.backward + step.exposed
        return self._known[factor]

    def exposed(self) -> float:
        """What the exchange makes a usual step longer by, in seconds."""
        return self.at(1.0) - self.share.seconds * self._pace

    def total(self, steps: Sequence[float]) -> Range | None:
        """To the end of the training, by its mean step and by others; ``None`` where its samples are not known."""
        profile, count = self._profile, self._processes
        if not profile.samples:
            return None
        made = ceil(profile.samples / (self.share.batch * count))
        passes = self._setting.epochs or profile.epochs or 1
        more = profile.between(count) + self.share.checkpoint
        lasting = [profile.startup + passes * (made * each + more) for each in (self.mean, *steps)]
        return _range(lasting[0], lasting[1:])

    def _mean(self, ordered: Sequence[float]) -> float:
        if not ordered:
            return self.at(1.0)
        usual, count = median(ordered), len(ordered)
        slowest = (min(count - 1, int(each ** (1 / self._processes) * count)) for each in _QUANTILES)
        return fmean(self.at(ordered[each] / usual) for each in slowest)

    def _simulated(self, slower: float) -> Step:
        exchanged = Exchanged(
            self._setting.engine, self._message, self._load, asking=self._asking(), copying=self._copying()
        )
        sizes = self._sizes if self._processes > 1 else [0] * len(self._sizes)
        return simulated(sizes, [each * slower for each in self.share.backward], exchanged)

    def _other(self) -> float:
        """Buffers that rank 0 sends, and the script's own collectives."""
        share, cluster = self.share, self._setting.cluster
        sent = broadcast(self._profile.buffer_bytes, self._processes, cluster.link(self._processes))
        each = share.message_bytes / share.messages if share.messages else 0.0
        return sent + share.messages * seconds(cluster, self._processes, each)

    def _message(self, size: float) -> float:
        """Seconds; where all cores have work, at least what of a core it takes."""
        return self._beside(seconds(self._setting.cluster, self._processes, size), self._work(size))

    def _asking(self) -> float:
        """In a cycle Horovod's processes tell each other a few bytes, up and down a tree; one alone tells nobody."""
        if self._processes == 1:
            return 0.0
        messages, exchange = 2 * ceil(log2(self._processes)), self._profile.exchange
        latency = self._setting.cluster.link(self._processes).latency
        return messages * self._beside(latency, exchange.cpu_latency if exchange else 0.0)

    def _copying(self) -> float:
        """Seconds for each byte that Horovod puts together with others; an accelerator takes none worth a number."""
        exchange = self._profile.exchange
        if exchange is None or not self._setting.on_cpu:
            return 0.0
        return _COPIES * self._beside(exchange.copy_per_byte, exchange.copy_per_byte)

    def _beside(self, taken: float, work: float) -> float:
        """How long something takes that needs some work of a core, beside a process that computes, or waits for it.

        Who waits for Horovod asks all the time whether it has come (``WaitAndClear``), so that there always is a thread
        besides: where no core is free, it works as long as the other does.
        """
        if self._crowding < 1:
            return taken
        work *= self._crowding
        return max(taken, work) + (work if self._setting.engine == HOROVOD else 0.0)

    def _work(self, size: float) -> float:
        """Processor time of a process for a message."""
        exchange = self._profile.exchange
        if exchange is None or not size:
            return 0.0
        others = 2 * (self._processes - 1)
        return others * (exchange.cpu_latency + exchange.cpu_per_byte * size / self._processes)

    def _load(self, size: float) -> float:
        """What part of its core a message takes from the backward pass, where no core is free for it."""
        taken = self._message(size)
        return min(1.0, self._work(size) * self._crowding / taken) if self._crowding >= 1 and taken else 0.0


def _of(profile: Profile, setting: Setting, processes: int, scaling: str) -> _Steps:
    whole = profile.alone
    if processes == 1:
        return _Steps(profile, setting, 1, whole)
    batch = whole.batch // processes if scaling == STRONG else whole.batch
    copies = min(processes, setting.cluster.per_machine) if setting.on_cpu else 1
    return _Steps(profile, setting, processes, profile.share(processes, batch, copies))


def steady(steps: Sequence[float]) -> list[float]:
    """Measured steps in order; those that are rarely as slow count as the slowest of the others."""
    ordered = sorted(steps)
    last = ordered[max(0, ceil((1 - _RARE) * len(ordered)) - 1)] if ordered else 0.0
    return [min(each, last) for each in ordered]


def _range(value: float, drawn: Sequence[float]) -> Range:
    cuts = quantiles(drawn, n=round(2 / (1 - _CONFIDENCE)), method="inclusive")
    return Range(value, min(value, cuts[0]), max(value, cuts[-1]))
