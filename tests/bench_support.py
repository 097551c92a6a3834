"""Experiments whose truth is known: rates are made by a rule, with noise or without."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp

from corro.bench.design import Design, Factor, Treatment, designed
from corro.bench.store import Row

Truth = Callable[[Treatment], float]


def factors(**levels: tuple[str, ...]) -> list[Factor]:
    own = {"target": ("ddp",), "processes": ("2",), "threads": ("1",), "scaling": ("strong",), **levels}
    return [Factor(name.replace("_", "-"), each) for name, each in own.items()]


def design(kind: str = "full", seed: int = 0, *, limits: bool = True, **levels: tuple[str, ...]) -> Design:
    return designed(factors(**levels), kind, seed, 2, limits=limits)


def speed(treatment: Treatment) -> float:
    """Two processes are 1.6 times as fast as one, unconnected ones twice, Horovod has 0.8 times the rate of DDP."""
    if treatment.target == "unconnected":
        return 100.0 * treatment.processes
    if treatment.target == "sequential":
        return 100.0 * (1.5 if treatment.threads == 2 else 1.0)
    return 100.0 * (1.6 if treatment.processes == 2 else 1.0) * (0.8 if treatment.target == "horovod" else 1.0)


def rows(made: Design, blocks: int, truth: Truth = speed, noise: float = 0.0, seed: int = 0) -> list[Row]:
    """Runs in their order; a block is faster or slower as a whole."""
    chance = random.Random(seed)
    found = []
    for block in range(1, blocks + 1):
        shift = chance.gauss(0, 3 * noise)
        for each in made.block(block):
            rate = truth(each) * exp(shift + chance.gauss(0, noise))
            found.append(Row(block, each, "", responses(rate), {"loss": 0.5}))
    return found


def responses(rate: float) -> dict[str, float]:
    return {
        "wall_seconds": 1000 / rate,
        "startup_seconds": 2.0,
        "cpu_seconds": 5.0,
        "steps": 100,
        "samples_per_second": rate,
        "steps_per_second": rate / 10,
        "step_median_seconds": 10 / rate,
        "step_p95_seconds": 11 / rate,
        "peak_bytes": 2.0**28,
    }
