"""The design of an experiment: which configurations are run, how often, and in which order.

The words are those of R. Jain, *The Art of Computer Systems Performance Analysis*, chapters 16 to 19: a *factor* has
*levels*, a combination of levels is a *treatment* here, a repetition of all is a *block*. Sequential runs and limits
are no combinations of levels but what these are compared with; they are in each block, too.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from corro.errors import UsageError
from corro.targets.base import USUAL, Exchange

SEQUENTIAL, UNCONNECTED = "sequential", "unconnected"
TARGET, PROCESSES, THREADS, SCALING = "target", "processes", "threads", "scaling"
COMPRESSION, BUCKET_MB = "compression", "bucket-mb"
AS_THEY_ARE, BY_ENGINE = "none", "auto"
"""Gradients are sent in their own type; the engine decides how many at a time."""
ALWAYS = (TARGET, PROCESSES, THREADS, SCALING)
OWN = (*ALWAYS, COMPRESSION, BUCKET_MB)
"""The factors that Corro sets; all others are options of the script. Those beyond ``ALWAYS`` may be left out."""
KINDS = ("full", "2k", "fractional")
_LEAST_FOR_FRACTION = 3


@dataclass(frozen=True)
class Factor:
    """What is varied, with its levels as they are written."""

    name: str
    levels: tuple[str, ...]


Way: TypeAlias = tuple[str, str, Exchange]
"""What programs differ by: the engine, the scaling, and how gradients are exchanged."""


@dataclass(frozen=True)
class Treatment:
    """One configuration.

    Args:
        target: the engine; ``sequential``, or ``unconnected`` for so many sequential processes at once.
        processes: how many processes; devices, where one process has all.
        threads: of each process.
        scaling: ``strong`` or ``weak``; empty where nothing is shared out.
        options: of the script, with their levels.
        exchange: how gradients are exchanged, where the engine is told.
    """

    target: str
    processes: int
    threads: int
    scaling: str = ""
    options: tuple[tuple[str, str], ...] = ()
    exchange: Exchange = USUAL

    @property
    def distributed(self) -> bool:
        """Whether an engine runs it."""
        return self.target not in (SEQUENTIAL, UNCONNECTED)

    @property
    def program(self) -> Way:
        """Which program it runs."""
        return self.target, self.scaling, self.exchange

    @property
    def sequential(self) -> Treatment:
        """The sequential run that it is compared with: as many threads a process, the same options."""
        return Treatment(SEQUENTIAL, 1, self.threads, options=self.options)

    @property
    def unconnected(self) -> Treatment:
        """The limit of what its processes could do if they had nothing to tell each other."""
        return Treatment(UNCONNECTED, self.processes, self.threads, options=self.options)

    def alone(self, cores: int) -> Treatment:
        """One process with all threads of the machine."""
        return Treatment(SEQUENTIAL, 1, cores, options=self.options)

    def level(self, factor: str) -> str:
        """Its level of a factor."""
        own = {
            TARGET: self.target,
            PROCESSES: self.processes,
            THREADS: self.threads,
            SCALING: self.scaling,
            COMPRESSION: self.exchange.compression or AS_THEY_ARE,
            BUCKET_MB: self.exchange.bucket_mb or BY_ENGINE,
        }
        return str(own[factor]) if factor in own else dict(self.options)[factor]

    @property
    def key(self) -> str:
        """A text that no other treatment has."""
        exchange = [self.exchange.compression, self.exchange.bucket_mb] if self.exchange != USUAL else []
        return json.dumps([self.target, self.processes, self.threads, self.scaling, self.options, *exchange])

    @classmethod
    def of_key(cls, key: str) -> Treatment:
        """The treatment with a key."""
        target, processes, threads, scaling, options, *exchange = json.loads(key)
        given = tuple((name, level) for name, level in options)
        return cls(target, processes, threads, scaling, given, Exchange(*exchange))


@dataclass(frozen=True)
class Design:
    """An experiment as a value.

    Args:
        kind: one of ``KINDS``.
        factors: with the levels that are used.
        treatments: of one block, in no particular order.
        seed: of the order of runs.
        cores: of the machine.
        said: what there is to know about it.
    """

    kind: str
    factors: tuple[Factor, ...]
    treatments: tuple[Treatment, ...]
    seed: int
    cores: int
    said: tuple[str, ...] = ()

    @property
    def varied(self) -> tuple[Factor, ...]:
        """The factors with more than one level."""
        return tuple(each for each in self.factors if len(each.levels) > 1)

    @property
    def cells(self) -> tuple[Treatment, ...]:
        """The treatments that an engine runs: the combinations of levels."""
        return tuple(each for each in self.treatments if each.distributed)

    def block(self, number: int) -> tuple[Treatment, ...]:
        """The treatments of a block, counted from 1, in the order that they are run in.

        It depends on seed and number alone, so more blocks can be added later.
        """
        ordered = sorted(self.treatments, key=lambda each: each.key)
        random.Random(f"{self.seed}.{number}").shuffle(ordered)
        return tuple(ordered)

    def key(self, *others: str) -> str:
        """A name for the design of a script: the same runs are made for the same name, whatever their number."""
        told = json.dumps([self.kind, [each.key for each in self.treatments], self.seed, *others])
        return hashlib.sha256(told.encode()).hexdigest()[:12]


def designed(factors: Sequence[Factor], kind: str, seed: int, cores: int, *, limits: bool = True) -> Design:
    """The design with some factors.

    Args:
        factors: all of ``ALWAYS``, of ``OWN`` those that are named, and options of the script.
        kind: ``full`` has all combinations; ``2k`` those of two levels of each factor; ``fractional`` half of these.
        seed: of the order of runs.
        cores: of the machine.
        limits: whether unconnected processes and one process with all threads are run, too.

    Raises:
        UsageError: a level stands twice, or too few factors are varied to leave out half of the combinations.
    """
    for each in factors:
        if len(set(each.levels)) < len(each.levels):
            raise UsageError(f"the factor {each.name} has a level twice: {','.join(each.levels)}.")
    used = tuple(factors) if kind == "full" else tuple(map(_two_levels, factors))
    left_out = [each.name for each, own in zip(factors, used, strict=True) if each != own]
    said = [f"of {' and '.join(left_out)} the lowest and the highest level are used (--design {kind})"] * bool(left_out)
    combinations = list(product(*(each.levels for each in used)))
    varied = [number for number, each in enumerate(used) if len(each.levels) > 1]
    if kind == "fractional":
        combinations = _half(combinations, used, varied)
        names = [used[number].name for number in varied]
        said.append(f"half of the combinations are run: {names[-1]} cannot be told from {' × '.join(names[:-1])}")
    cells = [_treatment(used, levels) for levels in combinations]
    beside = [own for each in cells for own in _compared_with(each, cores, limits=limits)]
    return Design(kind, used, tuple(dict.fromkeys([*beside, *cells])), seed, cores, tuple(said))


def _two_levels(factor: Factor) -> Factor:
    if len(factor.levels) <= 2:
        return factor
    try:
        ordered = sorted(factor.levels, key=float)
    except ValueError:
        ordered = list(factor.levels)
    return Factor(factor.name, (ordered[0], ordered[-1]))


def _half(combinations: list[tuple[str, ...]], factors: Sequence[Factor], varied: list[int]) -> list[tuple[str, ...]]:
    """The half in which the product of all signs is +1: a design of the highest resolution (Jain, section 19.1)."""
    if len(varied) < _LEAST_FOR_FRACTION:
        raise UsageError(
            f"a fractional design needs {_LEAST_FOR_FRACTION} factors with two levels, and {len(varied)} are varied: "
            "with fewer one factor could not be told from another.",
            advice="Choose --design full.",
        )

    def sign(levels: tuple[str, ...]) -> int:
        return prod(1 if levels[number] == factors[number].levels[1] else -1 for number in varied)

    return [levels for levels in combinations if sign(levels) == 1]


def _treatment(factors: Sequence[Factor], levels: Sequence[str]) -> Treatment:
    chosen = dict(zip((each.name for each in factors), levels, strict=True))
    target, processes, threads, scaling = (chosen.pop(name) for name in ALWAYS)
    exchange = exchange_of(chosen.pop(COMPRESSION, AS_THEY_ARE), chosen.pop(BUCKET_MB, BY_ENGINE))
    return Treatment(target, int(processes), int(threads), scaling, tuple(chosen.items()), exchange)


def exchange_of(compression: str, bucket_mb: str) -> Exchange:
    """How gradients are exchanged, by the levels of the two factors."""
    return Exchange("" if compression == AS_THEY_ARE else compression, 0 if bucket_mb == BY_ENGINE else int(bucket_mb))


def _compared_with(cell: Treatment, cores: int, *, limits: bool) -> Iterator[Treatment]:
    yield cell.sequential
    if limits:
        yield cell.alone(cores)
        if cell.processes > 1:
            yield cell.unconnected
