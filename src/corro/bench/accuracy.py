"""Is the same accuracy reached in parallel, and how soon? The numbers that a script reports are asked.

That two are equal is never shown by a test that finds no difference; it is by two one-sided tests (D. J. Schuirmann,
J. Pharmacokinet. Biopharm. 15(6), 1987): the difference is neither below minus the margin nor above it. Runs of one
block have the same seed, so they are compared in pairs, and the seeds of the blocks are the sample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, log, nan
from statistics import fmean, median
from typing import TYPE_CHECKING

from corro.bench.intervals import Interval, ratio
from corro.errors import UsageError

if TYPE_CHECKING:
    from corro.bench.design import Design, Treatment
    from corro.bench.store import Row, Series

LEVEL = 0.05
"""Of the two one-sided tests; the interval that goes with them has 1 - 2 * LEVEL."""
FEWEST = 3
"""So many seeds are needed at least."""


@dataclass(frozen=True)
class Goals:
    """What is asked of the numbers that a script reports.

    Args:
        equal: by name how far a number may be from that of the sequential run to count as equal.
        reach: by name a value of which the time is taken until it is reached.
    """

    equal: Mapping[str, float] = field(default_factory=dict)
    reach: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers that have to be reported."""
        return tuple(dict.fromkeys([*self.equal, *self.reach]))


@dataclass(frozen=True)
class Equality:
    """Whether a number at the end of training is that of the sequential run.

    Args:
        name: of the number.
        treatment: an engine's.
        margin: how far apart counts as equal.
        difference: to the sequential run, in the mean, with its 90 % interval.
        p_value: of the two one-sided tests; ``nan`` where nothing could be tested.
        seeds: in how many blocks both reported it.
        alike: whether all runs of one side reported the same: no seed was varied.
    """

    name: str
    treatment: Treatment
    margin: float
    difference: Interval
    p_value: float
    seeds: int
    alike: bool

    @property
    def tested(self) -> bool:
        """Whether there was enough to test."""
        return self.seeds >= FEWEST and not self.alike

    @property
    def shown(self) -> bool:
        """Whether it is shown that they are equal."""
        return self.tested and self.p_value < LEVEL

    @property
    def differs(self) -> bool:
        """Whether it is shown that they are not: the whole interval lies beyond the margin."""
        return self.tested and (self.difference.low > self.margin or self.difference.high < -self.margin)


@dataclass(frozen=True)
class Reached:
    """When a reported number first reached a value.

    Args:
        name: of the number.
        value: that is to be reached, from whichever side training comes.
        treatment: an engine's, or the sequential run.
        seconds: from launch, the median of the runs that reached it; ``nan`` where none did.
        reached: in how many runs.
        runs: of how many.
        faster: the time of the sequential run by this one; absent for that itself, or where no pair has both.
    """

    name: str
    value: float
    treatment: Treatment
    seconds: float
    reached: int
    runs: int
    faster: Interval | None = None


def must_be_reported(goals: Goals, first: Row) -> None:
    """See that a script reports what is asked of it.

    Raises:
        UsageError: it does not.
    """
    for name in goals.names:
        if name not in first.numbers:
            known = ", ".join(first.numbers)
            raise UsageError(
                f"the script reports no number {name!r}.",
                advice=f"It reports: {known}." if known else "It reports none with a decimal point.",
            )


def equalities(design: Design, rows: Sequence[Row], goals: Goals) -> tuple[Equality, ...]:
    """For each number and each engine's configuration, whether the number is that of the sequential run."""
    return tuple(_equality(rows, name, margin, each) for name, margin in goals.equal.items() for each in design.cells)


def _equality(rows: Sequence[Row], name: str, margin: float, treatment: Treatment) -> Equality:
    own, others = (_last(rows, name, each) for each in (treatment, treatment.sequential))
    both = sorted(own.keys() & others.keys())
    differences = [own[block] - others[block] for block in both]
    alike = len(both) > 1 and len({others[block] for block in both}) == 1 and len({own[block] for block in both}) == 1
    if len(differences) < FEWEST or alike:
        between = Interval(fmean(differences)) if differences else Interval(nan)
        return Equality(name, treatment, margin, between, nan, len(differences), alike)
    if max(differences) == min(differences):  # no chance in it
        equal = abs(differences[0]) <= margin
        return Equality(name, treatment, margin, Interval(*3 * differences[:1]), float(not equal), len(both), alike)
    from statsmodels.stats.weightstats import DescrStatsW  # noqa: PLC0415

    found = DescrStatsW(differences)
    p_value, *_ = found.ttost_mean(-margin, margin)
    low, high = map(float, found.tconfint_mean(2 * LEVEL))
    between = Interval(fmean(differences), low, high)
    return Equality(name, treatment, margin, between, float(p_value), len(both), alike)


def _last(rows: Sequence[Row], name: str, treatment: Treatment) -> dict[int, float]:
    own = [row for row in rows if row.treatment == treatment and name in row.numbers and not row.failed]
    return {row.block: row.numbers[name] for row in own}


def times_to_reach(design: Design, rows: Sequence[Row], goals: Goals) -> tuple[Reached, ...]:
    """For each value, how long each configuration takes until it is reached, the sequential run first."""
    sequential = list(dict.fromkeys(each.sequential for each in design.cells))
    return tuple(
        _reached(rows, name, value, each)
        for name, value in goals.reach.items()
        for each in (*sequential, *design.cells)
    )


def _reached(rows: Sequence[Row], name: str, value: float, treatment: Treatment) -> Reached:
    own, others = (_times(rows, name, value, each) for each in (treatment, treatment.sequential))
    made = [each for each in own.values() if each < inf]
    logs, base = ({block: log(t) for block, t in each.items() if t < inf} for each in (others, own))
    faster = ratio(logs, base) if treatment != treatment.sequential else None
    return Reached(name, value, treatment, median(made) if made else nan, len(made), len(own), faster)


def _times(rows: Sequence[Row], name: str, value: float, treatment: Treatment) -> dict[int, float]:
    own = [row for row in rows if row.treatment == treatment and not row.failed and row.series.get(name)]
    return {row.block: first_time(row.series[name], value) for row in own}


def first_time(series: Series, value: float) -> float:
    """When a number first reaches a value, from the side where it begins; ``inf`` where it never does."""
    upwards = series[-1][1] >= series[0][1]
    return next((at for at, each in series if (each >= value if upwards else each <= value)), inf)
