"""What the runs say: rates, speed-up, efficiency, the serial fraction, effects; by SciPy, pandas and statsmodels.

Rates are compared as ratios, so their logarithms are analysed (Jain, *The Art of Computer Systems Performance
Analysis*, section 15.4). Runs of one block are neighbours in time and are compared in pairs (section 13.4.1), which
keeps what changes from block to block, such as other users of the machine, out of the comparison.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, nan
from typing import Any

from corro.bench.accuracy import Equality, Goals, Reached, equalities, times_to_reach
from corro.bench.design import Design, Treatment
from corro.bench.intervals import Interval, ratio
from corro.bench.store import Row

_WHOLE_RUN = 3600.0


@dataclass(frozen=True)
class Measure:
    """What is compared between runs: work per time, so that more is better.

    Args:
        name: in words.
        unit: of its numbers.
    """

    name: str
    unit: str


SAMPLES = Measure("samples/s in the steady state", "samples/s")
BATCHES = Measure("batches of the script's size/s in the steady state", "batches/s")
WHOLE = Measure("whole runs/h, as the steps of this script are not seen", "runs/h")


@dataclass(frozen=True)
class Summary:
    """The runs of a treatment: geometric mean of the rate, medians of the rest (by ``runs.RESPONSES``)."""

    treatment: Treatment
    runs: int
    failed: tuple[str, ...]
    rate: float
    responses: dict[str, float]
    numbers: dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Comparison:
    """A treatment beside those it is compared with.

    Args:
        treatment: an engine's, or a limit.
        speed_up: its rate by that of the sequential run with as many threads a process.
        whole: the same of whole runs, from launch to end; absent where runs were ended early.
        beside_alone: its rate by that of one process with all threads.
        beside_unconnected: its rate by that of as many unconnected processes.
    """

    treatment: Treatment
    speed_up: Interval
    whole: Interval | None = None
    beside_alone: Interval | None = None
    beside_unconnected: Interval | None = None

    @property
    def efficiency(self) -> Interval:
        """The speed-up by the number of processes."""
        p = self.treatment.processes
        return Interval(*(each / p for each in (self.speed_up.estimate, self.speed_up.low, self.speed_up.high)))

    @property
    def serial_fraction(self) -> Interval | None:
        """That of Karp and Flatt (CACM 33(5), 1990): (1/s - 1/p) / (1 - 1/p) for the speed-up s on p processes."""
        p, s = self.treatment.processes, self.speed_up
        return Interval(*(karp_flatt(each, p) for each in (s.estimate, s.high, s.low))) if p > 1 else None


@dataclass(frozen=True)
class Effect:
    """How much of the variation of the rate comes from a factor, or from factors together.

    Args:
        source: the names of the factors; ``block`` and ``error`` besides.
        share: of the sum of squares of the logarithms, 0 to 1.
        p_value: of the F test, ``nan`` for the error.
        levels: for one factor the geometric mean rate at each of its levels.
    """

    source: tuple[str, ...]
    share: float
    p_value: float
    levels: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Analysis:
    """Everything that is said of an experiment."""

    design: Design
    blocks: int
    measure: Measure
    summaries: tuple[Summary, ...]
    comparisons: tuple[Comparison, ...]
    effects: tuple[Effect, ...]
    balanced: bool
    equal: tuple[Equality, ...] = ()
    reached: tuple[Reached, ...] = ()


def karp_flatt(speed_up: float, processes: int) -> float:
    """The serial fraction that a speed-up shows; negative where it is more than the number of processes."""
    return (1 / speed_up - 1 / processes) / (1 - 1 / processes)


def analysed(design: Design, rows: Iterable[Row], *, early: bool = False, goals: Goals | None = None) -> Analysis:
    """The analysis of the runs of a design; block 0 is not part of it.

    Args:
        design: of the experiment.
        rows: its runs.
        early: whether each was ended after some steps, so that whole runs tell nothing.
        goals: what is asked of the numbers that the script reports.
    """
    own = [row for row in rows if row.block > 0 and row.treatment in design.treatments]
    measure = _measure(own)
    frame = _frame(own, measure)
    summaries = tuple(_summary(frame, own, each) for each in design.treatments)
    comparisons = tuple(
        found for each in design.treatments if (found := _compared(frame, design, each, early)) is not None
    )
    cells = frame[frame.treatment.isin([each.key for each in design.cells])]
    effects = effects_of(cells.rename(columns={"log_rate": "response"}), [each.name for each in design.varied])
    if not effects and len(frame):
        alone = frame.assign(response=frame.log_rate, configuration=frame.treatment)
        effects = effects_of(alone, ["configuration"])
    counts = cells.groupby("treatment").block.nunique() if len(cells) else []
    balanced = len(counts) == len(design.cells) and len(set(counts)) <= 1
    blocks = max((row.block for row in own), default=0)
    asked = goals or Goals()
    equal, reached = equalities(design, own, asked), times_to_reach(design, own, asked)
    return Analysis(design, blocks, measure, summaries, comparisons, effects, balanced, equal, reached)


def _measure(rows: Sequence[Row]) -> Measure:
    """The best that all runs have."""
    fine = [row.responses for row in rows if not row.failed]
    if fine and all("samples_per_second" in each for each in fine):
        return SAMPLES
    return BATCHES if fine and all("steps_per_second" in each for each in fine) else WHOLE


def _rate(row: Row, measure: Measure) -> float:
    own = row.treatment
    if measure is SAMPLES:
        return row.responses["samples_per_second"]
    if measure is BATCHES:  # with weak scaling each process works on a batch of that size
        return row.responses["steps_per_second"] * (own.processes if own.scaling == "weak" else 1)
    return _whole(row)


def _whole(row: Row) -> float:
    """Whole runs of the script in an hour: unconnected processes make several at once."""
    return _WHOLE_RUN / row.wall_seconds * (1 if row.treatment.distributed else row.treatment.processes)


def _frame(rows: Sequence[Row], measure: Measure) -> Any:
    """A row for each run that did not fail, with its levels and the logarithm of its rate."""
    import pandas as pd  # noqa: PLC0415

    fine = [row for row in rows if not row.failed]
    columns: dict[str, list[Any]] = {
        "block": [row.block for row in fine],
        "treatment": [row.treatment.key for row in fine],
        "log_rate": [log(_rate(row, measure)) for row in fine],
        "log_whole": [log(_whole(row)) for row in fine],
    }
    names = ["target", "processes", "threads", "scaling", *dict(rows[0].treatment.options if rows else ())]
    for name in names:
        columns[name] = [row.treatment.level(name) for row in fine]
    return pd.DataFrame(columns)


def _summary(frame: Any, rows: Sequence[Row], treatment: Treatment) -> Summary:
    fine = [row for row in rows if row.treatment == treatment and not row.failed]
    failed = tuple(row.failed for row in rows if row.treatment == treatment and row.failed)
    logs = frame.log_rate[frame.treatment == treatment.key]
    responses: dict[str, float] = {}
    numbers: dict[str, tuple[float, float]] = {}
    if fine:
        import pandas as pd  # noqa: PLC0415

        responses = pd.DataFrame([dict(row.responses) for row in fine]).median().to_dict()
        reported = pd.DataFrame([dict(row.numbers) for row in fine])
        numbers = {str(name): (float(own.min()), float(own.max())) for name, own in reported.items() if own.count()}
    return Summary(treatment, len(fine), failed, exp(logs.mean()) if len(logs) else nan, responses, numbers)


def _compared(frame: Any, design: Design, treatment: Treatment, early: bool) -> Comparison | None:
    """A treatment beside its sequential run and the limits; ``None`` where there is nothing to compare with."""
    if treatment == treatment.sequential:
        return None

    def beside(other: Treatment, column: str = "log_rate") -> Interval | None:
        if other not in design.treatments:
            return None
        return ratio(_logs(frame, treatment, column), _logs(frame, other, column))

    speed_up, whole = beside(treatment.sequential), None if early else beside(treatment.sequential, "log_whole")
    if speed_up is None:
        return None
    if not treatment.distributed:
        return Comparison(treatment, speed_up, whole)
    unconnected = beside(treatment.unconnected) if treatment.processes > 1 else None
    return Comparison(treatment, speed_up, whole, beside(treatment.alone(design.cores)), unconnected)


def _logs(frame: Any, treatment: Treatment, column: str) -> dict[int, float]:
    own = frame[frame.treatment == treatment.key]
    return dict(zip(own.block, own[column], strict=True))


def effects_of(frame: Any, factors: Sequence[str]) -> tuple[Effect, ...]:
    """The allocation of the variation of a response to factors, pairs of factors, blocks and error.

    The model has main effects and interactions of two factors; sums of squares are those of type II, which add up to
    the whole where the runs are balanced (Jain, chapters 18, 22 and 23).

    Args:
        frame: a row for each run, with ``block``, ``response`` and a column for each factor.
        factors: the names of those that are varied; none with one level is taken into the model.
    """
    import statsmodels.formula.api as formula  # noqa: PLC0415
    from statsmodels.stats.anova import anova_lm  # noqa: PLC0415

    varied = [name for name in factors if frame[name].nunique() > 1]
    if not varied:
        return ()
    own = {f"f{number}": name for number, name in enumerate(varied)}
    data = frame.rename(columns={name: short for short, name in own.items()})
    blocked = frame.block.nunique() > 1
    for power in (2, 1):  # fewer terms where these leave nothing for the error, or cannot be told apart
        terms = " + ".join(f"C({short})" for short in own)
        model = formula.ols(f"response ~ {'C(block) + ' if blocked else ''}({terms})**{power}", data).fit()
        if model.df_resid > 0 and model.model.rank == model.model.exog.shape[1]:
            break
    else:
        return ()
    table = anova_lm(model, typ=2)
    whole = float(table.sum_sq.sum())
    return tuple(_effect(frame, own, str(name), row, whole) for name, row in table.iterrows()) if whole > 0 else ()


def _effect(frame: Any, own: dict[str, str], term: str, row: Any, whole: float) -> Effect:
    plain = {"C(block)": ("block",), "Residual": ("error",)}
    source = plain.get(term) or tuple(own[part[2:-1]] for part in term.split(":"))
    levels: tuple[tuple[str, float], ...] = ()
    if len(source) == 1 and source[0] in own.values():
        means = frame.groupby(source[0]).response.mean()
        levels = tuple((str(level), exp(mean)) for level, mean in means.items())
    return Effect(source, float(row.sum_sq) / whole, float(row["PR(>F)"]), levels)
