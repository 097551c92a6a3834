"""The fastest way to train a script as it is: short runs of all ways, longer ones of those that were faster.

Successive halving (K. Jamieson, A. Talwalkar, *Non-stochastic Best Arm Identification and Hyperparameter
Optimization*, AISTATS 2016): in each round half of what is left goes on, with twice as many steps. The last two are
compared in pairs of runs, and with what their engines do by themselves.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, log
from statistics import fmean

from corro.bench.design import Design, Treatment
from corro.bench.intervals import Interval, ratio
from corro.bench.store import Row
from corro.targets.base import USUAL

LAST = 2
"""So many are left for the last round."""
PAIRS = 3
"""So often each of these is run."""


@dataclass(frozen=True)
class Round:
    """What is run together.

    Args:
        steps: after so many steps each run ends.
        blocks: the numbers of its blocks: in each all candidates are run once.
        candidates: in no particular order.
    """

    steps: int
    blocks: tuple[int, ...]
    candidates: tuple[Treatment, ...]

    def order(self, seed: int) -> Iterator[tuple[int, Treatment]]:
        """All runs, block by block, each in a random order that a seed repeats."""
        for block in self.blocks:
            ordered = sorted(self.candidates, key=lambda each: each.key)
            random.Random(f"{seed}.{block}").shuffle(ordered)
            yield from ((block, each) for each in ordered)


@dataclass(frozen=True)
class Best:
    """What the search found.

    Args:
        treatment: the fastest.
        rate: of its last runs: of samples in a second, or of steps where samples are not seen.
        second: the next one.
        faster: the rate of the fastest by that of the next, in pairs of runs.
        alone: the faster of the sequential runs, in the last round that had both.
        beside_alone: its rate by that of this one.
    """

    treatment: Treatment
    rate: float
    second: Treatment | None
    faster: Interval | None
    alone: Treatment | None = None
    beside_alone: float | None = None


def candidates(design: Design) -> tuple[Treatment, ...]:
    """The ways to take: engines that fill the cores and no more, and one process with as many threads, or with all."""
    own = [each for each in design.cells if each.processes > 1]
    fitting = [each for each in own if each.processes * each.threads <= design.cores]
    alone = dict.fromkeys(way for each in own for way in (each.sequential, each.alone(design.cores)))
    return (*alone, *(fitting or own))


def without_compression(rounds: Iterable[Round]) -> tuple[Round, ...]:
    """The rounds with those alone that send gradients as they are."""
    return tuple(
        replace(one, candidates=tuple(each for each in one.candidates if not each.exchange.compression))
        for one in rounds
    )


def first_round(found: Sequence[Treatment], steps: int) -> Round:
    """All of them, with as few steps as tell something."""
    return _round(steps, 1, found, PAIRS if len(found) <= LAST else 1)


def next_round(before: Round, rows: Iterable[Row]) -> Round | None:
    """The faster half, with twice the steps; ``None`` after the last round, or where nothing is left to choose.

    In the last round, ways to exchange gradients are compared with what the engine does by itself, too.
    """
    if len(before.blocks) > 1:
        return None
    rates = rates_of(before, rows)
    ordered = sorted(rates, key=lambda each: -rates[each])
    left = ordered[: max(LAST, ceil(len(before.candidates) / 2))]
    if len(left) > LAST or not left:
        return _round(before.steps * 2, before.blocks[-1] + 1, left) if left else None
    usual = [replace(each, exchange=USUAL) for each in left]
    return _round(before.steps * 2, before.blocks[-1] + 1, tuple(dict.fromkeys([*left, *usual])), PAIRS)


def _round(steps: int, block: int, found: Sequence[Treatment], blocks: int = 1) -> Round:
    return Round(steps, tuple(range(block, block + blocks)), tuple(found))


def rates_of(one: Round, rows: Iterable[Row]) -> Mapping[Treatment, float]:
    """The mean rate of each candidate in a round; of those that failed, or were not run, none."""
    return {each: _rate(own) for each, own in _logs(one, rows).items() if own}


def _logs(one: Round, rows: Iterable[Row]) -> dict[Treatment, dict[int, float]]:
    found: dict[Treatment, dict[int, float]] = {each: {} for each in one.candidates}
    own = [row for row in rows if row.block in one.blocks and row.treatment in found and not row.failed]
    name = "samples_per_second" if all("samples_per_second" in row.responses for row in own) else "steps_per_second"
    for row in own:
        if row.responses.get(name):
            found[row.treatment][row.block] = log(row.responses[name])
    return found


def best(rounds: Sequence[Round], rows: Sequence[Row]) -> Best | None:
    """The fastest, by the last round that has results; ``None`` where none has.

    Where it is not shown that telling the engine how to exchange gradients is faster, it is not told.
    """
    for last in reversed(rounds):
        logs = {each: own for each, own in _logs(last, rows).items() if own}
        if not logs:
            continue
        ordered = [each for each in sorted(logs, key=lambda each: -fmean(logs[each].values())) if _pays(each, logs)]
        first, second = ordered[0], ordered[1] if len(ordered) > 1 else None
        faster = ratio(logs[first], logs[second]) if second is not None else None
        return Best(first, _rate(logs[first]), second, faster, *_beside_alone(first, rounds, rows))
    return None


def _pays(way: Treatment, logs: Mapping[Treatment, dict[int, float]]) -> bool:
    """Whether a way is faster than what its engine does by itself, where that was measured, too."""
    usual = logs.get(replace(way, exchange=USUAL))
    if way.exchange == USUAL or usual is None:
        return True
    faster = ratio(logs[way], usual)
    return faster is not None and faster.known and faster.low > 1


def _rate(logs: Mapping[int, float]) -> float:
    return exp(fmean(logs.values()))


def _beside_alone(
    first: Treatment, rounds: Sequence[Round], rows: Sequence[Row]
) -> tuple[Treatment | None, float | None]:
    """In the last round that both were in."""
    for one in reversed(rounds):
        rates = rates_of(one, rows)
        alone = max((each for each in rates if not each.distributed), key=rates.__getitem__, default=None)
        if alone is not None and first in rates:
            return alone, rates[first] / rates[alone]
    return None, None


Measure = Callable[[int, Treatment, int], Row]
"""Makes a run: block, treatment, steps."""


def searched(
    found: Sequence[Treatment],
    steps: int,
    seed: int,
    measure: Measure,
    rows: Callable[[], Sequence[Row]],
    may_go_on: Callable[[Round], bool],
) -> tuple[Round, ...]:
    """Make the rounds, each run of them that is not there yet.

    Args:
        found: the candidates.
        steps: of the first round.
        seed: of the order.
        measure: makes a run and keeps it.
        rows: all that were kept.
        may_go_on: asked before each run whether there is time for it.
    """
    rounds: list[Round] = []
    one: Round | None = first_round(found, steps)
    while one is not None:
        rounds.append(one)
        done = {(row.block, row.treatment) for row in rows()}
        for block, treatment in one.order(seed):
            if (block, treatment) in done:
                continue
            if not may_go_on(one):
                return tuple(rounds)
            measure(block, treatment, one.steps)
        one = next_round(one, rows())
    return tuple(rounds)
